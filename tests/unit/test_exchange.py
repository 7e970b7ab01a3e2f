"""Particles that come and go."""

from __future__ import annotations

import copy
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom
from carom import regions

TOP = regions.Block((1.0, 1.0, 8.0), (9.0, 9.0, 9.0))
BELOW = regions.Beyond((0.0, 0.0, 2.0), (0.0, 0.0, -1.0))
METHODS = {
    "cells": carom.EventDriven(),
    "heap": carom.EventDriven(algorithm="heap"),
    "steps": carom.TimeStepped(dt=2e-3),
    "soft": carom.SoftContacts(stiffness=5e3, restitution=0.8, friction=0.5),
    "laden": carom.Laden(carom.fluids.Uniform(0.3, 0.0, 0.0), dt=0.02, relaxation_time=2.0),
}
every_method = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)


def box(n: int = 40) -> carom.System:
    """Spheres that fall in a box with a floor and a lid."""
    particles, domain = carom.packings.random(
        n, domain=carom.Box((10.0, 10.0, 10.0), "xy"), radius=0.4, seed=3
    )
    law = carom.ConstantRestitution(0.9)
    return carom.System(particles, domain, law=law, gravity=(0.0, 0.0, -1.0))


def inlet(rate: float = 20.0, **more: Any) -> carom.Inlet:
    """Spheres of several sizes from above."""
    given = {
        "radius": carom.sizes.Between(0.3, 0.45),
        "density": 2.0,
        "velocity": (0.0, 0.0, -1.0),
        "temperature": 0.1,
        "every": 0.1,
    }
    return carom.Inlet(TOP, rate, **given | more)


def simulation(
    method: Any = None, actors: Any = None, observers: Any = (), system: Any = None
) -> carom.Simulation:
    """A run in which some come from above and go below."""
    actors = [inlet(), carom.Outlet(BELOW, every=0.1)] if actors is None else actors
    system = box() if system is None else system
    return carom.Simulation(system, method=method, actors=actors, observers=observers, seed=5)


def state_of(sim: carom.Simulation) -> Any:
    particles = sim.particles
    columns = ("identity", "position", "velocity", "radius", "mass", "unwrapped")
    return [getattr(particles, name).tolist() for name in columns] + [
        sim.time,
        sim.work_done,
        sim.dissipated_energy,
        sim.pressure,
        sim.mean_number,
        sim.waiting,
        str(sim.traffic),
        str(sim.counts),
    ]


@every_method
def test_who_comes_and_goes_is_counted_and_what_they_carry(method: Any) -> None:
    """Of numbers, masses and, where nothing else takes any, energies the balances close.

    That of soft contacts does up to the second order of the step: as well as without actors.
    """
    log = carom.PassageLog()
    sim = simulation(method, observers=[log])
    start, energy = sim.particles, sim.energy
    sim.run(4.0)
    assert (sim.entered, sim.left) == (80, (~log["entered"]).sum())
    assert sim.left > 20
    assert sim.number == len(sim.particles) == 40 + sim.entered - sim.left
    mass = start.mass.sum() + sim.entered_mass - sim.left_mass
    assert sim.particles.mass.sum() == pytest.approx(mass, rel=1e-12)
    into, out = sim.traffic
    for one, entered in ((into, True), (out, False)):
        rows = log["entered"] == entered
        momentum = (log["mass"][rows, None] * log["velocity"][rows]).sum(axis=0)
        carried = one.entered_momentum if entered else one.left_momentum
        np.testing.assert_allclose(carried, momentum, rtol=1e-12)
    if not isinstance(method, carom.Laden):
        tolerance = {"EventDriven": 1e-11, "TimeStepped": 0.02, "SoftContacts": 0.05}
        lack = sim.energy - energy - sim.work_done + sim.dissipated_energy
        assert abs(lack) < tolerance[type(method).__name__]


