"""What is handed out cannot be changed, and says what to do instead; velocities can be set."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom

METHODS = {
    "event-driven": carom.EventDriven(),
    "time-stepped": carom.TimeStepped(dt=0.01),
    "soft": carom.SoftContacts(stiffness=1e4, dt=0.002),
    "laden": carom.Laden(carom.fluids.Uniform(1.0, 0.0, 0.0), dt=0.05, relaxation_time=5.0),
}


def start() -> tuple[carom.Particles, Any]:
    return carom.packings.random(40, 0.3, dimension=2, seed=1)


def gas(method: Any = None) -> carom.Simulation:
    particles, box = start()
    system = carom.System(particles, box, law=carom.ConstantRestitution(0.9))
    return carom.Simulation(system, method=method)


def assign_whole(particles: carom.Particles) -> None:
    particles.velocity[:] = 0.0


def assign_one(particles: carom.Particles) -> None:
    particles.position[3][0] = 0.5


def scale(particles: carom.Particles) -> None:
    velocity = particles.velocity
    velocity *= 2.0


def scale_in_place(particles: carom.Particles) -> None:
    particles.velocity *= 2.0


def multiply_into(particles: carom.Particles) -> None:
    np.multiply(particles.radius, 2.0, out=particles.radius)


CHANGES = [assign_whole, assign_one, scale, scale_in_place, multiply_into]


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_what_is_handed_out_is_refused_in_words(
    change: Callable[[carom.Particles], None],
) -> None:
    simulation = gas()
    before = simulation.energy
    for particles in (simulation.particles, simulation.system.particles):
        with pytest.raises(ValueError, match=r"read-only.*sim\.set_velocities.*\.copy\(\)"):
            change(particles)
    assert simulation.energy == before


def test_attributes_cannot_be_replaced() -> None:
    simulation = gas()
    with pytest.raises(AttributeError, match=r"sim\.set_velocities"):
        simulation.particles.velocity = np.zeros((40, 2))
    with pytest.raises(AttributeError, match="law stays as it is"):
        simulation.system.law = carom.Elastic()
    with pytest.raises(AttributeError, match="method of a simulation stays"):
        simulation.method = carom.TimeStepped(dt=0.1)
    with pytest.raises(AttributeError, match="system of a simulation stays"):
        simulation.system = simulation.system


def test_fields_of_a_system_cannot_be_changed() -> None:
    particles = carom.Particles([[0.0, 0.0], [2.0, 0.0]])
    system = carom.System(particles, gravity=[0.0, -1.0])
    assert system.gravity is not None
    with pytest.raises(ValueError, match="read-only"):
        system.gravity[1] = 0.0
    system = carom.System(particles, acceleration=np.ones((2, 2)))
    assert system.acceleration is not None
    with pytest.raises(ValueError, match="read-only"):
        system.acceleration[:] = 0.0


def test_a_system_has_its_own_copy_of_the_particles() -> None:
    particles, box = start()
    system = carom.System(particles, box)
    before = system.particles.copy()
    particles.position[:] = 0.0
    particles.velocity = np.full((40, 2), np.nan)
    particles.radius *= 2.0
    for name in carom.Particles.COLUMNS[:5]:
        np.testing.assert_array_equal(getattr(system.particles, name), getattr(before, name))


def test_copies_can_be_changed() -> None:
    simulation = gas()
    seen = simulation.particles
    for particles in (
        seen.copy(),
        copy.copy(seen),
        copy.deepcopy(seen),
        pickle.loads(pickle.dumps(seen)),
    ):
        particles.velocity[:] = 0.0
        particles.radius = 0.5 * particles.radius
        assert type(particles) is carom.Particles
    velocity = seen.velocity.copy()
    velocity[0] = 1.0
    velocity *= 2.0
    assert velocity[0].tolist() == [2.0, 2.0]
    assert type(seen.velocity * 2.0) is np.ndarray
    assert np.abs(seen.velocity).max() > 0.0


def test_a_copy_of_a_system_is_as_read_only_as_it_is() -> None:
    system = gas().system
    for other in (copy.copy(system), copy.deepcopy(system), pickle.loads(pickle.dumps(system))):
        with pytest.raises(ValueError, match="read-only"):
            other.particles.velocity[:] = 0.0
        assert repr(other) == repr(system)
    with pytest.raises(AttributeError, match="read-only"):
        del system.particles.velocity


@pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))],
    ids=["copy", "deepcopy", "pickle"],
)
def test_a_copy_of_a_simulation_goes_on_by_itself(copied: Callable[[Any], Any]) -> None:
    particles, box = carom.packings.random(40, 0.3, dimension=2, seed=1)
    observers = [carom.Record(0.25, "energy", "stress_xy"), carom.CollisionLog()]
    kicks = [carom.RandomKicks(0.1, every=0.3)]
    simulation = carom.Simulation(
        carom.System(particles, box), observers=observers, actors=kicks, seed=1
    )
    for end in (0.0, 1.0):
        simulation.run(until=end)
        other = copied(simulation)
        other.run(until=2.0)
        assert simulation.time == end
    simulation.run(until=2.0)
    assert other.counts == simulation.counts
    np.testing.assert_array_equal(other.particles.position, simulation.particles.position)
    for ours, theirs in zip(simulation.observers, other.observers, strict=True):
        assert len(ours) == len(theirs) > 0  # type: ignore[arg-type]
    assert simulation.observers[0] is not other.observers[0]


def test_a_simulation_that_writes_files_is_not_copied(tmp_path: Path) -> None:
    simulation = gas()
    simulation.add_observer(carom.Table(tmp_path / "log.csv", 1.0))
    for copied in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match=r"log\.csv.* cannot be copied .*two would write"):
            copied(simulation)


def test_looking_again_copies_nothing() -> None:
    simulation = gas()
    assert np.shares_memory(simulation.particles.velocity, simulation.particles.velocity)


def test_a_new_simulation_of_these_particles() -> None:
    simulation = gas()
    simulation.run(until=1.0)
    seen = simulation.particles
    again = carom.Simulation(carom.System(seen, simulation.system.domain))
    again.run(until=0.5)
    particles = seen.copy()
    particles.velocity[:] = 0.0
    assert carom.Simulation(carom.System(particles, simulation.system.domain)).energy == 0.0
    np.testing.assert_array_equal(simulation.particles.velocity, seen.velocity)


@pytest.mark.parametrize("name", METHODS)
def test_set_velocities_does_what_was_wanted(name: str) -> None:
    simulation = gas(METHODS[name])
    for until in (0.0, 0.55):  # a step of all that have steps
        simulation.run(until=until)
        old, work = simulation.particles, simulation.work_done
        wanted = old.velocity[::-1] * 1.5 + [0.25, 0.0]
        simulation.set_velocities(wanted)
        # Velocities within a step of dampers in contact are found by iteration.
        error = 1e-9 if name == "soft" else 1e-12
        np.testing.assert_allclose(simulation.particles.velocity, wanted, rtol=0, atol=error)
        np.testing.assert_allclose(
            simulation.particles.unwrapped, old.unwrapped, rtol=0, atol=1e-12
        )
        gained = simulation.kinetic_energy - old.kinetic_energy
        assert simulation.work_done - work == pytest.approx(gained, rel=1e-9)
        assert simulation.averaged_duration == 0.0
    simulation.run(until=1.0)
    assert simulation.counts.collisions > 0 or name == "soft"


def test_velocities_set_at_the_start_are_those_of_the_start() -> None:
    particles, box = start()
    velocity = particles.velocity[::-1].copy()
    law = carom.ConstantRestitution(0.9)
    expected = carom.Particles(particles.position, velocity, particles.radius, particles.mass)
    whole = carom.Simulation(carom.System(expected, box, law=law))
    simulation = carom.Simulation(carom.System(particles, box, law=law))
    simulation.set_velocities(velocity)
    for either in (whole, simulation):
        either.run(until=2.0)
    assert simulation.counts.collisions == whole.counts.collisions > 0
    assert simulation.particles.position.tobytes() == whole.particles.position.tobytes()


@pytest.mark.parametrize(
    ("velocity", "complaint"),
    [
        (np.zeros((39, 2)), r"velocity has shape \(39, 2\)"),
        (0.0, r"velocity must have shape"),
        (np.full((40, 2), np.nan), "velocity of particle 0 is not finite"),
        ("fast", "velocity must be numbers"),
    ],
)
def test_velocities_that_cannot_be_are_refused(velocity: Any, complaint: str) -> None:
    simulation = gas()
    simulation.run(until=0.5)
    before = simulation.particles
    with pytest.raises(ValueError, match=complaint):
        simulation.set_velocities(velocity)
    np.testing.assert_array_equal(simulation.particles.velocity, before.velocity)


def test_particles_that_are_held_are_not_moved() -> None:
    particles = carom.Particles([[1.0, 1.0]], [[0.0, 0.0]])
    system = carom.System(particles, carom.Box([4.0, 4.0], restitution=0.5), gravity=[0.0, -1.0])
    simulation = carom.Simulation(system, method=carom.EventDriven(resting=True))
    with pytest.raises(ValueError, match="set_velocities cannot move particles that"):
        simulation.set_velocities([[1.0, 1.0]])


def test_a_system_says_what_its_walls_do() -> None:
    particles, law = carom.Particles([[2.0, 2.0]]), carom.ConstantRestitution(0.9)
    assert "wall" not in repr(carom.System(particles, carom.Periodic(5.0), law=law))
    elastic = carom.System(particles, carom.Box(5.0, restitution=1.0), law=law)
    assert repr(elastic).endswith("ConstantRestitution(coefficient=0.9), 4 walls elastic>")
    floor = carom.Plane([0.0, 1.0], [0.0, 1.0], 0.5)
    box = carom.Box(5.0, "x")
    mixed = repr(carom.System(particles, box, law=law, walls=[floor]))
    assert "2 walls with the law of the particles and 1 wall of restitution 0.5" in mixed
