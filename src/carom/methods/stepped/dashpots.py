"""Dashpots that know the speed of half a step before.

Leapfrog has velocities half a step before and after the forces. A dashpot that takes the earlier
speed lags by half a step, which acts like a mass of −d dt / 2 beside the reduced mass μ: two bodies
are then damped with the ratio d / (2 √(k (μ − d dt / 2))). The coefficient below undoes that. At
rest nothing is left of it: a body lies on its spring as deep as it weighs.
"""

from __future__ import annotations

import math

from carom.compiled.kernels import inner_kernel


@inner_kernel
def lagging(damping: float, quarter_dt: float, per_mass: float) -> float:
    """The coefficient D with the damping ratio of d: D² = d² (1 − D dt / (2 μ)).

    ``per_mass`` is 1 / μ. Below 2 μ / dt for any d, so that no dashpot is too strong for the step.
    """
    share = quarter_dt * per_mass * damping
    return damping * (math.sqrt(1.0 + share * share) - share)
