"""``auto`` changes between cells and lists when the counts of events call for it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import carom
from carom.methods.event_driven.fast.cells_and_calendar import CellsAndCalendar
from carom.methods.event_driven.fast.cells_or_lists import DENSE, CellsOrLists, _threshold

N = 500


def algorithm_of(simulation: carom.Simulation) -> CellsOrLists:
    algorithm = simulation._engine._algorithm
    assert isinstance(algorithm, CellsOrLists)
    return algorithm


def fluid(packing_fraction: float) -> carom.System:
    particles, box = carom.packings.lattice(N, packing_fraction, temperature=1.0, seed=4)
    return carom.System(particles, box)


def under_a_lid() -> carom.System:
    """A fluid whose mean density is low, but which a plane keeps in a quarter of the box."""
    particles, box = carom.packings.lattice(N, 0.45, temperature=1.0, seed=4)
    side = box.sides(3)[0]
    inset = float(particles.radius.max())
    squeezed = inset + (side - 2.0 * inset) * particles.position[:, 2] / side
    position = np.column_stack([particles.position[:, :2], squeezed])
    tall = carom.Box([side, side, 4.0 * side], periodic="xy")
    lid = carom.Plane([0.0, 0.0, side], [0.0, 0.0, -1.0])
    crowded = carom.Particles(position, particles.velocity, particles.radius, particles.mass)
    return carom.System(crowded, tall, walls=[lid])


def test_density_decides_at_first() -> None:
    assert not algorithm_of(carom.Simulation(fluid(0.30))).has_lists
    assert algorithm_of(carom.Simulation(fluid(0.45))).has_lists


def test_the_density_that_decides_falls_with_the_number_of_particles() -> None:
    """The thresholds measured: 0.38 with 4,000 spheres and fewer, 0.28 with half a million."""

    def of_spheres(n: int) -> carom.System:
        # Only their number counts; in a box so wide that they cannot touch.
        position = np.column_stack([np.arange(float(n)), np.zeros((n, 2))])
        particles = carom.Particles(position, np.zeros((n, 3)), 0.25)
        return carom.System(particles, carom.Box([n + 1.0, 1.0, 1.0], "xyz"))

    thresholds = [_threshold(of_spheres(n), DENSE[3]) for n in (100, 4_000, 44_721, 500_000)]
    assert thresholds == pytest.approx([0.38, 0.38, 0.33, 0.28], abs=1e-4)


def test_lists_that_could_outgrow_their_counts_are_not_chosen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("carom.methods.event_driven.fast.lists.MOST_LISTED", 40)
    simulation = carom.Simulation(fluid(0.45))
    assert isinstance(simulation._engine._algorithm, CellsAndCalendar)


def test_a_short_run_keeps_its_algorithm() -> None:
    simulation = carom.Simulation(under_a_lid())
    simulation.run(collisions=300 * N)
    assert not algorithm_of(simulation).has_lists


def test_crowded_particles_get_lists(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(CellsOrLists, "PATIENCE", 0)
    simulation = carom.Simulation(under_a_lid())
    assert not algorithm_of(simulation).has_lists
    before = simulation.kinetic_energy
    simulation.run(collisions=300 * N)
    assert algorithm_of(simulation).has_lists
    assert simulation.kinetic_energy == pytest.approx(before, rel=1e-12)
    simulation.save(tmp_path / "dense.carom")
    restored = carom.load(tmp_path / "dense.carom")
    assert algorithm_of(restored).has_lists
    for each in (simulation, restored):
        each.run(collisions=200 * N)
    np.testing.assert_array_equal(restored.particles.position, simulation.particles.position)
    assert restored.counts == simulation.counts


def test_sparse_particles_get_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also across the boundary, beyond which particles with lists may be without notice."""
    monkeypatch.setattr(CellsOrLists, "PATIENCE", 0)
    monkeypatch.setattr("carom.methods.event_driven.fast.cells_or_lists.DENSE", {3: (0.1, 0.1)})
    changing = carom.Simulation(fluid(0.25))
    assert algorithm_of(changing).has_lists
    before = changing.kinetic_energy
    changing.run(collisions=150 * N)
    assert not algorithm_of(changing).has_lists
    sides = np.array(changing.system.sides)
    assert deepest_overlap(changing.particles, sides) < 1e-12
    changing.run(collisions=150 * N)
    assert deepest_overlap(changing.particles, sides) < 1e-12
    assert changing.kinetic_energy == pytest.approx(before, rel=1e-12)


def deepest_overlap(particles: carom.Particles, sides: np.ndarray) -> float:
    i, j = np.triu_indices(len(particles), 1)
    apart = particles.position[i] - particles.position[j]
    apart -= sides * np.rint(apart / sides)
    gap = np.sqrt((apart**2).sum(axis=1)) - particles.radius[i] - particles.radius[j]
    return float(-gap.min())
