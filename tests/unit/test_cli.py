"""The command line: what a run leaves, what it says, and how it fails."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from pathlib import Path

import gsd.hoomd
import h5py
import numpy as np
import pytest
from matplotlib.image import imread
from PIL import Image
from typer.testing import CliRunner, Result

import carom
from carom.cli.app import app
from carom.cli.estimating import Look, _duration, estimated
from carom.cli.folder import Folder
from carom.cli.running import Request

# The same kind of system as the scene "cooling", so that one compilation serves both.
SCENE = """
title = "a small gas"

[particles]
packing = "lattice"
number = 200
packing_fraction = 0.3
dimension = 2
name = "disks"

[law]
kind = "contact_duration"
duration = 1e-3
law = { kind = "constant", restitution = 0.9 }

[run]
until = 2.0

[output]
trajectory_every = 0.5
log_every = 0.1
"""
# A ball that comes to rest on a plate, where it collides for ever at one moment. It falls from a
# height of 1 over the plate under gravity 2, so for a time 1; with ε = 1/2 the bounces take
# 2 (1/2 + 1/4 + ...) = 2 more.
COLLAPSE = """
gravity = [0.0, -2.0]

[particles]
position = [[0.0, 1.5]]

[[walls]]
point = [0.0, 0.0]
normal = [0.0, 1.0]
restitution = 0.5

[law]
kind = "constant"
restitution = 0.5

