"""Forces that drive a fluid: what they add to its velocity in a step.

A forcing is prepared for a grid: ``impulse(time, dt)`` is then the integral of the force over a
step, at the nodes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from carom.checks import answer, check_finite, check_positive, check_seed, numbers_in
from carom.fluids.formulas.taylor_green import TaylorGreen
from carom.fluids.periods import check_whole_periods
from carom.fluids.random.random_waves import RandomWaves
from carom.fluids.random.spectra import PERIOD_TO_SCALE, Spectrum, check_spectrum, mode_energies
from carom.fluids.random.waves import Waves
from carom.fluids.sampling import velocities
from carom.fluids.stream import Scales
from carom.particles import Array
from carom.representation import shown_as_call


class Nodes(NamedTuple):
    """The nodes of a periodic planar grid, and the fluid on it."""

    shape: tuple[int, int]
    lengths: tuple[float, float]
    viscosity: float

    def points(self) -> Array:
        """The positions of the nodes, (n, m, 2)."""
        axes = (
            np.arange(nodes, dtype=np.float64) * (length / nodes)
            for nodes, length in zip(self.shape, self.lengths, strict=True)
        )
        return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)

    def velocities(self, flow: Any) -> Array:
        """The velocities (n, m, 2) of a flow at time 0."""
        return velocities(self.points().reshape(-1, 2), 0.0, flow).reshape(*self.shape, 2)


class Force(Protocol):
    """A forcing that is prepared for a grid."""

    is_steady: bool  # whether it is the same at all times

    def impulse(self, time: float, dt: float) -> Array:
        """The integral of the force over a step from this time on, (n, m, 2); not to be changed."""

    def arrays(self) -> dict[str, Any]:
        """Everything that changes, by name, for a checkpoint."""

    def restore(self, arrays: Mapping[str, Any]) -> None:
        """Take over the arrays of a checkpoint, bit for bit."""


@shown_as_call
@dataclass(frozen=True)
class TaylorGreenForcing:
    """2 ν k² times the flow ``TaylorGreen(speed, length)``, k = 2π / ``length``: that flow is then
    a steady one, of the diffusion equation and of Navier and Stokes's.

    Sigurgeirsson, Stuart & Wan 2001, appendix 1, where the factor 2 is missing: the Laplacian of
    sin 2πx cos 2πy is −8π² times that, not −4π².
    """

    speed: float = 1.0
    length: float = 1.0

    def __post_init__(self) -> None:
        check_finite("TaylorGreenForcing: speed", self.speed)
        check_positive("TaylorGreenForcing: length", self.length)

    def prepared(self, nodes: Nodes) -> SteadyForce:
        """The force at the nodes of a grid."""
        check_whole_periods("TaylorGreenForcing", (self.length,) * 2, nodes.lengths)
        wavenumber = 2.0 * math.pi / self.length
        strength = 2.0 * nodes.viscosity * wavenumber * wavenumber * self.speed
        return SteadyForce(nodes.velocities(TaylorGreen(strength, float(self.length))))

    def scales(self, sides: Sequence[float]) -> Scales:
        """Those of the steady flow."""
        return Scales.of(abs(self.speed), self.length)


@shown_as_call
@dataclass(frozen=True)
class StochasticForcing:
    """White noise in time, ∇⊥ dW/dt, with the spectrum of ``SyntheticTurbulence``.

    W is the process of appendix 2 of Sigurgeirsson, Stuart & Wan 2001, with λ_k = 2 ν ε_k: without
    particles and without advection it holds the mean energy E|û_k|² at ε_k, Σ ε_k = ``speed``². In
    a step of Δt the modes of the velocity get independent normal increments of variance
    2 ν k² ε_k Δt.

    - ``spectrum``, ``speed``, ``length_scale``: as those of ``SyntheticTurbulence``.
    - ``seed``: of the random numbers.
    """

    spectrum: Spectrum = "karman_obukhov"
    speed: float = 1.0
    length_scale: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        check_spectrum("StochasticForcing", self.spectrum)
        check_positive("StochasticForcing: speed", self.speed)
        if self.length_scale is not None:
            check_positive("StochasticForcing: length_scale", self.length_scale)
        check_seed("StochasticForcing", self.seed)

    def prepared(self, nodes: Nodes) -> RandomForce:
        """The noise on a grid."""
        waves = Waves(nodes.shape, nodes.lengths)
        scale = self._scale(nodes.lengths)
        energy = mode_energies("StochasticForcing", self.spectrum, self.speed, scale, waves)
        return RandomForce(waves, energy, nodes.viscosity, self.seed)

    def scales(self, sides: Sequence[float]) -> Scales:
        """Those of the flow that it would hold without particles."""
        return Scales.of(self.speed, self._scale(sides))

    def _scale(self, lengths: Sequence[float]) -> float:
        return self.length_scale or PERIOD_TO_SCALE * min(lengths)


class SteadyForce:
    """A force (n, m, 2) that does not change."""

    is_steady = True

    def __init__(self, force: Array) -> None:
        self._force = force
        self._last: tuple[float, Array] = (0.0, np.zeros_like(force))

    def impulse(self, time: float, dt: float) -> Array:
        """The force times dt."""
        if self._last[0] != dt:
            self._last = (dt, dt * self._force)
        return self._last[1]

    def arrays(self) -> dict[str, Any]:
        """Nothing changes."""
        return {}

    def restore(self, arrays: Mapping[str, Any]) -> None:
        """Nothing has changed."""


class GivenForce:
    """A force that somebody's function of the nodes (n, m, 2) and the time gives."""

    is_steady = False

    def __init__(self, function: Callable[[Array, float], Any], nodes: Nodes) -> None:
        self._function = function
        self._points = nodes.points()

    def impulse(self, time: float, dt: float) -> Array:
        """The force at this time, times dt."""
        # A copy: it is the same places in every step, whatever the function does with them.
        given = answer("forcing", self._function, self._points.copy(), time)
        force = numbers_in(f"forcing={self._function!r}: the forces", given)
        if force.shape != self._points.shape or not np.isfinite(force).all():
            raise ValueError(
                f"forcing={self._function!r} must give finite forces of the shape "
                f"{self._points.shape} that its first argument has, the positions of the nodes; at "
                f"time {time:g} it gives the shape {force.shape}, from {np.min(force, initial=0.0)}"
                f" to {np.max(force, initial=0.0)}."
            )
        return dt * force

    def arrays(self) -> dict[str, Any]:
        """Nothing changes but the time."""
        return {}

    def restore(self, arrays: Mapping[str, Any]) -> None:
        """Nothing has changed."""


