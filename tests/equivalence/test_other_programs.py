"""Trajectories as MDAnalysis, OVITO and pyvista read them: the extra ``carom[formats]``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom

pytestmark = pytest.mark.slow


@pytest.fixture(params=["disks", "sheared", "spheres"])
def trajectory(request: Any, tmp_path: Path) -> tuple[Path, Any]:
    """A run in all formats, and its frames with all digits."""
    dimension = 3 if request.param == "spheres" else 2
    particles, box = carom.packings.random(
        30, 0.1, dimension=dimension, radius=0.4, temperature=9.0, seed=1
    )
    domain: Any = box
    if request.param == "sheared":
        domain = carom.LeesEdwards(box.lengths, 0.4)
        particles.velocity += domain.flow(particles.position)
    observers = [
        carom.Trajectory(tmp_path / f"t{suffix}", 0.5)
        for suffix in (".gsd", ".xyz", ".dump", ".h5", ".pvd")
    ]
    carom.Simulation(carom.System(particles, domain), observers=observers).run(until=2.0)
    return tmp_path, carom.frames(tmp_path / "t.h5")


@pytest.mark.parametrize("kind", ["GSD", "XYZ", "LAMMPSDUMP", "H5MD"])
def test_mdanalysis_reads_all_but_vtk(trajectory: tuple[Path, Any], kind: str) -> None:
    analysis = pytest.importorskip("MDAnalysis")
    folder, frames = trajectory
    if kind == "H5MD" and frames[0].dimension == 2:
        pytest.skip("MDAnalysis knows no planar boxes of H5MD")
    name = {"GSD": "t.gsd", "XYZ": "t.xyz", "LAMMPSDUMP": "t.dump", "H5MD": "t.h5"}[kind]
    universe = analysis.Universe.empty(30, trajectory=True)
    options = {"convert_units": False} if kind == "H5MD" else {}
    universe.load_new(str(folder / name), format=kind, **options)
    assert len(universe.trajectory) == len(frames)
    for step, frame in zip(universe.trajectory, frames, strict=True):
        d, cell = frame.dimension, frame.cell
        # Boxes of GSD are centred on the origin; those of dumps are moved to it.
        shift = {"GSD": cell.sides / 2.0, "LAMMPSDUMP": cell.corner}.get(kind, 0.0)
        np.testing.assert_allclose(step.positions[:, :d] + shift, frame.position, atol=1e-5)
        if kind != "XYZ":
            np.testing.assert_allclose(step.dimensions[0], cell.sides[0], rtol=1e-6)
        if kind == "LAMMPSDUMP":
            edges = step.triclinic_dimensions[:d, :d]
            np.testing.assert_allclose(edges, cell.vectors, atol=1e-5)
            np.testing.assert_allclose(step.velocities[:, :d], frame.velocity, rtol=1e-5, atol=1e-5)


def test_mdanalysis_takes_types_and_masses_from_a_dump(trajectory: tuple[Path, Any]) -> None:
    analysis = pytest.importorskip("MDAnalysis")
    folder, frames = trajectory
    universe = analysis.Universe(str(folder / "t.dump"), format="LAMMPSDUMP")
    np.testing.assert_array_equal(universe.atoms.masses, frames[0].mass)
    assert set(universe.atoms.types) == {"1"}


@pytest.mark.parametrize("suffix", [".gsd", ".xyz", ".dump"])
def test_ovito_reads_all_that_are_meant_for_it(trajectory: tuple[Path, Any], suffix: str) -> None:
    ovito = pytest.importorskip("ovito.io")
    folder, frames = trajectory
    pipeline = ovito.import_file(str(folder / f"t{suffix}"))
    assert pipeline.source.num_frames == len(frames)
    for k, frame in enumerate(frames):
        data, d = pipeline.compute(k), frame.dimension
        shift = frame.cell.sides / 2.0 if suffix == ".gsd" else 0.0
        positions = np.array(data.particles.positions)[:, :d] + shift
        np.testing.assert_allclose(positions, frame.position, atol=1e-5)
        np.testing.assert_allclose(np.array(data.cell)[:d, :d], frame.cell.vectors.T, atol=1e-5)
        corner = np.array(data.cell)[:d, 3] + shift
        np.testing.assert_allclose(corner, frame.cell.corner, atol=1e-5)
        assert tuple(data.cell.pbc[:d]) == frame.cell.periodic
        np.testing.assert_allclose(data.particles["Radius"], frame.radius, rtol=1e-6)
        velocities = np.array(data.particles["Velocity"])[:, :d]
        np.testing.assert_allclose(velocities, frame.velocity, rtol=1e-5, atol=1e-5)


def test_pyvista_reads_the_series(trajectory: tuple[Path, Any]) -> None:
    pyvista = pytest.importorskip("pyvista")
    folder, frames = trajectory
    reader = pyvista.get_reader(str(folder / "t.pvd"))
    assert reader.time_values == [frame.time for frame in frames]
    for frame in frames:
        reader.set_active_time_value(frame.time)
        points, d = reader.read()[0], frame.dimension
        np.testing.assert_array_equal(points.points[:, :d], frame.position)
        np.testing.assert_array_equal(points["velocity"][:, :d], frame.velocity)
        np.testing.assert_array_equal(points["radius"], frame.radius)
        np.testing.assert_array_equal(points["image"][:, :d], frame.image)
        assert points.n_cells == 30
