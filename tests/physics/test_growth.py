"""Growing particles: their collisions, the work they do, and the packings that they end in."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.spatial import cKDTree

import carom
from carom.errors import PAUSED, REACHED_TIME
from carom.methods.event_driven import engine as engines
from carom.packings import bond_order, grow
from carom.packings.growth_engine import GrowthEngine
from carom.theory.equations_of_state import kolafa_labik_malijevsky

EPSILON = float(np.finfo(np.float64).eps)


def run(engine: GrowthEngine, until: float, collisions: int = 2**62) -> int:
    status = PAUSED
    while status == PAUSED:
        status = engine.advance(until, collisions)
    return status


def smallest_gap(particles: carom.Particles, box: Any) -> float:
    """The least distance of two surfaces, from an independent neighbour search."""
    lengths = np.array(box.sides(particles.dimension))
    position = particles.position % lengths
    reach = 2.0 * particles.radius.max() * (1.0 + 1e-3)
    pairs = cKDTree(position, boxsize=lengths).query_pairs(reach, output_type="ndarray")
    apart = position[pairs[:, 0]] - position[pairs[:, 1]]
    apart -= lengths * np.rint(apart / lengths)
    gaps = np.linalg.norm(apart, axis=1) - particles.radius[pairs].sum(axis=1)
    return float(gaps.min(initial=reach))


# A contact is placed to some units in the last place of the coordinates, here up to 100.
ROUND_OFF = 64.0 * EPSILON * 100.0


# Few enough for the simple algorithm, in a box that is wide enough for lists.
NUMBER = 120


def growing_mixture(algorithm: str, seed: int) -> GrowthEngine:
    """Unequal disks that grow from 0.3 to 0.7 in a time of 1.5."""
    rng = np.random.default_rng(seed)
    radius = rng.uniform(0.4, 0.6, NUMBER)
    mass = rng.uniform(0.5, 2.0, NUMBER)
    share = (0.3 / 0.7) ** 0.5
    particles, box = carom.packings.random(
        NUMBER, 0.3, dimension=2, radius=share * radius, mass=mass, seed=seed
    )
    particles.radius = radius
    return GrowthEngine(carom.System(particles, box), share, (1.0 - share) / 1.5, algorithm)


def test_two_growing_spheres_collide_as_their_surfaces_say() -> None:
    """Heavy and light, nearly head-on: the surfaces part as fast as they met."""
    position, velocity = [[2.0, 3.0, 3.0], [5.0, 3.25, 3.0]], [[2.0, 0.0, 0.0], [0.25, 0.1, 0.0]]
    particles = carom.Particles(position, velocity, [1.0, 0.5], [3.0, 1.0])
    share, rate = 0.5, 0.25
    engine = GrowthEngine(carom.System(particles, carom.Periodic(20.0)), share, rate, "simple")
    engine.keep_log()
    assert run(engine, engine.end) == REACHED_TIME
    (log,) = engine.take_log()
    after, _ = engine.snapshot(engine.end)
    time, normal = log["time"][0], log["separation"][0]
    sigma = 1.5 * (share + rate * time)
    assert np.linalg.norm(normal) == pytest.approx(sigma, rel=8 * EPSILON)
    normal = normal / np.linalg.norm(normal)
    growth = 1.5 * rate
    before = (particles.velocity[0] - particles.velocity[1]) @ normal - growth
    parting = (after.velocity[0] - after.velocity[1]) @ normal - growth
    assert before < 0.0
    assert parting == pytest.approx(-before, rel=32 * EPSILON)
    assert after.momentum == pytest.approx(particles.momentum, rel=8 * EPSILON)
    # The surfaces do work: impulse times the speed of growth.
    gained = after.kinetic_energy - particles.kinetic_energy
    assert gained == pytest.approx(log["impulse"][0] * growth, rel=64 * EPSILON)


@pytest.mark.parametrize("seed", range(3))
def test_algorithms_and_a_moving_origin_change_no_collision(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The simple algorithm keeps its origin; with the others it moves once in n collisions.

    Errors of 1e-16 grow tenfold in some n collisions: after 4 n they are far below 1e-9.
    """
    simple = growing_mixture("simple", seed)
    monkeypatch.setattr(engines, "COLLISIONS_PER_ORIGIN", 1)
    cells, lists = growing_mixture("cells", seed), growing_mixture("lists", seed)
    logs = []
    for engine in (simple, cells, lists):
        engine.keep_log()
        run(engine, engine.end, 4 * NUMBER)
        pieces = engine.take_log()
        logs.append(
            {key: np.concatenate([p[key] for p in pieces])[: 4 * NUMBER] for key in pieces[0]}
        )
    assert simple.world.tally[0].origin == 0.0
    assert len(logs[0]["i"]) == 4 * NUMBER
    for engine, log in ((cells, logs[1]), (lists, logs[2])):
        assert engine.world.tally[0].origin > 0.0
        assert np.array_equal(logs[0]["i"], log["i"]) and np.array_equal(logs[0]["j"], log["j"])
        assert logs[0]["time"] == pytest.approx(log["time"], abs=1e-9)
        assert engine.share == pytest.approx(simple.share, abs=1e-9)


