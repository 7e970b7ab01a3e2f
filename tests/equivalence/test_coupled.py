"""Particles and a fluid that act on each other: what is conserved, and to what order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom
from carom.fluids import DiffusionFlow, TaylorGreen, TaylorGreenForcing

N = 300


def simulation(
    scheme: str, dt: float, forcing: Any = None, law: Any = None, radius: float = 0.00728
) -> carom.Simulation:
    """Particles with random velocities in a fluid that starts as a Taylor–Green flow."""
    particles, _ = carom.packings.random(N, 0.05, dimension=2, radius=0.00728366, seed=2)
    rng = np.random.default_rng(5)
    particles = carom.Particles(
        particles.position, rng.normal(size=(N, 2)), radius=radius, mass=0.002
    )
    system = carom.System(particles, carom.Periodic((1.0, 1.0)), law=law or carom.Elastic())
    fluid = DiffusionFlow(
        16, viscosity=0.02, forcing=forcing, scheme=scheme, start=TaylorGreen(), tolerance=1e-12
    )
    method = carom.Coupled(fluid=fluid, dt=dt, relaxation_time=0.3)
    return carom.Simulation(system, method=method)


def momentum(run: carom.Simulation) -> Any:
    particles = run.particles
    return run.fluid.momentum + (particles.mass[:, None] * particles.velocity).sum(axis=0)


def drift(run: carom.Simulation) -> float:
    """How far the total momentum has gone after half a unit of time without forcing."""
    start = momentum(run)
    run.run(until=0.48)
    return float(np.abs(momentum(run) - start).max())


def test_the_conserving_scheme_conserves_momentum() -> None:
    """To the tolerance of the solver: what particles lose the fluid gets."""
    run = simulation("conserving", 0.02)
    assert drift(run) < 1e-12
    assert run.counts.collisions > 100


def test_the_published_scheme_conserves_momentum_to_first_order() -> None:
    """Drag on particles and on the fluid is taken at different times. Points, which do not collide,
    have the same paths whatever the step."""
    steps = (0.02, 0.01, 0.005)
    drifts = np.array([drift(simulation("implicit", dt, radius=1e-7)) for dt in steps])
    assert drifts[0] > 1e-5
    order = np.log2(drifts[:-1] / drifts[1:])
    assert np.abs(order - 1.0).max() < 0.2


@pytest.mark.parametrize("scheme", ["implicit", "conserving"])
def test_accounts_close(scheme: str) -> None:
    """Energies of fluid and particles change by what the accounts say."""
    run = simulation(scheme, 0.02, TaylorGreenForcing(), carom.ConstantRestitution(0.8))
    fluid, particles = run.fluid.energy, run.kinetic_energy
    run.run(until=0.4)
    gained = run.fluid.forcing_work + run.fluid.viscous_work + run.fluid.drag_work
    assert run.fluid.energy - fluid == pytest.approx(gained, abs=1e-9)
    change = run.kinetic_energy - particles
    assert change == pytest.approx(run.fluid.work_on_particles - run.dissipated_energy, abs=1e-12)
    # Drag dissipates: together fluid and particles lose by it.
    assert run.fluid.drag_work + run.fluid.work_on_particles < 0.0
    assert run.fluid.forcing_work > 0.0 > run.fluid.viscous_work
    assert 0 < run.fluid.solver_iterations < 30


def test_a_saved_run_goes_on_as_it_would_have(tmp_path: Path) -> None:
    whole = simulation("implicit", 0.02, TaylorGreenForcing())
    whole.run(until=0.211)
    whole.save(tmp_path / "run.carom")
    other = carom.load(tmp_path / "run.carom", method=whole.method)
    for run in (whole, other):
        run.run(until=0.5)
    assert whole.counts == other.counts
    assert np.array_equal(whole.particles.velocity, other.particles.velocity)
    assert whole.fluid.energy == other.fluid.energy
    assert whole.fluid.work_on_particles == other.fluid.work_on_particles


def test_given_flows_do_not_feel_particles() -> None:
    particles = carom.Particles([[0.5, 0.5]], [[0.0, 0.0]], radius=0.01)
    system = carom.System(particles, carom.Periodic((1.0, 1.0)))
    with pytest.raises(ValueError, match=r"particles cannot act upon.*DiffusionFlow"):
        carom.Simulation(system, method=carom.Coupled(TaylorGreen(), 0.01, 0.1))
    run = carom.Simulation(system, method=carom.Laden(TaylorGreen(), 0.01, 0.1))
    assert run.fluid.velocity([[0.5, 0.5]]).shape == (1, 2)
    with pytest.raises(AttributeError, match=r"use method=carom\.Coupled"):
        _ = run.fluid.energy
