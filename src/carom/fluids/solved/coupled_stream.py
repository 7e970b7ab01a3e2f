"""A fluid that particles act upon: what an engine asks of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from carom.checks import answer, numbers_in
from carom.fluids.periods import Sides
from carom.fluids.stream import Stream, stream
from carom.particles import Array


class Budget(NamedTuple):
    """What the last step has changed, with the fluid's density as unit of density.

    The energy ½ ∫ |u|² has changed by ``forcing`` + ``viscosity`` + ``drag`` + ``unexplained``,
    each found for itself; the momentum ∫ u by ``forcing_impulse`` + ``drag_impulse``.
    """

    forcing: float = 0.0  # the work of the forcing on the fluid
    viscosity: float = 0.0  # that of viscosity, which takes energy away
    drag: float = 0.0  # that of the particles
    unexplained: float = 0.0  # what is left by solvers and by steps that are not short enough
    forcing_impulse: tuple[float, float] = (0.0, 0.0)
    drag_impulse: tuple[float, float] = (0.0, 0.0)
    iterations: int = 0  # of the solver
    residual: float = 0.0  # bound of the solver's error, over the size of the field

    def numbers(self) -> Array:
        """All of it (10,), for a checkpoint."""
        return np.array([*self[:4], *self.forcing_impulse, *self.drag_impulse, *self[6:]])

    @staticmethod
    def of(numbers: Any) -> Budget:
        """The budget with these numbers."""
        f, v, d, u, fx, fy, dx, dy, iterations, residual = (float(number) for number in numbers)
        return Budget(
            forcing=f,
            viscosity=v,
            drag=d,
            unexplained=u,
            forcing_impulse=(fx, fy),
            drag_impulse=(dx, dy),
            iterations=int(iterations),
            residual=residual,
        )


class CoupledStream(Stream, Protocol):
    """A fluid in one system, that goes on step by step with the particles in it."""

    time: float
    budget: Budget  # of the last step
    steps: int  # made so far
    iterations: int  # of the solver, in all steps so far
    new_velocity: Array  # (p, 2) see ``go_on``

    @property
    def scheme(self) -> str:
        """How momentum is exchanged, see ``carom.fluids.solved.exchange``."""

    @property
    def energy(self) -> float:
        """½ ∫ |u|², with the fluid's density as unit of density."""

    @property
    def momentum(self) -> Array:
        """∫ u (2,), with the fluid's density as unit of density."""

    def go_on(
        self, dt: float, position: Any, velocity: Any, strength: Any, rate: Any = None
    ) -> None:
        """Let the field, in place, be that a step later, given all particles at its beginning.

        Positions and velocities are (p, 2); ``strength`` is α, one number or one for each particle,
        and ``rate`` is 1 / τ likewise, which the scheme "conserving" needs. Where gravity pulls,
        velocities are v + Δt g.

        After a step of that scheme the particles must take the velocities ``new_velocity``, at the
        positions where they are, and then fly freely for as long as the step is: they then have
        lost the momentum ατ (v − v') that the fluid has got. After the other schemes they fly in
        the new field, by (13) and (14) of Sigurgeirsson, Stuart & Wan 2001.
        """


def coupled_stream(
    fluid: Any, sides: Sides, dimension: int, periodic: Sequence[bool] | None = None
) -> CoupledStream:
    """The fluid in a box with these sides at time 0, ready for particles that act upon it."""
    if not getattr(fluid, "feels_particles", False):
        raise ValueError(
            f"{fluid!r} is a given flow that particles cannot act upon; use "
            "carom.fluids.DiffusionFlow(...) or carom.fluids.NavierStokes2D(...), or run it with "
            "method=carom.Laden(...)."
        )
    return stream(fluid, sides, dimension, periodic)  # type: ignore[return-value]


def exchange_strengths(rule: Any, radius: Array, mass: Array, relaxation_time: Array) -> Array:
    """The strengths α (p,) of particles: a number, one for each, or a function of the radii gives.

    None stands for mass / relaxation time, the third law of Newton for particles whose mass counts
    in units of the fluid's density: what drag takes from a particle the fluid then gets.
    """
    if rule is None:
        return np.asarray(mass / relaxation_time, dtype=np.float64)
    given = numbers_in("exchange", answer("exchange", rule, radius) if callable(rule) else rule)
    if given.shape not in ((), radius.shape):
        raise ValueError(
            f"exchange has the shape {given.shape}; give one number, one for each of the "
            f"{len(radius)} particles, or a function of the radii such as carom.PowerOfRadius(...)."
        )
    strengths = np.array(np.broadcast_to(given, radius.shape))
    wrong = np.flatnonzero(~((strengths >= 0.0) & np.isfinite(strengths)))
    if len(wrong):
        raise ValueError(
            f"exchange of particle {wrong[0]} is {strengths[wrong[0]]}; it must be finite and not "
            "negative. Particles with 0 do not act on the fluid."
        )
    return strengths
