"""Linear springs that are alike, with a damping ratio for each pair of species."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from carom.compiled.kernels import kernel
from carom.contacts.linear_spring_dashpot import linear_energy, linear_force
from carom.contacts.touch import Touch, at_wall, damping, elastic_energy, spring_force


class DashpotsByPair(NamedTuple):
    """Spring constant k, and the damping d = ζ · 2 √(k μ) with the ratio ζ of both species.

    The last row and column of ``ratios`` are for walls; ``own`` is the ratio of a wall that has one
    of its own, else NaN.
    """

    stiffness: float
    ratios: Any  # (species + 1, species + 1)
    own: float


spring_force.register(DashpotsByPair)(linear_force)
elastic_energy.register(DashpotsByPair)(linear_energy)


@damping.register(DashpotsByPair)
@kernel
def _(touch: Touch, law: DashpotsByPair) -> float:
    partner = touch.partner_species
    if partner < 0:
        partner = len(law.ratios) - 1
    ratio = law.ratios[touch.species, partner] if math.isnan(law.own) else law.own
    return (2.0 * ratio) * math.sqrt(law.stiffness * touch.reduced_mass)


@at_wall.register(DashpotsByPair)
@kernel
def _(law: DashpotsByPair, ratio: float) -> DashpotsByPair:
    return DashpotsByPair(law.stiffness, law.ratios, ratio)
