"""Observers that compare looks with each other: exact small cases, errors, checkpoints."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom
from carom.statistics import Blocks, RepeatingBox, van_hove_counts
from carom.statistics.energy_flux import EnergyFlux
from carom.theory import Gas, percus_yevick

Makes = Callable[[], Any]
OBSERVERS: dict[str, Makes] = {
    "displacement": lambda: carom.MeanSquareDisplacement(0.1, lags=4, levels=3),
    "velocity": lambda: carom.VelocityAutocorrelation(0.1, lags=5),
    "scattering": lambda: carom.IntermediateScattering(0.1, [2.0, 6.0], lags=4),
    "van Hove": lambda: carom.VanHove(0.1, np.linspace(0.0, 2.0, 11), lags=3, levels=2),
    "viscosity": lambda: carom.Viscosity(0.1, lags=4),
    "heat": lambda: carom.HeatConduction(0.1, lags=4),
    "structure": lambda: carom.StructureFactor(0.1, 8.0),
    "distribution": lambda: carom.VelocityDistribution(0.1),
    "profile": lambda: carom.Profile(0.1, 2, layers=5),
    "clusters": lambda: carom.SolidClusters(0.1, 1.5),
    "fluctuations": lambda: carom.NumberFluctuations(0.1, [2, 3]),
}


def fluid(*observers: carom.Observer, n: int = 108) -> carom.Simulation:
    particles, box = carom.packings.lattice(n, 0.25, temperature=1.0, seed=1)
    return carom.Simulation(carom.System(particles, box), observers=observers)


def gas_without_collisions(*observers: carom.Observer, dimension: int = 3) -> carom.Simulation:
    """Spheres so small that they never meet, in flight with velocities of which the sum is zero."""
    rng = np.random.default_rng(5)
    velocity = rng.normal(size=(50, dimension))
    velocity -= velocity.mean(axis=0)
    particles = carom.Particles(10.0 * rng.random((50, dimension)), velocity, radius=1e-9)
    return carom.Simulation(carom.System(particles, carom.Periodic(10.0)), observers=observers)


@pytest.mark.parametrize("name", OBSERVERS)
def test_a_run_that_is_cut_in_two_measures_the_same_bits(name: str, tmp_path: Path) -> None:
    whole, first, second = (OBSERVERS[name]() for _ in range(3))
    fluid(whole).run(until=5.0)
    simulation = fluid(first)
    simulation.run(until=2.23)
    simulation.save(tmp_path / "half.npz")
    carom.load(tmp_path / "half.npz", observers=[second]).run(until=5.0)
    assert second.state() == whole.state()
    assert np.array_equal(second.blocks.mean, whole.blocks.mean, equal_nan=True)


@pytest.mark.parametrize("name", OBSERVERS)
def test_what_was_measured_is_drawn_with_its_errors(name: str, tmp_path: Path) -> None:
    observer = OBSERVERS[name]()
    with pytest.raises(ValueError, match=r"not looked yet|belongs to no simulation"):
        observer.curve()
    fluid(observer).run(until=2.0)
    x, y, error, _, names, _ = observer.curve()
    assert np.shape(y) == np.shape(error) == ((len(names), len(x)) if names else (len(x),))
    assert np.isfinite(y).all()
    assert np.isfinite(error).all()
    assert (np.asarray(error) >= 0.0).all()
    figure = carom.plotting.measured(observer, tmp_path / "curve.png")
    assert len(figure.axes[0].lines) == max(1, len(names))
    assert (tmp_path / "curve.png").stat().st_size > 1000
    observer.clear()
    with pytest.raises(ValueError, match="not looked yet"):
        observer.blocks  # noqa: B018


def test_errors_of_independent_numbers_are_those_of_their_mean() -> None:
    """With 1000 numbers in 16 to 32 blocks the error is known to some 15 %."""
    numbers = np.random.default_rng(2).normal(3.0, 2.0, size=1000)
    blocks = Blocks(())
    for number in numbers:
        blocks.add(number)
    assert float(blocks.mean) == pytest.approx(numbers.mean(), rel=1e-13)
    assert float(blocks.error) == pytest.approx(2.0 / math.sqrt(1000), rel=0.5)
    squared = blocks.estimate(lambda mean: float(mean) ** 2)
    assert squared.error == pytest.approx(2.0 * numbers.mean() * float(blocks.error), rel=0.01)


def test_an_error_is_not_told_from_a_single_block() -> None:
    blocks = Blocks((2,))
    blocks.add([1.0, 2.0])
    assert blocks.mean.tolist() == [1.0, 2.0]
    assert np.isnan(blocks.error).all()


def test_without_collisions_everything_flies() -> None:
    """⟨Δ²⟩ = ⟨v²⟩ t² at lags of all levels, and velocities stay correlated; the displacements have
    α_2 and the velocities a_2 of the same numbers."""
    displacement = carom.MeanSquareDisplacement(0.5, lags=4, levels=3)
    velocity = carom.VelocityAutocorrelation(0.5, lags=4)
    distribution = carom.VelocityDistribution(0.5)
    simulation = gas_without_collisions(displacement, velocity, distribution)
    simulation.run(until=12.0)
    v = simulation.particles.velocity
    squares = (v * v).sum(axis=1)
    assert displacement.time.tolist() == [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0]
    expected = squares.mean() * displacement.time**2
    assert displacement.mean_square == pytest.approx(expected, rel=1e-11)
    assert velocity.correlation == pytest.approx(np.full(5, squares.mean() / 3.0), rel=1e-12)
    assert velocity.diffusion(2.0).value == pytest.approx(2.0 * squares.mean() / 3.0, rel=1e-12)
    excess = 0.6 * (squares**2).mean() / squares.mean() ** 2 - 1.0
    assert displacement.non_gaussian().value == pytest.approx(np.full(8, excess), abs=1e-10)
    assert distribution.cumulant().value == pytest.approx(excess, abs=1e-12)
    assert carom.statistics.fourth_cumulant(v) == pytest.approx(excess, abs=1e-12)


@pytest.mark.parametrize("dimension", [2, 3])
def test_without_collisions_fluxes_are_constant(dimension: int) -> None:
    """The integrals of stress and energy flux grow with time, and their squares with its square.

    Over the directions of a fluid, the squares of the traceless tensor add up to 4 (in the plane)
    or 10 (in space) times that of an off-diagonal component.
    """
    viscosity, conduction = carom.Viscosity(0.5, lags=4), carom.HeatConduction(0.5, lags=4)
    simulation = gas_without_collisions(viscosity, conduction, dimension=dimension)
    simulation.run(until=10.0)
    v, volume = simulation.particles.velocity, 10.0**dimension
    temperature = (v * v).sum() / (dimension * 49)
    stress = v.T @ v
    stress -= np.trace(stress) / dimension * np.eye(dimension)
    square = (stress * stress).sum() / {2: 4.0, 3: 10.0}[dimension] * viscosity.time**2
    assert viscosity.spread == pytest.approx(square / (2.0 * volume * temperature), rel=1e-10)
    heat = 0.5 * (v * (v * v).sum(axis=1)[:, None]).sum(axis=0)
    square = (heat * heat).mean() * conduction.time**2
    assert conduction.spread == pytest.approx(square / (2.0 * volume * temperature**2), rel=1e-10)


def test_slopes_are_taken_between_lags_that_there_are() -> None:
    displacement = carom.MeanSquareDisplacement(0.5, lags=4)
    gas_without_collisions(displacement).run(until=10.0)
    # The slope of t² between two points is the sum of their times.
    between = displacement.mean_square[1] / 0.25 * (1.0 + 1.5) / 6.0
    assert displacement.diffusion(1.0, 1.5).value == pytest.approx(between, rel=1e-12)
    with pytest.raises(ValueError, match="needs two lags or more between 3 and 4; there are lags"):
        displacement.diffusion(3.0, 4.0)


def test_flying_particles_are_scattered_by_their_displacements() -> None:
    """F_s is the mean of cos(k·v t), and F that over pairs."""
    scattering = carom.IntermediateScattering(0.5, [2.0 * math.pi / 10.0], lags=3, per_length=3)
    simulation = gas_without_collisions(scattering)
    place = simulation.particles.position.copy()
    simulation.run(until=0.5)
    waves = scattering.waves.vectors
    assert np.abs(waves).max(axis=1) == pytest.approx(np.full(3, 2.0 * math.pi / 10.0))
    v = simulation.particles.velocity
    assert scattering.incoherent[1, 0] == pytest.approx(np.cos(0.5 * v @ waves.T).mean(), rel=1e-11)
    away = (place + 0.5 * v)[:, None] - place[None]
    together = np.cos(away @ waves.T).sum(axis=(0, 1)).mean() / 50
    assert scattering.coherent[1, 0] == pytest.approx(together, rel=1e-10, abs=1e-10)


@pytest.mark.parametrize("moved", [0.0, 1.0])
def test_van_hove_counts_are_those_of_all_pairs(moved: float) -> None:
    rng = np.random.default_rng(3)
    before = 6.0 * rng.random((40, 3))
    now = before + moved * rng.normal(size=(40, 3))
    edges = np.linspace(0.0, 3.0, 7)
    counts = van_hove_counts(before, now, RepeatingBox((6.0, 6.0, 6.0)), edges)
    away = now[None] - before[:, None]
    away -= 6.0 * np.rint(away / 6.0)
    distance = np.sqrt((away**2).sum(axis=2))
    others = distance[~np.eye(40, dtype=bool)]
    assert counts.others == pytest.approx(np.histogram(others, edges)[0] / 40, abs=1e-12)
    own = np.sqrt(((now - before) ** 2).sum(axis=1))
    assert counts.own == pytest.approx(np.histogram(own, edges)[0] / 40, abs=1e-12)


def test_the_energy_flux_is_that_of_each_flight_and_each_jump() -> None:
    """Two spheres of unit diameter meet head on along x at the time 2."""
    velocity = np.array([[1.0, 0.0, 0.0], [-0.5, 0.0, 0.0]])
    flux = EnergyFlux(np.zeros(3), velocity, np.zeros(2), np.ones(2))
    columns = {
        "time": np.array([2.0]),
        "i": np.array([0]),
        "j": np.array([1]),
        "impulse": np.array([1.5]),
        "separation": np.array([[-1.0, 0.0, 0.0]]),
    }
    flux.collide(columns)
    flux.fly(5.0)
    # Equal masses exchange velocities: the first loses 3/8, a diameter away from the second.
    carried = 2.0 * (0.5 - 0.0625) + 3.0 * (0.5 - 0.0625)
    assert flux.velocity[:, 0].tolist() == [-0.5, 1.0]
    assert flux.integral == pytest.approx([carried + 0.375, 0.0, 0.0], abs=1e-15)


def test_the_stress_integral_is_the_stress_times_volume_and_time() -> None:
    simulation = fluid()
    simulation.run(until=1.0)
    expected = simulation.stress * simulation.system.volume * 1.0
    assert simulation.stress_integral == pytest.approx(expected, rel=1e-12, abs=1e-12)
    simulation.reset_averages()
    assert simulation.stress_integral == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(
    ("cell", "reach", "neighbours", "order", "third"),
    [
        ([[0, 0, 0], [1, 1, 0], [1, 0, 1], [0, 1, 1]], 1.6, 12, 0.57452, -0.01316),
        ([[0, 0, 0], [1, 1, 1]], 2.1, 14, 0.51069, 0.01316),
    ],
)
def test_lattices_have_their_order(
    cell: list[list[int]], reach: float, neighbours: int, order: float, third: float
) -> None:
    """Face-centred, body-centred with 14 neighbours: Steinhardt, Nelson & Ronchetti, Phys. Rev. B
    28, 784 (1983); Mickel et al., J. Chem. Phys. 138, 044501 (2013)."""
    cells = np.stack(np.meshgrid(*[np.arange(4)] * 3, indexing="ij"), axis=-1).reshape(-1, 1, 3)
    position = (2.0 * cells + np.array(cell)).reshape(-1, 3)
    seen = carom.statistics.crystals(position, RepeatingBox((8.0, 8.0, 8.0)), reach)
    assert (seen.connections == neighbours).all()
    assert seen.order == pytest.approx(np.full(len(position), order), abs=1e-5)
    assert seen.third == pytest.approx(np.full(len(position), third), abs=1e-5)
    assert seen.sizes.tolist() == [len(position)]
    assert seen.share == 1.0


def test_a_crystal_in_a_gas_is_one_cluster() -> None:
    """Of a cube of 5³ cells of a lattice among random points, what lies inside is solid."""
    cells = np.stack(np.meshgrid(*[np.arange(5)] * 3, indexing="ij"), axis=-1).reshape(-1, 1, 3)
    corners = np.array([[0, 0, 0], [1, 1, 0], [1, 0, 1], [0, 1, 1]])
    lattice = (2.0 * cells + corners).reshape(-1, 3)
    others = np.random.default_rng(1).random((200, 3)) * [30.0, 30.0, 15.0] + [0.0, 0.0, 12.0]
    position = np.concatenate([lattice, others])
    seen = carom.statistics.crystals(position, RepeatingBox((30.0, 30.0, 30.0)), 1.6)
    inside = ((lattice > 0.5) & (lattice < 8.5)).all(axis=1)
    assert (seen.cluster[: len(lattice)][inside] == 0).all()
    assert (seen.cluster[len(lattice) :] == -1).all()
    assert len(seen.sizes) == 1
    assert inside.sum() <= seen.largest < len(lattice)


def test_waves_fit_into_the_box_and_come_once() -> None:
    box = RepeatingBox((4.0, 5.0, 6.0))
    waves = carom.statistics.wave_vectors(box, 5.0, per_shell=10_000)
    whole = waves.vectors * box.sides / (2.0 * math.pi)
    assert whole == pytest.approx(np.rint(whole), abs=1e-12)
    rows = {tuple(row) for row in np.rint(whole).astype(int)}
    assert len(rows) == len(whole)
    assert not rows & {tuple(-x for x in row) for row in rows}
    # With their opposites and zero they are all that there are in the ball.
    axes = [np.arange(-5, 6)] * 3
    every = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 3) * 2.0 * math.pi / box.sides
    assert 2 * len(whole) + 1 == ((every**2).sum(axis=1) <= 25.0).sum()
    few = carom.statistics.wave_vectors(box, 5.0, per_shell=3)
    assert np.bincount(few.shell).max() == 3
    assert len(few.length) == len(waves.length)


def test_structure_factors_of_lattices_and_of_random_points() -> None:
    """n at the waves of the lattice and 0 at others; 1 on average for random points, whose squares
    of waves are exponentially distributed."""
    grid = np.stack(np.meshgrid(*[np.arange(4)] * 3), axis=-1).reshape(-1, 3) + 0.3
    box = RepeatingBox((4.0, 4.0, 4.0))
    waves = carom.statistics.waves_near(box, [0.5 * math.pi, 2.0 * math.pi], per_length=3)
    assert carom.statistics.structure_factor(grid, waves) == pytest.approx([0.0, 64.0], abs=1e-10)
    many = carom.statistics.wave_vectors(box, 30.0)
    points = 4.0 * np.random.default_rng(4).random((500, 3))
    sums = carom.statistics.density_waves(points, many.vectors)
    square = (np.abs(sums) ** 2).mean() / 500
    assert square == pytest.approx(1.0, abs=4.0 / math.sqrt(len(many.vectors)))


def test_scattering_and_van_hove_begin_with_the_structure() -> None:
    """F(k, 0) = S(k), F_s(k, 0) = 1, and G_d(r, 0) / ρ = g(r)."""
    edges = np.linspace(0.5, 2.0, 16)
    scattering = carom.IntermediateScattering(1.0, [2.0, 6.0], lags=2)
    later, pairs = carom.VanHove(1.0, edges, lags=2), carom.PairStatistics(1.0, edges)
    simulation = fluid(scattering, later, pairs)
    simulation.run(until=0.5)
    now = carom.statistics.structure_factor(simulation.system.particles.position, scattering.waves)
    assert scattering.coherent[0] == pytest.approx(now, rel=1e-9, abs=1e-9)
    assert scattering.incoherent[0] == pytest.approx([1.0, 1.0], rel=1e-14)
    assert later.others[0] == pytest.approx(pairs.shells.distribution, rel=1e-12)


def test_percus_and_yevick_at_long_and_short_waves() -> None:
    """S(0) = (1 − φ)⁴ / (1 + 2 φ)², and 1 for short waves."""
    for phi in (0.01, 0.3, 0.45):
        long, short = percus_yevick.structure_factor(Gas(3, phi), [1e-6, 70.0])
        assert long == pytest.approx((1.0 - phi) ** 4 / (1.0 + 2.0 * phi) ** 2, rel=1e-9)
        assert short == pytest.approx(1.0, abs=0.05)
    with pytest.raises(ValueError, match="dimension must be 3"):
        percus_yevick.structure_factor(Gas(2, 0.3), 1.0)


def test_what_cannot_be_measured_is_refused_in_words() -> None:
    particles, box = carom.packings.lattice(108, 0.25, temperature=1.0, seed=1)
    sheared = carom.System(particles, carom.LeesEdwards(box.lengths, 1.0))
    inelastic = carom.System(particles, box, law=carom.ConstantRestitution(0.9))
    endless = carom.System(particles)
    refusals = [
        (sheared, carom.MeanSquareDisplacement(1.0), "carries particles along"),
        (sheared, carom.StructureFactor(1.0, 8.0), "change all the time"),
        (sheared, carom.VanHove(1.0, [0.0, 1.0]), "a box at rest"),
        (sheared, carom.Viscosity(1.0), "no shear"),
        (inelastic, carom.HeatConduction(1.0), "costs energy"),
        (endless, carom.Profile(1.0, 0), "has no sides"),
        (endless, carom.NumberFluctuations(1.0), "repeats along every axis"),
        (carom.System(particles, box), carom.Profile(1.0, 3), "no axis 3"),
        (carom.System(particles, box), carom.VanHove(1.0, [0.0, 99.0]), "half its shortest side"),
        (carom.System(particles, box), carom.StructureFactor(1.0, 0.1), "fits into"),
        (carom.System(particles, box), carom.StructureFactor(1.0, 1e9), "ask for longer ones"),
        (
            carom.System(particles, box),
            carom.IntermediateScattering(1.0, [1e300]),
            "ask for longer ones",
        ),
    ]
    resting = carom.System(carom.Particles(particles.position, radius=0.5), box)
    refusals.append((resting, carom.Viscosity(1.0), "all particles are at rest"))
    for system, observer, words in refusals:
        with pytest.raises(ValueError, match=words):
            carom.Simulation(system, observers=[observer])
    disturbing = [
        (carom.Laden(fluid=carom.fluids.Uniform(1.0), relaxation_time=1.0, dt=0.1), "no flow that"),
        (carom.SoftContacts(stiffness=1e4, friction=0.3), "friction costs energy"),
    ]
    for method, words in disturbing:
        system = carom.System(particles, box)
        with pytest.raises(ValueError, match=words):
            carom.Simulation(system, method=method, observers=[carom.Viscosity(1.0)])
    for make in (
        lambda: carom.MeanSquareDisplacement(1.0, lags=1),
        lambda: carom.VelocityAutocorrelation(1.0, levels=0),
        lambda: carom.StructureFactor(1.0, -2.0),
        lambda: carom.NumberFluctuations(1.0, [1]),
        lambda: carom.VelocityDistribution(1.0, bins=0),
        lambda: carom.Profile(1.0, -1),
    ):
        with pytest.raises(ValueError, match="must be"):
            make()
    with pytest.raises(TypeError, match="observers that have a curve"):
        carom.plotting.measured(carom.Record(1.0))
