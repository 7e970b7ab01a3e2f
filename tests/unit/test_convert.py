"""``carom convert``, ``carom info`` of trajectories, and the folder of a run as one object."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

import carom
from carom.cli.app import app

SCENE = """
title = "a small gas"
[particles]
packing = "random"
number = 20
packing_fraction = 0.1
dimension = 2
[run]
until = 1.0
[output]
trajectory_every = 0.25
log_every = 0.5
"""


def carom_command(*words: Any) -> Any:
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def trajectory(tmp_path: Path) -> Path:
    particles, box = carom.packings.random(10, 0.1, dimension=3, seed=2)
    path = tmp_path / "run.xyz"
    observers = [carom.Trajectory(path, 0.1)]
    carom.Simulation(carom.System(particles, box), observers=observers).run(until=0.95)
    return path


def test_all_formats_lead_to_each_other(tmp_path: Path, trajectory: Path) -> None:
    before = trajectory
    for name in ("a.dump", "b.h5", "c.pvd", "d.extxyz"):
        done = carom_command("convert", before, tmp_path / name)
        assert done.exit_code == 0, done.output
        assert f"10 of 10 frames are in {tmp_path / name}" in done.output.replace("\n", "")
        before = tmp_path / name
    assert before.read_bytes() == trajectory.read_bytes()
    assert carom_command("convert", trajectory, tmp_path / "e.gsd").exit_code == 0
    ours, theirs = carom.frames(trajectory), carom.frames(tmp_path / "e.gsd")
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(one.unwrapped, other.unwrapped, atol=1e-5)


def test_some_frames(tmp_path: Path, trajectory: Path) -> None:
    target = tmp_path / "some.dump"
    for options, kept in (
        (["--every", 4], [0, 4, 8]),
        (["--frames", "2:5"], [2, 3, 4]),
        (["--frames", "-3:", "--every", 2], [7, 9]),
    ):
        assert carom_command("convert", trajectory, target, "--force", *options).exit_code == 0
        assert [frame.step for frame in carom.frames(target)] == kept


def test_what_cannot_be_converted_is_told(tmp_path: Path, trajectory: Path) -> None:
    (tmp_path / "there.dump").write_text("dear to me")
    (tmp_path / "plain.xyz").write_text("1\n\nAr 1 2 3\n")
    (tmp_path / "wrong.xyz").write_text("dear to me\n")
    target = tmp_path / "new.gsd"
    for words, complaint in (
        ([trajectory, tmp_path / "there.dump"], "there already; --force replaces it"),
        ([trajectory, trajectory], "would be written over itself"),
        ([trajectory, tmp_path / "new.pdb"], "files that end in .gsd, .xyz"),
        ([tmp_path / "not.xyz", target], "there is no file"),
        ([trajectory, target, "--frames", "3"], "should be two numbers, as in 10:20"),
        ([trajectory, target, "--frames", "20:30"], "has 10 frames, numbered from 0 on"),
        ([tmp_path / "plain.xyz", target], "give one: --radius 0.5"),
        ([tmp_path / "wrong.xyz", target], "line 1: there should be whole numbers"),
    ):
        done = carom_command("convert", *words)
        assert done.exit_code == 2
        assert complaint in done.output.replace("\n", ""), done.output
    assert (tmp_path / "there.dump").read_text() == "dear to me"
    done = carom_command("convert", tmp_path / "plain.xyz", target, "--radius", 0.5)
    assert done.exit_code == 0
    assert carom.frames(target)[0].radius.tolist() == [0.5]


def test_info_says_what_trajectories_are(tmp_path: Path, trajectory: Path) -> None:
    for name, kind in (
        ("a.dump", "a LAMMPS dump"),
        ("b.h5", "an H5MD trajectory"),
        ("c.pvd", "VTK points, for ParaView,"),
        ("d.extxyz", "an XYZ trajectory"),
        ("e.gsd", "a GSD trajectory"),
    ):
        carom_command("convert", trajectory, tmp_path / name)
        shown = carom_command("info", tmp_path / name)
        assert f"{name} is {kind} of 10 frames of 10 particles" in shown.stdout
    (tmp_path / "wrong.xyz").write_text("dear to me\n")
    assert "damaged or cut short" in carom_command("info", tmp_path / "wrong.xyz").stdout


def test_the_folder_of_a_run_is_one_object(tmp_path: Path) -> None:
    scene, out = tmp_path / "gas.toml", tmp_path / "out"
    scene.write_text(SCENE)
    assert carom_command("run", scene, "--out", out).exit_code == 0
    run = carom.read_run(out)
    assert run.scene["title"] == "a small gas"
    assert run.log["time"].tolist() == [0.0, 0.5, 1.0]
    assert [frame.time for frame in run.trajectory] == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert run.simulation.time == 1.0
    last = run.trajectory[-1].unwrapped
    np.testing.assert_allclose(run.simulation.particles.unwrapped, last, atol=1e-5)
    assert run.pictures == [out / "picture.png"]
    shown = repr(run)
    for part in ("a small gas", "20 disks at t = 1", "5 frames", "3 lines of time", "picture"):
        assert part in shown
    with (out / "log.csv").open("a") as file:
        file.write("1.5,0.")  # as a run does that is going on
    assert len(carom.read_run(out).log["time"]) == 3


def test_other_folders_are_no_runs(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="not the folder of a run"):
        carom.read_run(tmp_path)
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        carom.read_run(tmp_path / "nothing")


# Films


def test_a_film_of_a_run_and_of_a_trajectory(tmp_path: Path, trajectory: Path) -> None:
    """Beside the frames, as the scene wants it; of any file, as the file says."""
    (tmp_path / "scene.toml").write_text(SCENE)
    out = tmp_path / "out"
    assert carom_command("run", tmp_path / "scene.toml", "--out", out).exit_code == 0
    done = carom_command("film", out)
    assert done.exit_code == 0, done.output
    assert f"5 frames, 0.25 s: {out / 'film.mp4'}" in done.output.replace("\n", "")
    assert (out / "film.mp4").stat().st_size > 1000
    again = carom_command("film", out)
    assert again.exit_code == 2
    assert "--force replaces it" in again.output
    assert carom_command("film", out, "--force", "--dark", "--every", 2).exit_code == 0
    assert carom.read_run(out).pictures == [out / "picture.png", out / "film.mp4"]
    target = tmp_path / "part.gif"
    words = ["--frames", "2:5", "--region", "0,0,0:2,2,2", "--fps", 10, "--colour", "plain"]
    done = carom_command("film", trajectory, target, *words)
    assert done.exit_code == 0, done.output
    with Image.open(target) as made:
        assert made.n_frames == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["film.avi"], "a film is a .gif, .mp4 or .webm"),
        (["film.gif", "--frames", "99:"], "99: is none of them"),
        (["film.gif", "--region", "1,2"], "two corners of 3 numbers"),
        (["film.gif", "--region", "a:b"], "--region 'a:b' should be two corners"),
        (["film.gif", "--colour", "red"], "colour must be"),
        (["nowhere/film.gif"], "there is no folder"),
        (["run.xyz"], "would be written over itself"),
    ],
)
def test_what_cannot_be_filmed_is_told(
    tmp_path: Path, trajectory: Path, words: list[Any], message: str
) -> None:
    before = sorted(tmp_path.iterdir())
    done = carom_command("film", trajectory, tmp_path / words[0], *words[1:])
    assert done.exit_code != 0
    assert message in done.output.replace("\n", "")
    assert sorted(tmp_path.iterdir()) == before
    nothing = carom_command("film", tmp_path)
    assert "is not the folder of a run" in nothing.output.replace("\n", "")