def test_slow_growth_heats_as_the_equation_of_state_says() -> None:
    """Growth does the work (Z − 1) n kT dφ / φ on spheres with the energy 3/2 (n − 1) kT.

    Z of Kolafa, Labík & Malijevský; statistical error from four replicas. Growth adds to the
    pressure in proportion to its rate: 1.5 % at 16 times this rate, so that 0.1 % is left here.
    """
    n = 500
    rises = []
    for seed in range(4):
        particles, box = carom.packings.random(n, 0.15, seed=seed)
        share = (0.15 / 0.40) ** (1.0 / 3.0)
        particles.radius = particles.radius / share
        engine = GrowthEngine(carom.System(particles, box), share, 1e-3)
        assert run(engine, engine.end) == REACHED_TIME
        after, _ = engine.snapshot(engine.end)
        rises.append(math.log(after.kinetic_energy / particles.kinetic_energy))
    expected, _ = quad(
        lambda phi: 2.0 / 3.0 * n / (n - 1) * (kolafa_labik_malijevsky(phi) - 1.0) / phi, 0.15, 0.40
    )
    mean, error = np.mean(rises), np.std(rises, ddof=1) / 2.0
    print(f"ln T rises by {mean:.4f} ± {error:.4f}, expected {expected:.4f}")
    assert error < 0.002 * expected
    assert abs(mean - expected) < 4.0 * error + 0.001 * expected


def sizes(random: np.random.Generator) -> Any:
    return random.lognormal(0.0, 0.5, 300)


@pytest.mark.parametrize("dimension, fraction", [(2, 0.80), (3, 0.60)])
def test_a_grown_packing_is_what_was_asked_for(dimension: int, fraction: float) -> None:
    particles, box = grow(
        300, fraction, radius=sizes, dimension=dimension, temperature=2.5, growth_rate=0.02, seed=4
    )
    assert np.array_equal(particles.radius, sizes(np.random.default_rng(4)))
    system = carom.System(particles, box)
    assert system.packing_fraction == pytest.approx(fraction, rel=1e-13)
    assert smallest_gap(particles, box) >= -ROUND_OFF
    temperature = 2.0 * particles.kinetic_energy / system.degrees_of_freedom
    assert temperature == pytest.approx(2.5, rel=1e-12)
    assert np.abs(particles.momentum).max() < 1e-10
    carom.Simulation(system).run(collisions=100)


def test_packings_are_reproducible_and_the_seed_matters() -> None:
    first, again, other = (
        grow(100, 0.7, dimension=2, growth_rate=0.05, seed=seed)[0] for seed in (1, 1, 2)
    )
    assert np.array_equal(first.position, again.position)
    assert np.array_equal(first.velocity, again.velocity)
    assert not np.array_equal(first.position, other.position)


def two_sizes(n: int) -> Any:
    """Half of the disks 1.4 times as large as the others."""
    return np.where(np.arange(n) % 2 == 0, 0.5, 0.7)


def test_equal_disks_crystallise_and_mixed_ones_do_not() -> None:
    """Crystals in several directions: the order around a particle tells, not that over all."""
    equal = grow(1000, 0.86, dimension=2, seed=1)
    mixed = grow(1000, 0.84, radius=two_sizes(1000), dimension=2, seed=1)
    orders = [bond_order(*packing) for packing in (equal, mixed)]
    for name, order in zip(("equal", "mixed"), orders, strict=True):
        print(f"{name}: |psi_6| {order.overall:.3f}, around the mean disk {order.local:.3f}")
    for packing in (equal, mixed):
        assert smallest_gap(*packing) >= -ROUND_OFF
    assert orders[0].local > 0.85
    assert orders[1].local < 0.65 and orders[1].overall < 0.15


