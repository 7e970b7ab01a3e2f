"""How ordered a packing is: the sixfold symmetry of the bonds between neighbours."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from carom.domains import Domain
from carom.domains.images import images_around
from carom.functions import power
from carom.particles import Array, Particles
from carom.statistics.harmonics import length, planar_waves, spherical_waves

# SciPy is imported where it is used: it would take a third of the time that ``import carom`` needs.

# Spheres have so many neighbours in the densest packings.
NEIGHBOURS = 12
# Images of particles so far outside the box matter to those inside, in mean distances.
MARGIN = 6.0
DEGREE = 6


class BondOrder(NamedTuple):
    """The order over all bonds, and the order around each particle (n,), between 0 and 1.

    A single crystal has both, crystals in many directions only the second.
    """

    overall: float
    around: Array

    @property
    def local(self) -> float:
        """The order around the mean particle."""
        return float(self.around.mean())


def bond_order(particles: Particles, box: Domain) -> BondOrder:
    """The bond-orientational order of particles in a box.

    In the plane it is |psi_6|, the mean of exp(6iθ) over the bonds of the Delaunay triangulation:
    1 for a triangular lattice. In space it is Q_6 of Steinhardt, Nelson & Ronchetti 1983 from the
    twelve nearest neighbours, around each particle averaged with those of its neighbours (Lechner
    & Dellago 2008): 0.575 for a face-centred cubic lattice, 0.485 for a hexagonal close packing.
    """
    places, original = _with_images(particles, box)
    if len(places) <= NEIGHBOURS:
        return BondOrder(math.nan, np.full(len(particles), math.nan))
    n, dimension = particles.position.shape
    first, second = _planar_bonds(places, n) if dimension == 2 else _nearest(places, n)
    waves_of = planar_waves if dimension == 2 else spherical_waves
    waves = waves_of(places[second] - places[first], DEGREE)
    around = np.zeros((n, waves.shape[1]), dtype=np.complex128)
    np.add.at(around, first, waves)
    around /= np.bincount(first, minlength=n)[:, None]
    if dimension == 3:
        averaged = around.copy()
        np.add.at(averaged, first, around[original[second]])
        around = averaged / (NEIGHBOURS + 1)
    return BondOrder(float(length(waves.mean(axis=0))), length(around))


def _with_images(particles: Particles, box: Domain) -> tuple[Array, Any]:
    """Places of the particles and of images around the box, and the particle at each place."""
    n, dimension = particles.position.shape
    sides, periodic = box.sides(dimension), box.periodic_axes(dimension)
    position = particles.position
    if sides is None:
        return position, np.arange(n)
    lengths = np.array(sides)
    position = np.where(periodic, position - np.floor(position / lengths) * lengths, position)
    margin = MARGIN * power(np.prod(lengths) / n, 1.0 / dimension)
    places, original, _ = images_around(position, margin, sides, periodic)
    return places, original


def _planar_bonds(places: Array, n: int) -> tuple[Any, Any]:
    """Bonds of the first n places with their Delaunay neighbours."""
    from scipy.spatial import Delaunay

    starts, others = Delaunay(places).vertex_neighbor_vertices
    count = np.diff(starts)[:n]
    return np.repeat(np.arange(n), count), others[: starts[n]]


def _nearest(places: Array, n: int) -> tuple[Any, Any]:
    """Bonds of the first n places with their nearest neighbours."""
    from scipy.spatial import cKDTree

    _, others = cKDTree(places).query(places[:n], k=NEIGHBOURS + 1)
    return np.repeat(np.arange(n), NEIGHBOURS), others[:, 1:].ravel()