@every_method
def test_runs_go_on_bit_for_bit_from_any_moment(method: Any, tmp_path: Path) -> None:
    whole = simulation(method)
    whole.run(2.0)
    random = np.random.default_rng(8)
    cut = simulation(method)
    for k, moment in enumerate(np.sort(random.uniform(0.0, 2.0, 3))):
        cut.run(float(moment))
        path = tmp_path / f"{k}.carom"
        cut.save(path)
        cut = copy.deepcopy(carom.load(path))
    cut.run(2.0)
    assert state_of(cut) == state_of(whole)


@every_method
def test_an_inlet_that_never_lets_anybody_in_changes_nothing(method: Any) -> None:
    if isinstance(method, carom.SoftContacts):
        method = carom.SoftContacts(stiffness=5e3, restitution=0.8, friction=0.5, dt=2e-3)
    still = simulation(
        method, [inlet(rate=1e-3), carom.Outlet(regions.Ball((0, 0, -5.0), 0.1), 0.1)]
    )
    plain = carom.Simulation(box(), method=method)
    for sim in (still, plain):
        sim.run(1.5)
    assert np.array_equal(still.particles.position, plain.particles.position)
    assert np.array_equal(still.particles.velocity, plain.particles.velocity)
    assert str(still.counts) == str(plain.counts)
    assert still.pressure == plain.pressure


def test_identities_stay_and_are_never_used_again() -> None:
    sim = simulation()
    seen: set[int] = set(range(40))
    before = seen
    for time in np.arange(0.2, 4.0, 0.2):
        sim.run(float(time))
        now = sim.particles.identity
        assert (np.diff(now) > 0).all()
        new = set(now.tolist()) - before
        assert not new & seen  # who is new has never been there
        seen |= new
        before = set(now.tolist())
    assert sim.left > 0
    assert max(seen) == 39 + sim.entered


def test_a_particle_is_the_same_whoever_comes_and_goes() -> None:
    """In free space, without any contact, all fly on as if they were alone."""
    position = np.array([[float(k), 0.0, 3.0 * k] for k in range(6)])
    velocity = np.array([[1.0, 0.5 * k, 0.0] for k in range(6)])
    system = carom.System(carom.Particles(position, velocity))
    out = carom.Outlet(regions.Beyond((8.0, 0.0, 0.0), (1.0, 0.0, 0.0)), every=0.25)
    log = carom.PassageLog()
    sim = simulation(None, [out], [log], system)
    sim.run(5.0)
    left = sim.particles.identity
    np.testing.assert_allclose(
        sim.particles.position, (position + 5.0 * velocity)[left], atol=1e-12
    )
    # Who is at x = k is out at the first look from t = 8 − k on.
    assert sorted(log["identity"].tolist()) == [3, 4, 5]
    assert log["time"].tolist() == [3.0, 4.0, 5.0]
    assert log["identity"].tolist() == [5, 4, 3]


@pytest.mark.parametrize("method", [METHODS["cells"], METHODS["soft"]], ids=["cells", "soft"])
def test_the_last_may_go_and_the_first_may_come(method: Any, tmp_path: Path) -> None:
    """A box that empties and fills again goes on with its sums and its identities."""
    system = box(1)
    low = regions.Block((0.0, 0.0, 0.0), (10.0, 10.0, 2.0))
    actors = [carom.Outlet(low, every=0.5), inlet(rate=0.2, until_number=3)]
    path = tmp_path / "run.xyz"
    sim = simulation(method, actors, [carom.Trajectory(path, 1.0)], system)
    numbers = []
    for time in range(1, 26):
        sim.run(float(time))
        numbers.append(sim.number)
        if time == 13:
            sim.save(tmp_path / "run.carom")
            again = carom.load(tmp_path / "run.carom", observers=[])
    assert 0 in numbers[:13]
    assert numbers[-1] == 0
    assert (sim.entered, sim.left) == (3, 4)
    assert math.isnan(sim.temperature)
    assert sim.energy == 0.0
    assert sim.counts.wall_collisions >= 0
    again.run(25.0)
    assert str(state_of(again)) == str(state_of(sim))  # a temperature may be none
    assert [len(frame.position) for frame in carom.frames(path)][1:] == numbers


