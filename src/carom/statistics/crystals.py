"""Which spheres of a fluid are solid, by the bonds to their neighbours."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from carom.checks import check_positive
from carom.particles import Array
from carom.statistics.boxes import RepeatingBox
from carom.statistics.harmonics import length, spherical_waves, third_invariant
from carom.statistics.pairs import near_pairs

DEGREE = 6
# ten Wolde, Ruiz-Montero & Frenkel 1996: how alike two surroundings must be to be connected, with
# the larger of the values in use, and how many connections a solid particle has more than.
ALIKE = 0.7
CONNECTIONS = 7


class Crystals(NamedTuple):
    """The order around each particle (n,), and which are solid."""

    order: Array  # q_6
    third: Array  # ŵ_6, which tells kinds of lattices apart
    connections: Any  # how many neighbours have surroundings that are alike
    cluster: Any  # the number of its cluster of solid particles, or -1
    sizes: Any  # (clusters,) the number of particles in each, the largest first

    @property
    def share(self) -> float:
        """The share of particles that are solid."""
        return float((self.cluster >= 0).mean())

    @property
    def largest(self) -> int:
        """The number of particles in the largest cluster."""
        return int(self.sizes[0]) if len(self.sizes) else 0


def crystals(position: ArrayLike, box: RepeatingBox, reach: float) -> Crystals:
    """Solid spheres and their clusters (ten Wolde, Ruiz-Montero & Frenkel, J. Chem. Phys. 104,
    9932, 1996), in space.

    Neighbours are nearer than ``reach``, best the first minimum of g(r). Neighbours are connected
    whose vectors of spherical harmonics of degree 6 have a cosine of more than 0.7; particles with
    more than 7 connections are solid, and solid neighbours of one cluster. q_6 is 0.575 in a
    face-centred cubic lattice with its 12 neighbours, ŵ_6 −0.0132 (Steinhardt, Nelson & Ronchetti
    1983).
    """
    check_positive("crystals: reach", reach)
    if box.dimension != 3:
        raise ValueError("crystals are told in space; in the plane use packings.bond_order.")
    if reach > min(box.sides):
        raise ValueError(
            f"crystals: reach={reach:g} is longer than the shortest side of {box!r}, so that "
            "particles would be neighbours of themselves; use the first minimum of g(r)."
        )
    places = box.wrapped(position)
    first, second, bonds = _bonds(places, box, reach)
    waves = _around(first, second, bonds, len(places))
    order = length(waves)
    alike = (waves[first] * np.conj(waves[second])).real.sum(axis=1)
    connected = alike > ALIKE * order[first] * order[second]
    connections = _degrees(first[connected], second[connected], len(places))
    solid = connections > CONNECTIONS
    joined = solid[first] & solid[second]
    cluster, sizes = _clusters(first[joined], second[joined], solid)
    return Crystals(order, third_invariant(waves, DEGREE), connections, cluster, sizes)


def _bonds(places: Array, box: RepeatingBox, reach: float) -> tuple[Any, Any, Array]:
    portions = list(near_pairs(places, reach, box))
    first, second = (np.concatenate([getattr(one, k) for one in portions]) for k in "ij")
    return first, second, np.concatenate([one.separation for one in portions])


def _degrees(first: Any, second: Any, n: int) -> Any:
    return np.bincount(first, minlength=n) + np.bincount(second, minlength=n)


def _around(first: Any, second: Any, bonds: Array, n: int) -> Any:
    """The mean waves (n, 7) over the bonds of each particle; zero without any."""
    waves = spherical_waves(bonds, DEGREE)
    total = np.zeros((n, DEGREE + 1), dtype=np.complex128)
    # Waves of an even degree are the same in both directions of a bond.
    np.add.at(total, first, waves)
    np.add.at(total, second, waves)
    return total / np.maximum(_degrees(first, second, n), 1)[:, None]


def _clusters(first: Any, second: Any, solid: Any) -> tuple[Any, Any]:
    """Numbers of clusters, from the largest on, and their sizes."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    n = len(solid)
    graph = coo_matrix((np.ones(len(first)), (first, second)), shape=(n, n))
    _, label = connected_components(graph, directed=False)
    label[~solid] = -1
    found, sizes = np.unique(label[solid], return_counts=True)
    order = np.argsort(-sizes, kind="stable")
    rank = np.full(n + 1, -1)
    rank[found[order]] = np.arange(len(found))
    return rank[label], sizes[order]
