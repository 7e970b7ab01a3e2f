"""What has no right answer is refused, and what may be meant is warned of, with what would do."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from refusals import assert_refused

import carom
from carom.schedule import Schedule

TWO = [[2.0, 5.0], [8.0, 5.0]]


def system(position: Any = TWO, domain: Any = None, speed: float = 1.0, **options: Any) -> Any:
    velocity = speed * np.array([[1.0, 0.0], [-1.0, 0.0]])
    particles = carom.Particles(position, velocity)
    return carom.System(particles, domain or carom.Periodic(10.0), **options)


REFUSED: dict[str, tuple[Callable[[], Any], tuple[str, ...]]] = {
    "position": (lambda: carom.Particles([[1e160, 0.0]]), ("position of particle 0", "1e.75")),
    "velocity": (lambda: carom.Particles(TWO, [[0, 0], [0, 1e160]]), ("velocity of particle 1",)),
    "radius": (lambda: carom.Particles(TWO, radius=1e-160), ("radius of particle 0", "units")),
    "mass": (lambda: carom.Particles(TWO, mass=[1.0, 1e200]), ("mass of particle 1", "units")),
    "spin": (
        lambda: carom.Particles(TWO, angular_velocity=[0.0, 1e99]),
        ("angular_velocity of particle 1",),
    ),
    "a tiny box": (
        lambda: carom.System(carom.Particles([[0.0, 0.0]], radius=1e-75), carom.Periodic(1e-200)),
        ("along x is 1e-200",),
    ),
    "a huge box": (lambda: system(domain=carom.Periodic(1e200)), (r"along x is 1e\+200",)),
    "gravity": (lambda: system(gravity=[0.0, -1e200]), ("gravity", "1e.75")),
    "acceleration": (
        lambda: system(acceleration=[[0.0, 0.0], [1e200, 0.0]]),
        ("acceleration of particle 1",),
    ),
    "shear": (lambda: system(domain=carom.LeesEdwards(10.0, 1e75)), ("shear_rate",)),
    "far outside": (
        lambda: system([[2.0, 5.0], [1e19, 5.0]]),
        ("particle 1", r"1e\+18 boxes away along x", "into the box"),
    ),
    "stiffness": (lambda: carom.SoftContacts(5e-324), ("stiffness=5e-324", "units")),
    "damping": (lambda: carom.SoftContacts(1e4, damping=1e300), ("damping=1e.300", "units")),
    "springs along the surfaces": (
        lambda: carom.SoftContacts(1e4, friction=0.5, tangential_stiffness=1e300),
        ("tangential_stiffness=1e.300", "units"),
    ),
    "a damping that needs too short a step": (
        lambda: in_steps(carom.SoftContacts(1e4, damping=1e120)),
        ("damping=1e.120", "needs a step", "units"),
    ),
    "a damping that needs too short a step for that given": (
        lambda: in_steps(carom.SoftContacts(1e4, damping=1e150, dt=1e-3)),
        ("needs a step", "units"),
    ),
    "a viscosity": (
        lambda: carom.Laden(
            carom.fluids.Uniform(1.0, 0.0, 0.0), 0.1, 1.0, drag=carom.drags.SchillerNaumann(5e-324)
        ),
        ("viscosity=5e-324", "units"),
    ),
    "a step that moves nothing": (
        lambda: in_steps(carom.TimeStepped(dt=5e-324)),
        ("TimeStepped", "dt=4.94066e-324", "units"),
    ),
    "a step that leaves everything": (
        lambda: in_steps(carom.TimeStepped(dt=1e300), speed=0.0),
        (r"dt=1e\+300", "units"),
    ),
}


def in_steps(method: Any, speed: float = 1.0) -> carom.Simulation:
    return carom.Simulation(system(speed=speed), method=method)


@pytest.mark.parametrize("case", REFUSED)
def test_numbers_beyond_the_range_are_refused(case: str) -> None:
    act, parts = REFUSED[case]
    assert_refused(act, *parts)


@pytest.mark.parametrize("scale", [1e-70, 1e70])
def test_a_collision_at_the_ends_of_the_range_is_that_at_one(scale: float) -> None:
    """Lengths in other units, at one speed: times are in other units, too."""
    positions = scale * np.array([[2.0, 5.0], [8.0, 5.0]])
    particles = carom.Particles(positions, [[1.0, 0.0], [-1.0, 0.0]], 0.5 * scale, 1.0 / scale)
    simulation = carom.Simulation(carom.System(particles, carom.Periodic(10.0 * scale)))
    simulation.run(collisions=1)
    assert simulation.time / scale == pytest.approx(2.5, rel=1e-12)
    assert simulation.particles.velocity[:, 0] == pytest.approx([-1.0, 1.0], rel=1e-12)


METHODS = [carom.TimeStepped(dt=0.01), carom.SoftContacts(100.0)]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
@pytest.mark.parametrize("place", [[2.0, 5.0], [12.0, -5.0]], ids=["the same place", "an image"])
def test_coincident_particles_are_refused(method: Any, place: Any) -> None:
    twins = system([[2.0, 5.0], place])
    assert_refused(
        lambda: carom.Simulation(twins, method=method), "particles 0 and 1 are both at", "Move"
    )


def test_particles_nearer_than_the_square_root_of_the_smallest_number_are_coincident() -> None:
    twins = system([[0.0, 5.0], [1e-170, 5.0]])
    assert_refused(lambda: carom.Simulation(twins, method=carom.SoftContacts(100.0)), "both at")


def test_a_long_step_is_warned_of_with_one_that_would_do() -> None:
    with pytest.warns(carom.CaromWarning, match="collisions are missed") as caught:
        carom.Simulation(system(), method=carom.TimeStepped(dt=10.0))
    assert len(caught) == 1
    said = re.search(r"dt=(\S+) would do", str(caught[0].message))
    assert said is not None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        carom.Simulation(system(), method=carom.TimeStepped(dt=float(said[1])))
        carom.Simulation(system(), method=carom.TimeStepped())


def test_particles_that_get_too_fast_for_their_step_are_warned_of() -> None:
    """Who falls from rest flies through the floor within a step of 10."""
    falling = carom.System(
        carom.Particles([[0.5, 0.5], [0.5, 2.0]]), carom.Box([1.0, 4.0]), gravity=[0.0, -1.0]
    )
    simulation = carom.Simulation(falling, method=carom.TimeStepped(dt=10.0))
    with pytest.warns(carom.CaromWarning, match="dt=10 .*collisions are missed") as caught:
        simulation.run(until=100.0)
        simulation.run(until=200.0)
    assert len(caught) == 1


def test_velocities_that_are_set_too_high_for_the_step_are_warned_of() -> None:
    simulation = in_steps(carom.TimeStepped(dt=0.01))
    simulation.run(until=0.1)
    simulation.set_velocities([[1e3, 0.0], [-1e3, 0.0]])
    with pytest.warns(carom.CaromWarning, match="collisions are missed"):
        simulation.run(until=0.2)


def test_particles_that_a_force_has_driven_beyond_the_range_are_named() -> None:
    """Drag that is too strong for its step drives what it should slow down."""
    dragged = system(force=carom.forces.LinearDrag(1e5))
    simulation = carom.Simulation(dragged, method=carom.TimeStepped(dt=0.1))
    assert_refused(
        lambda: simulation.run(until=1.0),
        "particle 0 is at .* beyond",
        "shorter step than dt=0.1",
        error=carom.LawError,
    )


class BurstBeyondFive(NamedTuple):
    """No force, and nothing finite for those far to the right."""

    strength: float


@carom.forces.force.register(BurstBeyondFive)
@carom.kernel
def _(body: carom.forces.Body, law: BurstBeyondFive) -> Any:
    return (math.inf if body.position[0] > 5.0 else 0.0, 0.0, 0.0)


def test_the_particle_for_which_a_force_fails_at_once_is_named() -> None:
    burst = system(force=BurstBeyondFive(1.0))
    simulation = carom.Simulation(burst, method=carom.TimeStepped(dt=0.1))
    assert_refused(
        lambda: simulation.run(until=1.0), "not finite for particle 1", error=carom.LawError
    )


def test_soft_particles_that_fly_through_each_other_are_warned_of() -> None:
    fast = system(speed=100.0)
    with pytest.warns(carom.CaromWarning, match="pass through each other") as caught:
        carom.Simulation(fast, method=carom.SoftContacts(100.0))
    said = re.search(r"stiffness=(\S+) would keep", str(caught[0].message))
    assert said is not None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        simulation = carom.Simulation(fast, method=carom.SoftContacts(float(said[1])))
    simulation.run(until=0.05)
    assert simulation.particles.velocity[0, 0] == pytest.approx(-100.0, rel=0.01)


def test_soft_particles_that_fall_into_each_other_are_warned_of_when_they_are_fast() -> None:
    falling = carom.System(
        carom.Particles([[1.0, 500.0], [3.0, 0.5]]),
        carom.Box([4.0, 600.0]),
        gravity=[0.0, -1.0],
    )
    simulation = carom.Simulation(falling, method=carom.SoftContacts(200.0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        simulation.run(until=3.0)
    with pytest.warns(carom.CaromWarning, match="particle 0 .* pass through each other") as caught:
        simulation.run(until=40.0)
    assert len(caught) == 1


@pytest.mark.parametrize("method", [None, METHODS[0]], ids=["event-driven", "in steps"])
def test_looks_without_end_are_refused(method: Any) -> None:
    record = carom.Record(1e-20, "time")
    simulation = carom.Simulation(system(), method=method, observers=[record])
    assert_refused(lambda: simulation.run(until=1.0), "every=1e-20", r"1e\+20 times", "use every=")


def test_looks_without_end_until_a_collision_are_refused() -> None:
    record, kicks = carom.Record(1e-20, "time"), carom.RandomKicks(1.0, every=1e-20)
    for stops in ({"observers": [record]}, {"actors": [kicks]}):
        simulation = carom.Simulation(system(), seed=1, **stops)  # type: ignore[arg-type]
        assert_refused(
            lambda simulation=simulation: simulation.run(collisions=1),
            "every=1e-20 is due 5e.19 times",
            "use every=5e-11",
        )


def test_acts_without_end_are_refused() -> None:
    kicks = carom.RandomKicks(1.0, every=1e-20)
    simulation = carom.Simulation(system(), actors=[kicks], seed=1)
    assert_refused(lambda: simulation.run(until=1.0), "every=1e-20", "use every=")


def test_times_that_cannot_be_told_apart_are_refused_and_do_not_hang() -> None:
    simulation = carom.Simulation(system(speed=0.0))
    simulation.run(until=1e20)
    late = carom.Simulation(system(speed=0.0), observers=[carom.Record(1e10, "time")])
    late.run(until=1e12)
    schedule = Schedule(1e-3, start=1e20)
    with pytest.raises(ValueError, match=r"cannot be told apart at time 1e\+20"):
        schedule.advance()


def test_more_steps_than_can_be_counted_are_refused() -> None:
    simulation = carom.Simulation(system(), method=METHODS[0])
    assert_refused(lambda: simulation.run(until=1e300), r"steps of dt=0\.01", "earlier time")
    assert math.isclose(simulation.time, 0.0)
