"""Sweeps: points, tables, folders that go on, failures, and what is refused."""

from __future__ import annotations

import json
import math
import os
import shutil
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from refusals import assert_refused
from sweeping import END, bath, gas, measure, one_after_the_other, rows_in

import carom
from carom.interruption import stop_if_asked
from carom.simulation.runs import read_table
from carom.sweeps.sources import source_of


def swept(build: Any = gas, parameters: Any = None, **options: Any) -> Any:
    parameters = {"restitution": [0.8, 0.9]} if parameters is None else parameters
    return carom.sweep(build, parameters, **({"run": END, "measure": measure} | options))


class Noting:
    """Counts the runs that are carried out."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.points: list[Any] = []
        from carom.sweeps import run

        module = sys.modules["carom.sweeps.sweep"]
        original = run.carry_out

        def noted(work: Any, one: Any, progress: Any) -> Any:
            self.points.append(tuple(one.point.values()))
            return original(work, one, progress)

        monkeypatch.setattr(module, "carry_out", noted)


@pytest.fixture
def noting(monkeypatch: pytest.MonkeyPatch) -> Noting:
    return Noting(monkeypatch)


@pytest.mark.parametrize("build", [gas, bath])
@pytest.mark.parametrize("workers", [1, 3])
def test_a_sweep_is_the_loop_over_its_runs_bit_for_bit(build: Any, workers: int) -> None:
    table = swept(build, replicas=2, seed=5, workers=workers)
    points = [{"restitution": 0.8}, {"restitution": 0.9}]
    expected = one_after_the_other(build, points, 2, 5)
    assert table.T.values.ravel().tolist() == [one["T"] for one in expected]
    assert table.collisions.values.ravel().tolist() == [one["collisions"] for one in expected]
    assert table.x.values.tobytes() == np.array([one["x"] for one in expected]).tobytes()
    assert table.T.dims == ("restitution", "replica")
    assert (table.error == "").all()


def test_a_run_depends_on_nothing_else_in_the_sweep() -> None:
    whole = swept(parameters={"restitution": [0.7, 0.8, 0.9], "phi": [0.1, 0.3]}, replicas=3)
    part = swept(parameters={"phi": [0.3], "restitution": [0.9, 0.7]}, replicas=1)
    for e in (0.7, 0.9):
        same = whole.sel(restitution=e, phi=0.3, replica=0)
        assert float(same.T) == float(part.sel(restitution=e, phi=0.3, replica=0).T)
    assert len(np.unique(whole.T)) == whole.T.size
    assert not np.isin(swept(seed=2).T, swept(seed=1).T).any()


def test_what_is_there_is_taken_from_the_folder(tmp_path: Path, noting: Noting) -> None:
    folder = tmp_path / "sweep"
    first = swept(folder=folder)
    assert len(noting.points) == 2
    again = swept(folder=folder)
    assert len(noting.points) == 2
    assert again.identical(first)
    # Values and replicas in any order: only what is new is carried out.
    noting.points.clear()
    more = swept(parameters={"restitution": [0.95, 0.9, 0.8]}, replicas=2, folder=folder)
    assert sorted(noting.points) == [(0.8,), (0.9,), (0.95,), (0.95,)]
    kept = more.sel(replica=0, restitution=[0.8, 0.9])
    assert kept.T.values.tobytes() == first.T.values[:, 0].tobytes()
    noting.points.clear()
    fewer = swept(folder=folder)
    assert noting.points == []
    assert fewer.identical(first)
    assert carom.sweeps.read(folder).identical(first)
    # Wherever it is moved.
    moved = folder.rename(tmp_path / "elsewhere")
    assert swept(folder=moved).identical(first)
    assert noting.points == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"measure": lambda sim: {"T": 2.0 * sim.temperature}}, r"measure \(its source"),
        ({"seed": 2}, r"seed \(it was 1 and is 2\)"),
        ({"run": {"until": 1.0}}, r"run \(it was \{'until': 2.0\} and is \{'until': 1.0\}\)"),
        ({"build": lambda restitution, random: gas(0.5, random)}, r"build \(its source"),
    ],
)
def test_what_has_changed_is_said(
    tmp_path: Path, noting: Noting, change: dict[str, Any], said: str
) -> None:
    first = swept(folder=tmp_path)
    noting.points.clear()
    with pytest.warns(carom.CaromWarning, match=f"2 of 2 runs .* with another {said}"):
        swept(folder=tmp_path, **change)
    assert len(noting.points) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # and back: nothing to say, and nothing to do
        assert swept(folder=tmp_path).identical(first)
    assert len(noting.points) == 2


def test_another_version_of_carom_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    swept(folder=tmp_path)
    monkeypatch.setattr("carom.sweeps.plan.version", lambda: "9.9 (12345678)")
    with pytest.warns(carom.CaromWarning, match=r"another version \(it was .* and is 9\.9"):
        swept(folder=tmp_path)


def test_what_nobody_can_read_is_never_taken(tmp_path: Path, noting: Noting) -> None:
    state = object()

    def hidden(sim: carom.Simulation) -> dict[str, Any]:
        return measure(sim) if state else {}

    for _ in range(2):
        with pytest.warns(carom.CaromWarning) as said:
            swept(folder=tmp_path, measure=hidden)
        (sentence,) = [str(one.message) for one in said]  # nothing of a source that has changed
        assert_matches("sweep: what measure does cannot be known .*object", sentence)
    assert len(noting.points) == 4


def raises_for(restitution: float, random: np.random.Generator) -> carom.System:
    if restitution == 0.8:
        raise ZeroDivisionError("no gas today")
    return gas(restitution, random)


def fails_to_measure(sim: carom.Simulation) -> dict[str, Any]:
    if sim.system.law.coefficient == 0.8:
        raise ArithmeticError("nothing to see")
    return measure(sim)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"build": raises_for}, "ZeroDivisionError: no gas today"),
        ({"measure": fails_to_measure}, "ArithmeticError: nothing to see"),
        ({"measure": lambda sim: 3.0}, "TypeError: measure must return a dictionary"),
        ({"measure": lambda sim: {"T": sim}}, "TypeError: measure: 'T' is <Simulation"),
        ({"measure": lambda sim: {"restitution": 1}}, "ValueError: .* is a parameter already"),
        ({"measure": lambda sim: {"error": 1}}, "ValueError: .* failures say"),
        ({"measure": lambda sim: {1: 1}}, "TypeError: measure: names must be texts"),
        (
            {"measure": lambda sim: {"T": b"1"}},
            "TypeError: measure: 'T' is b'1', of the kind bytes",
        ),
        (
            {"measure": lambda sim: {"T": {"a": 1}}},
            "TypeError: measure: 'T' is .* of the kind dict",
        ),
        ({"measure": lambda sim: sys.exit(3)}, "SystemExit: 3"),
        ({"build": lambda restitution, random: 3}, "TypeError: build must return a carom.Sim"),
    ],
)
def test_failures_are_rows(
    tmp_path: Path, noting: Noting, options: dict[str, Any], error: str
) -> None:
    table = swept(folder=tmp_path, **options)
    failed = table.sel(restitution=0.8, replica=0)
    assert_matches(error, str(failed.error.item()))
    if "T" in table:
        assert math.isnan(failed.T)
        assert table.sel(restitution=0.9, replica=0).error == ""
    # A run is a function: the same would fail again, and is not tried.
    swept(folder=tmp_path, **options)
    assert len(noting.points) == 2


def assert_matches(pattern: str, text: str) -> None:
    import re

    assert re.match(pattern, text), text


def test_failures_of_the_machine_are_tried_again(tmp_path: Path, noting: Noting) -> None:
    missing = tmp_path / "input.txt"

    def build(restitution: float, random: np.random.Generator) -> carom.System:
        missing.read_text()
        return gas(restitution, random)

    errors = swept(build, folder=tmp_path / "s").error.values.ravel()
    assert all("FileNotFoundError" in one for one in errors)
    missing.touch()
    assert (swept(build, folder=tmp_path / "s").error == "").all()
    assert len(noting.points) == 4


def test_names_that_differ_between_runs_are_refused(tmp_path: Path) -> None:
    def odd(sim: carom.Simulation) -> dict[str, Any]:
        return {"T": 1.0} if sim.system.law.coefficient == 0.8 else {"T": 1.0, "Z": 2.0}

    for _ in range(2):  # again when the rows come from the folder
        with pytest.raises(carom.SweepError, match=r"other names for one run.*T for .*T, Z for"):
            swept(folder=tmp_path, measure=odd, workers=1)


def test_values_of_all_kinds_come_back_as_they_were(tmp_path: Path) -> None:
    def all_kinds(sim: carom.Simulation) -> dict[str, Any]:
        e = sim.system.law.coefficient
        return {
            "float": 0.1 + e,
            "odd": math.nan if e < 0.85 else math.inf,
            "int": 2**62,
            "numpy": np.float32(e),
            "bool": e < 0.85,
            "text": f"é {e}",
            "none": None if e < 0.85 else 1.0,
            "complex": np.complex128(1 + 2j),
            "array": np.arange(3) * e,
            "whole": np.array([1, 2], dtype=np.uint8),
            "long": np.arange(2 if e < 0.85 else 4),
            "list": [1, 2.5],
            "texts": ["a", "bc"],
        }

    table = swept(measure=all_kinds, folder=tmp_path)
    assert table.identical(swept(measure=all_kinds, folder=tmp_path))
    row = table.isel(replica=0)
    assert (table.error == "").all()
    assert row.float.values.tolist() == [0.1 + 0.8, 0.1 + 0.9]
    assert row.int.values.tolist() == [2**62] * 2
    assert row.bool.values.tolist() == [True, False]
    assert row.text.values.tolist() == ["é 0.8", "é 0.9"]
    np.testing.assert_equal(row.none.values, [np.nan, 1.0])
    np.testing.assert_equal(row.odd.values, [np.nan, np.inf])
    assert row.complex.values.tolist() == [1 + 2j] * 2
    assert (
        row.array.values.tobytes() == np.array([np.arange(3) * 0.8, np.arange(3) * 0.9]).tobytes()
    )
    assert row.whole.dtype == np.uint8
    np.testing.assert_equal(row.long.values, [[0, 1, np.nan, np.nan], [0, 1, 2, 3]])
    assert row.texts.values.tolist() == [["a", "bc"]] * 2
    assert len(table.to_dataframe()) == 2 * 3 * 2 * 4 * 2 * 2


class Spring(NamedTuple):
    stiffness: float


def anything(value: Any, random: np.random.Generator) -> carom.System:
    return gas(0.9, random)


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        ([1, 2.5], [1.0, 2.5]),
        ([True, False], [True, False]),
        (["a", "b"], ["a", "b"]),
        ([None, 0.1], ["None", "0.1"]),
        ([(1, 2), (3, 4)], ["(1, 2)", "(3, 4)"]),
        ([math.inf, math.nan], [math.inf, math.nan]),
        ([2**60, 2**60 + 1], [str(2**60), str(2**60 + 1)]),
        (
            [carom.Elastic(), carom.ConstantRestitution(0.9)],
            ["Elastic()", "ConstantRestitution(coefficient=0.9)"],
        ),
        (
            [carom.EventDriven(), carom.TimeStepped(dt=0.1)],
            ["EventDriven()", "TimeStepped(dt=0.1)"],
        ),
        ([Spring(1.0), Spring(2.0)], ["Spring(stiffness=1.0)", "Spring(stiffness=2.0)"]),
        (np.array([0.1, 0.2]), [0.1, 0.2]),
        ([gas, bath], ["gas", "bath"]),
    ],
)
def test_coordinates_make_sense(tmp_path: Path, values: Any, labels: list[Any]) -> None:
    table = swept(anything, {"value": values}, run={"until": 0.0}, folder=tmp_path)
    np.testing.assert_equal(table.value.values.tolist(), labels)
    assert carom.sweeps.read(tmp_path).identical(table)
    assert len(rows_in(tmp_path)) == 2
    swept(anything, {"value": values}, run={"until": 0.0}, folder=tmp_path)
    assert len(rows_in(tmp_path)) == 2


def test_points_may_be_listed(tmp_path: Path) -> None:
    points = [{"restitution": 0.8, "phi": 0.1}, {"phi": 0.3, "restitution": 0.9}]
    table = swept(parameters=points)
    assert table.T.dims == ("point", "replica")
    assert table.phi.values.tolist() == [0.1, 0.3]
    assert table.identical(swept(parameters=pd.DataFrame(points)))
    product = swept(parameters={"restitution": [0.8], "phi": [0.1]})
    assert table.T.values[0, 0] == product.T.values[0, 0, 0]
    assert swept(lambda random: gas(0.9, random), {}, replicas=2).T.dims == ("replica",)


def test_means_leave_out_failures() -> None:
    def sometimes(sim: carom.Simulation) -> dict[str, Any]:
        if sim.system.law.coefficient == 0.8 and sim.counts.collisions % 2:
            raise ArithmeticError
        return measure(sim) | {"name": "a"}

    table = swept(measure=sometimes, replicas=6)
    there = (table.error == "").sel(restitution=0.8).values
    assert 0 < there.sum() < 6
    means = carom.sweeps.over_replicas(table).sel(restitution=0.8)
    values = table.T.sel(restitution=0.8).values[there]
    assert float(means.T) == pytest.approx(values.mean(), rel=1e-14)
    assert float(means.T_error) == pytest.approx(values.std(ddof=1) / math.sqrt(len(values)))
    assert int(means.replicas) == there.sum()


def test_averages_may_begin_later() -> None:
    def whole(sim: carom.Simulation) -> dict[str, Any]:
        return {"T": sim.mean_temperature}

    late = swept(measure=whole, run={"until": 2.0, "average_from": 1.5}).T.values
    assert (late < swept(measure=whole).T.values).all()  # the gas cools


WRONG: list[tuple[dict[str, Any], list[str], type[Exception]]] = [
    ({"build": 3}, ["build", "function", "3"], TypeError),
    ({"build": lambda random: None}, ["build must take", "restitution"], TypeError),
    ({"build": lambda restitution: None}, ["build must take", "random"], TypeError),
    ({"measure": "T"}, ["measure", "function", "'T'"], TypeError),
    ({"parameters": {"restitution": []}}, ["restitution is empty"], ValueError),
    ({"parameters": {"restitution": 0.8}}, ["restitution must be a list", r"\[0.8\]"], TypeError),
    ({"parameters": {"restitution": "abc"}}, ["must be a list", "'abc'"], TypeError),
    (
        {"parameters": {"restitution": [0.8, 0.9, 0.8]}},
        ["0.8 is there twice", "replicas="],
        ValueError,
    ),
    ({"parameters": {"restitution": [1, 1.0]}}, ["cannot tell apart"], ValueError),
    ({"parameters": {"restitution": [0.0, -0.0]}}, ["cannot tell apart"], ValueError),
    ({"parameters": {"restitution": [math.nan] * 2}}, ["twice"], ValueError),
    ({"parameters": {"restitution": [None, "None"]}}, ["cannot tell apart"], ValueError),
    ({"parameters": {"restitution": [object()]}}, ["cannot be known again"], TypeError),
    ({"parameters": {"random": [1]}}, ["'random' cannot be one"], ValueError),
    ({"parameters": {"replica": [1]}}, ["'replica' cannot be one"], ValueError),
    ({"parameters": {3: [1]}}, ["must be a text", "3"], TypeError),
    ({"parameters": []}, ["empty list"], ValueError),
    ({"parameters": [{"restitution": 1}, {"phi": 1}]}, [r"parameters\[1\]", "phi"], ValueError),
    ({"parameters": [3]}, [r"parameters\[0\]", "dictionary"], TypeError),
    ({"parameters": [{"restitution": 1}] * 2}, ["twice"], ValueError),
    ({"parameters": 3}, ["several"], TypeError),
    ({"replicas": 0}, ["replicas", "0"], ValueError),
    ({"seed": -1}, ["seed", "-1"], ValueError),
    ({"seed": None}, ["seed", "None"], ValueError),
    ({"workers": 0}, ["workers", "0"], ValueError),
    ({"run": 3.0}, ["run must be a dictionary", "until"], ValueError),
    ({"run": {}}, ["run must be a dictionary"], ValueError),
    ({"run": {"until": 1.0, "duration": 1.0}}, ["run must be a dictionary"], ValueError),
    ({"run": {"until": math.inf}}, ["until", "inf"], ValueError),
    ({"run": {"collisions": 1.5}}, ["collisions", "1.5"], ValueError),
    ({"run": {"until": 1.0, "average_from": 2.0}}, ["average_from", "2.0"], ValueError),
    ({"run": {"duration": 1.0, "average_from": 0.5}}, ["average_from"], ValueError),
    ({"checkpoint_every": 0.0}, ["checkpoint_every"], ValueError),
    ({"observers": lambda folder: []}, ["observers=", "folder="], ValueError),
    ({"observers": [3], "folder": "x"}, ["observers must be a function"], TypeError),
    ({"client": 3}, ["client", "tcp://", "3"], TypeError),
    ({"client": "tcp://x", "workers": 2}, ["workers="], ValueError),
]


@pytest.mark.parametrize(("options", "parts", "error"), WRONG)
def test_what_cannot_work_is_refused(
    options: dict[str, Any], parts: list[str], error: type[Exception]
) -> None:
    assert_refused(lambda: swept(**options), *parts, error=error)


# Folders


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("all my work")
    with pytest.raises(carom.SweepError, match=r"other things, such as thesis\.tex"):
        swept(folder=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]
    with pytest.raises(carom.SweepError, match="is a file"):
        swept(folder=tmp_path / "thesis.tex")
    with pytest.raises(FileNotFoundError, match=r"it has no sweep\.json"):
        carom.sweeps.read(tmp_path)


def test_a_folder_of_another_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / "sweep.json").write_text(json.dumps({"format": "carom sweep", "format_version": 9}))
    with pytest.raises(carom.SweepError, match="version 9 of the format"):
        swept(folder=tmp_path)
    (tmp_path / "sweep.json").write_text("{")
    with pytest.raises(carom.SweepError, match="cannot be read"):
        swept(folder=tmp_path)


@pytest.mark.posix
def test_two_sweeps_do_not_share_a_folder(tmp_path: Path) -> None:
    def build(restitution: float, random: np.random.Generator) -> carom.System:
        with pytest.raises(carom.SweepError, match=f"process {os.getpid()} .* sweeps in"):
            swept(folder=tmp_path)
        return gas(restitution, random)

    assert (swept(build, folder=tmp_path).error == "").all()


def test_a_line_that_is_not_complete_is_carried_out_again(tmp_path: Path, noting: Noting) -> None:
    first = swept(folder=tmp_path)
    (file,) = (tmp_path / "rows").iterdir()
    file.write_bytes(file.read_bytes()[:-20])
    noting.points.clear()
    with pytest.warns(carom.CaromWarning, match="1 lines .* are not complete"):
        again = swept(folder=tmp_path)
    assert len(noting.points) == 1
    assert again.identical(first)


@pytest.mark.posix
def test_a_folder_that_can_only_be_read_will_do_when_nothing_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "sweep"
    first = swept(folder=folder)

    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("carom.sweeps.folder.replacing", refuse)
    monkeypatch.setattr("io.FileIO", refuse)
    assert swept(folder=folder).identical(first)
    assert swept(parameters={"restitution": [0.9]}, folder=folder).T.size == 1
    with pytest.raises(OSError, match=r"cannot write to .* \(Permission denied\); 2 rows are kept"):
        swept(parameters={"restitution": [0.5]}, folder=folder)


def test_a_full_disk_ends_the_sweep_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, noting: Noting
) -> None:
    parameters = {"restitution": [0.5, 0.6, 0.7, 0.8, 0.9]}
    expected = swept(parameters=parameters)
    noting.points.clear()
    import io

    class Small(io.FileIO):
        left = 1400

        def write(self, data: Any) -> int:
            room = min(len(data), Small.left)
            Small.left -= room
            return super().write(data[:room])

    monkeypatch.setattr("carom.sweeps.folder.io.FileIO", Small)
    with pytest.raises(OSError, match=r"No space left on device\); [1-4] rows are kept.*Make room"):
        swept(parameters=parameters, folder=tmp_path, workers=1)
    monkeypatch.undo()
    kept = len(rows_in(tmp_path))
    assert 1 <= kept <= 4
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert swept(parameters=parameters, folder=tmp_path).identical(expected)


@pytest.mark.posix
def test_ctrl_c_leaves_what_has_come_in(tmp_path: Path) -> None:
    def build(restitution: float, random: np.random.Generator) -> carom.System:
        if restitution == 0.9 and not (tmp_path / "pressed").exists():
            (tmp_path / "pressed").touch()
            os.kill(os.getpid(), signal.SIGINT)
        while restitution == 0.95 and not (tmp_path / "noticed").exists():
            stop_if_asked()
            time.sleep(0.01)
        return gas(restitution, random)

    folder = tmp_path / "sweep"
    parameters = {"restitution": [0.8, 0.9, 0.95]}
    with pytest.raises(KeyboardInterrupt, match=r"stopped after [12] of 3 runs; call it again"):
        swept(build, parameters, folder=folder, workers=1)
    (tmp_path / "noticed").touch()
    assert len(rows_in(folder)) in (1, 2)
    assert (swept(build, parameters, folder=folder).error == "").all()


def test_a_run_that_interrupts_itself_ends_the_sweep(tmp_path: Path) -> None:
    def interrupts(sim: carom.Simulation) -> dict[str, Any]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match="stopped after 0 of 2 runs"):
        swept(measure=interrupts, folder=tmp_path, workers=1)


def test_no_more_are_running_than_there_are_workers() -> None:
    from carom.sweeps.threads import Threads

    threads = Threads([lambda progress: 0] * 20, workers=2)
    with threads:
        threads._pool.shutdown(wait=True)  # all are over, and nobody has looked at them
        assert threads.under_way().running == 2
        assert len(threads.finished(0.0)) == 20
        assert threads.under_way().running == 0


SCRIPT = """
import os, signal, sys
sys.path.insert(0, {tests!r})
import numpy as np
import carom
from sweeping import bath, measure

