"""How long particles take to follow the fluid: given, or by a rule in the radius."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from carom.checks import answer, check_finite, numbers_in
from carom.functions import power
from carom.particles import SMALLEST, Array
from carom.representation import shown_as_call


@shown_as_call
@dataclass(frozen=True)
class PowerOfRadius:
    """The relaxation time ``factor`` · r^``exponent``.

    Stokes's law gives 2 in space; Sigurgeirsson, Stuart & Wan 2001 took 1 in the plane.
    """

    factor: float
    exponent: float = 2.0

    def __post_init__(self) -> None:
        check_finite("PowerOfRadius: factor", self.factor)
        check_finite("PowerOfRadius: exponent", self.exponent)

    def __call__(self, radius: Array) -> Array:
        """The relaxation times of particles of these radii."""
        return np.asarray(self.factor * power(np.asarray(radius), self.exponent))


def relaxation_times(rule: Any, radius: Array) -> Array:
    """The relaxation times (n,) that a number, an array or a rule in the radius gives."""
    given = answer("relaxation_time", rule, radius) if callable(rule) else rule
    times = numbers_in("relaxation_time", given)
    if times.shape not in ((), radius.shape):
        raise ValueError(
            f"relaxation_time has the shape {times.shape}; give one number, one for each of the "
            f"{len(radius)} particles, or a function of the radii such as carom.PowerOfRadius(...)."
        )
    times = np.array(np.broadcast_to(times, radius.shape))
    # Infinity is fine: the fluid is then not felt.
    wrong = np.flatnonzero(~(times >= SMALLEST))
    if len(wrong):
        raise ValueError(
            f"relaxation_time of particle {wrong[0]} is {times[wrong[0]]}; it must be positive "
            f"and at least {SMALLEST:g}. "
            "For particles that follow the fluid at once take it much shorter than dt, not zero."
        )
    return times
