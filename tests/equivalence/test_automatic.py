"""``auto`` changes between cells and lists when the counts of events call for it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import carom
from carom.methods.event_driven.automatic import CellsOrLists

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
    monkeypatch.setattr("carom.methods.event_driven.automatic.DENSE", {2: 0.6, 3: 0.1})
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