class Killer(carom.Observer):
    "Ends the process at a moment of the run, once."
    def __init__(self): super().__init__(0.5)
    def observe(self, simulation):
        if simulation.time >= 1.5 and not os.path.exists({mark!r}):
            open({mark!r}, "w").close()
            os.kill(os.getpid(), signal.SIGKILL)

def observers(folder):
    return [carom.Table(folder / "log.csv", 0.2, "energy"), Killer()]

def at_end(sim):
    record = sim.observers[0]
    return measure(sim) | {{"energies": record["energy"], "start": 0.0}}

if __name__ == "__main__":
    table = carom.sweep(bath, {{"restitution": [0.8]}}, run={{"until": 2.0}}, measure=at_end,
        folder={folder!r}, observers=observers, checkpoint_every=1e-9)
    print(table.T.item().hex(), table.x.values.tobytes().hex())
    print(table.energies.values.tobytes().hex())
"""


@pytest.mark.posix
@pytest.mark.apart
def test_a_killed_process_goes_on_from_its_checkpoint_bit_for_bit(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    mark, folder = tmp_path / "killed", tmp_path / "sweep"
    tests = str(Path(__file__).parent)

    def output(folder: Path) -> subprocess.CompletedProcess[str]:
        script.write_text(SCRIPT.format(tests=tests, mark=str(mark), folder=str(folder)))
        return subprocess.run([sys.executable, str(script)], capture_output=True, text=True)

    assert output(folder).returncode == -signal.SIGKILL
    (run,) = (folder / "runs").iterdir()
    (checkpoint,) = run.glob("state-*.carom")
    assert carom.load(checkpoint).time > 0.5
    resumed = output(folder)
    assert resumed.returncode == 0, resumed.stderr
    unbroken = output(tmp_path / "another")  # the mark is there: nobody is killed
    assert resumed.stdout == unbroken.stdout
    logs = [read_table(next(place.rglob("log.csv"))) for place in (folder, tmp_path / "another")]
    for name in ("time", "energy"):
        assert logs[0][name].tobytes() == logs[1][name].tobytes()
    assert len(logs[0]["time"]) == 11
    assert not list(folder.rglob("*.carom"))


def test_observers_of_build_that_write_files_begin_again(tmp_path: Path) -> None:
    def build(restitution: float, random: np.random.Generator) -> carom.Simulation:
        table = carom.Table(tmp_path / f"{restitution}.csv", 0.5, "energy")
        return carom.Simulation(gas(restitution, random), observers=[table])

    with pytest.warns(carom.CaromWarning, match="observers that build hands over write files"):
        swept(build, folder=tmp_path / "sweep", checkpoint_every=1e-9)
    assert (tmp_path / "0.8.csv").read_text().count("\n") == 6


@pytest.mark.parametrize("goal", [{"duration": 1.5}, {"collisions": 60}, {"until": 2.0}])
def test_an_interrupted_run_comes_to_the_same_end(
    tmp_path: Path, goal: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def build(restitution: float, random: np.random.Generator) -> carom.Simulation:
        simulation = bath(restitution, random)
        simulation.random = np.random.default_rng(1)
        simulation.run(0.25, progress=False)
        return simulation

    expected = swept(build, run=goal)
    monkeypatch.setattr("carom.sweeps.run.LEAST_WORTH_KEEPING", 0.0)
    original = carom.Record.observe

    def presses(self: Any, simulation: Any) -> None:
        original(self, simulation)
        if simulation.time > 0.6 and not (tmp_path / "pressed").exists():
            (tmp_path / "pressed").touch()
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(2.0)  # until all have been asked to stop

    monkeypatch.setattr(carom.Record, "observe", presses)
    with pytest.raises(KeyboardInterrupt):
        swept(build, run=goal, folder=tmp_path / "sweep", workers=1)
    assert list((tmp_path / "sweep").rglob("*.carom"))
    assert swept(build, run=goal, folder=tmp_path / "sweep").identical(expected)


def test_a_damaged_checkpoint_costs_time_only(tmp_path: Path) -> None:
    expected = swept(bath)
    swept(bath, folder=tmp_path)
    for line in rows_in(tmp_path):
        folder = tmp_path / "runs" / json.loads(line)["run"]
        folder.mkdir(parents=True)
        (folder / "state-00000000.carom").write_bytes(b"damaged")
    shutil.rmtree(tmp_path / "rows")
    (tmp_path / "rows").mkdir()
    with pytest.warns(carom.CaromWarning, match="checkpoint could not be gone on from"):
        assert swept(bath, folder=tmp_path).identical(expected)
    assert not list(tmp_path.rglob("*.carom"))


# What a source covers


CONSTANT = 1.0


def helper(x: float) -> float:
    return x + CONSTANT


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (lambda sim: {"T": 1.0}, lambda sim: {"T": 2.0}),
        (lambda sim: {"T": np.mean(sim)}, lambda sim: {"T": np.median(sim)}),
        (lambda sim: helper(1.0), lambda sim: helper(2.0)),
        (lambda sim: carom.Elastic(), lambda sim: carom.EventDriven()),
    ],
)
def test_sources_that_differ_are_told_apart(one: Any, other: Any) -> None:
    assert source_of(one).digest is not None
    assert source_of(one) == source_of(one)
    assert source_of(one) != source_of(other)


def test_a_source_covers_what_it_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    before = source_of(lambda sim: helper(1.0)).digest, source_of(helper).digest
    monkeypatch.setitem(globals(), "CONSTANT", 2.0)
    assert source_of(helper).digest != before[1]


OWN = """
from typing import Any, NamedTuple
import carom
from carom.collisions import restitution

