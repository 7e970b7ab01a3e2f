"""Statistics of particles against exact values, sums over all pairs, and random points."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import carom
from carom.statistics import (
    VARIANCE_OF_RANDOM_POINTS,
    ImpactSums,
    PairShells,
    RepeatingBox,
    box_around,
    box_counts,
    collision_kernel,
    correlation_dimension,
    count_dispersion,
    impact_speeds,
    kernel_from_contact,
    pair_shells,
    relative_deviation,
    share_of_pairs,
    voronoi_volumes,
)
from carom.statistics.pairs import near_pairs

EPSILON = float(np.finfo(np.float64).eps)
# A true value lies farther away than this many standard errors once in 16,000 times.
SIGMAS = 4.0
BOXES = [
    RepeatingBox([3.0, 2.0]),
    RepeatingBox([3.0, 2.0], offset=-1.3, jump=0.7),
    RepeatingBox([2.0, 3.0, 2.5]),
    RepeatingBox([2.0, 3.0, 2.5], offset=0.9, jump=-0.4),
]


def points_in(box: RepeatingBox, n: int, seed: int = 1) -> Any:
    return np.random.default_rng(seed).random((n, box.dimension)) * box.sides


def shift_of(box: RepeatingBox, step: tuple[int, ...]) -> Any:
    """The vector to the image so many boxes away."""
    vector = np.array(step) * box.sides
    vector[0] += step[1] * box.offset
    return vector


# Boxes and pairs


@pytest.mark.parametrize("box", BOXES)
def test_points_are_wrapped_by_whole_boxes(box: RepeatingBox) -> None:
    inside = points_in(box, 20)
    steps = np.random.default_rng(2).integers(-3, 4, inside.shape)
    moved = inside + [shift_of(box, tuple(step)) for step in steps]
    # Sums and differences of numbers below 20.
    np.testing.assert_allclose(box.wrapped(moved), inside, rtol=0, atol=40 * EPSILON)
    below = np.zeros((1, box.dimension))
    below[0, 0] = -1e-20
    assert (box.wrapped(below) < box.sides).all()


@pytest.mark.parametrize("reach", [0.8, 1.7])
@pytest.mark.parametrize("box", BOXES)
def test_pairs_are_those_of_all_images(box: RepeatingBox, reach: float) -> None:
    position = points_in(box, 25)
    expected = set()
    steps = list(itertools.product(range(-3, 4), repeat=box.dimension))
    for i, j in itertools.combinations(range(len(position)), 2):
        for step in steps:
            separation = position[i] - position[j] - shift_of(box, step)
            if np.linalg.norm(separation) <= reach:
                expected.add((i, j, step[1], *np.round(separation, 9)))
    found = [
        (int(i), int(j), int(row), *np.round(separation, 9))
        for part in near_pairs(position, reach, box)
        for i, j, separation, row in zip(part.i, part.j, part.separation, part.rows, strict=True)
    ]
    assert len(found) == len(set(found))
    assert set(found) == expected
    assert len(expected) > 10


def test_portions_do_not_change_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    box = BOXES[2]
    particles = carom.Particles(points_in(box, 60), points_in(box, 60, seed=2), radius=0.1)
    whole = pair_shells(particles, box, [0.5, 2.0, 5.0])
    monkeypatch.setattr("carom.statistics.pairs.PORTION", 7)
    parts = pair_shells(particles, box, [0.5, 2.0, 5.0])
    np.testing.assert_array_equal(parts.pairs, whole.pairs)
    # Sums of some thousand numbers of order 1 in another order.
    np.testing.assert_allclose(parts.speeds, whole.speeds, rtol=1e-12)


def test_one_pair_across_a_border() -> None:
    """Radii 0.3 and 0.2, a distance of 0.52 and a relative velocity of 3 towards each other."""
    particles = carom.Particles(
        [[0.01, 1.0], [9.49, 1.0]], [[-1.0, 5.0], [2.0, -4.0]], radius=[0.3, 0.2]
    )
    shells = pair_shells(particles, RepeatingBox([10.0, 4.0]), [1.0, 1.02, 1.06, 1.2])
    np.testing.assert_array_equal(shells.pairs, [0, 1, 0])
    np.testing.assert_array_equal(shells.approaching, [0, 1, 0])
    assert shells.approach_speed[1] == shells.radial_speed[1] == pytest.approx(3.0, rel=1e-14)
    assert math.isnan(shells.radial_speed[0])
    # One pair in a ring of area π σ² (1.06² − 1.02²) of 40.
    area = math.pi * 0.25 * (1.06**2 - 1.02**2)
    assert shells.distribution[1] == pytest.approx(40.0 / area, rel=1e-12)


def test_a_pair_in_a_sheared_box_has_the_velocity_of_its_image() -> None:
    """The image above moves with the jump, 0.7; here it stands over the first particle."""
    box = RepeatingBox([10.0, 4.0], offset=1.5, jump=0.7)
    particles = carom.Particles([[2.5, 3.8], [1.0, 0.8]], [[0.0, 1.0], [0.0, 0.0]], radius=0.4)
    (pairs,) = (part for part in near_pairs(particles.position, 1.1, box) if len(part.i))
    np.testing.assert_allclose(pairs.separation, [[0.0, -1.0]], atol=1e-14)
    tilted = carom.Particles([[2.5, 3.8], [1.6, 0.8]], [[0.0, 0.0], [0.0, 0.0]], radius=0.5)
    shells = pair_shells(tilted, box, [1.0, 1.5])
    # The image is at (0.6, 1.0) from the first and moves away from it.
    expected = 0.7 * 0.6 / math.hypot(0.6, 1.0)
    assert shells.radial_speed[0] == pytest.approx(expected, rel=1e-12)
    assert shells.approaching[0] == 0


@pytest.mark.parametrize("box", [BOXES[0], BOXES[2]])
def test_random_pairs_are_counted_as_by_a_sum_over_all(box: RepeatingBox) -> None:
    radius = np.random.default_rng(5).uniform(0.01, 0.05, 40)
    particles = carom.Particles(points_in(box, 40), radius=radius)
    shells = pair_shells(particles, box, [1.0, 1.5, 4.0])
    ball = math.pi if box.dimension == 2 else 4.0 / 3.0 * math.pi
    sums = [radius[i] + radius[j] for i, j in itertools.combinations(range(40), 2)]
    for k, (inner, outer) in enumerate([(1.0, 1.5), (1.5, 4.0)]):
        volumes = [
            ball * ((outer * s) ** box.dimension - (inner * s) ** box.dimension) for s in sums
        ]
        # 780 terms.
        assert shells.ideal[k] == pytest.approx(sum(volumes) / box.volume, rel=800 * EPSILON)


@pytest.mark.parametrize("dimension", [2, 3])
def test_random_particles_of_two_sizes_are_distributed_evenly(dimension: int) -> None:
    """g = 1; the number of random pairs in a shell is Poissonian to within a term of order 1/n."""
    box = RepeatingBox([1.0] * dimension)
    radius = np.where(np.arange(3000) % 3 == 0, 0.01, 0.004)
    particles = carom.Particles(points_in(box, 3000), radius=radius)
    shells = pair_shells(particles, box, [0.0, 1.0, 2.0, 4.0, 8.0])
    error = 1.0 / np.sqrt(shells.ideal)
    assert (np.abs(shells.distribution - 1.0) < SIGMAS * error).all()
    assert error[-1] < 0.02


def linear_shells(slope: float) -> PairShells:
    edges = np.linspace(1.0, 1.1, 11)
    ideal = 1000.0 * np.diff(edges**3)
    rise = 1.0 + slope * (0.5 * (edges[1:] + edges[:-1]) - 1.0)
    parts = [ideal * value * rise for value in (2.0, 0.8, 3.0, 1.2, 7.0)]
    return PairShells(edges, ideal, *parts)


def test_contact_is_where_the_lines_lead_to() -> None:
    contact = linear_shells(-4.0).contact()
    # A fit of ten points, well conditioned.
    assert contact == pytest.approx((2.0, 1.5, 1.5, 7.0), rel=1e-11)
    flat = linear_shells(0.0).contact(order=0)
    assert flat == pytest.approx((2.0, 1.5, 1.5, 7.0), rel=1e-13)
    # The mean errs by the slope: somewhat more than half the width of all shells.
    tilted = linear_shells(-4.0).contact(order=0)
    assert 0.05 < (2.0 - tilted.distribution) / (2.0 * 4.0) < 0.054


def test_looks_add_up() -> None:
    one, other = linear_shells(1.0), linear_shells(-2.0)
    both = one.plus(other)
    np.testing.assert_array_equal(both.pairs, one.pairs + other.pairs)
    np.testing.assert_allclose(
        both.distribution, 0.5 * (one.distribution + other.distribution), rtol=1e-14
    )
    with pytest.raises(ValueError, match="different shells"):
        one.plus(one._replace(edges=one.edges + 0.5))


# Kernel and impacts


def test_kernel_of_a_rate() -> None:
    """12 collisions of 4 particles in a volume of 10 in 3: 2 · 12 · 10 / (16 · 3) = 5."""
    assert collision_kernel(12, 3.0, 4, 10.0) == 5.0
    log = {"time": np.array([0.0, 3.0, 4.0]), "collisions": np.array([0, 12, 12])}
    per_interval = collision_kernel(np.diff(log["collisions"]), np.diff(log["time"]), 4, 10.0)
    np.testing.assert_array_equal(per_interval, [5.0, 0.0])


def test_kernel_of_a_beam() -> None:
    """All pairs approach or part with w_r = ±2 and g = 3: area σ g w, half of it inwards."""
    assert kernel_from_contact(2, 0.5, 3.0, 2.0) == pytest.approx(math.pi * 0.5 * 6.0)
    assert kernel_from_contact(3, 0.5, 3.0, 2.0) == pytest.approx(2.0 * math.pi * 0.25 * 6.0)


def test_speeds_of_a_collision_from_its_impulse() -> None:
    """Masses 1 and 3 meet at 2 with e = 0.5: the impulse is 3/4 · 1.5 · 2."""
    assert impact_speeds([2.25], [1.0], [3.0], 0.5) == pytest.approx([2.0], rel=1e-15)
    sums = ImpactSums().plus(np.array([1.0, 2.0])).plus(np.array([4.0, 0.0]))
    assert sums.number == 3
    assert sums.mean == pytest.approx(7.0 / 3.0)
    assert sums.mean_square == pytest.approx(7.0)
    assert sums.of_pairs == pytest.approx(3.0 / 1.75)
    assert math.isnan(ImpactSums().mean)


@pytest.mark.parametrize("restitution", [1.0, 0.5])
def test_observed_impacts_are_those_of_the_log(restitution: float) -> None:
    """Head-on at a relative speed of 3, whatever is left of it."""
    particles = carom.Particles(
        [[1.0, 1.0], [4.0, 1.0]], [[2.0, 0.0], [-1.0, 0.0]], mass=[1.0, 2.0]
    )
    system = carom.System(
        particles, carom.Periodic(10.0), law=carom.ConstantRestitution(restitution)
    )
    impacts = carom.ImpactSpeeds()
    simulation = carom.Simulation(system, observers=[impacts])
    simulation.run(collisions=1)
    assert impacts.sums.number == 1
    assert impacts.sums.mean == pytest.approx(3.0, rel=1e-13)


# Voronoï cells


@pytest.mark.parametrize("n", [1, 2, 7, 200])
@pytest.mark.parametrize("box", BOXES)
def test_cells_fill_the_box(box: RepeatingBox, n: int) -> None:
    volumes = voronoi_volumes(points_in(box, n), box)
    assert (volumes > 0.0).all()
    # Qhull's corners are good to some hundred roundings.
    assert volumes.sum() == pytest.approx(box.volume, rel=1e-11)


@pytest.mark.parametrize("crowded", [False, True])
@pytest.mark.parametrize("box", BOXES)
def test_cells_know_nothing_of_the_box(box: RepeatingBox, crowded: bool) -> None:
    """Several boxes taken for one have the same cells, also with one void over nearly all of it."""
    position = points_in(box, 30) * (0.1 if crowded else 1.0)
    steps = list(itertools.product(range(2), repeat=box.dimension))
    copies = np.concatenate([position + shift_of(box, step) for step in steps])
    larger = RepeatingBox([2.0 * side for side in box.sides], 2.0 * box.offset)
    expected = np.tile(voronoi_volumes(position, box), len(steps))
    np.testing.assert_allclose(voronoi_volumes(copies, larger), expected, rtol=1e-8)


def test_cells_of_lattices() -> None:
    square = np.stack(np.meshgrid(np.arange(4.0), np.arange(3.0)), axis=-1).reshape(-1, 2)
    np.testing.assert_allclose(voronoi_volumes(square, RepeatingBox([4.0, 3.0])), 1.0, rtol=1e-12)
    particles, box = carom.packings.lattice(108, 0.3, dimension=3, seed=1)
    sides = box.sides(3)
    volumes = voronoi_volumes(particles.position, RepeatingBox(sides))
    np.testing.assert_allclose(volumes, np.prod(sides) / len(particles), rtol=1e-10)
    assert relative_deviation(volumes) < 1e-9


@pytest.mark.parametrize(("dimension", "n", "runs"), [(2, 2000, 20), (3, 1000, 12)])
def test_cells_of_random_points(dimension: int, n: int, runs: int) -> None:
    """Their variance is known; that the number of points is given lowers it by about 2/n."""
    box = RepeatingBox([1.0] * dimension)
    random = np.random.default_rng(3)
    variances = [
        relative_deviation(voronoi_volumes(random.random((n, dimension)), box)) ** 2
        for _ in range(runs)
    ]
    error = np.std(variances, ddof=1) / math.sqrt(runs)
    assert error < 0.03 * np.mean(variances)
    expected = VARIANCE_OF_RANDOM_POINTS[dimension]
    assert np.mean(variances) == pytest.approx(expected, abs=SIGMAS * error + 2.0 / n)


# Counting, and dimensions


def test_counts_of_a_few_points() -> None:
    points = [[0.1, 0.1], [0.2, 0.4], [3.9, 1.9], [-0.1, 0.1], [2.0, 1.0]]
    counts = box_counts(points, RepeatingBox([4.0, 2.0]), (2, 2))
    np.testing.assert_array_equal(counts, [[2, 0], [1, 2]])
    ends = np.nextafter([[3.0, 0.7]], 0.0)
    assert box_counts(ends, RepeatingBox([3.0, 0.7]), (7, 11))[6, 10] == 1


def test_dispersion_of_extremes() -> None:
    """n points in one of the boxes have n; as many in each have 0."""
    box = RepeatingBox([1.0, 1.0])
    assert count_dispersion(box_counts(np.full((30, 2), 0.3), box, (5, 4))) == pytest.approx(30.0)
    assert count_dispersion(np.full(8, 3)) == 0.0


@pytest.mark.parametrize("dimension", [2, 3])
def test_dispersion_of_random_points(dimension: int) -> None:
    """Pearson's statistic of m boxes with n points: its mean is m − 1, its variance exactly
    2 (m − 1) (n − 1) / n."""
    box, n, runs = RepeatingBox([1.0, 2.0, 1.5][:dimension]), 500, 400
    random = np.random.default_rng(8)
    counts = [box_counts(random.random((n, dimension)) * box.sides, box) for _ in range(runs)]
    boxes = counts[0].size
    assert 5.0 < n / boxes < 20.0
    error = math.sqrt(2.0 * (n - 1) / (n * (boxes - 1.0) * runs))
    mean = np.mean([count_dispersion(numbers) for numbers in counts])
    assert mean == pytest.approx(1.0, abs=SIGMAS * error)


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 15), st.sampled_from([0, 1, 2, 3]), st.floats(0.01, 0.9))
def test_share_of_pairs_is_that_of_all_pairs(n: int, kind: int, radius: float) -> None:
    box = BOXES[kind]
    points = points_in(box, n, seed=n)
    steps = list(itertools.product(range(-2, 3), repeat=box.dimension))
    near = sum(
        np.linalg.norm(a - b - shift_of(box, step)) <= radius
        for a, b in itertools.combinations(points, 2)
        for step in steps
    )
    assert share_of_pairs(points, [radius], box)[0] == pytest.approx(near / (n * (n - 1) / 2))


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_dimension_of_random_points_on_lines_and_sheets(dimension: int) -> None:
    """D₂ is the dimension of what they lie on, in a box where that has no borders.

    Pairs are Poissonian: at the smallest radius there are some hundred, which dominates the error
    of the slope.
    """
    box, n = RepeatingBox([1.0, 1.0, 1.0]), 4000
    points = np.full((n, 3), 0.5)
    points[:, :dimension] = np.random.default_rng(4).random((n, dimension))
    radii = np.geomspace(0.02, 0.2, 8)
    fewest = share_of_pairs(points, radii[:1], box)[0] * n * (n - 1) / 2
    error = 1.0 / (math.sqrt(fewest) * math.log(10.0))
    assert error < 0.05
    assert correlation_dimension(points, radii, box) == pytest.approx(dimension, abs=SIGMAS * error)


def test_dimension_of_sierpinskis_gasket() -> None:
    """ln 3 / ln 2. Pairs in two of the parts that touch add terms of relative size 3 r^D₂."""
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, math.sqrt(0.75)]])
    points = np.zeros((1, 2))
    for level in range(1, 10):
        points = (points[:, None] + 0.5**level * corners).reshape(-1, 2)
    radii = 0.5 ** np.arange(4.0, 7.0)
    exact = math.log(3.0) / math.log(2.0)
    error = 3.0 * radii[0] ** exact / math.log(4.0)
    assert error < 0.03
    assert correlation_dimension(points, radii) == pytest.approx(exact, abs=error)


# In simulations


def gas(seed: int = 1, **options: Any) -> carom.Simulation:
    particles, box = carom.packings.random(200, 0.3, dimension=2, seed=seed)
    return carom.Simulation(carom.System(particles, box), **options)


def test_statistics_can_be_recorded_by_name() -> None:
    names = (
        "collisions",
        "transfers",
        "checks",
        "false_predictions",
        "kinetic_energy",
        "collision_kernel",
        "contact_distribution",
        "contact_radial_speed",
        "voronoi_deviation",
        "count_dispersion",
    )
    record = carom.Record(0.5, *names)
    simulation = gas(observers=[record])
    simulation.run(until=1.0)
    particles, box = simulation.particles, box_around(simulation)
    assert math.isnan(record["collision_kernel"][0])
    collisions, volume = record["collisions"], simulation.system.volume
    assert record["collision_kernel"][2] == pytest.approx(
        2.0 * collisions[2] * volume / 200**2, rel=1e-13
    )
    shells = pair_shells(particles, box)
    assert record["contact_distribution"][2] == pytest.approx(
        shells.pairs.sum() / shells.ideal.sum(), rel=1e-13
    )
    assert record["contact_radial_speed"][2] == pytest.approx(
        shells.speeds.sum() / shells.pairs.sum(), rel=1e-13
    )
    cells = voronoi_volumes(particles.position, box)
    assert record["voronoi_deviation"][2] == relative_deviation(cells) > 0.0
    # Disks that fill 0.3 of the plane keep each other at a distance.
    assert (record["count_dispersion"] < 1.0).all()
    assert (record["false_predictions"] == 0).all()
    np.testing.assert_allclose(record["kinetic_energy"], simulation.kinetic_energy, rtol=1e-12)


def test_sums_go_on_from_a_checkpoint(tmp_path: Any) -> None:
    whole = [carom.PairStatistics(0.25), carom.ImpactSpeeds()]
    gas(observers=whole).run(until=2.0)
    first = gas(observers=[carom.PairStatistics(0.25), carom.ImpactSpeeds()])
    first.run(until=1.1)
    first.save(tmp_path / "state.carom")
    parts = [carom.PairStatistics(0.25), carom.ImpactSpeeds()]
    carom.load(tmp_path / "state.carom", observers=parts).run(until=2.0)
    for ours, theirs in zip(parts[0].shells, whole[0].shells, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert parts[0].looks == whole[0].looks == 9
    # Pieces of the log are cut at the checkpoint, so that sums are rounded otherwise.
    assert parts[1].sums == pytest.approx(whole[1].sums, rel=1e-12)
    assert parts[1].sums.number > 100


def test_what_cannot_be_looked_at_is_refused() -> None:
    particles = carom.Particles([[1.0, 1.0], [3.0, 3.0]])
    walled = carom.System(particles, carom.Box(5.0, periodic="x"))
    with pytest.raises(ValueError, match=r"repeats along every axis.*carom\.Periodic"):
        carom.Simulation(walled, observers=[carom.PairStatistics(1.0)])
    for name in ("voronoi_deviation", "count_dispersion", "contact_distribution"):
        with pytest.raises(ValueError, match="repeats along every axis"):
            carom.Simulation(walled, observers=[carom.Record(1.0, name)])
    endless = carom.System(particles)
    with pytest.raises(ValueError, match="finite volume, not 2 in inf"):
        carom.Simulation(endless, observers=[carom.Record(1.0, "collision_kernel")])
    rough = carom.System(particles, carom.Periodic(5.0), law=carom.RoughRestitution(0.9, 0.5))
    with pytest.raises(ValueError, match="cannot tell speeds from the impulses"):
        carom.Simulation(rough, observers=[carom.ImpactSpeeds()])
    with pytest.raises(ValueError, match="has not looked yet"):
        carom.PairStatistics(1.0).contact()
    box = RepeatingBox([1.0, 1.0])
    with pytest.raises(ValueError, match="sides must be 2 or 3 lengths"):
        RepeatingBox([1.0, -1.0])
    for edges in ([1.0], [1.0, 1.0], [2.0, 1.5], [-0.1, 1.0]):
        with pytest.raises(ValueError, match="edges must be"):
            pair_shells(particles, box, edges)
    with pytest.raises(ValueError, match=r"shape \(n, 2\)"):
        voronoi_volumes(np.zeros((3, 3)), box)
    with pytest.raises(ValueError, match="must be finite"):
        voronoi_volumes([[math.nan, 0.0]], box)
    with pytest.raises(ValueError, match="order must be 0 or 1"):
        linear_shells(0.0).contact(order=2)
    with pytest.raises(ValueError, match="two or more particles"):
        collision_kernel(1, 1.0, 1, 1.0)
    with pytest.raises(ValueError, match="positive durations"):
        collision_kernel([1, 2], [0.0, 1.0], 2, 1.0)
    with pytest.raises(ValueError, match=r"nearer than 0\.001; use larger"):
        correlation_dimension([[0.1, 0.1], [0.2, 0.2]], [0.001, 1.0])
    with pytest.raises(ValueError, match="two different radii"):
        correlation_dimension([[0.1, 0.1], [0.2, 0.2]], [1.0, 1.0])
    with pytest.raises(ValueError, match="two boxes or more"):
        count_dispersion([3])
    with pytest.raises(ValueError, match="boxes must be 2 positive"):
        box_counts([[0.1, 0.1]], box, (0, 3))
