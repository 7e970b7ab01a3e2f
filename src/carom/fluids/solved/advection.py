"""Steps of advection and viscosity for velocities without divergence.

∂ŵ/∂t = −ν k² ŵ + f̂ + N(ŵ), with N = −P(u·∇u) and a force that does not change within the step. The
flow without N, a known one, is followed exactly, and what N adds to it by the classical Runge–Kutta
method (Lawson, SIAM J. Numer. Anal. 4, 372, 1967). The energy that viscosity takes and the force
gives are integrated along with the flow, by the same method.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from carom.compiled.entry_points import entry_point
from carom.compiled.views import borrowed
from carom.errors import FlowNotSolved
from carom.fluids.solved.bands import in_bands
from carom.fluids.solved.solenoidal import Solenoidal
from carom.fluids.solved.transforms import as_field, field_of
from carom.functions import exp, expm1
from carom.particles import Array

# Waves must not turn further than this in a step, which is stable up to 2.8.
LONGEST_TURN = 2.4
MOST_STEPS = 100_000


class Decay(NamedTuple):
    """Factors e^(−ν k² t) of all waves, as products of those along both axes."""

    x: Array  # (n,)
    y: Array  # (m,)


class Advection:
    """Carries velocities without divergence along with themselves."""

    def __init__(self, space: Solenoidal, viscosity: float) -> None:
        self._space = space
        self._viscosity = viscosity
        self._share: tuple[float, Any] = (0.0, None)  # a duration, and ∫ e^(−ν k² t) dt over it
        self._stage, self._halfway, self._end, self._total = np.empty((4, *space.shape, 2))

    def steps(self, field: Array, dt: float) -> int:
        """How many steps a duration must be divided into, so that no wave turns too far in one."""
        number = dt * speed_limit(field, self._space.highest) / LONGEST_TURN
        if not number < MOST_STEPS:
            raise FlowNotSolved(
                f"The fluid moves so fast that dt={dt:g} would need more than {MOST_STEPS} steps "
                "of advection. Use a shorter dt, a weaker forcing or a higher viscosity."
            )
        return max(1, math.ceil(number))

    def given(self, force: Any, duration: float) -> Any:
        """The spectrum that a force with this spectrum adds to a flow at rest, without N."""
        if self._share[0] != duration:
            x, y = self._space.waves
            rate = self._viscosity * (x[:, None] ** 2 + y**2)
            rate[0, 0] = 1.0  # the mean flow does not decay
            share = -expm1(-duration * rate) / rate
            share[0, 0] = duration
            self._share = (duration, share)
        return self._share[1] * force

    def advance(
        self, w: Any, field: Array, force: Any, given: Any, dt: float
    ) -> tuple[float, float]:
        """Bring a spectrum w (n, m), of the field (n, m, 2), to a time dt later, in place.

        ``given`` is what the force adds in half of that time. Returned are the sums over waves of
        what the force gave, ∫ w · f, and of what viscosity took, ∫ ν k² |w|². The field is written
        over.
        """
        half, whole, none = (self._decay(t) for t in (0.5 * dt, dt, 0.0))
        stage, halfway, end, total = self._stage, self._halfway, self._end, self._total
        pushed, start, waves = as_field(force), as_field(w), self._space.waves
        follow(start, as_field(given), half, halfway)
        follow(halfway, as_field(given), half, end)
        total[...] = end
        works = [powers(start, pushed, *waves)]
        # Of each slope: its decay until the end, its weight there; the flow without N, the decay
        # and the weight with which it makes the next stage.
        for to_end, weight, base, to_stage, part in (
            (whole, dt / 6.0, halfway, half, 0.5 * dt),
            (half, dt / 3.0, halfway, none, 0.5 * dt),
            (half, dt / 3.0, end, half, dt),
        ):
            slope = as_field(self._space.tendency(field))
            add(slope, to_end, weight, total, total)
            add(slope, to_stage, part, base, stage)
            works.append(powers(stage, pushed, *waves))
            field = field_of(stage.view(np.complex128)[..., 0])
        add(as_field(self._space.tendency(field)), none, dt / 6.0, total, start)
        first, second, third, last = np.array(works)
        gained, taken = dt / 6.0 * (first + 2.0 * (second + third) + last)
        return float(gained), self._viscosity * float(taken)

    def _decay(self, duration: float) -> Decay:
        x, y = (exp(-self._viscosity * duration * k**2) for k in self._space.waves)
        return Decay(x, y)


@in_bands
def follow(rows: Any, start: Any, given: Any, decay: Any, out: Any) -> None:
    """Write start, decayed, and what a force has given, spectra (n, m, 2), to ``out``."""
    start, given, decay, out = borrowed((start, given, decay, out))
    for i in range(rows[0], rows[1]):
        for j in range(out.shape[1]):
            share = decay.x[i] * decay.y[j]
            out[i, j, 0] = share * start[i, j, 0] + given[i, j, 0]
            out[i, j, 1] = share * start[i, j, 1] + given[i, j, 1]


@in_bands
def add(rows: Any, slope: Any, decay: Any, weight: float, base: Any, out: Any) -> None:
    """Write base + weight · decay · slope, spectra (n, m, 2), to ``out``."""
    slope, decay, base, out = borrowed((slope, decay, base, out))
    for i in range(rows[0], rows[1]):
        of_row = weight * decay.x[i]
        for j in range(out.shape[1]):
            share = of_row * decay.y[j]
            out[i, j, 0] = base[i, j, 0] + share * slope[i, j, 0]
            out[i, j, 1] = base[i, j, 1] + share * slope[i, j, 1]


@in_bands
def powers(rows: Any, w: Any, force: Any, x: Any, y: Any) -> Any:
    """Σ w · f and Σ k² |w|² over all waves of spectra (n, m, 2)."""
    w, force, x, y = borrowed((w, force, x, y))
    given = 0.0
    taken = 0.0
    for i in range(rows[0], rows[1]):
        given_row = 0.0
        taken_row = 0.0
        for j in range(w.shape[1]):
            real, imaginary = w[i, j, 0], w[i, j, 1]
            given_row += real * force[i, j, 0] + imaginary * force[i, j, 1]
            taken_row += (x[i] * x[i] + y[j] * y[j]) * (real * real + imaginary * imaginary)
        given += given_row
        taken += taken_row
    return given, taken


@entry_point
def speed_limit(field: Any, highest: Any) -> float:
    """The largest |u| k_x + |v| k_y with the highest wavenumbers; infinite if not finite."""
    fastest = 0.0
    for i in range(field.shape[0]):
        for j in range(field.shape[1]):
            rate = abs(field[i, j, 0]) * highest[0] + abs(field[i, j, 1]) * highest[1]
            if not rate <= fastest:
                fastest = rate if rate < np.inf else np.inf
    return fastest