FACTOR = 1.0

class Sticky(NamedTuple):
    coefficient: float

@restitution.register(Sticky)
@carom.kernel
def sticks(contact: Any, law: Any) -> float:
    return 0.5 * law.coefficient

class Half:
    share = 0.5
    def of(self, x):
        return self.share * x

def called(x):
    return FACTOR * x

def made(scale):
    def build(restitution, random):
        return Sticky(scale * called(restitution) * Half().of(1.0))
    return build

build, law = made(2.0), Sticky(0.9)
"""


def read_from(text: str) -> Any:
    names: dict[str, Any] = {"__name__": "own"}
    exec(text, names)
    return source_of(names["build"]), source_of(names["law"])


@pytest.mark.parametrize(
    ("old", "new", "changed", "law_changes"),
    [
        ("return FACTOR * x", "return FACTOR + x", {"called"}, False),
        ("FACTOR = 1.0", "FACTOR = 1.5", {"FACTOR"}, False),
        ("made(2.0)", "made(2.5)", {"scale"}, False),
        ("share = 0.5", "share = 0.6", {"Half.share"}, False),
        ("self.share * x", "x / self.share", {"Half.of"}, False),
        ("0.5 * law.coefficient", "law.coefficient", {"sticks"}, True),
        ("return Sticky(scale", "return Sticky(2.0 * scale", {"made.<locals>.build"}, False),
    ],
)
def test_what_of_a_source_has_changed_is_known(
    old: str, new: str, changed: set[str], law_changes: bool
) -> None:
    build, law = read_from(OWN)
    assert build.digest is not None, build.reason
    assert law.digest is not None, law.reason
    assert read_from("# Moved.\n" + OWN) == (build, law)
    assert old in OWN
    other, other_law = read_from(OWN.replace(old, new))
    assert other.digest not in (None, build.digest)
    names = {**build.parts, **other.parts}
    assert {name for name in names if build.parts.get(name) != other.parts.get(name)} == changed
    assert (other_law != law) == law_changes


def test_values_that_a_measure_reads_are_told(tmp_path: Path) -> None:
    def measured(scale: float) -> Any:
        return lambda sim: {"T": scale * sim.temperature}

    swept(folder=tmp_path, measure=measured(2.0))
    with pytest.warns(carom.CaromWarning, match=r"measure \(its .*: scale was 2.0 and is 3.0\)"):
        swept(folder=tmp_path, measure=measured(3.0))


def test_layout_and_neighbours_on_a_line_are_no_source() -> None:
    found = []
    for text in ("f, _ = lambda x: x + 1, 3", "\n\n# why\nf, _ = (lambda x: x +  1), 4"):
        names: dict[str, Any] = {"__name__": "own"}
        exec(text, names)
        found.append(source_of(names["f"]).digest)
    assert found[0] == found[1] is not None
