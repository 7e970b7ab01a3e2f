"""A run that is killed and resumed ends as one that was not, bit for bit."""

from __future__ import annotations

import csv
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import gsd.hoomd
import numpy as np
import pytest
from typer.testing import CliRunner

import carom
from carom.cli.app import app
from carom.cli.folder import Folder
from carom.io.checkpoint import read_checkpoint, write_checkpoint

# Two kinds of disks, walls, a law with a memory, more frames and lines than kills.
SCENE = """
[[particles]]
name = "small"
packing = "lattice"
number = 900
region = { lower = [0.0, 0.0], upper = [25.0, 50.0] }
radius = 0.3

[[particles]]
packing = "random"
number = 300
region = { lower = [25.0, 0.0], upper = [50.0, 50.0] }
mass = 2.0

[domain]
kind = "box"
lengths = 50.0
periodic = "y"
restitution = 0.95

[law]
kind = "contact_duration"
duration = 0.2
law = { kind = "constant", restitution = 0.999 }

[run]
until = 200.0
seed = 5

[output]
trajectory_every = 2.5
log_every = 0.5
columns = ["time", "collisions", "energy", "pressure", "wall_pressure", "mean_free_time"]
"""
CHECKPOINT_EVERY = 0.1
PATIENCE = 1800.0

# The command line, but a run pauses after each of its pieces, of which there is at least one for
# each of the 400 lines of the log: however fast the machine, it takes 16 s unless it is killed.
SLOWLY = """
import time
from carom.cli import main
from carom.simulation import Simulation

unslowed = Simulation._run_to

def slowed(simulation, stop, target):
    reached = unslowed(simulation, stop, target)
    time.sleep(0.04)
    return reached

Simulation._run_to = slowed
main()
"""


def command(scene: Path, out: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "carom.cli", *arguments(scene, out), *options]


def slow_command(scene: Path, out: Path, *options: str) -> list[str]:
    return [sys.executable, "-c", SLOWLY, *arguments(scene, out), *options]


def arguments(scene: Path, out: Path) -> list[str]:
    every = ["--checkpoint-every", str(CHECKPOINT_EVERY)]
    return ["run", str(scene), "--out", str(out), *every]


def environment() -> dict[str, str]:
    sources = str(Path(carom.__file__).parents[1])
    paths = [sources, *filter(None, [os.environ.get("PYTHONPATH")])]
    return os.environ | {"PYTHONPATH": os.pathsep.join(paths)}


def complete(words: list[str]) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        words, env=environment(), capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    return done