class RandomForce:
    """White noise on a grid; increments over steps that follow each other are independent."""

    is_steady = False

    def __init__(self, waves: Waves, energy: Array, viscosity: float, seed: int) -> None:
        self._random = RandomWaves(waves, energy, seed)
        self._deviation = np.sqrt(viscosity * waves.square)
        self._increment = np.empty((*waves.shape, 2))

    def impulse(self, time: float, dt: float) -> Array:
        """∇⊥ of the increment of W over the step."""
        modes = self._random.normal(math.sqrt(dt) * self._deviation)
        self._random.write_velocity(modes, self._increment)
        return self._increment

    def arrays(self) -> dict[str, Any]:
        """The state of the random numbers."""
        return {"random": self._random.words()}

    def restore(self, arrays: Mapping[str, Any]) -> None:
        """Go on with the random numbers of a checkpoint."""
        self._random.set_words(arrays["random"])


def prepared_forcing(forcing: Any, nodes: Nodes) -> Force:
    """A forcing on a grid: none, one of this module's, or somebody's function."""
    if forcing is None:
        return SteadyForce(np.zeros((*nodes.shape, 2)))
    prepare = getattr(forcing, "prepared", None)
    if callable(prepare):
        return prepare(nodes)  # type: ignore[no-any-return]
    return GivenForce(forcing, nodes)


def check_forcing(owner: str, forcing: Any) -> None:
    """Refuse what is no forcing."""
    if not (forcing is None or callable(getattr(forcing, "prepared", None)) or callable(forcing)):
        raise ValueError(
            f"{owner}: forcing={forcing!r} is unknown; use TaylorGreenForcing(), "
            "StochasticForcing(), None, or a function of the nodes (n, m, 2) and the time that "
            "gives forces (n, m, 2)."
        )
