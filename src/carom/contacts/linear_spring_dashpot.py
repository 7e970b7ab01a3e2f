"""A linear spring and a dashpot: equations 1 and 2 of Muth et al. 2007.

A contact of overlap δ has the force k δ + d dδ/dt. Two bodies of reduced mass μ are a damped
oscillator with ω₀² = k / μ and damping ratio ζ = d / (2 √(k μ)), for half a period. When the force
acts as long as they overlap, it pulls at the end, and the coefficient of restitution is
exp(−π ζ / √(1 − ζ²)); when the contact ends as soon as the force has fallen to zero, it is
exp(−(π − 2 arcsin ζ) ζ / √(1 − ζ²)) (Schwager & Pöschel, Granular Matter 9, 465, 2007).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from scipy.optimize import brentq

from carom.compiled.kernels import kernel
from carom.contacts.touch import Touch, at_wall, damping, elastic_energy, spring_force
from carom.functions import arctan2, exp, log


class LinearSpringDashpot(NamedTuple):
    """Spring constant k, and the damping d = ``damping`` + ``ratio`` · 2 √(k μ).

    A damping that all contacts share, or one damping ratio for all, which gives them all the same
    restitution whatever their masses.
    """

    stiffness: float
    damping: float
    ratio: float


@spring_force.register(LinearSpringDashpot)
@kernel
def linear_force(touch: Touch, law: Any) -> float:
    """The force of a linear spring, of any law that has a stiffness."""
    return law.stiffness * touch.overlap


@damping.register(LinearSpringDashpot)
@kernel
def _(touch: Touch, law: LinearSpringDashpot) -> float:
    return law.damping + (2.0 * law.ratio) * math.sqrt(law.stiffness * touch.reduced_mass)


@elastic_energy.register(LinearSpringDashpot)
@kernel
def linear_energy(touch: Touch, law: Any) -> float:
    """What a linear spring holds, likewise."""
    return 0.5 * law.stiffness * touch.overlap * touch.overlap


@at_wall.register(LinearSpringDashpot)
@kernel
def _(law: LinearSpringDashpot, ratio: float) -> LinearSpringDashpot:
    is_own = math.isnan(ratio)  # none of the wall's
    damping_of_wall = law.damping if is_own else 0.0
    return LinearSpringDashpot(law.stiffness, damping_of_wall, law.ratio if is_own else ratio)


def restitution_of(ratio: float, *, pulls: bool) -> float:
    """The coefficient of restitution of two bodies with a damping ratio.

    ``pulls``: the contact ends at zero overlap; otherwise at zero force.
    """
    if ratio == 0.0:
        return 1.0
    if ratio < 1.0:
        root = math.sqrt(1.0 - ratio * ratio)
        angle = math.pi if pulls else 2.0 * arctan2(root, ratio)
        return exp(-angle * ratio / root)
    if pulls:
        return 0.0  # the overlap is never undone
    if ratio == 1.0:
        return exp(-2.0)
    root = math.sqrt(ratio * ratio - 1.0)
    return exp(-ratio / root * log((ratio + root) / (ratio - root)))


def ratio_of(restitution: float, *, pulls: bool) -> float:
    """The damping ratio that gives a coefficient of restitution, between 0 (not included) and 1."""
    if restitution == 1.0:
        return 0.0
    if pulls:
        loss = -log(restitution)
        return loss / math.hypot(math.pi, loss)

    def excess(ratio: float) -> float:
        return restitution_of(ratio, pulls=False) - restitution

    highest = 1.0
    while excess(highest) > 0.0:
        highest *= 2.0
    return float(brentq(excess, 0.0, highest, xtol=1e-15))


def contact_duration(stiffness: float, ratio: float, reduced_mass: float) -> float:
    """How long two bodies stay in contact, up to zero overlap; π/ω₀ when they never part."""
    frequency = math.sqrt(stiffness / reduced_mass)
    return math.pi / (frequency * math.sqrt(1.0 - ratio * ratio) if ratio < 1.0 else frequency)