def begin(words: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        words,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_checkpoints(process: subprocess.Popen[str], path: Path, number: int) -> None:
    """Wait until the process has written so many checkpoints, or ended."""
    seen = {_stamp(path)}
    deadline = time.monotonic() + PATIENCE
    while len(seen) <= number and process.poll() is None:
        assert time.monotonic() < deadline
        seen.add(_stamp(path))
        time.sleep(0.01)


def _stamp(path: Path) -> int:
    return path.stat().st_mtime_ns if path.exists() else 0


def frames(path: Path) -> list[dict[str, Any]]:
    with gsd.hoomd.open(str(path), "r") as file:
        return [
            {
                "step": frame.configuration.step,
                "box": frame.configuration.box,
                "position": frame.particles.position,
                "velocity": frame.particles.velocity,
                "diameter": frame.particles.diameter,
                "mass": frame.particles.mass,
                "time": frame.log["carom/time"],
            }
            for frame in file
        ]


def log_without_seconds(path: Path) -> list[list[str]]:
    with path.open(newline="") as file:
        names, *rows = csv.reader(file)
    clock = names.index("seconds")
    return [row[:clock] + row[clock + 1 :] for row in [names, *rows]]


def assert_same_run(out: Path, reference: Path) -> None:
    ours, theirs = Folder(out), Folder(reference)
    _, state = read_checkpoint(ours.checkpoint)
    _, expected = read_checkpoint(theirs.checkpoint)
    assert state.keys() == expected.keys()
    for name, values in expected.items():
        np.testing.assert_array_equal(state[name], values, err_msg=name, strict=True)

    film, expected_film = frames(ours.trajectory), frames(theirs.trajectory)
    assert [frame["step"] for frame in film] == list(range(81))  # 0, 2.5, ..., 200
    for frame, expected_frame in zip(film, expected_film, strict=True):
        for name, values in expected_frame.items():
            np.testing.assert_array_equal(frame[name], values, err_msg=name, strict=True)

    log = log_without_seconds(ours.log)
    assert [row[0] for row in log[1:]] == [repr(0.5 * k) for k in range(401)]
    assert log == log_without_seconds(theirs.log)


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("restart") / "restart.toml"
    path.write_text(SCENE)
    return path


@pytest.fixture(scope="module")
def reference(scene: Path) -> Path:
    """The folder of a run that nobody disturbed."""
    out = scene.parent / "reference"
    complete(command(scene, out))
    return out


@pytest.mark.posix
def test_killed_runs_resume_bit_for_bit(scene: Path, reference: Path) -> None:
    chance = random.Random(20240501)
    out = scene.parent / "killed"
    # One kill while the process starts, before any checkpoint or in the middle of the first.
    process = begin(slow_command(scene, out))
    time.sleep(chance.uniform(0.3, 2.0))
    process.kill()
    process.wait()

    for _ in range(3):
        process = begin(slow_command(scene, out, "--resume"))
        # The first is written before anything has happened.
        wait_for_checkpoints(process, Folder(out).checkpoint, number=chance.randint(2, 3))
        time.sleep(chance.uniform(0.0, 2.0 * CHECKPOINT_EVERY))
        process.kill()
        process.communicate()
        assert process.returncode == -signal.SIGKILL, "the run was over before it could be killed"
    assert 0.0 < carom.load(Folder(out).checkpoint).time < 200.0
    complete(command(scene, out, "--resume"))
    assert_same_run(out, reference)
    assert not list(out.glob(".*")), "what a kill left behind stays in the folder"


@pytest.mark.posix
def test_ctrl_c_leaves_a_checkpoint_and_says_how_to_go_on(scene: Path, reference: Path) -> None:
    out = scene.parent / "interrupted"
    # The first leg ends by itself between two frames, the second by Ctrl-C.
    complete(command(scene, out, "--until", "20.25"))
    assert carom.load(Folder(out).checkpoint).time == 20.25
    process = begin(slow_command(scene, out, "--resume"))
    wait_for_checkpoints(process, Folder(out).checkpoint, number=3)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, said
    assert f"carom run {scene} --out {out} --resume" in said
    assert "Traceback" not in said
    assert 20.25 < carom.load(Folder(out).checkpoint).time < 200.0

    complete(command(scene, out, "--resume"))
    assert_same_run(out, reference)


def test_a_finished_run_is_left_alone(scene: Path, reference: Path) -> None:
    before = {path.name: path.read_bytes() for path in reference.iterdir()}
    again = CliRunner().invoke(app, ["run", str(scene), "--out", str(reference), "--resume"])
    assert again.exit_code == 0
    assert "already at t = 200" in again.stderr
    assert {path.name: path.read_bytes() for path in reference.iterdir()} == before


@pytest.mark.parametrize("broken", ["replace", "fsync"])
def test_a_failure_while_saving_leaves_the_old_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    path = tmp_path / "state.carom"
    write_checkpoint(path, {"time": 1.0}, {"x": np.arange(3.0)})

    def fail(*args: object) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(os, broken, fail)
        with pytest.raises(OSError, match="the disk is full"):
            write_checkpoint(path, {"time": 2.0}, {"x": np.arange(4.0)})
    header, arrays = read_checkpoint(path)
    assert header["time"] == 1.0
    np.testing.assert_array_equal(arrays["x"], np.arange(3.0))
    assert os.listdir(tmp_path) == ["state.carom"]


def test_a_half_written_checkpoint_is_written_over(tmp_path: Path) -> None:
    (tmp_path / ".state.carom.part").write_bytes(b"PK half a file")
    write_checkpoint(tmp_path / "state.carom", {"time": 1.0}, {})
    assert os.listdir(tmp_path) == ["state.carom"]
