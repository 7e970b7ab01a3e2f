"""Walls have the law of the system, unless they have a restitution of their own."""

from __future__ import annotations

import math
from typing import Any

import pytest

import carom

KEPT = 0.5
OWN = 0.8
STEPS = 1000
BOX_OF = {
    "law": carom.Box([3.0, 3.0]),
    "own": carom.Box([3.0, 3.0], restitution=OWN),
    "other axis": carom.Box([3.0, 3.0], restitution={"y": OWN}),
    "plane": carom.Open(),
}
EXPECTED = {"law": KEPT, "own": OWN, "other axis": KEPT, "plane": KEPT}
METHODS: dict[str, Any] = {
    "event driven": carom.EventDriven(),
    "time stepped": carom.TimeStepped(dt=0.01),
    "soft": carom.SoftContacts(1e4, dt=math.pi * 1e-2 / STEPS),  # of contacts, π √(m / k) long
    # So slow to follow that the fluid is not felt within the run.
    "laden": carom.Laden(carom.fluids.Uniform(0.0, 0.0, 0.0), dt=0.1, relaxation_time=1e9),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("walls", BOX_OF)
def test_a_disk_comes_back_from_a_wall_as_the_law_says(method: str, walls: str) -> None:
    """Soft contacts begin and end anywhere within a step."""
    planes = [carom.Plane([3.0, 0.0], [1.0, 0.0])] if walls == "plane" else []
    disk = carom.Particles([[2.0, 1.5]], [[1.0, 0.0]])
    law = carom.ConstantRestitution(KEPT)
    system = carom.System(disk, BOX_OF[walls], law=law, walls=planes)
    simulation = carom.Simulation(system, method=METHODS[method])
    simulation.run(until=1.0, progress=False)
    error = 1.0 / STEPS if method == "soft" else 1e-8
    assert simulation.particles.velocity[0, 0] == pytest.approx(-EXPECTED[walls], abs=error)


def test_rough_walls_reflect_along_the_normal_as_the_law_says() -> None:
    disk = carom.Particles([[0.0, 1.0]], [[0.4, -1.0]], angular_velocity=[0.0])
    floor = carom.Plane([0.0, 0.0], [0.0, 1.0])
    system = carom.System(disk, law=carom.RoughRestitution(0.6, 0.0), walls=[floor])
    simulation = carom.Simulation(system)
    simulation.run(until=1.0, progress=False)
    assert simulation.particles.velocity[0, 1] == pytest.approx(0.6, rel=1e-14)
    # A disk without slip keeps two thirds of its velocity along the floor and rolls.
    assert simulation.particles.velocity[0, 0] == pytest.approx(0.4 * 2.0 / 3.0, rel=1e-14)


def test_walls_under_an_elastic_law_are_elastic() -> None:
    disk = carom.Particles([[2.0, 1.5]], [[1.0, 0.0]])
    simulation = carom.Simulation(carom.System(disk, carom.Box([3.0, 3.0])))
    simulation.run(until=50.0, progress=False)
    assert abs(simulation.particles.velocity[0, 0]) == 1.0
