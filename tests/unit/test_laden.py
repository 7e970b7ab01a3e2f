"""Options of runs in a flow: what is refused, and what is said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import carom
from carom.fluids import SyntheticTurbulence, TaylorGreen, Uniform
from carom.methods.laden.relaxation import relaxation_times

GIVEN: dict[str, Any] = {"fluid": TaylorGreen(), "dt": 0.01, "relaxation_time": 0.1}


def system(domain: Any = None, **options: Any) -> carom.System:
    position = np.array([[0.2, 0.2], [0.6, 0.7], [0.8, 0.3]])
    particles = carom.Particles(position, np.zeros((3, 2)), radius=[0.01, 0.02, 0.04])
    return carom.System(particles, domain or carom.Periodic((1.0, 1.0)), **options)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"dt": 0.0}, r"dt must be a positive number, not 0\.0"),
        ({"integrator": "euler"}, "integrator='euler' is unknown"),
        ({"algorithm": "heap"}, "algorithm='heap' is unknown"),
        ({"search": "none"}, "search='none' is unknown"),
        ({"paths": 0}, "paths must be a whole number from 1 on, not 0"),
        ({"paths": 2, "integrator": "curved"}, "straight pieces"),
        ({"threads": 0}, "threads must be a whole number from 1 on, not 0"),
        ({"drag": carom.drags.SchillerNaumann(-1.0)}, "viscosity must be positive, not -1"),
        ({"search": "at_end", "algorithm": "cells"}, "goes with algorithm='lines'"),
        ({"relaxation_time": [0.1, 0.0, 0.1]}, r"of particle 1 is 0\.0; it must be positive"),
        ({"relaxation_time": 1e-310}, "of particle 0 is 1e-310.*at least 1e-75"),
        ({"relaxation_time": [0.1, 0.2]}, r"shape \(2,\).*each of the 3 particles"),
        ({"relaxation_time": 0.004, "integrator": "curved"}, "less than twice that"),
        ({"cells_per_side": 40}, "at most 12 are possible"),
        ({"fluid": TaylorGreen(length=0.3)}, "not a whole number of times"),
        ({"fluid": SyntheticTurbulence(grid=8), "paths": 2}, "known ahead"),
    ],
)
def test_refusals(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        carom.Simulation(system(), method=carom.Laden(**{**GIVEN, **wrong}))


def test_what_is_no_drag_is_refused() -> None:
    with pytest.raises(TypeError, match=r"use carom\.drags\.Stokes\(\)"):
        carom.Laden(**GIVEN, drag="none")


def test_systems_that_do_not_suit() -> None:
    box = carom.Box((1.0, 1.0))
    sheared = carom.LeesEdwards((1.0, 1.0), shear_rate=1.0)
    for given, wrong, said in (
        (system(sheared), {}, "LeesEdwards"),
        (system(force=carom.forces.LinearDrag(1.0)), {}, "not force="),
        (system(box), {"paths": 2}, "without walls"),
        (system(box), {"algorithm": "lines"}, "Periodic box without walls"),
    ):
        with pytest.raises(ValueError, match=said):
            carom.Simulation(given, method=carom.Laden(**{**GIVEN, **wrong}))


def test_the_step_is_told() -> None:
    fluid = carom.fluids.DiffusionFlow(8, viscosity=0.01)
    for method in (carom.Laden(**GIVEN), carom.Coupled(fluid, dt=0.01, relaxation_time=0.1)):
        assert carom.Simulation(system(), method=method).dt == 0.01


def test_relaxation_times_follow_the_radius() -> None:
    """And the Stokes number is that over the time of the flow, here length over speed."""
    method = carom.Laden(
        fluid=TaylorGreen(speed=2.0), dt=0.01, relaxation_time=carom.PowerOfRadius(50.0, 2.0)
    )
    times = relaxation_times(method.relaxation_time, system().particles.radius)
    assert times == pytest.approx([0.005, 0.02, 0.08])
    assert method.stokes_report(system()) == (
        "relaxation time 0.005 to 0.08, Stokes number 0.01 to 0.16"
    )


def test_a_step_too_long_for_a_simpler_scheme_is_refused() -> None:
    particles = carom.Particles([[0.2, 0.2], [0.6, 0.7]], [[9.0, 0.0], [0.0, 0.0]], radius=0.01)
    given = carom.System(particles, carom.Periodic((1.0, 1.0)))
    method = carom.Laden(Uniform(0.0, 0.0, 0.0), 0.1, 1.0, search="at_end")
    with pytest.raises(ValueError, match=r"dt=0\.1 is too long .* highest speed, 9"):
        carom.Simulation(given, method=method).run(until=0.1)


@pytest.mark.parametrize(
    "options",
    [
        {"fluid": TaylorGreen(speed=1e30)},
        {"fluid": TaylorGreen(speed=1e30), "paths": 3},
        {"integrator": "curved", "drag": carom.drags.SchillerNaumann(1e-70)},
    ],
    ids=["lines", "pieces", "curved paths"],
)
def test_a_flow_that_makes_particles_too_fast_for_a_step_is_refused(options: Any) -> None:
    simulation = carom.Simulation(system(), method=carom.Laden(**{**GIVEN, **options}))
    for _ in range(2):  # to run again does not help
        with pytest.raises(carom.TooFast, match=r"particle \d .*dt=0\.01.*shorter dt"):
            simulation.run(until=1.0)
        assert simulation.time < 0.05
    simulation.set_velocities(np.zeros((3, 2)))
    simulation.run(until=simulation.time)


def test_velocities_too_fast_for_a_step_are_refused() -> None:
    simulation = carom.Simulation(system(), method=carom.Laden(**GIVEN))
    with pytest.raises(ValueError, match=r"particle 1 has .*more than 1e\+06 boxes"):
        simulation.set_velocities([[0.0, 0.0], [1e20, 0.0], [0.0, 0.0]])
    assert not simulation.particles.velocity.any()
    resting = carom.Simulation(system(), method=carom.Laden(**{**GIVEN, "dt": 1e300}))
    resting.run(until=1.0)  # who does not move does not go too far
    with pytest.raises(carom.TooFast):
        resting.set_velocities(np.ones((3, 2)))


def test_steps_that_cannot_be_told_apart_are_refused() -> None:
    simulation = carom.Simulation(system(), method=carom.Laden(**{**GIVEN, "dt": 1e-300}))
    with pytest.raises(ValueError, match=r"steps of dt=1e-300 away.*use a dt of 1e-12"):
        simulation.run(until=1.0)
