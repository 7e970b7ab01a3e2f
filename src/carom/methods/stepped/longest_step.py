"""The longest step that springs and dashpots of crowded particles bear.

Leapfrog with a dashpot at the speed of half a step before is stable for a swing of angular
frequency ω with the damping rate Γ as long as 2 Γ dt + ω² dt² < 4. A particle in a crowd swings
faster, and is damped more strongly, than two alone: all its contacts act on it at once. Between two
particles (n·(u_i − u_j))² ≤ 2 (n·u_i)² + 2 (n·u_j)², so that rates are at most those of a particle
with twice the coefficients against neighbours that stand still; and N contacts in directions that
are spread evenly have N / d of their strength along each axis.
"""

from __future__ import annotations

import math

import numpy as np

from carom.contacts import LinearSpringDashpot
from carom.particles import Array, inertia_factor
from carom.system import System

# The share of the bound above that is used.
SAFE = 0.9
# No more of a sphere is covered by equal caps that do not overlap: π / √12 (Fejes Tóth 1943).
COVERED = math.pi / math.sqrt(12.0)


def longest_stable_step(
    system: System,
    law: LinearSpringDashpot,
    wall_ratios: Array,
    stiffness_along: float,
    damping_along: float,
) -> float:
    """The step below which no crowd of the particles gains energy.

    ``wall_ratios`` are the damping ratios at the walls, NaN for that of the law; stiffness and
    damping along the surfaces are relative to those along the normal.
    """
    mass, d = system.particles.mass, system.dimension
    crowd = _contacts_at_once(system)
    partner = float(mass.max())
    damping = 2.0 * _damping(law, law.ratio, mass * (partner / (mass + partner)))
    for ratio in wall_ratios:
        own = law if math.isnan(ratio) else law._replace(damping=0.0, ratio=float(ratio))
        damping = np.maximum(damping, _damping(own, own.ratio, mass))
    rate = float((crowd * damping / mass).max()) * _with_spin(damping_along, d)
    swing = float((crowd * 2.0 * law.stiffness / mass).max()) * _with_spin(stiffness_along, d)
    return 4.0 * SAFE / (rate + math.sqrt(rate * rate + 4.0 * SAFE * swing))


def _damping(law: LinearSpringDashpot, ratio: float, reduced_mass: Array) -> Array:
    return np.asarray(law.damping + 2.0 * ratio * np.sqrt(law.stiffness * reduced_mass))


def _contacts_at_once(system: System) -> Array:
    """How many of the smallest particles find room around each, no more than there are."""
    radius = system.particles.radius
    opening = np.arcsin(radius.min() / (radius + radius.min()))
    if system.dimension == 2:
        room = math.pi / opening
    else:
        room = COVERED / np.sin(0.5 * opening) ** 2
    others = len(radius) - 1 + len(system.planes)
    # Few contacts need not be spread evenly: each counts fully along one axis.
    return np.asarray(np.minimum(room, float(system.dimension * max(others, 1))))


def _with_spin(along: float, dimension: int) -> float:
    """The largest rate per contact, in units of the coefficient along the normal over the mass.

    ``along`` is the coefficient along the surfaces in that unit. It acts on the velocity and on
    the spin, both of which change the slip.
    """
    across = 1.0 / dimension
    moving = (1.0 - across) * along
    turning = (1.0 if dimension == 2 else 2.0 / 3.0) * along / inertia_factor(dimension)
    difference = across + moving - turning
    root = math.sqrt(difference * difference + 4.0 * moving * turning)
    return 0.5 * (across + moving + turning + root)
