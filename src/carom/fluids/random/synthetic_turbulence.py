"""Synthetic turbulence: a random flow without divergence, with a prescribed energy spectrum.

Sigurgeirsson, Stuart & Wan, J. Comput. Phys. 172, 766, 2001, appendix 2. The stream function ψ (in
three dimensions a vector potential) solves dψ = ν Δψ dt + dW, so that its Fourier modes are
independent Ornstein–Uhlenbeck processes with correlation times 1 / (ν k²), and the flow is
homogeneous, stationary and Gaussian.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from carom.checks import check_positive, check_seed
from carom.domains.lengths import checked_lengths
from carom.fluids.gridded.grid import checked_shape, new_grid
from carom.fluids.periods import Sides, check_whole_periods, period, repeats
from carom.fluids.random.random_waves import RandomWaves
from carom.fluids.random.spectra import PERIOD_TO_SCALE, Spectrum, check_spectrum, mode_energies
from carom.fluids.random.waves import Waves
from carom.fluids.stream import Scales
from carom.functions import exp, expm1
from carom.particles import Array
from carom.representation import shown_as_call

# Nodes along an axis when none are given: fields of both dimensions fit into a cache then, and
# waves of a thirtieth of the box are in them.
NODES = {2: 128, 3: 64}


@shown_as_call
@dataclass(frozen=True)
class SyntheticTurbulence:
    """A random flow with a mean energy ε_k = E|û_k|² in the mode with wave vector k.

    - ``spectrum``: "karman_obukhov", ε_k ∝ (kℓ)² (1 + (kℓ)²)^(−7/3) in the plane, the exponent
      −17/6 in three dimensions, so that modes of a wavenumber together go with k^(−5/3);
      "kraichnan", ε_k ∝ (kℓ)² exp(−(kℓ)²); or a function of an array of wavenumbers k that gives
      as many ε_k, up to a factor.
    - ``speed``: the root mean square of the speed, √⟨|u|²⟩ = √(Σ ε_k).
    - ``length_scale``: ℓ. When left out it is the shortest period over 4π: modes with two waves in
      the box have the most energy under Kraichnan's spectrum, of which, in the plane, 3 % lie in
      waves longer than the box. With ℓ the period itself only the few waves as long as the box
      would be left of it.
    - ``viscosity``: ν; the mode with wavenumber k has the correlation time 1 / (ν k²).
      ``correlation_time`` is that of the longest wave in the box, to be given instead. When both
      are left out ν is ``speed`` · ℓ: an eddy of size ℓ lives for as long as it takes to cross it.
    - ``grid``: nodes along each axis, one number or one per axis; 128 in the plane and 64 in three
      dimensions when left out. Between the nodes the flow is linear along each axis.
    - ``lengths``: the period, that of the box when left out.
    - ``seed``: of the random numbers; another one gives another flow of the same kind.

    The flow is exact at every time it is asked for, whatever the steps in between; which of all
    possible flows it is depends on them, its statistics do not.
    """

    spectrum: Spectrum = "karman_obukhov"
    speed: float = 1.0
    length_scale: float | None = None
    viscosity: float | None = None
    correlation_time: float | None = None
    grid: int | Sequence[int] | None = None
    lengths: float | Sequence[float] | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        check_spectrum("SyntheticTurbulence", self.spectrum)
        for name in ("speed", "length_scale", "viscosity", "correlation_time"):
            value = getattr(self, name)
            if value is not None or name == "speed":
                check_positive(f"SyntheticTurbulence: {name}", value)
        if self.viscosity is not None and self.correlation_time is not None:
            raise ValueError(
                "SyntheticTurbulence: give either viscosity or correlation_time, not both: the "
                "correlation time of the longest wave, L, is (L / 2π)² / viscosity."
            )
        check_seed("SyntheticTurbulence", self.seed)
        if self.lengths is not None:
            lengths = checked_lengths("SyntheticTurbulence", self.lengths)
            object.__setattr__(self, "lengths", lengths)

    def stream(
        self, sides: Sides, dimension: int, periodic: Sequence[bool] | None = None
    ) -> TurbulentStream:
        """The flow in a box, from its stationary distribution."""
        lengths = self._lengths(sides, dimension)
        check_whole_periods(
            "SyntheticTurbulence", lengths, repeats(sides, dimension, periodic), "lengths"
        )
        grid = NODES[dimension] if self.grid is None else self.grid
        shape = checked_shape("SyntheticTurbulence", grid, dimension)
        waves = Waves(shape, lengths)
        scale = self._scale(lengths)
        energy = mode_energies("SyntheticTurbulence", self.spectrum, self.speed, scale, waves)
        viscosity = self._viscosity(lengths)
        return TurbulentStream(waves, energy, viscosity, new_grid(shape, lengths), self.seed)

    def scales(self, sides: Sides, dimension: int) -> Scales:
        """The root mean square of the speed, ℓ, and the time to cross it."""
        return Scales.of(self.speed, self._scale(self._lengths(sides, dimension)))

    def _lengths(self, sides: Sides, dimension: int) -> tuple[float, ...]:
        return period("SyntheticTurbulence", self.lengths, sides, dimension)  # type: ignore[arg-type]

    def _scale(self, lengths: Sequence[float]) -> float:
        return self.length_scale or PERIOD_TO_SCALE * min(lengths)

    def _viscosity(self, lengths: Sequence[float]) -> float:
        if self.correlation_time is not None:
            longest = max(lengths) / (2.0 * math.pi)
            return longest * longest / self.correlation_time
        return self.viscosity or self.speed * self._scale(lengths)


class TurbulentStream:
    """Synthetic turbulence as it changes in time.

    ``_modes`` are those of the potential over their root mean square: their real and imaginary
    parts are independent standard normal numbers over √2.
    """

    def __init__(
        self, waves: Waves, energy: Array, viscosity: float, field: Any, seed: int
    ) -> None:
        self.field = field
        self._rate = viscosity * waves.square
        self._random = RandomWaves(waves, energy, seed)
        self._time = 0.0
        self._modes = self._random.normal(math.sqrt(0.5)).copy()
        self._show()

    def go_to(self, time: float) -> None:
        """Let the field be that at a time, which must not be before the last.

        Equation (A.3): exact for any step, m(t + s) = e^(−νk²s) m(t) + √(1 − e^(−2νk²s)) · noise.
        """
        duration = time - self._time
        if duration == 0.0:
            return
        if not duration > 0.0:
            raise ValueError(
                f"synthetic turbulence cannot go back from {self._time!r} to {time!r}; begin a new "
                "stream."
            )
        self._modes *= exp(-duration * self._rate)
        self._modes += self._random.normal(np.sqrt(-0.5 * expm1(-2.0 * duration * self._rate)))
        self._time = time
        self._show()

    def arrays(self) -> dict[str, Any]:
        """Everything that changes, by name, for a checkpoint."""
        return {
            "time": np.array(self._time),
            "modes": self._modes.copy(),
            "random": self._random.words(),
        }

    def restore(self, arrays: Mapping[str, Any]) -> None:
        """Take over the arrays of a checkpoint, bit for bit."""
        self._time = float(arrays["time"])
        self._modes[...] = arrays["modes"]
        self._random.set_words(arrays["random"])
        self._show()

    def _show(self) -> None:
        """Write the velocity at the nodes into the field, in place."""
        self._random.write_velocity(self._modes, self.field.velocity)