[run]
until = 10.0
"""


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(SCENE)
    return path


def carom_command(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_run_leaves_all_its_files(scene: Path, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    done = carom_command("run", scene, "--out", out)
    assert done.exit_code == 0, done.output
    names = {"trajectory.gsd", "log.csv", "picture.png", "state.carom", "scene.toml"}
    assert {path.name for path in out.iterdir()} == names
    folder = Folder(out)

    rows = rows_of(folder.log)
    assert [row["time"] for row in rows] == [repr(k / 10) for k in range(21)]
    # The group is the whole system; two sums of 400 squares differ by rounding alone.
    whole = pytest.approx(float(rows[0]["temperature"]), rel=400 * 2.0**-52)
    assert float(rows[0]["temperature_disks"]) == whole
    simulation = carom.load(folder.checkpoint)
    assert simulation.time == 2.0
    # The last line was written at the end, from the state that the checkpoint holds.
    assert float(rows[-1]["energy"]) == simulation.energy
    assert int(rows[-1]["collisions"]) == simulation.counts.collisions > 0

    with gsd.hoomd.open(str(folder.trajectory), "r") as film:
        assert [frame.log["carom/time"][0] for frame in film] == [0.0, 0.5, 1.0, 1.5, 2.0]
        centred = simulation.particles.position - 0.5 * np.array(simulation.system.sides)
        last = film[-1].particles.position[:, :2]
    # GSD keeps single precision: half a unit in the last place of 24 bits, of a box of length 23.
    np.testing.assert_allclose(last, centred, rtol=0, atol=23 * 2.0**-25)

    # Axes and labels are grey; the disks, which fill 0.3 of half the picture, are coloured.
    assert (np.ptp(imread(folder.picture)[..., :3], axis=-1) > 0.2).mean() > 0.05
    assert SCENE in folder.scene.read_text()
    for part in ("a small gas", "200 disks", "100 %"):
        assert part in done.stderr
    for part in ("OVITO", "picture.png", "log.csv", "collisions", "temperature"):
        assert part in done.stdout


def test_until_and_seed_override_the_scene(scene: Path, tmp_path: Path) -> None:
    for seed, out in ((1, "same"), (2, "other")):
        carom_command("run", scene, "--out", tmp_path / out, "--until", 0.5, "--seed", seed)
    carom_command("run", scene, "--out", tmp_path / "default", "--until", 0.5)
    same, other, default = (
        carom.load(tmp_path / name / "state.carom") for name in ("same", "other", "default")
    )
    assert default.time == 0.5
    np.testing.assert_array_equal(same.particles.position, default.particles.position)
    assert (other.particles.position != default.particles.position).any()
    assert len(rows_of(tmp_path / "default" / "log.csv")) == 6


def test_a_new_run_replaces_an_old_one_but_nothing_else(scene: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    carom_command("run", scene, "--out", out, "--until", 0.5)
    (out / "notes.txt").write_text("mine")
    again = carom_command("run", out / "scene.toml", "--out", out)
    assert again.exit_code == 0
    assert "Replacing the earlier run" in again.stderr
    assert (out / "notes.txt").read_text() == "mine"
    assert carom.load(out / "state.carom").time == 2.0
    assert Folder(out).scene.read_text().count("carom kept it") == 1


def test_a_film_on_request(scene: Path, tmp_path: Path) -> None:
    out, plain = tmp_path / "out", scene.read_text()
    scene.write_text(plain + 'film = "gif"\n')
    done = carom_command("run", scene, "--out", out)
    assert done.exit_code == 0, done.output
    assert "\nfilm " in done.stdout
    with Image.open(out / "film.gif") as film:
        assert film.n_frames == 5
    # A longer run makes a longer film, and another run leaves none of this one.
    carom_command("run", scene, "--out", out, "--resume", "--until", 3.0)
    with Image.open(out / "film.gif") as film:
        assert film.n_frames == 7
    scene.write_text(plain)
    assert carom_command("run", scene, "--out", out).exit_code == 0
    assert not (out / "film.gif").exists()


def test_a_run_in_a_flow_is_drawn_over_it(tmp_path: Path) -> None:
    """Vortices with a red and a blue half; particles, plain over a flow, are dark."""
    path = tmp_path / "carried.toml"
    path.write_text(
        '[particles]\npacking = "random"\nnumber = 50\nradius = 0.0178\n'
        'dimension = 2\ntemperature = 0.0\n[domain]\nkind = "periodic"\nlengths = 1.0\n'
        '[method]\nkind = "laden"\nfluid = "taylor_green"\ndt = 0.01\nrelaxation_time = 0.1\n'
        "[run]\nuntil = 0.2\n"
        '[output]\nflow = "vorticity"\nfilm = "gif"\ntrajectory_every = 0.1\n'
        'columns = ["collisions", "transfers", "checks", "false_predictions"]\n'
    )
    out = tmp_path / "out"
    done = carom_command("run", path, "--out", out)
    assert done.exit_code == 0, done.output
    with Image.open(out / "film.gif") as film:
        pictures = [imread(out / "picture.png")[..., :3], np.asarray(film.convert("RGB")) / 255.0]
    for pixels in pictures:
        red, blue = pixels[..., 0], pixels[..., 2]
        # The box is 0.4 of the picture or more, half of it of each colour, and half of that pale.
        assert (red > blue + 0.1).mean() > 0.05
        assert (blue > red + 0.1).mean() > 0.05


def test_a_film_of_a_flow_that_is_solved_says_what_it_leaves_out(tmp_path: Path) -> None:
    """The picture, at the end of the run, knows the flow; a trajectory does not hold it."""
    path = tmp_path / "solved.toml"
    path.write_text(
        '[particles]\npacking = "random"\nnumber = 20\nradius = 0.01\n'
        'dimension = 2\ntemperature = 0.0\n[domain]\nkind = "periodic"\nlengths = 1.0\n'
        '[method]\nkind = "coupled"\ndt = 0.01\nrelaxation_time = 0.1\n'
        '[method.fluid]\nkind = "diffusion"\ngrid = 16\nviscosity = 0.01\n'
        'forcing = "taylor_green"\nstart = "taylor_green"\n'
        "[run]\nuntil = 0.04\n[output]\ntrajectory_every = 0.02\n"
    )
    done = carom_command("run", path, "--out", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert "The film shows no flow" not in done.output.replace("\n", " ")
    done = carom_command("film", tmp_path / "out", tmp_path / "f.gif")
    assert done.exit_code == 0, done.output
    assert "The film shows no flow" in done.output.replace("\n", " ")
    path.write_text(path.read_text() + 'flow = "none"\n')
    carom_command("run", path, "--out", tmp_path / "out")
    done = carom_command("film", tmp_path / "out", tmp_path / "g.gif")
    assert done.exit_code == 0, done.output
    assert "The film shows no flow" not in done.output.replace("\n", " ")


def test_a_film_that_cannot_be_made_is_refused_before_the_run(
    scene: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("carom.plotting.encoders.ffmpeg", lambda: None)
    scene.write_text(scene.read_text() + 'film = "mp4"\n')
    refused = carom_command("run", scene, "--out", tmp_path / "out")
    assert refused.exit_code != 0
    assert "'output.film': film.mp4 needs ffmpeg" in refused.stderr
    assert not (tmp_path / "out").exists()


def test_statistics_in_the_log(scene: Path, tmp_path: Path) -> None:
    columns = 'columns = ["collision_kernel", "voronoi_deviation", "false_predictions"]\n'
    scene.write_text(scene.read_text() + columns)
    out = tmp_path / "out"
    done = carom_command("run", scene, "--out", out, "--until", 0.2)
    assert done.exit_code == 0, done.output
    rows = rows_of(out / "log.csv")
    assert float(rows[-1]["collision_kernel"]) > 0.0
    simulation = carom.load(out / "state.carom")
    box = carom.statistics.box_around(simulation)
    cells = carom.statistics.voronoi_volumes(simulation.particles.position, box)
    expected = carom.statistics.relative_deviation(cells)
    assert float(rows[-1]["voronoi_deviation"]) == expected > 0.0
    scene.write_text(scene.read_text() + '[domain]\nkind = "box"\n')
    refused = carom_command("run", scene, "--out", tmp_path / "walled")
    assert refused.exit_code != 0
    assert "repeats along every axis" in refused.stderr


@pytest.mark.parametrize("name", ["log.csv", "scene.toml", "state.carom"])
def test_foreign_files_are_never_replaced(scene: Path, tmp_path: Path, name: str) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / name).write_text("mine")
    done = carom_command("run", scene, "--out", out)
    assert done.exit_code == 2
    assert f"{name} is in the way" in done.stderr
    assert (out / name).read_text() == "mine"
    assert os.listdir(out) == [name]


def test_a_scene_that_cannot_run_leaves_the_earlier_run_alone(scene: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    carom_command("run", scene, "--out", out, "--until", 0.5)
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    scene.write_text("[particles]\nposition = [[0.0, 0.0], [0.4, 0.0]]\n[run]\nuntil = 1.0\n")
    done = carom_command("run", scene, "--out", out)
    assert done.exit_code == 2
    assert "particles 0 and 1 overlap" in done.stderr
    assert "Traceback" not in done.output
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


def test_resume_without_a_checkpoint_starts_and_says_so(scene: Path, tmp_path: Path) -> None:
    done = carom_command("run", scene, "--out", tmp_path / "out", "--until", 0.5, "--resume")
    assert done.exit_code == 0
    assert "no checkpoint" in done.stderr
    assert carom.load(tmp_path / "out" / "state.carom").time == 0.5


def test_resume_refuses_another_run(scene: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    carom_command("run", scene, "--out", out, "--until", 0.5)
    seed = carom_command("run", scene, "--out", out, "--resume", "--seed", 7)
    assert seed.exit_code == 2
    assert "the seed was 1 and is 7" in seed.stderr
    scene.write_text(SCENE.replace("restitution = 0.9", "restitution = 0.8"))
    law = carom_command("run", scene, "--out", out, "--resume")
    assert law.exit_code == 2
    assert "'law.law.restitution' was 0.9 and is 0.8" in law.stderr
    # A remark or another order of keys is no change.
    scene.write_text("# the same\n" + SCENE)
    assert carom_command("run", scene, "--out", out, "--resume").exit_code == 0


def test_resume_refuses_outputs_that_have_lost_something(scene: Path, tmp_path: Path) -> None:
    folder = Folder(tmp_path / "out")
    carom_command("run", scene, "--out", folder.path, "--until", 1.0)
    log = folder.log.read_bytes()
    folder.log.write_bytes(log[: len(log) // 2])
    shorter = carom_command("run", scene, "--out", folder.path, "--resume")
    assert shorter.exit_code == 2
    assert "log.csv is missing or shorter" in shorter.stderr
    folder.log.write_bytes(log)
    folder.trajectory.unlink()
    missing = carom_command("run", scene, "--out", folder.path, "--resume")
    assert missing.exit_code == 2
    assert "trajectory.gsd has 0 of the 3 frames" in missing.stderr


def test_a_collapse_is_explained_and_its_state_kept(tmp_path: Path) -> None:
    path = tmp_path / "collapse.toml"
    path.write_text(COLLAPSE)
    done = carom_command("run", path, "--out", tmp_path / "out")
    assert done.exit_code == 1
    assert "inelastic collapse" in done.stderr
    assert "ContactDuration" in done.stderr
    assert "Traceback" not in done.output
    assert str(tmp_path / "out" / "state.carom") in done.stderr.replace("\n", "")
    kept = carom.load(tmp_path / "out" / "state.carom")
    assert kept.counts.wall_collisions > 20
    assert 2.9 < kept.time < 3.1
    # The log has a line for each hundredth up to the collapse, and none after it.
    assert [row["time"] for row in rows_of(tmp_path / "out" / "log.csv")][-1] in ("2.99", "3.0")


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["run", "nowhere.toml"], "there is no file 'nowhere.toml'"),
        (["run", "coling"], "did you mean 'cooling'?"),
        (["run", "cooling", "--until", "-1"], "--until must be a positive time"),
        (["run", "cooling", "--until", "soon"], "'--until'"),
        (["run"], "scene"),
        (["info", "nothing"], "there is no file 'nothing'"),
        (["fly"], "fly"),
    ],
)
def test_bad_input_is_named_without_a_traceback(words: list[str], part: str) -> None:
    done = carom_command(*words)
    assert done.exit_code == 2
    assert part.lower() in done.stderr.lower()
    assert "Traceback" not in done.output


def test_a_folder_that_cannot_be_made_is_named(scene: Path, tmp_path: Path) -> None:
    done = carom_command("run", scene, "--out", scene / "out")
    assert done.exit_code == 2
    assert "cannot be made" in done.stderr


def test_an_estimate_tries_a_copy_and_leaves_nothing(
    scene: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    long = CliRunner().invoke(app, ["estimate", str(scene), "--until", "1e7", "--seconds", "0"])
    assert long.exit_code == 0, long.output
    assert "of 1e+07" in long.output
    assert "The whole run takes some" in long.output
    short = CliRunner().invoke(app, ["estimate", str(scene), "--seconds", "600"])
    assert "The whole run, up to t = 2, takes" in short.output
    assert sorted(tmp_path.rglob("*")) == before


def test_an_estimate_goes_on_as_the_second_half_of_what_was_tried() -> None:
    steady = estimated([Look(0.1 * k, 0.5 * k, 1000 * k) for k in range(21)], until=110.0)
    assert steady[:3] == pytest.approx((22.0, 22.0, 22.0))
    assert steady.number == pytest.approx(220_000)
    assert steady.change == pytest.approx(1.0)
    # A gas that cools: in the second half of the trial time goes on three times as fast.
    times = [0.1 * k if k < 10 else 1.0 + 0.3 * (k - 10) for k in range(21)]
    cooling = estimated([Look(0.1 * k, times[k], 1000 * k) for k in range(21)], until=34.0)
    assert cooling.likely == pytest.approx(2.0 + 10.0)
    assert cooling.least == pytest.approx(2.0 + 10.0)
    assert cooling.most == pytest.approx(2.0 + 30.0)
    assert cooling.change == pytest.approx(3.0)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.25, "0.2 s"), (90.0, "90 s"), (150.0, "2.5 min"), (36_000.0, "10 h"), (1e8, "1,157 days")],
)
def test_durations_are_told_as_people_say_them(seconds: float, said: str) -> None:
    assert _duration(seconds) == said


def test_version_and_help() -> None:
    version = carom_command("--version")
    assert (version.exit_code, version.stdout) == (0, f"carom {carom.__version__}\n")
    help_text = carom_command("--help")
    assert help_text.exit_code == 0
    for word in ("run", "info", "--version"):
        assert word in help_text.stdout
    options = carom_command("run", "--help").stdout
    for option in ("--out", "--until", "--resume", "--checkpoint", "--seed"):
        assert option in options


def test_info_about_the_installation() -> None:
    shown = carom_command("info")
    assert shown.exit_code == 0
    for part in (carom.__version__, "Numba", "cooling", "mixing", "falling", "settling", "shear"):
        assert part in shown.stdout


def test_info_about_files(scene: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    carom_command("run", scene, "--out", out, "--until", 0.5)
    collisions = carom.load(out / "state.carom").counts.collisions
    for given in (out, out / "state.carom"):
        shown = carom_command("info", given).stdout
        for part in (
            "0.5",
            "200 disks",
            f"{collisions:,}",
            "Periodic",
            "ContactDuration",
            "EventDriven()",
        ):
            assert part in shown
    shown = carom_command("info", scene).stdout
    for part in ("a small gas", "200 disks", "ContactDuration"):
        assert part in shown


DRAGGED = (
    SCENE.replace(
        SCENE[SCENE.index("[law]") : SCENE.index("[run]")],
        '[force]\nkind = "linear_drag"\ncoefficient = 0.5\nflow = [1.0, 0.0]\n'
        '[method]\nkind = "time_stepped"\ndt = 0.01\nneighbours = "linked_cells"\n',
    )
    + 'columns = ["temperature", "steps", "mean_overlap"]\n'
)


def test_a_run_with_steps_and_a_force_is_resumed_bit_for_bit(tmp_path: Path) -> None:
    scene = tmp_path / "dragged.toml"
    scene.write_text(DRAGGED)
    whole, resumed = Folder(tmp_path / "whole"), Folder(tmp_path / "resumed")
    for words in ([whole.path], [resumed.path, "--until", 1.0], [resumed.path, "--resume"]):
        done = carom_command("run", scene, "--out", *words)
        assert done.exit_code == 0, done.output
    for part in ("TimeStepped, dt = 0.01", "200, neighbours found anew", "at impact"):
        assert part in done.stdout
    assert "steps" in done.stderr
    ends = [carom.load(folder.checkpoint) for folder in (whole, resumed)]
    assert ends[0].particles.velocity.tobytes() == ends[1].particles.velocity.tobytes()
    # The flow carries all along with u (1 − exp(−γ t)), and collisions change no sum. A step has
    # 1 − γ dt + (γ dt)² / 2 for exp(−γ dt): over γ t = 1 it errs by (γ dt)² / 6, and the mean of
    # two velocities half a step away by (γ dt)² / 8.
    carried = ends[0].particles.velocity.mean(axis=0)
    np.testing.assert_allclose(carried, [1.0 - np.exp(-1.0), 0.0], atol=(0.5 * 0.01) ** 2)
    logs = [rows_of(folder.log) for folder in (whole, resumed)]
    for row in (*logs[0], *logs[1]):
        del row["seconds"]
    assert logs[0] == logs[1]
    assert [row["steps"] for row in logs[0]] == [str(10 * k) for k in range(21)]
    for given in (scene, whole.checkpoint):
        shown = " ".join(carom_command("info", given).stdout.split())
        assert "LinearDrag(coefficient=0.5, x=1.0)" in shown
        assert "neighbours=LinkedCells()" in shown
    with pytest.raises(carom.CheckpointError, match="with the force LinearDrag"):
        carom.load(whole.checkpoint, force=carom.forces.LinearDrag(1.0))


def test_a_run_with_soft_contacts_accounts_for_its_energy(tmp_path: Path) -> None:
    scene = tmp_path / "soft.toml"
    scene.write_text(
        SCENE[: SCENE.index("[law]")]
        + '[law]\nkind = "constant"\nrestitution = 0.9\n'
        + '[method]\nkind = "soft_contacts"\nstiffness = 1e4\n'
        + SCENE[SCENE.index("[run]") :]
        + 'columns = ["energy", "elastic_energy", "dissipated_energy", "largest_overlap"]\n'
    )
    done = carom_command("run", scene, "--out", tmp_path / "out")
    assert done.exit_code == 0, done.output
    for part in ("SoftContacts, dt = ", "dissipated", "overlaps"):
        assert part in done.stdout
    rows = rows_of(tmp_path / "out" / "log.csv")
    columns = {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}
    assert columns["elastic_energy"].max() > 0.0
    assert columns["largest_overlap"].max() > 0.0
    assert (np.diff(columns["dissipated_energy"]) >= 0.0).all()
    # A contact that begins between two steps, a share f of a step before the second, gains the
    # energy (ω₀ dt)² f (1 − f) of its own or loses it at its end; ω₀ dt is π/25. What has gone
    # through contacts follows from the 1 − ε² of it that was lost.
    total = columns["energy"] + columns["dissipated_energy"]
    through = columns["elastic_energy"].max() + columns["dissipated_energy"][-1] / (1.0 - 0.9**2)
    bound = 0.25 * (np.pi / 25.0) ** 2 * through
    np.testing.assert_allclose(total, total[0], rtol=0, atol=bound)
    assert bound < 0.05 * columns["dissipated_energy"][-1]


def test_info_says_what_other_files_are(tmp_path: Path) -> None:
    np.savez(tmp_path / "arrays.npz", x=np.zeros(3))
    np.save(tmp_path / "array.npy", np.zeros(3))
    for name, content in {
        "empty.dat": b"",
        "picture.png": b"\x89PNG\r\n\x1a\n and so on",
        "notes.txt": b"time passes, particles collide.\n",
        "log.csv": b"time,energy\n0,1\n1,0.5\n",
        "strange.bin": bytes(range(256)),
        "cut.gsd": b"\xdf\x65" * 4 + b"\0" * 50,
        "cut.h5": b"\x89HDF\r\n\x1a\n" + b"\0" * 50,
    }.items():
        (tmp_path / name).write_bytes(content)
    with h5py.File(tmp_path / "flow.h5", "w") as file:
        file["times"] = np.zeros(4)
    for name, frames, n in (("t.gsd", 51, 2), ("one.gsd", 1, 1)):
        with gsd.hoomd.open(str(tmp_path / name), "w") as film:
            for step in range(frames):
                frame = gsd.hoomd.Frame()
                frame.configuration.step = step
                frame.particles.N = n
                film.append(frame)
    (tmp_path / "folder").mkdir()
    for name, expected in {
        "arrays.npz": "a file of 1 NumPy array",
        "array.npy": "a NumPy array",
        "empty.dat": "an empty file",
        "picture.png": "a PNG picture",
        "notes.txt": "a text file",
        "log.csv": "a table of 2 lines with the columns time,energy",
        "strange.bin": "of a kind that carom does not know",
        "cut.gsd": "a GSD trajectory that is damaged",
        "cut.h5": "an HDF5 file that is damaged",
        "flow.h5": "an HDF5 file with times (4,)",
        "t.gsd": "a GSD trajectory of 51 frames of 2 particles",
        "one.gsd": "a GSD trajectory of 1 frame of 1 particle",
        "folder": "a folder",
    }.items():
        shown = carom_command("info", tmp_path / name)
        assert f"{name} is {expected}" in shown.stdout, shown
        assert shown.exit_code == 0
    (tmp_path / "wrong.toml").write_text("[run]\nuntil = true")
    assert "until" in carom_command("info", tmp_path / "wrong.toml").stderr


def test_the_command_to_resume_keeps_all_digits(tmp_path: Path) -> None:
    until = 1.0 / 3.0 + 1e6
    request = Request("cooling", tmp_path, until, False, 10.0, None)
    words = request.command_to_resume().split()
    assert float(words[words.index("--until") + 1]) == until


def test_a_damaged_checkpoint_is_named(scene: Path, tmp_path: Path) -> None:
    path = tmp_path / "out" / "state.carom"
    carom_command("run", scene, "--out", path.parent, "--until", 0.5)
    path.write_bytes(path.read_bytes()[:1000])
    for words in (["info", path], ["run", scene, "--out", path.parent, "--resume"]):
        done = carom_command(*words)
        assert done.exit_code == 2
        assert "damaged or cut short" in done.stderr


def test_help_needs_neither_pictures_nor_scenes() -> None:
    code = (
        "import sys, carom.cli; "
        "print([name for name in ('matplotlib', 'pydantic') if name in sys.modules])"
    )
    sources = str(Path(carom.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": sources},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"


def test_a_run_with_actors_is_resumed_bit_for_bit(scene: Path, tmp_path: Path) -> None:
    actors = '[[actors]]\nkind = "random_kicks"\nstrength = 0.2\nevery = 0.3\n'
    scene.write_text(SCENE + 'columns = ["temperature", "work_done"]\n' + actors)
    whole, resumed = Folder(tmp_path / "whole"), Folder(tmp_path / "resumed")
    for words in ([whole.path], [resumed.path, "--until", 1.0], [resumed.path, "--resume"]):
        done = carom_command("run", scene, "--out", *words)
        assert done.exit_code == 0, done.output
    ends = [carom.load(folder.checkpoint) for folder in (whole, resumed)]
    assert ends[0].work_done == ends[1].work_done > 0.0
    assert ends[0].particles.velocity.tobytes() == ends[1].particles.velocity.tobytes()
    logs = [rows_of(folder.log) for folder in (whole, resumed)]
    for row in (*logs[0], *logs[1]):
        del row["seconds"]
    assert logs[0] == logs[1]
    assert float(logs[0][-1]["work_done"]) == ends[0].work_done
    for given in (scene, whole.checkpoint):
        assert "RandomKicks(strength=0.2, every=0.3)" in carom_command("info", given).stdout


def test_a_fluid_that_feels_its_particles_is_resumed_bit_for_bit(tmp_path: Path) -> None:
    path = tmp_path / "coupled.toml"
    path.write_text(
        '[particles]\npacking = "random"\nnumber = 50\nradius = 0.0178\n'
        'dimension = 2\ntemperature = 0.0\n[domain]\nkind = "periodic"\nlengths = 1.0\n'
        '[method]\nkind = "coupled"\ndt = 0.02\nrelaxation_time = 0.1\n'
        '[method.fluid]\nkind = "diffusion"\ngrid = 16\nviscosity = 0.01\n'
        'forcing = { kind = "stochastic", seed = 3 }\nstart = "taylor_green"\nexchange = 0.01\n'
        "[run]\nuntil = 0.2\n[output]\nlog_every = 0.1\n"
        'columns = ["fluid.energy", "fluid.forcing_work", "fluid.viscous_work", '
        '"fluid.drag_work"]\n'
    )
    whole, resumed = Folder(tmp_path / "whole"), Folder(tmp_path / "resumed")
    for words in ([whole.path], [resumed.path, "--until", 0.1], [resumed.path, "--resume"]):
        done = carom_command("run", path, "--out", *words)
        assert done.exit_code == 0, done.output
    ends = [carom.load(folder.checkpoint) for folder in (whole, resumed)]
    assert ends[0].fluid.energy == ends[1].fluid.energy
    assert ends[0].particles.velocity.tobytes() == ends[1].particles.velocity.tobytes()
    first, _, last = ({key: float(row[key]) for key in row} for row in rows_of(whole.log))
    works = ("fluid.forcing_work", "fluid.viscous_work", "fluid.drag_work")
    gained = sum(last[name] - first[name] for name in works)
    # The solver stops at 1e-8 of the field, in each of ten steps.
    assert last["fluid.energy"] - first["fluid.energy"] == pytest.approx(gained, abs=1e-7)
    assert min(abs(last[name] - first[name]) for name in works) > 1e-3


def test_a_run_in_a_field_from_a_file_is_resumed_bit_for_bit(tmp_path: Path) -> None:
    """The checkpoint does not hold the frames; the scene says where they are. One lies before the
    break and two after it, and they differ."""
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "flow.h5", "w") as file:
        file["times"] = [0.0, 0.15, 0.2]
        file["velocity"] = np.random.default_rng(1).normal(size=(3, 8, 8, 2))
    path = tmp_path / "field.toml"
    path.write_text(
        '[particles]\npacking = "random"\nnumber = 50\nradius = 0.0178\n'
        'dimension = 2\ntemperature = 0.0\n[domain]\nkind = "periodic"\nlengths = 1.0\n'
        '[method]\nkind = "laden"\ndt = 0.02\nrelaxation_time = 0.1\n'
        f'fluid = {{ kind = "grid_field", path = "{tmp_path / "flow.h5"}" }}\n'
        "[run]\nuntil = 0.2\n[output]\nlog_every = 0.1\n"
    )
    whole, resumed = Folder(tmp_path / "whole"), Folder(tmp_path / "resumed")
    for words in ([whole.path], [resumed.path, "--until", 0.1], [resumed.path, "--resume"]):
        done = carom_command("run", path, "--out", *words)
        assert done.exit_code == 0, done.output
        assert "Laden, dt = 0.02" in done.output
    logs = [rows_of(folder.log) for folder in (whole, resumed)]
    for row in logs[0] + logs[1]:
        del row["seconds"]
    assert logs[0] == logs[1]
    fluid = carom.fluids.GridField.from_hdf5(tmp_path / "flow.h5")
    method = carom.Laden(fluid, dt=0.02, relaxation_time=0.1)
    ends = [carom.load(folder.checkpoint, method=method) for folder in (whole, resumed)]
    assert ends[0].counts == ends[1].counts
    assert ends[0].particles.velocity.tobytes() == ends[1].particles.velocity.tobytes()
    assert ends[0].kinetic_energy > 0.01


@pytest.mark.parametrize(
    ("dt", "relaxation_time", "said"),
    [
        ("1e-300", "0.1", "steps of dt=1e-300 away"),
        ("0.01", "{ factor = 1e-300, exponent = 9.0 }", "relaxation_time of particle 0 is"),
    ],
)
def test_values_that_only_a_run_can_refuse_are_no_traceback(
    dt: str, relaxation_time: str, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "carried.toml"
    path.write_text(
        '[particles]\npacking = "lattice"\nnumber = 4\ndimension = 2\npacking_fraction = 0.1\n'
        f'[method]\nkind = "laden"\ndt = {dt}\nrelaxation_time = {relaxation_time}\n'
        '[method.fluid]\nkind = "uniform"\nx = 1.0\n[run]\nuntil = 1.0\n'
    )
    done = carom_command("run", path, "--out", tmp_path / "out")
    assert done.exit_code == 2
    assert said in " ".join(done.output.split())
