"""Fluids in files: VTK images, and HDF5 that carries particles again."""

from __future__ import annotations

import base64
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import carom
from carom.fluids import DiffusionFlow, GridField, TaylorGreen

DT = 0.0625  # a power of two: times of steps are exact
SHAPE = (12, 16)


def simulation(*observers: Any, method: Any = None) -> carom.Simulation:
    """A particle that pulls at a fluid of a box twice as long as it is high."""
    particles = carom.Particles([[0.3, 0.6]], [[0.0, 0.5]], radius=0.01, mass=0.01)
    system = carom.System(particles, carom.Periodic((2.0, 1.0)))
    fluid = DiffusionFlow(SHAPE, viscosity=0.01, start=TaylorGreen())
    return carom.Simulation(
        system, method=method or carom.Coupled(fluid, DT, 0.1), observers=list(observers)
    )


def image(path: Path) -> tuple[dict[str, str], Any]:
    """What describes an image, and its vectors (layers, rows, columns, 3)."""
    root = ElementTree.parse(path).getroot()
    data, numbers = root.find("ImageData"), root.find(".//DataArray")
    assert data is not None and numbers is not None and numbers.text is not None
    raw = base64.b64decode(numbers.text)
    assert int.from_bytes(raw[:8], "little") == len(raw) - 8
    ends = [int(number) for number in data.attrib["WholeExtent"].split()][1::2]
    shape = [end + 1 for end in reversed(ends)]
    return data.attrib, np.frombuffer(raw[8:], dtype="<f8").reshape(*shape, 3)


def test_images_hold_the_field(tmp_path: Path) -> None:
    folder = tmp_path / "frames"
    run = simulation(carom.FluidFrames(folder, 2 * DT))
    run.run(until=4 * DT)
    entries = ElementTree.parse(folder / "fluid.pvd").getroot().findall(".//DataSet")
    assert [float(entry.attrib["timestep"]) for entry in entries] == [0.0, 2 * DT, 4 * DT]
    described, first = image(folder / entries[0].attrib["file"])
    assert first.shape == (1, 17, 13, 3)
    spacing = [float(step) for step in described["Spacing"].split()]
    assert spacing == pytest.approx([2.0 / 12, 1.0 / 16, 1.0])
    # The flow at the start, a formula, at points that row and column tell.
    x, y = (
        2.0 * np.pi * spacing[0] * np.arange(13),
        2.0 * np.pi * spacing[1] * np.arange(17)[:, None],
    )
    np.testing.assert_allclose(first[0, ..., 0], np.sin(x) * np.cos(y), atol=1e-14)
    np.testing.assert_allclose(first[0, ..., 1], -np.cos(x) * np.sin(y), atol=1e-14)
    _, last = image(folder / entries[2].attrib["file"])
    here = 5.0 * np.array([2.0 / 12, 1.0 / 16])
    np.testing.assert_allclose(last[0, 5, 5, :2], run.fluid.velocity([here])[0], atol=1e-14)
    assert np.array_equal(last[:, -1], last[:, 0]) and np.array_equal(last[:, :, -1], last[:, :, 0])


def test_a_file_carries_particles_again(tmp_path: Path) -> None:
    """The coupled run flies through the field at the end of each step, and so does the replay."""
    pytest.importorskip("h5py")
    path = tmp_path / "fluid.h5"
    run = simulation(carom.FluidFrames(path, DT))
    run.run(until=8 * DT)
    field = GridField.from_hdf5(path)
    assert list(np.asarray(field.times)) == [k * DT for k in range(9)]
    assert field.velocity.shape == (9, *SHAPE, 2)
    assert np.array_equal(field.frame(8), run.fluid.frame().velocity)
    replay = simulation(method=carom.Laden(field, DT, 0.1))
    replay.run(until=8 * DT)
    # Interpolation in time has the share 1 − 0 of a frame at its own time.
    np.testing.assert_allclose(replay.particles.position, run.particles.position, atol=1e-13)


@pytest.mark.parametrize("name", ["frames", "fluid.hdf5"])
def test_frames_go_on_with_a_saved_run(name: str, tmp_path: Path) -> None:
    """What was written after the checkpoint is written anew, and no time twice."""
    path = tmp_path / name
    run = simulation(carom.FluidFrames(path, 0.5 * DT))
    run.run(until=2 * DT)
    run.save(tmp_path / "run.carom")
    run.run(until=5 * DT)
    again = carom.load(tmp_path / "run.carom", observers=[carom.FluidFrames(path, 0.5 * DT)])
    again.run(until=4 * DT)
    expected = [k * DT for k in range(5)]
    if path.suffix:
        field = GridField.from_hdf5(path)
        assert list(np.asarray(field.times)) == expected
        assert np.array_equal(field.frame(4), again.fluid.frame().velocity)
    else:
        entries = ElementTree.parse(path / "fluid.pvd").getroot().findall(".//DataSet")
        assert [float(entry.attrib["timestep"]) for entry in entries] == expected
        _, last = image(path / entries[4].attrib["file"])
        rows = last[0, :-1, :-1, :2].transpose(1, 0, 2)
        assert np.array_equal(rows, again.fluid.frame().velocity)
    _lose(path)
    with pytest.raises(carom.CheckpointError, match="that the checkpoint continues"):
        carom.load(tmp_path / "run.carom", observers=[carom.FluidFrames(path, 0.5 * DT)])


def _lose(path: Path) -> None:
    if path.suffix:
        import h5py

        with h5py.File(path, "r+") as file:
            file["times"].resize(1, axis=0)
    else:
        (path / "fluid_000001.vti").unlink()


def test_formulas_need_a_grid_and_runs_a_fluid(tmp_path: Path) -> None:
    carried = carom.Laden(TaylorGreen(), DT, 0.1)
    with pytest.raises(ValueError, match=r"give grid=\.\.\."):
        simulation(carom.FluidFrames(tmp_path / "frames", DT), method=carried)
    with pytest.raises(ValueError, match="EventDriven has no fluid"):
        simulation(carom.FluidFrames(tmp_path / "frames", DT), method=carom.EventDriven())
    assert not (tmp_path / "frames").exists()
    frame = simulation(method=carried).fluid.frame(grid=(4, 8))
    assert frame.lengths == (2.0, 1.0)
    # Node (1, 2) lies at (0.5, 0.25): sin π cos π/2 and −cos π sin π/2.
    np.testing.assert_allclose(frame.velocity[1, 2], [0.0, 1.0], atol=1e-15)


def test_without_h5py_the_remedy_is_named(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(ImportError, match=r"carom\[hdf5\].*folder for VTK"):
        simulation(carom.FluidFrames(tmp_path / "fluid.h5", DT))