def test_a_run_may_begin_with_nobody() -> None:
    system = carom.System(
        carom.Particles.none(3),
        carom.Box((10.0, 10.0, 10.0), "xy"),
        gravity=(0.0, 0.0, -1.0),
        law=carom.ConstantRestitution(0.9),
    )
    sim = simulation(None, [inlet(until_number=12)], (), system)
    assert (sim.number, sim.energy, sim.time) == (0, 0.0, 0.0)
    sim.run(1.0)
    assert sim.number == sim.entered == 12
    assert sim.particles.identity.tolist() == list(range(12))
    steps = simulation(METHODS["soft"], [inlet(until_number=12)], (), system)
    steps.run(1.0)
    assert steps.number == 12
    with pytest.raises(ValueError, match=r"begin with carom\.Particles\.none"):
        carom.Particles(np.empty((0, 3)))


def test_regular_arrivals_come_at_their_rate_and_end_at_a_number_or_mass() -> None:
    sim = simulation(None, [inlet(rate=7.0)])
    for time in (0.5, 1.0, 3.0):
        sim.run(time)
        assert sim.entered + sim.waiting == math.floor(7.0 * time + 1e-9)
    some = simulation(None, [inlet(rate=7.0, until_number=5)])
    some.run(2.0)
    assert (some.entered, some.waiting) == (5, 0)
    heavy = simulation(None, [inlet(rate=20.0, radius=0.4, density=None, mass=2.0, until_mass=9.0)])
    heavy.run(2.0)
    assert heavy.entered_mass == 10.0  # the fifth brings it to what was asked for


def test_random_arrivals_are_those_of_poisson() -> None:
    """In 40 intervals of mean 6 the mean and the variance of the numbers are both 6."""
    position = [[50.0, 50.0, 50.0]]
    system = carom.System(carom.Particles(position), carom.Periodic((100.0,) * 3))
    region = regions.Block((0.0, 0.0, 0.0), (40.0, 100.0, 100.0))
    source = carom.Inlet(region, 6.0, radius=0.1, arrivals="random", every=1.0)
    log = carom.PassageLog()
    sim = simulation(None, [source], [log], system)
    sim.run(40.0)
    numbers = np.bincount(log["time"].astype(int), minlength=41)[1:]
    assert sim.entered == numbers.sum() == len(log)
    assert abs(numbers.mean() - 6.0) < 4.0 * math.sqrt(6.0 / 40)
    # The variance of a variance of Poisson numbers is μ (1 + 2 μ) / n, nearly.
    assert abs(numbers.var() - 6.0) < 4.0 * math.sqrt(6.0 * 13.0 / 40)


def test_who_finds_no_room_waits_and_that_is_said() -> None:
    """In a region for one sphere the next comes in once the one before has fallen out of it."""
    spot = regions.Block((5.0, 5.0, 9.0), (5.0, 5.0, 9.0))
    source = carom.Inlet(spot, 50.0, radius=0.5, every=0.05)
    sim = simulation(None, [source], (), box(1))
    with pytest.warns(carom.CaromWarning, match="no room for .* they wait. sim.waiting"):
        sim.run(3.0)
    assert sim.entered + sim.waiting == 150
    # It takes √2 to fall one diameter from rest: at the looks at 0.05, 1.5 and 2.95.
    assert sim.entered == 3
    full = carom.Inlet(spot, math.inf, radius=0.5, every=0.05)
    filled = simulation(None, [full], (), box(1))
    filled.run(3.0)
    assert (filled.entered, filled.waiting) == (3, 0)


