"""Pairs by their distance: how many there are, and how fast they approach, up to contact.

Distances s are relative to the sum of the two radii, so that unequal particles touch at 1 too.
w_r is the radial relative velocity of a pair, negative when it approaches.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from carom.checks import numbers_in
from carom.functions import power
from carom.particles import Array, Particles
from carom.statistics.boxes import RepeatingBox
from carom.statistics.pairs import NearPairs, near_pairs

# Ten shells up to a tenth of a diameter from contact: g bends little there, even in dense fluids.
CONTACT_EDGES = np.linspace(1.0, 1.1, 11)


class Contact(NamedTuple):
    """What shells say of pairs in contact."""

    distribution: float  # g
    radial_speed: float  # the mean of |w_r|
    approach_speed: float  # the mean of −w_r over the pairs that approach
    kernel: float  # Γ from the pairs that approach


class PairShells(NamedTuple):
    """Sums over the pairs in m shells, each (m,); ``plus`` adds those of another look."""

    edges: Array  # (m + 1,)
    ideal: Array  # the number of pairs that random positions would have
    pairs: Array  # their number
    approaching: Array  # the number of those with w_r < 0
    speeds: Array  # sums of |w_r|
    closing: Array  # sums of −w_r where that is positive
    flux: Array  # the same over the sum of radii; in units in which flux / ideal is Γ

    def plus(self, other: PairShells) -> PairShells:
        """The sums over these pairs and others, in the same shells."""
        if not np.array_equal(self.edges, other.edges):
            raise ValueError("pairs in different shells cannot be added; use the same edges.")
        added = (a + b for a, b in zip(self[1:], other[1:], strict=True))
        return PairShells(self.edges, *added)

    @property
    def distance(self) -> Array:
        """The middles of the shells, (m,)."""
        return np.asarray(0.5 * (self.edges[:-1] + self.edges[1:]))

    @property
    def distribution(self) -> Array:
        """The radial distribution function g (m,): the pairs over those of random positions."""
        return self.pairs / self.ideal

    @property
    def radial_speed(self) -> Array:
        """The mean of |w_r| in each shell, (m,); NaN in empty ones."""
        return _ratio(self.speeds, self.pairs)

    @property
    def approach_speed(self) -> Array:
        """The mean of −w_r over the pairs of each shell that approach, (m,); NaN without any."""
        return _ratio(self.closing, self.approaching)

    def contact(self, order: int = 1) -> Contact:
        """What all the shells together say of pairs in contact, at s = 1.

        ``order=1`` draws straight lines through them, ``order=0`` takes the mean over them: that
        has half the statistical error, but errs by the slope of what it averages.
        """
        weight = _extrapolation(self.distance - 1.0, self.ideal, order) / self.ideal
        pairs, approaching, speeds, closing, flux = (
            float((weight * sums).sum()) for sums in self[2:]
        )
        return Contact(
            distribution=pairs,
            radial_speed=speeds / pairs if pairs > 0.0 else math.nan,
            approach_speed=closing / approaching if approaching > 0.0 else math.nan,
            kernel=flux,
        )


def pair_shells(
    particles: Particles, box: RepeatingBox, edges: ArrayLike = CONTACT_EDGES
) -> PairShells:
    """The pairs of particles in shells between some edges, which grow from 1 (contact) or less."""
    ends = checked_edges(edges)
    if len(particles) < 2:
        raise ValueError("pairs need two particles or more.")
    position, radius = box.wrapped(particles.position), particles.radius
    sums = np.zeros((5, len(ends) - 1))
    for pairs in near_pairs(position, 2.0 * float(radius.max() * ends[-1]), box):
        sums += _sums_over(pairs, particles, box.jump, ends)
    # Σ σ^d over all pairs, times the volume of a ball of radius 1.
    balls = unit_ball(box.dimension) * _sum_over_pairs(radius, box.dimension)
    ideal = balls / box.volume * np.diff(power(ends, box.dimension))
    # The flux through a sphere of radius σ is its surface, d balls / σ, times the speed.
    sums[4] *= 2.0 * box.dimension * balls / len(radius) ** 2
    return PairShells(ends, ideal, *sums)


def _sums_over(pairs: NearPairs, particles: Particles, jump: float, edges: Array) -> Array:
    """Sums (5, m) over pairs, in the order of ``PairShells``."""
    sigma = particles.radius[pairs.i] + particles.radius[pairs.j]
    shell = np.searchsorted(edges, pairs.distance / sigma, side="right") - 1
    inside = (shell >= 0) & (shell < len(edges) - 1)
    shell, sigma = shell[inside], sigma[inside]
    velocity = particles.velocity[pairs.i[inside]] - particles.velocity[pairs.j[inside]]
    velocity[:, 0] -= pairs.rows[inside] * jump
    along = np.einsum("ij,ij->i", velocity, pairs.separation[inside])
    closing = -along / pairs.distance[inside]
    approach = np.maximum(closing, 0.0)
    terms = (np.ones_like(closing), closing > 0.0, np.abs(closing), approach, approach / sigma)
    return np.array([np.bincount(shell, term, minlength=len(edges) - 1) for term in terms])


def checked_edges(edges: ArrayLike) -> Array:
    """The edges of shells, if they can be."""
    ends = numbers_in("edges", edges)
    rises = ends.ndim == 1 and len(ends) >= 2 and bool((np.diff(ends) > 0.0).all())
    if not (rises and ends[0] >= 0.0 and math.isfinite(ends[-1])):
        raise ValueError(
            f"edges must be two or more distances over the sum of radii, each larger than the one "
            f"before, not {edges!r}."
        )
    return ends


def unit_ball(dimension: int) -> float:
    """The volume of a ball of radius 1, in the plane the area of a disk."""
    return math.pi if dimension == 2 else 4.0 / 3.0 * math.pi


def _sum_over_pairs(radius: Array, dimension: int) -> float:
    """The sum of (r_i + r_j)^d over all pairs i < j, from sums of powers of the radii."""
    powers = [float(power(radius, k).sum()) for k in range(dimension + 1)]
    ordered = sum(math.comb(dimension, k) * powers[k] * powers[-1 - k] for k in range(len(powers)))
    return 0.5 * (ordered - 2.0**dimension * powers[-1])


def _extrapolation(place: Array, weight: Array, order: int) -> Array:
    """Coefficients (m,) whose product with values at some places is their polynomial at 0.

    The polynomial is that of least squares; the variances of the values are 1 / weight.
    """
    if order not in (0, 1) or len(place) <= order:
        raise ValueError(
            f"order must be 0 or 1, and less than the number of shells ({len(place)}), not "
            f"{order!r}."
        )
    moments = [float((weight * factor).sum()) for factor in (1.0, place, place * place)]
    if order == 0:
        return np.asarray(weight / moments[0])
    spread = moments[0] * moments[2] - moments[1] * moments[1]
    return np.asarray(weight * (moments[2] - moments[1] * place) / spread)


def _ratio(above: Array, below: Array) -> Array:
    return np.divide(above, below, out=np.full_like(above, math.nan), where=below > 0.0)
