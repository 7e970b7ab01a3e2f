"""One particle in a flow, against closed forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import carom
from carom.fluids import Shear, Uniform

TAU = 0.7


def after(time: float, dt: float, position: Any, velocity: Any, **options: Any) -> Any:
    """Position and velocity of a lone particle in open space."""
    gravity = options.pop("gravity", None)
    particles = carom.Particles([position], [velocity], radius=0.1)
    system = carom.System(particles, carom.Open(), gravity=gravity)
    method = carom.Laden(dt=dt, **{"relaxation_time": TAU, **options})
    simulation = carom.Simulation(system, method=method)
    simulation.run(until=time)
    found = simulation.particles
    return np.concatenate([found.unwrapped[0], found.velocity[0]])


def in_shear(time: float, rate: float, position: Any, velocity: Any) -> Any:
    """The exact solution for u = (rate y, 0).

    y relaxes freely, and x is driven by rate y: with E = exp(−t/τ), y = y0 + τ v (1 − E) and
    x' = X1 + X2 E + X3 t E, from τ x'' + x' = rate y.
    """
    (x0, y0), (vx, vy) = position, velocity
    decay = np.exp(-time / TAU)
    y = y0 + TAU * vy * (1.0 - decay)
    level = rate * (y0 + TAU * vy)
    # x' = level − rate vy t E + c E
    c = vx - level
    speed = level - rate * vy * time * decay + c * decay
    integral = TAU * (1.0 - decay)  # of E
    moment = TAU * (TAU * (1.0 - decay) - time * decay)  # of t E
    x = x0 + level * time - rate * vy * moment + c * integral
    return np.array([x, y, speed, vy * decay])


@pytest.mark.parametrize("integrator", ["straight", "curved"])
def test_both_integrators_are_of_first_order(integrator: str) -> None:
    """Halving the step halves the error, in a flow with a gradient."""
    position, velocity = (0.3, 0.4), (1.0, -0.5)
    exact = in_shear(1.0, 2.0, position, velocity)
    steps = np.array([0.02, 0.01, 0.005, 0.0025])
    errors = np.array(
        [
            np.abs(
                after(1.0, dt, position, velocity, fluid=Shear(2.0), integrator=integrator) - exact
            ).max()
            for dt in steps
        ]
    )
    order = np.log2(errors[:-1] / errors[1:])
    assert np.abs(order - 1.0).max() < 0.05
    assert errors[-1] < 0.01


def test_velocity_relaxes_by_the_factor_of_the_scheme() -> None:
    """In a uniform flow (14) is v − u → (v − u) / (1 + dt/τ) at each step."""
    found = after(0.5, 0.05, (0.0, 0.0), (3.0, 1.0), fluid=Uniform(1.0, 0.0, 0.0))
    factor = (1.0 + 0.05 / TAU) ** -10
    assert found[2:] == pytest.approx([1.0 + 2.0 * factor, factor], rel=1e-13)


@pytest.mark.parametrize("integrator", ["straight", "curved"])
def test_terminal_velocity(integrator: str) -> None:
    """Falling particles reach u + τ g, whatever the step."""
    found = after(
        40.0,
        0.1,
        (0.0, 0.0),
        (0.0, 0.0),
        fluid=Uniform(0.5, 0.0, 0.0),
        gravity=(0.0, -2.0),
        integrator=integrator,
    )
    assert found[2:] == pytest.approx([0.5, -2.0 * TAU], rel=1e-12)


def test_terminal_velocity_with_schiller_naumann() -> None:
    """It solves v (1 + 0.15 Re^0.687) = τ g with Re = 2 r v / ν."""
    viscosity, g = 0.01, 2.0
    found = after(
        60.0,
        0.1,
        (0.0, 0.0),
        (0.0, 0.0),
        fluid=Uniform(0.0, 0.0, 0.0),
        gravity=(0.0, -g),
        drag=carom.drags.SchillerNaumann(viscosity),
    )
    speed = -found[3]
    reynolds = 2.0 * 0.1 * speed / viscosity
    assert reynolds > 5.0  # far from Stokes
    assert speed * (1.0 + 0.15 * reynolds**0.687) == pytest.approx(TAU * g, rel=1e-12)


def test_walls_reflect() -> None:
    """A particle driven against a wall bounces and comes to rest there, never beyond it."""
    particles = carom.Particles([[0.5, 0.5]], [[0.0, 0.0]], radius=0.1)
    system = carom.System(particles, carom.Box((1.0, 1.0)), law=carom.ConstantRestitution(0.5))
    method = carom.Laden(fluid=Uniform(1.0, 0.0, 0.0), dt=0.01, relaxation_time=0.2)
    simulation = carom.Simulation(system, method=method)
    simulation.run(until=0.7)
    assert simulation.counts.wall_collisions >= 1
    assert simulation.particles.position[0, 0] <= 0.9 + 1e-12