def test_newcomers_touch_nobody_and_no_wall() -> None:
    slope = carom.Plane((5.0, 5.0, 5.0), (0.0, 1.0, 1.0))
    particles, domain = carom.packings.random(
        60, domain=carom.Box((10.0, 10.0, 10.0), "x"), radius=0.5, seed=1, region=slope
    )
    system = carom.System(
        particles.copy().with_velocity(0.0 * particles.velocity), domain, walls=[slope]
    )
    everywhere = regions.Block((0.0, 0.0, 0.0), (10.0, 10.0, 10.0))
    crowd = carom.Inlet(everywhere, math.inf, radius=carom.sizes.Between(0.3, 0.9), every=1.0)
    sim = simulation(None, [crowd], (), system)
    sim.run(1.0)
    there = sim.particles
    assert sim.entered > 50
    apart = there.position[:, None] - there.position
    apart[..., 0] -= 10.0 * np.rint(apart[..., 0] / 10.0)
    gap = np.sqrt((apart**2).sum(axis=2)) - there.radius[:, None] - there.radius
    assert gap[np.triu_indices(len(there), 1)].min() >= 0.0
    assert (np.abs(slope.heights(there.position)) >= there.radius).all()
    for axis in (1, 2):
        low, high = there.position[:, axis], 10.0 - there.position[:, axis]
        assert (np.minimum(low, high) >= there.radius).all()


def test_grains_that_leave_come_in_again_as_they_were() -> None:
    system = box()
    again = carom.Recirculation(BELOW, TOP, velocity=(0.0, 0.0, -0.5), every=0.1)
    log = carom.PassageLog()
    sim = simulation(None, [again], [log], system)
    sim.run(6.0)
    assert sim.left > 60
    assert sim.number + sim.waiting == 40
    start, now = system.particles, sim.particles
    assert now.radius.tolist() == start.radius[now.identity].tolist()
    assert now.mass.tolist() == start.mass[now.identity].tolist()
    back = log["entered"]
    assert TOP.contains(log["position"][back]).all()
    assert (log["velocity"][back] == (0.0, 0.0, -0.5)).all()


def test_friction_goes_on_between_those_who_stay() -> None:
    """Two grains pressed on the floor by their weight, with stretched springs: that a third goes
    far away changes nothing, not even the last bit of their springs' energy."""
    position = [[3.0, 3.0, 0.5], [4.05, 3.0, 0.5], [8.0, 8.0, 5.0]]
    velocity = [[0.2, 0.1, 0.0], [-0.2, 0.0, 0.0], [0.0, 0.0, 0.0]]
    particles = carom.Particles(position, velocity)
    domain = carom.Box((10.0, 10.0, 10.0), "xy")
    system = carom.System(particles, domain, gravity=(0.0, 0.0, -1.0))
    method = carom.SoftContacts(stiffness=1e3, restitution=0.8, friction=0.5, dt=2e-3)
    out = carom.Outlet(regions.Ball((8.0, 8.0, 5.0), 3.0), every=0.4)
    goes, stays = (carom.Simulation(system, method=method, actors=actors) for actors in ([out], []))
    for sim in (goes, stays):
        sim.run(0.39)
    elastic = goes.elastic_energy
    assert elastic > 0.0
    for sim in (goes, stays):
        sim.run(2.0)
    assert goes.number == 2
    np.testing.assert_allclose(
        goes.particles.position, stays.particles.position[:2], rtol=0.0, atol=1e-12
    )
    np.testing.assert_allclose(
        goes.particles.angular_velocity, stays.particles.angular_velocity[:2], atol=1e-10
    )


def test_held_particles_stay_held() -> None:
    """On a plate, under grains that come: who rests is held, and who goes is no longer."""
    position = [[2.0, 2.0, 0.5], [5.0, 5.0, 0.5], [8.0, 8.0, 0.5]]
    domain = carom.Box((10.0, 10.0, 10.0), "xy")
    law = carom.ConstantRestitution(0.5)
    system = carom.System(carom.Particles(position), domain, law=law, gravity=(0.0, 0.0, -1.0))
    out = carom.Outlet(regions.Ball((5.0, 5.0, 0.5), 1.0), every=1.0)
    sim = carom.Simulation(system, method=carom.EventDriven(resting=True), actors=[out])
    sim.run(0.9)
    assert sim.counts.resting == 3
    sim.run(3.0)
    assert (sim.number, sim.counts.resting) == (2, 2)
    assert sim.particles.position[:, 2] == pytest.approx(0.5)


