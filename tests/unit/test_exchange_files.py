"""Particles that come and go, in files: trajectories, scenes, checkpoints, pictures."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from test_exchange import BELOW, inlet, simulation
from typer.testing import CliRunner

import carom
from carom.cli.app import app
from carom.plotting import TrajectoryLooks, picture

SCENE = """
title = "A hopper"
gravity = [0.0, -1.0]
[[particles]]
name = "first"
packing = "random"
number = 12
radius = 0.3
region = { lower = [2.0, 6.0], upper = [8.0, 10.0] }
temperature = 0.0
[domain]
kind = "box"
lengths = [10.0, 14.0]
[law]
kind = "constant"
restitution = 0.8
[[actors]]
kind = "inlet"
region = { lower = [2.0, 12.0], upper = [8.0, 13.0] }
rate = 10
radius = { kind = "normal", mean = 0.3, deviation = 0.03 }
species = "late"
velocity = [0.0, -1.0]
until_number = 8
every = 0.1
[[actors]]
kind = "outlet"
region = { kind = "beyond", point = [0.0, 2.0], normal = [0.0, -1.0] }
every = 0.1
[run]
until = 5.0
[output]
columns = ["time", "number", "entered", "left", "waiting"]
log_every = 0.5
trajectory_every = 0.5
"""


@pytest.mark.parametrize("suffix", ["gsd", "xyz", "dump", "h5", "pvd"])
def test_frames_have_as_many_as_there_are_also_after_a_restart(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"run.{suffix}"
    sim = simulation(observers=[carom.Trajectory(path, 0.5)])
    sim.run(2.2)
    sim.save(tmp_path / "run.carom")
    sim.run(2.9)  # what it writes now is written again
    again = carom.load(tmp_path / "run.carom", observers=[carom.Trajectory(path, 0.5)])
    again.run(4.0)
    reference, frames = simulation(), carom.frames(path)
    assert len(frames) == 9
    numbers = set()
    for k, frame in enumerate(frames):
        reference.run(0.5 * k)
        there = reference.particles
        identity = np.arange(40) if frame.identity is None else frame.identity
        assert identity.tolist() == there.identity.tolist()
        for name in ("position", "velocity", "radius", "mass"):
            np.testing.assert_allclose(getattr(frame, name), getattr(there, name), atol=2e-5)
        np.testing.assert_allclose(frame.unwrapped, there.unwrapped, atol=2e-5)
        numbers.add(len(identity))
    assert len(numbers) > 4
    particles, _ = carom.read(path)
    assert len(particles) == len(frames[-1].position)


def test_a_scene_with_an_inlet_and_an_outlet_runs_and_goes_on(tmp_path: Path) -> None:
    scene, out = tmp_path / "hopper.toml", tmp_path / "out"
    scene.write_text(SCENE)
    asked = ["run", str(scene), "--out", str(out)]
    shown = CliRunner().invoke(app, [*asked, "--until", "2"])
    assert shown.exit_code == 0, shown.output
    shown = CliRunner().invoke(app, [*asked, "--resume"])
    assert shown.exit_code == 0, shown.output
    assert "8 came in" in shown.output
    with (out / "log.csv").open() as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        assert int(row["number"]) == 12 + int(row["entered"]) - int(row["left"])
    assert int(rows[-1]["left"]) > 12
    assert rows[0]["centre_x_first"] != "nan"
    assert rows[-1]["centre_x_first"] == "nan"  # of a group that has gone there is none
    whole = tmp_path / "whole"
    CliRunner().invoke(app, ["run", str(scene), "--out", str(whole)])
    one, other = (carom.load(folder / "state.carom").particles for folder in (out, whole))
    assert np.array_equal(one.position, other.position)
    assert one.species_names == ("first", "late")


@pytest.mark.parametrize(
    ("line", "instead", "said"),
    [
        ("rate = 10", "rate = 0", "'actors[0].rate"),
        ('kind = "beyond", ', 'kind = "behind", ', "'actors[1].region.kind' is unknown: 'behind'"),
        ("mean = 0.3, deviation", "mean = 0.3, spread", "unknown key 'actors[0].radius.spread'"),
        ("every = 0.1\n[run]", "evry = 0.1\n[run]", "did you mean 'every'"),
        ('radius = { kind = "normal", mean = 0.3, deviation = 0.03 }', "radius = -1.0", "positive"),
        ("lower = [2.0, 12.0], upper = [8.0, 13.0]", "lower = [2.0, 12.0]", "upper' is missing"),
        ("upper = [8.0, 13.0]", "upper = [8.0, 15.0]", "but the box from 0 to 14"),
        ('columns = ["time"', 'colour = "group"\ncolumns = ["time"', 'use colour = "species"'),
    ],
)
def test_what_a_scene_gets_wrong_is_named(
    line: str, instead: str, said: str, tmp_path: Path
) -> None:
    scene = tmp_path / "hopper.toml"
    assert line in SCENE
    scene.write_text(SCENE.replace(line, instead, 1))
    shown = CliRunner().invoke(app, ["run", str(scene), "--out", str(tmp_path / "out")])
    assert shown.exit_code != 0
    assert said in " ".join(shown.output.split())


def test_pictures_are_of_those_who_are_there(tmp_path: Path) -> None:
    path = tmp_path / "run.gsd"
    source = carom.Inlet(
        carom.regions.Block((1.0, 5.0), (1.0, 5.0)),
        1.0,
        velocity=(2.0, 0.0),
        until_number=2,
        every=0.5,
    )
    out = carom.Outlet(carom.regions.Beyond((8.0, 5.0), (1.0, 0.0)), every=0.5)
    system = carom.System(carom.Particles.none(2), carom.Box((10.0, 10.0)))
    sim = carom.Simulation(system, actors=[source, out], observers=[carom.Trajectory(path, 1.0)])
    for time in (0.0, 1.0, 10.0):
        sim.run(time)
        picture(sim, tmp_path / f"{time}.png")
    assert sim.number == 0
    looks = TrajectoryLooks(path, sim.system)
    assert [len(looks[k].particles) for k in range(len(looks))][:4] == [0, 1, 2, 2]


def test_an_actor_that_is_handed_over_again_acts_as_often_as_before(tmp_path: Path) -> None:
    actors = [inlet(every=None), carom.Outlet(BELOW)]
    sim = simulation(None, actors)
    sim.run(1.0)
    sim.save(tmp_path / "run.carom")
    again = carom.load(tmp_path / "run.carom", actors=actors)
    assert again.actors == sim.actors
    with pytest.raises(carom.CheckpointError, match="was made with the actors"):
        carom.load(
            tmp_path / "run.carom", actors=[inlet(every=None), carom.Outlet(BELOW, every=9.0)]
        )
