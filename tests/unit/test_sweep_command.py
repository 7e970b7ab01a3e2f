"""``carom sweep``: scenes with lists, status, pictures, and what it says of mistakes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import carom
from carom.cli.app import app

SCENE = """
[particles]
packing = "lattice"
number = 30
packing_fraction = 0.2
dimension = 2

[law]
kind = "constant"
restitution = 0.9

[run]
until = 2.0

[sweep]
replicas = 2
measure = ["temperature", "mean_temperature", "collisions"]
law.restitution = [0.8, 0.9]
particles.packing_fraction = [0.1, 0.3]
"""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("carom.cli.summary.console.width", 80)


def called(*words: str) -> Any:
    return CliRunner().invoke(app, ["sweep", *words])


def written(old: str = "", new: str = "") -> str:
    assert old in SCENE
    Path("sweep.toml").write_text(SCENE.replace(old, new) if old else SCENE)
    return "sweep.toml"


def test_a_scene_is_run_for_all_values(tmp_path: Path) -> None:
    dry = called(written(), "--dry-run")
    assert dry.exit_code == 0
    assert "4 points × 2 replicas = 8 runs up to t = 2; 0 are in sweep already." in dry.stderr
    assert not Path("sweep").exists()
    done = called("sweep.toml")
    assert done.exit_code == 0, done.stderr
    assert "8 runs done, 0 failed" in done.stderr
    assert Path("sweep/table.nc").is_file()
    table = carom.sweeps.read("sweep")
    assert dict(table.sizes) == {
        "law.restitution": 2,
        "particles.packing_fraction": 2,
        "replica": 2,
    }
    cool, warm = table.temperature.mean("replica").sel({"particles.packing_fraction": 0.3}).values
    assert cool < warm < 1.0
    # A second time without a word, it would mix two sweeps.
    again = called("sweep.toml")
    assert again.exit_code == 2
    assert "sweep holds 8 runs of a sweep. --resume takes" in again.stderr
    # One value more, others of a title and of what is written: nothing is run anew.
    written("law.restitution = [0.8, 0.9]", "law.restitution = [0.9, 0.95, 0.8]")
    more = called("sweep.toml", "--resume", "--plot", "law.restitution", "temperature", "none")
    assert "12 runs, of which 8 are in sweep already." in more.stderr
    assert Path("sweep/law.restitution-temperature-none.png").stat().st_size > 5000
    found = called("--status", "sweep")
    assert "12: 12 done, 0 failed, 0 left" in found.stdout
    assert max(map(len, found.stdout.splitlines())) <= 80


def test_one_sweep_comes_with_the_package() -> None:
    dry = called("cooling", "--dry-run")
    assert dry.exit_code == 0, dry.stderr
    assert "9 points × 2 replicas = 18 runs" in dry.stderr
    assert "sweep cooling" in CliRunner().invoke(app, ["info"]).stdout


def test_how_it_ends_is_documented() -> None:
    told = " ".join(called("--help").stdout.split())
    for words in ("0 if all runs are done", "1 if some have failed", "130 after Ctrl-C"):
        assert words in told


def test_a_sweep_of_a_scene_starts_from_the_seed_of_its_run() -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        written("until = 2.0", f"until = 2.0\nseed = {seed}")
        assert called("sweep.toml", "--out", name).exit_code == 0
    a, b, c = map(carom.sweeps.read, "abc")
    assert a.identical(b)
    assert (a.temperature != c.temperature).all()


def test_averages_of_a_scene_may_begin_later() -> None:
    called(written())
    whole = carom.sweeps.read("sweep").mean_temperature
    written("replicas = 2", "replicas = 2\naverage_from = 1.0")
    late = called("sweep.toml", "--resume")
    assert "8 of 8 runs are in" in late.stderr
    assert (carom.sweeps.read("sweep").mean_temperature < whole).all()


def test_failures_are_shown_and_end_in_an_error() -> None:
    # So many do not fit at random, which only the attempt shows.
    written('packing = "lattice"', 'packing = "random"')
    text = Path("sweep.toml").read_text().replace("[0.1, 0.3]", "[0.1, 0.8]")
    Path("sweep.toml").write_text(text)
    done = called("sweep.toml")
    assert done.exit_code == 1
    assert "4 runs done, 4 failed" in done.stderr
    said = " ".join(done.stderr.split())
    assert "failed: law.restitution=0.8, particles.packing_fraction=0.8, replica 0: " in said


@pytest.mark.parametrize(
    ("old", "new", "parts"),
    [
        ("law.restitution", "law.restitutio", ["unknown key 'law.restitutio'", "'restitution'"]),
        ("law.restitution", "lawn.restitution", ["unknown key 'lawn'", "'law'"]),
        ("[0.8, 0.9]", "[0.8, 1.5]", ["'law.restitution'", "1.5", "tried it with"]),
        ("[0.8, 0.9]", "[]", ["'law.restitution' in [sweep]", "is empty"]),
        ("[0.8, 0.9]", "0.8", ["'law.restitution' in [sweep]", "0.8", "replicas"]),
        ("[0.8, 0.9]", "[0.8, 0.8]", ["twice"]),
        ("law.restitution", "run.until", ["cannot vary 'run.until'", "replicas"]),
        ("law.restitution", "run.seed", ["cannot vary 'run.seed'"]),
        ("replicas = 2", "replicas = 0", ["[sweep]", "'replicas'", "0"]),
        ("replicas = 2", 'replicas = "2"', ["'replicas'", "whole number"]),
        ("replicas = 2", "replica = 2", ["'replica' in [sweep]", "replicas"]),
        ('"collisions"', '"colisions"', ["unknown quantity 'colisions'", "'collisions'"]),
        ("particles.packing_fraction = [0.1, 0.3]", "gravity.x = [1]", ["gravity"]),
        ("law.restitution = ", "law.restitution.x = ", ["0.9, which is no table"]),
        ("[sweep]", "[swept]", ["has no table [sweep]", "law.restitution ="]),
    ],
)
def test_mistakes_are_named(old: str, new: str, parts: list[str]) -> None:
    done = called(written(old, new))
    assert done.exit_code == 2, done.stderr
    said = " ".join(done.stderr.split())
    for part in parts:
        assert part in said
    assert not Path("sweep").exists()


def test_of_several_groups_one_is_named() -> None:
    text = SCENE.replace("[particles]", '[[particles]]\nname = "a"', 1)
    region = "{lower = [1.0, 1.0], upper = [9.0, 9.0]}"
    second = f'[[particles]]\npacking = "lattice"\nnumber = 5\nregion = {region}\n'
    text = text.replace("[law]", second + "\n[law]", 1)
    Path("sweep.toml").write_text(text)
    assert "any of 2 tables" in " ".join(called("sweep.toml", "--dry-run").stderr.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "name a scene with a [sweep]"),
        (("--status", "nowhere"), "does not exist"),
        (("--status", "."), "is not the folder of a sweep"),
        (("sweep.toml", "--status", "sweep"), "leave out the scene"),
        (("sweep.toml", "--workers", "2", "--scheduler", "tcp://x:1"), "has its own workers"),
        (("sweep.toml", "--checkpoint-every", "0"), "--checkpoint-every must be a positive"),
        (("nothing.toml",), "there is no file 'nothing.toml'"),
    ],
)
def test_options_that_do_not_go_together_are_refused(words: tuple[str, ...], said: str) -> None:
    written()
    done = called(*words)
    assert done.exit_code == 2
    assert said in " ".join(done.stderr.split())


def test_a_scene_with_a_sweep_is_no_single_run() -> None:
    done = CliRunner().invoke(app, ["run", written()])
    assert done.exit_code == 2
    assert "it is run with `carom sweep sweep.toml`" in done.stderr


@pytest.mark.parametrize(
    ("plot", "said"),
    [
        (("law.restitutio", "temperature", "none"), "did you mean 'law.restitution'"),
        (("law.restitution", "temperatur", "none"), "did you mean 'temperature'"),
        (("law.restitution", "particles.packing_fraction", "none"), "hue="),
        (("law.restitution", "law.restitution", "temperature"), "three different"),
    ],
)
def test_what_cannot_be_drawn_is_said(plot: tuple[str, ...], said: str) -> None:
    called(written())
    done = called("--status", "sweep", "--plot", *plot)
    assert done.exit_code == 2
    assert said in " ".join(done.stderr.split())