def test_logs_name_particles_by_identity() -> None:
    """Who comes last hits the one that was there from the start, when a third has gone."""
    position = [[1.0, 1.0], [5.0, 5.0]]
    system = carom.System(carom.Particles(position))
    actors = [
        carom.Outlet(regions.Ball((1.0, 1.0), 0.1), every=1.0),
        carom.Inlet(
            regions.Block((2.0, 5.0), (2.0, 5.0)),
            1.0,
            velocity=(1.0, 0.0),
            until_number=1,
            every=1.0,
        ),
    ]
    log = carom.CollisionLog()
    sim = carom.Simulation(system, actors=actors, observers=[log])
    sim.run(5.0)
    assert (log["i"].tolist(), log["j"].tolist()) == ([1], [2])
    assert log["time"] == pytest.approx([3.0])
    assert sim.particles.identity.tolist() == [1, 2]


def test_means_over_time_know_how_many_there_were() -> None:
    """A gas of one speed, of which half goes at the middle of the run: its temperature stays."""
    position = np.array([[1.0 + 2.0 * k, 1.0 + (k % 2)] for k in range(10)])
    velocity = np.where(np.arange(10)[:, None] % 2, [0.0, 1.0], [0.0, -1.0])
    particles = carom.Particles(position, velocity, radius=0.1)
    system = carom.System(particles, carom.Periodic((20.0, 20.0)))
    out = carom.Outlet(regions.Block((0.0, 0.0), (10.0, 20.0)), every=2.0)
    sim = carom.Simulation(system, actors=[out])
    sim.run(4.0)
    assert sim.number == 5
    assert sim.mean_number == 7.5
    assert sim.mean_temperature == pytest.approx(0.5, rel=1e-12)
    assert sim.compressibility == pytest.approx(1.0, rel=1e-12)
    sim.reset_averages()
    sim.run(5.0)
    assert sim.mean_number == 5.0


def test_a_painted_row_is_that_of_a_particle_that_is_there() -> None:
    sim = simulation()
    sim.run(2.0)
    painted = np.empty((sim.number, 6), dtype=np.float32)
    sim.paint(painted)
    np.testing.assert_allclose(painted[:, :3], sim.particles.position, atol=1e-5)
    with pytest.raises(ValueError, match="paint needs an array of shape"):
        sim.paint(np.empty((40 + 1000, 6), dtype=np.float32))


def test_looks_are_as_far_apart_as_the_fastest_moves_a_diameter() -> None:
    out = carom.Outlet(BELOW)
    particles = carom.Particles([[5.0, 5.0, 5.0]], [[0.0, 0.0, 4.0]], radius=0.5)
    system = carom.System(particles, carom.Box((10.0,) * 3))
    sim = carom.Simulation(system, actors=[out])
    assert sim.actors[0].every == 0.25
    resting = carom.System(carom.Particles([[5.0, 5.0, 5.0]]))
    with pytest.raises(ValueError, match="not known how often to look; give every="):
        carom.Simulation(resting, actors=[out])


def test_steps_are_short_enough_for_those_who_come() -> None:
    light = inlet(radius=0.05, density=2.0)
    method = carom.SoftContacts(stiffness=5e3, restitution=0.8)
    sim = carom.Simulation(box(), method=method, actors=[light])
    plain = carom.Simulation(box(), method=method)
    assert sim.dt < 0.2 * plain.dt
    long = carom.SoftContacts(stiffness=5e3, restitution=0.8, dt=plain.dt)
    late = carom.Simulation(box(), method=long, actors=[light])
    with pytest.raises(ValueError, match=r"at time 0.1 the run cannot go on .* dt=.* too large"):
        late.run(1.0)
    assert late.number == 40  # it stands where it was
    assert late.time == pytest.approx(0.1)


