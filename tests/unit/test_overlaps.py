"""Overlaps that rounding leaves never deepen in flight (Bannerman et al. 2014, section 4)."""

from __future__ import annotations

import itertools
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import carom

EPSILON = float(np.finfo(np.float64).eps)
SLOW = 2.0**-20


def deepest_overlap(simulation: carom.Simulation) -> float:
    """How deep the worst pair overlaps, periodic images included."""
    particles, system = simulation.particles, simulation.system
    i, j = np.triu_indices(len(particles), 1)
    separation = particles.position[i] - particles.position[j]
    for axis in np.flatnonzero(system.periodic):
        length = np.array(system.sides)[axis]
        separation[:, axis] -= np.round(separation[:, axis] / length) * length
    sigma = particles.radius[i] + particles.radius[j]
    return float((sigma - np.linalg.norm(separation, axis=1)).max())


def three_spheres(k: int) -> carom.System:
    """Figs. 4 and 6: two spheres meet slowly, a third hits one of them right afterwards.

    The first two meet at time 1/4, give or take k units of rounding, and part at the speed
    2^-20. An overlap of 2^-53 lasts for 2^-33; the third comes 2^-38 later.
    """
    first = 0.1 + 0.01 * k
    second = first + 1.0 + SLOW / 4.0
    third = second - 0.5 * SLOW / 4.0 + 1.0 + 0.25 + 2.0**-38
    return carom.System(
        carom.Particles(
            [[first, 1.0, 1.0], [second, 1.0, 1.0], [third, 1.0, 1.0]],
            [[SLOW / 2.0, 0.0, 0.0], [-SLOW / 2.0, 0.0, 0.0], [-1.0, 0.0, 0.0]],
        ),
        law=carom.ConstantRestitution(1.0),
    )


def test_three_spheres_need_a_stabilising_collision() -> None:
    """Rounding decides which starts overlap after the first collision; many do.

    Coordinates below 4 and times below 1 are rounded by at most 2^-52 each; the worst overlap is
    a few times that and stays so.
    """
    stabilised = 0
    for k in range(40):
        simulation = carom.Simulation(three_spheres(k))
        simulation.run(collisions=1)
        left_overlapping = deepest_overlap(simulation) > 0.0
        simulation.run(until=0.5)
        stabilised += simulation.counts.stabilising > 0
        assert left_overlapping or simulation.counts.stabilising == 0
        # However it comes about, the first sphere carries the momentum of the third away.
        assert simulation.particles.velocity[0, 0] == pytest.approx(-1.0, abs=2.0 * SLOW)
        assert deepest_overlap(simulation) <= 0.0
        assert simulation.counts.collisions == 3
    assert stabilised >= 5


def test_naive_detection_lets_three_spheres_pass_through_each_other() -> None:
    passed_through = 0
    for k in range(40):
        stable = carom.Simulation(three_spheres(k))
        naive = carom.Simulation(three_spheres(k), method=carom.EventDriven(detection="naive"))
        for simulation in (stable, naive):
            simulation.run(until=0.5)
        if stable.counts.stabilising > 0:
            # For a quarter of a time unit sphere 1 has gone on at the speed 1.
            assert deepest_overlap(naive) == pytest.approx(0.25, abs=1e-5)
            passed_through += 1
    assert passed_through >= 5


@st.composite
def crowds(draw: Any) -> carom.System:
    """A few disks or spheres in a box that leaves them little room."""
    dimension = draw(st.sampled_from([2, 3]))
    across = draw(st.sampled_from([2, 3] if dimension == 2 else [2]))
    room = draw(st.floats(0.01, 0.4))
    spacing = 1.0 + room
    sites = spacing * (np.array(list(itertools.product(range(across), repeat=dimension))) + 0.5)
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    place = sites + rng.uniform(-0.49, 0.49, sites.shape) * room
    domain = carom.Box(across * spacing, draw(st.sampled_from(["", "x", "xy"])))
    return carom.System(
        carom.Particles(place, rng.normal(size=sites.shape)),
        domain,
        law=carom.ConstantRestitution(draw(st.sampled_from([0.5, 0.8, 1.0]))),
    )


@settings(max_examples=40, deadline=None, derandomize=True)
@given(crowds())
def test_overlaps_never_deepen_in_flight(system: carom.System) -> None:
    """At events and between them no overlap is deeper than rounding makes it.

    The positions of a pair are rounded at the scale of the box, L < 5, and moved by the rounding
    of times, v t; each enters for both partners, at the contact and at the look.
    """
    simulation = carom.Simulation(system)
    fastest = np.sqrt(2.0 * simulation.kinetic_energy)
    try:
        for _ in range(40):
            simulation.run(collisions=1)
            allowed = 4.0 * EPSILON * (5.0 + fastest * simulation.time)
            assert deepest_overlap(simulation) <= allowed
            simulation.run(duration=0.02)
            assert deepest_overlap(simulation) <= allowed
    except carom.InelasticCollapse:
        return
