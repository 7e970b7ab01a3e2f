"""How far lists of pairs look ahead.

A wide skin means long lists that serve long. Which is best depends on how far particles move in a
step, and for small systems on what it costs to ask for a list at all.
"""

from __future__ import annotations

import math

import numpy as np

from carom.domains import LeesEdwards
from carom.functions import power
from carom.system import System

# Nanoseconds: for a list, by particle and in all; for a pair when the list is narrowed to a block.
# Rough estimates, not tuned; for 32,000 spheres with soft contacts they give 0.8 mean radii at a
# packing fraction of .12 and 0.4 at .50.
PER_PARTICLE, PER_LIST, PER_PAIR = 150.0, 1.5e6, 5.0
# What is tried, in mean radii.
SKINS = (0.2, 0.4, 0.8, 1.6, 3.2)
# For particles that do not move yet.
AT_REST = 0.4


def best_skin(system: System, dt: float, block: int, share: float) -> float:
    """The skin of the least estimated cost of a step.

    A block lasts ``block`` steps, if it does not use up more than ``share`` of the skin.
    """
    radius = float(system.particles.radius.mean())
    approach = 2.0 * dt * _fastest(system)
    if approach == 0.0:
        return AT_REST * radius
    n, d = len(system.particles), system.dimension
    best, least = 0.0, math.inf
    for skin in SKINS:
        life = max(skin * radius / approach, 1.0)
        pairs = 0.5 * 2.0**d * system.packing_fraction * (power(1.0 + 0.5 * skin, d) - 1.0)
        steps = min(float(block), max(share * life, 1.0))
        cost = (PER_PARTICLE + PER_LIST / n) / life + PER_PAIR * pairs / steps
        if cost < least:
            best, least = skin * radius, cost
    return best


def _fastest(system: System) -> float:
    """The largest speed at the start, relative to the flow of a sheared box."""
    velocity = system.particles.velocity
    if isinstance(system.domain, LeesEdwards):
        velocity = velocity - system.domain.flow(system.particles.position)
    return float(np.sqrt((velocity**2).sum(axis=1).max()))