OPEN = carom.System(carom.Particles([[0.0, 0.0]], [[1.0, 0.0]]))
SHEARED = carom.System(
    carom.Particles([[5.0, 5.0]], [[1.0, 0.0]]), carom.LeesEdwards((9.0, 9.0), 1.0)
)
PULLED = carom.System(carom.Particles([[0.0, 0.0]]), acceleration=[[1.0, 0.0]])
TWO = carom.System(carom.Particles([[0.0, 0.0], [3.0, 0.0]], species=["steel", "glass"]))
SPOT = regions.Block((0.0, 0.0), (1.0, 1.0))
BOXED = carom.System(carom.Particles([[5.0, 5.0]]), carom.Box((10.0, 10.0)))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: carom.Inlet(SPOT, 0.0), "rate must be a positive number, not 0.0"),
        (lambda: carom.Inlet(SPOT, 1.0, mass=1.0, density=1.0), "give mass or density"),
        (lambda: carom.Inlet(SPOT, 1.0, arrivals="sometimes"), "arrivals='sometimes' is unknown"),
        (lambda: carom.Inlet(SPOT, math.inf, arrivals="random"), "need a finite rate"),
        (lambda: carom.Inlet(SPOT, 1.0, velocity=(1.0,)), "velocity must be a vector of 2"),
        (lambda: carom.Inlet(SPOT, 1.0, until_number=0), "until_number must be a whole number"),
        (lambda: carom.Inlet(regions.Beyond((0, 0), (1, 0)), 1.0), "which has no end"),
        (lambda: carom.Outlet(SPOT, every=-1.0), "Outlet: every must be a positive time"),
        (lambda: carom.Simulation(SHEARED, actors=[carom.Outlet(SPOT, 1.0)]), "LeesEdwards"),
        (lambda: carom.Simulation(PULLED, actors=[carom.Outlet(SPOT, 1.0)]), "use gravity="),
        (lambda: carom.Simulation(OPEN, actors=[carom.Outlet(BELOW, 1.0)]), "in 3 dimensions"),
        (lambda: carom.Simulation(TWO, actors=[carom.Inlet(SPOT, 1.0, every=1.0)]), "species"),
        (
            lambda: carom.Simulation(
                TWO, actors=[carom.Inlet(SPOT, 1.0, species="stel", every=1.0)]
            ),
            "there is no species 'stel'.*steel",
        ),
        (
            lambda: carom.Simulation(
                BOXED, actors=[carom.Inlet(regions.Ball((9.5, 5.0), 1.0), 1.0, every=1.0)]
            ),
            "reaches from 8.5 to 10.5 along x, but the box from 0 to 10",
        ),
        (
            lambda: carom.Simulation(
                OPEN,
                method=carom.Laden(carom.fluids.Uniform(1.0, 0.0), 0.1, [1.0]),
                actors=[carom.Outlet(SPOT, 1.0)],
            ),
            "relaxation_time is one number for each particle",
        ),
        (
            lambda: carom.Simulation(
                carom.System(carom.Particles.none(2)),
                method=carom.TimeStepped(),
                actors=[carom.Outlet(SPOT, 1.0)],
            ),
            "dt='auto' follows from the particles, but there are none",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(make: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        make()


@pytest.mark.parametrize(
    "observer",
    [
        carom.MeanSquareDisplacement,
        carom.VelocityAutocorrelation,
        carom.Viscosity,
        carom.HeatConduction,
        carom.NumberFluctuations,
    ],
)
def test_observers_that_need_the_same_particles_say_so(observer: Any) -> None:
    with pytest.raises(ValueError, match=f"{observer.__name__} cannot look at .* come and go"):
        simulation(observers=[observer(1.0)])


def test_a_failed_act_leaves_the_run_as_it_was() -> None:
    """With a law for no more than the species that are there, those who come are refused."""
    glass = carom.Particles(
        [[2.0, 2.0], [8.0, 8.0]], species="glass", species_names=("glass", "tin")
    )
    law = carom.ByPair({("glass", "glass"): carom.Elastic()})
    system = carom.System(glass, carom.Periodic((10.0, 10.0)), law=law)
    tin = carom.Inlet(regions.Block((4.0, 4.0), (6.0, 6.0)), 2.0, species="tin", every=1.0)
    sim = carom.Simulation(system, actors=[tin], seed=1)
    for _ in range(2):
        with pytest.raises(ValueError, match="has no law for"):
            sim.run(3.0)
    assert (sim.number, sim.time, sim.entered) == (2, 1.0, 0)
