"""kill -9 at any moment: what every writer leaves can be read, and the run goes on from it."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

import carom
from carom.observers.hdf5_frames import Hdf5Frames
from carom.undoable import Change, journal_of, undo

EVERY, END = 0.05, 2.0
SUFFIXES = (".gsd", ".xyz", ".dump", ".h5", ".pvd")
VELOCITY = np.arange(32.0).reshape(4, 4, 2)
PATIENCE = 1800.0


def observers(folder: Path) -> list[carom.Observer]:
    return [
        *(carom.Trajectory(folder / f"t{suffix}", EVERY) for suffix in SUFFIXES),
        carom.Table(folder / "log.csv", EVERY, "collisions", "energy"),
        carom.FluidFrames(folder / "flow.h5", EVERY, grid=8),
        carom.FluidFrames(folder / "flow", EVERY, grid=8),
    ]


def begun(folder: Path) -> carom.Simulation:
    """The run from its start, or from the checkpoint in the folder."""
    state = folder / "state.carom"
    if state.exists():
        return carom.load(state, observers=observers(folder))
    particles, box = carom.packings.random(40, 0.3, dimension=2, seed=1)
    system = carom.System(particles, box, law=carom.ConstantRestitution(0.9))
    flow = carom.fluids.Uniform(1.0, 0.0, 0.0)
    method = carom.Laden(flow, dt=0.05, relaxation_time=5.0)
    return carom.Simulation(system, method=method, observers=observers(folder))


def run_and_save(folder: Path) -> carom.Simulation:
    simulation = begun(folder)
    print("begun", flush=True)
    simulation.run(until=END, after_each_piece=lambda: simulation.save(folder / "state.carom"))
    simulation.save(folder / "state.carom")
    return simulation


def assert_readable(folder: Path) -> None:
    for suffix in SUFFIXES:
        if (folder / f"t{suffix}").exists():
            for frame in carom.frames(folder / f"t{suffix}"):
                assert len(frame.position) == 40
    lines = (folder / "log.csv").read_text().splitlines()
    assert all(line.count(",") == 3 for line in lines)
    if h5py.is_hdf5(folder / "flow.h5"):
        try:
            field = carom.fluids.GridField.from_hdf5(folder / "flow.h5")
        except ValueError as error:  # killed before the first frame
            assert "no dataset" in str(error)
        else:
            field.frame(field.velocity.shape[0] - 1)
    if (folder / "flow" / "fluid.pvd").exists():
        for entry in ElementTree.parse(folder / "flow" / "fluid.pvd").iter("DataSet"):
            ElementTree.parse(folder / "flow" / entry.attrib["file"])


def written(folder: Path) -> dict[str, Any]:
    """All that the observers have written, but the computing time."""
    frames = [
        [frame.position.tobytes() for frame in carom.frames(folder / f"t{suffix}")]
        for suffix in SUFFIXES
    ]
    lines = (folder / "log.csv").read_text().splitlines()
    with h5py.File(folder / "flow.h5") as file:
        flow = (file["times"][:].tolist(), file["velocity"][:].tobytes())
    images = {path.name: path.read_text() for path in sorted((folder / "flow").iterdir())}
    return {
        "frames": frames,
        "lines": [line.rpartition(",")[0] for line in lines],
        "flow": flow,
        "images": images,
    }


def play(folder: Path, kills: int, seed: int) -> None:
    chance = random.Random(seed)
    script = f"""
import sys
from pathlib import Path
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_killed_writers import run_and_save
run_and_save(Path({str(folder / "killed")!r}))
"""
    sources = str(Path(carom.__file__).parents[1])
    variables = os.environ | {"PYTHONPATH": sources}
    (folder / "killed").mkdir()
    (folder / "whole").mkdir()
    for _ in range(kills):
        process = subprocess.Popen(
            [sys.executable, "-c", script],
            env=variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(chance.uniform(0.0, 1.0))
        process.kill()
        _, said = process.communicate(timeout=PATIENCE)
        assert process.returncode in (-signal.SIGKILL, 0), said
        assert_readable(folder / "killed")
    resumed, whole = run_and_save(folder / "killed"), run_and_save(folder / "whole")
    assert resumed.counts == whole.counts
    assert resumed.particles.position.tobytes() == whole.particles.position.tobytes()
    assert written(folder / "killed") == written(folder / "whole")


@pytest.mark.posix
def test_killed_writers_leave_what_can_be_read_and_resumed(tmp_path: Path) -> None:
    play(tmp_path, kills=3, seed=11)


@pytest.mark.posix
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_writers_killed_often(tmp_path: Path, seed: int) -> None:
    play(tmp_path, kills=12, seed=seed)


@pytest.fixture
def frames(tmp_path: Path) -> Hdf5Frames:
    """A file of three frames."""
    frames = Hdf5Frames(tmp_path / "flow.h5")
    frames.begin(0)
    for k in range(3):
        frames.write(k, float(k), VELOCITY + k, [1.0, 1.0])
    return frames


def test_a_frame_cut_anywhere_is_undone(
    tmp_path: Path, frames: Hdf5Frames, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The writes to the file stop after the first, after the second, ..., as a kill stops them."""
    path = tmp_path / "flow.h5"
    before = path.read_bytes()
    left = 0

    def some(change: Change, data: Any) -> int:
        nonlocal left
        left -= 1
        return unchanged(change, data) if left >= 0 else len(data)

    unchanged = Change.write
    complete = Change.complete

    def unless_killed(change: Change) -> None:
        if left < 0:
            raise KeyboardInterrupt
        complete(change)

    for number in range(100):
        left = number
        with monkeypatch.context() as patch:
            patch.setattr(Change, "write", some)
            patch.setattr(Change, "complete", unless_killed)
            try:
                frames.write(3, 3.0, VELOCITY, [1.0, 1.0])
                break
            except KeyboardInterrupt:
                pass
        assert journal_of(path).exists()
        field = carom.fluids.GridField.from_hdf5(path)
        assert field.times.tolist() == [0.0, 1.0, 2.0]
        np.testing.assert_array_equal(field.frame(2), VELOCITY + 2)
        undo(path)
        assert path.read_bytes() == before
    assert 2 < number < 99
    assert carom.fluids.GridField.from_hdf5(path).times.tolist() == [0.0, 1.0, 2.0, 3.0]


def test_a_full_disk_is_said_and_the_frame_written_later(
    tmp_path: Path, frames: Hdf5Frames, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "flow.h5"

    def full(change: Change, start: int, end: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Change, "_note", full)
        with pytest.raises(OSError, match="No space left"):
            frames.write(3, 3.0, VELOCITY, [1.0, 1.0])
    assert carom.fluids.GridField.from_hdf5(path).times.tolist() == [0.0, 1.0, 2.0]
    frames.write(3, 3.0, VELOCITY, [1.0, 1.0])
    assert carom.fluids.GridField.from_hdf5(path).times.tolist() == [0.0, 1.0, 2.0, 3.0]