def test_spheres_at_random_close_packing_are_disordered() -> None:
    packing = grow(500, 0.64, seed=1)
    order = bond_order(*packing)
    print(f"Q_6 {order.overall:.3f}, around the mean sphere {order.local:.3f}")
    assert carom.System(*packing).packing_fraction == pytest.approx(0.64, rel=1e-13)
    assert smallest_gap(*packing) >= -ROUND_OFF
    # Half way between a fluid (0.1) and the crystals (0.485 and 0.575).
    assert order.local < 0.30 and order.overall < 0.15


def test_what_is_too_dense_jams_and_says_how_far_it_came() -> None:
    with pytest.raises(carom.Jammed) as caught:
        grow(200, 0.80, growth_rate=0.02, seed=1)
    jammed = caught.value
    reached = carom.System(jammed.particles, jammed.box).packing_fraction
    print(jammed)
    assert 0.60 < reached < 0.68
    assert reached == pytest.approx(jammed.packing_fraction, rel=1e-12)
    assert jammed.order.local == bond_order(jammed.particles, jammed.box).local
    for part in (f"{reached:.5f}", f"{jammed.order.local:.3f}", "growth_rate", "packing_fraction"):
        assert part in str(jammed)
    assert -ROUND_OFF <= smallest_gap(jammed.particles, jammed.box) < 1e-6
    # Isostatic: at least d (n − 1) + 1 contacts among those that are not loose.
    assert contacts(jammed.particles, jammed.box, 1e-4) >= 2.5 * 200


def contacts(particles: carom.Particles, box: Any, gap: float) -> int:
    """Pairs of equal spheres that are no further apart, relative to their diameter."""
    lengths = np.array(box.sides(particles.dimension))
    tree = cKDTree(particles.position % lengths, boxsize=lengths)
    return len(tree.query_pairs(2.0 * particles.radius[0] * (1.0 + gap)))


@pytest.mark.parametrize(
    "dimension, n, expected", [(2, 168, 1.0), (3, 256, math.sqrt(169.0 / 512.0))]
)
def test_bond_order_of_lattices(dimension: int, n: int, expected: float) -> None:
    """Q_6 of a face-centred cubic lattice is sqrt(169 / 512)."""
    order = bond_order(*carom.packings.lattice(n, 0.3, dimension=dimension, seed=1))
    assert order.overall == pytest.approx(expected, rel=1e-9)
    assert order.around == pytest.approx(np.full(n, expected), rel=1e-9)


def test_bond_order_of_points_at_random_vanishes() -> None:
    """Of independent bonds the mean has a size near their number to the power −1/2."""
    rng = np.random.default_rng(1)
    for dimension, bonds in ((2, 3 * 4000), (3, 6 * 4000)):
        points = carom.Particles(rng.uniform(0.0, 1.0, (4000, dimension)), radius=1e-9)
        # Bonds of one particle are not independent; ten times leaves room for that.
        assert bond_order(points, carom.Periodic(1.0)).overall < 10.0 / math.sqrt(bonds)


@pytest.mark.slow
def test_dense_packings_are_reached_from_every_seed() -> None:
    for seed in range(5):
        grow(1000, 0.64, seed=seed)
        grow(1000, 0.84, radius=two_sizes(1000), dimension=2, seed=seed)


@pytest.mark.slow
def test_spheres_that_grow_slowly_crystallise() -> None:
    """Slower growth gives more order, and beyond random close packing only crystals go."""
    packing = grow(500, 0.68, growth_rate=2e-4, seed=1)
    order = bond_order(*packing)
    print(f"Q_6 {order.overall:.3f}, around the mean sphere {order.local:.3f}")
    assert order.local > 0.35


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"packing_fraction": 1.2}, "packing_fraction must lie between 0 and 1"),
        ({"dimension": 4}, "dimension must be 2 or 3"),
        ({"growth_rate": 0.0}, "growth_rate must be a positive number"),
        ({"temperature": -1.0}, "temperature must be zero or positive"),
        ({"radius": [1.0, 2.0]}, "radius must be 10 positive numbers"),
        ({"radius": lambda random: -np.ones(10)}, "radius must be 10 positive numbers"),
        ({"n": 0}, "n must be a whole number from 1 on"),
    ],
)
def test_bad_arguments_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        grow(**{"n": 10, "packing_fraction": 0.5, **arguments})
