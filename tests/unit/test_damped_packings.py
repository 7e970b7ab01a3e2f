"""Packings of many contacts with strong dashpots: they come to rest, and the account closes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import carom

STIFFNESS = 1e4


def packing(speed: float = 0.1) -> carom.System:
    """Spheres that are pressed into a crystal, each against twelve others, and move a little."""
    start, box = carom.packings.lattice(108, 0.74, seed=1, crystal=True)
    return carom.System(carom.Particles(start.position, speed * start.velocity, 0.505), box)


def soft(restitution: float, **options: Any) -> carom.SoftContacts:
    return carom.SoftContacts(STIFFNESS, restitution=restitution, **options)


def account(simulation: carom.Simulation) -> float:
    return simulation.energy + simulation.dissipated_energy


@pytest.mark.parametrize(
    ("restitution", "ends_at", "within"),
    [
        (0.9, "zero_overlap", 0.01),
        (0.5, "zero_overlap", 0.01),
        (0.5, "zero_force", 0.02),
        # The most strongly damped motions fade within a step.
        (0.02, "zero_force", 0.05),
        (0.001, "zero_force", 0.05),
    ],
)
def test_the_account_of_a_damped_packing_closes(
    restitution: float, ends_at: str, within: float
) -> None:
    """Relative to the kinetic energy of the start, most of which is lost."""
    simulation = carom.Simulation(packing(), method=soft(restitution, ends_at=ends_at))
    moving, before = simulation.kinetic_energy, account(simulation)
    assert simulation.dissipated_energy == pytest.approx(0.0, abs=1e-12)
    simulation.run(until=300 * simulation.dt)
    assert simulation.kinetic_energy < (0.05 if restitution < 0.9 else 0.5) * moving
    assert account(simulation) == pytest.approx(before, abs=within * moving)


def test_the_account_closes_where_velocities_are_set() -> None:
    """What is lost up to then stays so, whatever the velocities are from then on."""
    kicks = carom.RandomKicks(0.5, every=0.0048)  # six steps
    simulation = carom.Simulation(packing(), method=soft(0.5, dt=0.0008), actors=[kicks], seed=2)
    moving, before = simulation.kinetic_energy, account(simulation)
    simulation.run(until=0.0304)
    work = simulation.work_done
    assert work > moving
    assert account(simulation) - work == pytest.approx(before, abs=0.02 * work)


@pytest.mark.parametrize("restitution", [0.3, 0.05])
def test_a_packing_with_friction_comes_to_rest(restitution: float) -> None:
    simulation = carom.Simulation(packing(), method=soft(restitution, friction=0.5))
    moving, before = simulation.kinetic_energy, account(simulation)
    simulation.run(until=300 * simulation.dt)
    assert simulation.kinetic_energy + simulation.rotational_energy < 1e-3 * moving
    assert account(simulation) == pytest.approx(before, abs=0.05 * moving)


def test_a_step_that_is_too_long_for_the_damping_is_refused_with_one_that_is_not() -> None:
    system = packing()
    undamped = carom.SoftContacts(STIFFNESS).step(system)
    with pytest.raises(ValueError, match=r"dt=.* is too large .* Use dt=(\S+) or less") as refusal:
        soft(0.02, ends_at="zero_force", dt=2.0 * undamped).step(system)
    said = str(refusal.value)
    would_do = float(said.split("Use dt=")[1].split()[0])
    method = soft(0.02, ends_at="zero_force", dt=would_do)
    simulation = carom.Simulation(system, method=method)
    before = account(simulation)
    simulation.run(until=300 * would_do)
    assert simulation.kinetic_energy < 0.05
    assert np.isfinite(account(simulation)) and account(simulation) < 1.01 * before


def test_ordinary_contacts_keep_their_step() -> None:
    """A 25th of the contact, down to a restitution that hardly anybody uses."""
    system, contact = packing(), np.pi * np.sqrt(0.5 / STIFFNESS)
    for method in (
        soft(1.0),
        soft(0.1),
        soft(0.3, ends_at="zero_force"),
        soft(0.5, friction=0.5),
        soft(0.7, friction=0.5, ends_at="zero_force"),
    ):
        assert method.step(system) == pytest.approx(contact / 25, rel=1e-12)


def test_a_wall_without_restitution_does_not_throw_back() -> None:
    """Its damping is so strong that steps of the contact alone would turn the velocity over."""
    particles = carom.Particles([[1.0, 1.0]], [[0.0, -1.0]], radius=0.5)
    system = carom.System(particles, carom.Box([2.0, 2.0], restitution=0.0))
    simulation = carom.Simulation(system, method=soft(0.9, ends_at="zero_force"))
    simulation.run(until=2.0)
    assert simulation.counts.wall_collisions >= 1
    assert 0.0 <= simulation.particles.velocity[0, 1] < 0.03
