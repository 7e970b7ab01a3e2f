"""Observers: whose they are, from when on they look, and how they are known again after a load."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import gsd.hoomd
import numpy as np
import pytest

import carom

END = 2.0


def gas(*observers: carom.Observer) -> carom.Simulation:
    particles, box = carom.packings.random(40, 0.3, dimension=2, seed=1)
    system = carom.System(particles, box, law=carom.ConstantRestitution(0.9))
    return carom.Simulation(system, observers=observers)


def files(folder: Path) -> list[carom.Observer]:
    return [
        carom.Trajectory(folder / "t.gsd", 0.25),
        carom.Table(folder / "log.csv", 0.5, "temperature"),
        carom.Record(0.1, "energy"),
    ]


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in sorted(os.listdir(folder))}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """That of a run which was saved half way, and has gone on since."""
    simulation = gas(*files(tmp_path))
    simulation.run(until=0.5 * END)
    simulation.save(tmp_path / "state.carom")
    simulation.run(until=END)
    return tmp_path


class MyRecord(carom.Record):
    """An observer of a user's own."""


def in_another_order(folder: Path) -> list[carom.Observer]:
    trajectory, table, record = files(folder)
    return [table, trajectory, record]


def fewer(folder: Path) -> list[carom.Observer]:
    return files(folder)[:2]


def more(folder: Path) -> list[carom.Observer]:
    return [*files(folder), carom.Record(0.1, "energy")]


def with_another_schedule(folder: Path) -> list[carom.Observer]:
    return [carom.Trajectory(folder / "t.gsd", 0.2), *files(folder)[1:]]


def with_another_name(folder: Path) -> list[carom.Observer]:
    return [carom.Trajectory(folder / "u.gsd", 0.25), *files(folder)[1:]]


def with_other_columns(folder: Path) -> list[carom.Observer]:
    return [*files(folder)[:2], carom.Record(0.1, "pressure")]


def of_another_type(folder: Path) -> list[carom.Observer]:
    return [*files(folder)[:2], MyRecord(0.1, "energy")]


def with_a_function(folder: Path) -> list[carom.Observer]:
    return [*files(folder)[:2], carom.Call(0.1, len)]


@pytest.mark.parametrize(
    "others",
    [
        in_another_order,
        fewer,
        more,
        with_another_schedule,
        with_another_name,
        with_other_columns,
        of_another_type,
        with_a_function,
    ],
)
def test_other_observers_are_refused_and_touch_no_file(
    folder: Path, others: Callable[[Path], list[carom.Observer]]
) -> None:
    before = contents(folder)
    with pytest.raises(carom.CheckpointError, match=r"was made with observers=\[Trajectory\(every"):
        carom.load(folder / "state.carom", observers=others(folder))
    assert contents(folder) == before


def test_the_same_observers_go_on(folder: Path) -> None:
    trajectory, table, record = files(folder)
    simulation = carom.load(folder / "state.carom", observers=[trajectory, table, record])
    simulation.run(until=END)
    with gsd.hoomd.open(str(folder / "t.gsd"), "r") as film:
        times = [frame.log["carom/time"][0] for frame in film]
    assert times == [0.25 * k for k in range(9)]
    lines = (folder / "log.csv").read_text().splitlines()
    assert [line.split(",")[0] for line in lines] == ["time", "0.0", "0.5", "1.0", "1.5", "2.0"]
    np.testing.assert_allclose(record["time"], 1.1 + 0.1 * np.arange(10))


def test_without_a_word_about_observers_it_is_only_looked_at(folder: Path) -> None:
    before = contents(folder)
    looked_at = carom.load(folder / "state.carom")
    assert looked_at.time == 0.5 * END
    for go_on in (
        lambda: looked_at.run(until=END),
        lambda: looked_at.save(folder / "other.carom"),
        lambda: looked_at.add_observer(carom.Record(1.0)),
    ):
        with pytest.raises(carom.CheckpointError, match=r"hand them over again.*Trajectory.*=\[\]"):
            go_on()
    without = carom.load(folder / "state.carom", observers=[])
    without.run(until=END)
    assert contents(folder) == before


def test_observers_without_files_may_be_left_out(tmp_path: Path) -> None:
    simulation = gas(carom.Record(0.1, "energy"), carom.CollisionLog())
    simulation.run(until=0.5)
    simulation.save(tmp_path / "state.carom")
    again = carom.load(tmp_path / "state.carom")
    for either in (simulation, again):
        either.run(until=1.0)
    assert again.counts == simulation.counts
    assert again.observers == ()


@pytest.mark.parametrize("broken", ["t.gsd", "log.csv"])
def test_one_file_that_cannot_go_on_leaves_the_others(folder: Path, broken: str) -> None:
    os.truncate(folder / broken, 10)
    before = contents(folder)
    with pytest.raises(carom.CheckpointError, match=broken):
        carom.load(folder / "state.carom", observers=files(folder))
    assert contents(folder) == before


def test_files_of_another_run_are_left_alone(folder: Path) -> None:
    (folder / "other").mkdir()
    late = gas()
    late.run(until=0.125)
    for observer in files(folder / "other"):
        late.add_observer(observer)
    late.run(until=END)
    before = contents(folder / "other")
    with pytest.raises(carom.CheckpointError, match="is not the trajectory that the checkpoint"):
        carom.load(folder / "state.carom", observers=files(folder / "other"))
    assert contents(folder / "other") == before
    (folder / "other" / "t.gsd").write_bytes((folder / "t.gsd").read_bytes())
    (folder / "other" / "log.csv").write_text("a,b\n" + 100 * "1.0,2.0\n")
    before = contents(folder / "other")
    with pytest.raises(carom.CheckpointError, match="is not the table that the checkpoint"):
        carom.load(folder / "state.carom", observers=files(folder / "other"))
    assert contents(folder / "other") == before


def test_what_cannot_be_observed_is_refused_before_a_file_is_touched(tmp_path: Path) -> None:
    (tmp_path / "t.gsd").write_text("dear to me")
    particles = carom.Particles([[0.0, 0.0], [2.0, 0.0]])
    with pytest.raises(ValueError, match="statistics of pairs"):
        carom.Simulation(
            carom.System(particles),
            observers=[carom.Trajectory(tmp_path / "t.gsd", 1.0), carom.PairStatistics(1.0)],
        )
    assert (tmp_path / "t.gsd").read_text() == "dear to me"


def test_an_added_observer_looks_from_now_on() -> None:
    first = carom.Record(0.5, "temperature")
    simulation = gas(first)
    simulation.run(until=1.75)
    late, log = carom.Record(0.5, "temperature"), carom.CollisionLog()
    simulation.add_observer(late)
    simulation.add_observer(log)
    before = simulation.counts.collisions
    simulation.run(until=3.0)
    assert late["time"].tolist() == [1.75, 2.25, 2.75]
    assert (np.diff(late["temperature"]) < 0.0).all()
    assert len(log) == simulation.counts.collisions - before > 0
    assert (log["time"] >= 1.75).all()
    assert simulation.observers == (first, late, log)


def test_an_added_observer_is_in_the_checkpoint(tmp_path: Path) -> None:
    simulation = gas()
    simulation.run(until=0.75)
    simulation.add_observer(carom.Record(0.5))
    simulation.run(until=1.0)
    simulation.save(tmp_path / "state.carom")
    later = carom.Record(0.5)
    carom.load(tmp_path / "state.carom", observers=[later]).run(until=2.0)
    assert later["time"].tolist() == [1.25, 1.75]


def test_observers_are_not_a_list_to_append_to() -> None:
    simulation = gas()
    with pytest.raises(AttributeError):
        simulation.observers.append(carom.Record(1.0))  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        simulation.observers = [carom.Record(1.0)]  # type: ignore[misc]


def test_an_observer_has_one_simulation() -> None:
    record = carom.Record(1.0)
    with pytest.raises(ValueError, match="a simulation has this Record already"):
        gas(record, record)
    simulation = gas(record)
    with pytest.raises(ValueError, match="make another"):
        gas(record)
    with pytest.raises(ValueError, match="make another"):
        simulation.add_observer(record)
    with pytest.raises(TypeError, match=r"must be carom\.Observer objects"):
        simulation.add_observer("energy")  # type: ignore[arg-type]
    assert simulation.observers == (record,)


def test_an_observer_cannot_run_the_simulation() -> None:
    simulation = gas(carom.Call(1.0, lambda sim: sim.run(duration=1.0)))
    with pytest.raises(RuntimeError, match="running already"):
        simulation.run(until=2.0)


class Failing(carom.Observer):
    """Raises at its second look, once."""

    def observe(self, simulation: Any) -> None:
        if self.looks == 1 and not hasattr(self, "failed"):
            self.failed = True
            raise KeyboardInterrupt


def test_a_look_that_fails_is_made_again_and_the_others_not(tmp_path: Path) -> None:
    trajectory, table, record = files(tmp_path)
    simulation = gas(trajectory, table, record, Failing(0.5))
    with pytest.raises(KeyboardInterrupt):
        simulation.run(until=END)
    assert simulation.time == 0.5
    simulation.run(until=END)
    assert [trajectory.looks, table.looks, record.looks] == [9, 5, 21]
    assert len((tmp_path / "log.csv").read_text().splitlines()) == 6
    with gsd.hoomd.open(str(tmp_path / "t.gsd"), "r") as film:
        assert [frame.configuration.step for frame in film] == list(range(9))


def test_a_line_that_a_full_disk_refused_is_written_again(tmp_path: Path) -> None:
    table = carom.Table(tmp_path / "log.csv", 0.5, "time")
    simulation = gas(table)
    simulation.run(until=0.75)
    whole = table._file

    class Full:
        def __getattr__(self, name: str) -> Any:
            return getattr(whole, name)

        def write(self, line: bytes) -> int:
            return int(whole.write(line[:2]))

    table._file = Full()
    with pytest.raises(OSError, match="No space left"):
        simulation.run(until=END)
    table._file = whole
    simulation.run(until=END)
    lines = (tmp_path / "log.csv").read_text().splitlines()
    assert [line.split(",")[0] for line in lines] == ["time", "0.0", "0.5", "1.0", "1.5", "2.0"]


@pytest.mark.parametrize(
    ("make", "wanted"),
    [
        (lambda path: carom.Trajectory(path / "x.pdb", 1.0), r"end in \.gsd, \.xyz.* not .*x\.pdb"),
        (lambda path: carom.Trajectory(path / "x", 1.0), r"end in \.gsd"),
        (lambda path: carom.Table(path / "x.xlsx", 1.0), r"end in \.csv or \.txt"),
        (lambda path: carom.FluidFrames(path / "x.vtk", 1.0), r"\.h5 or \.hdf5.*give a folder"),
    ],
)
def test_unknown_kinds_of_files_are_refused(tmp_path: Path, make: Any, wanted: str) -> None:
    with pytest.raises(ValueError, match=wanted):
        make(tmp_path)


def test_capitals_do_not_matter_in_the_names_of_files(tmp_path: Path) -> None:
    gas(carom.Trajectory(tmp_path / "X.GSD", 1.0), carom.Table(tmp_path / "X.CSV", 1.0)).run(
        until=0.5
    )
    assert sorted(os.listdir(tmp_path)) == ["X.CSV", "X.GSD"]


UNKNOWN = ["temprature", "run", "_engine", "stress_zw", "counts.collisions", "particles"]


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_name_that_no_simulation_knows_is_refused_before_any_file(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / "log.csv").write_text("dear to me")
    for make in (
        lambda: carom.Record(1.0, name),
        lambda: carom.Table(tmp_path / "log.csv", 1.0, name),
    ):
        with pytest.raises(ValueError, match=f"no quantity '{name}'"):
            make()
    assert (tmp_path / "log.csv").read_text() == "dear to me"


def test_a_misspelt_name_is_answered_with_the_right_one() -> None:
    with pytest.raises(ValueError, match="did you mean 'temperature'"):
        carom.Record(1.0, "temprature")


@pytest.mark.parametrize("name", ["stress_zz", "fluid.energy"])
def test_a_name_that_this_simulation_lacks_is_refused_when_it_is_made(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / "log.csv").write_text("dear to me")
    for observer in (carom.Record(1.0, name), carom.Table(tmp_path / "log.csv", 1.0, name)):
        with pytest.raises(ValueError, match=f"no quantity '{name}'"):
            gas(observer)
    assert (tmp_path / "log.csv").read_text() == "dear to me"


def test_records_and_tables_take_their_names_in_the_same_way(tmp_path: Path) -> None:
    """And without names they have the same columns."""
    file = tmp_path / "log.csv"
    for names in ((), ("energy",), ("energy", "time", "stress_xy")):
        record, table = carom.Record(1.0, *names), carom.Table(file, 1.0, *names)
        assert list(record) == table.settings()["columns"]
    assert list(record) == ["time", "energy", "stress_xy"]
    assert list(carom.Record(1.0, mine=lambda sim: sim.time)) == ["time", "mine"]


def test_two_columns_do_not_share_a_name(tmp_path: Path) -> None:
    for name in ("energy", "time"):
        with pytest.raises(ValueError, match=f"two columns would be called '{name}'"):
            carom.Record(1.0, "energy", **{name: lambda sim: 0.0})


def test_a_record_is_a_mapping_that_tells_what_it_holds() -> None:
    record = carom.Record(0.5, "temperature", "momentum")
    gas(record).run(1.0)
    assert isinstance(record, Mapping)
    assert {name: column.shape for name, column in record.items()} == {
        "time": (3,),
        "temperature": (3,),
        "momentum": (3, 2),
    }
    assert "temperature" in record and "energy" not in record
    assert record == record and record != carom.Record(0.5, "temperature", "momentum")
    columns = "['time', 'temperature', 'momentum']"
    assert repr(record) == f"<Record: every=0.5, columns={columns}, 3 looks>"


def test_a_record_becomes_a_data_frame() -> None:
    pytest.importorskip("pandas")
    record = carom.Record(0.5, "temperature", "stress")
    gas(record).run(1.0)
    frame = record.to_dataframe()
    assert frame.index.tolist() == [0.0, 0.5, 1.0]
    assert frame["temperature"].tolist() == record["temperature"].tolist()
    assert frame["stress_0_1"].tolist()[1:] == record["stress"][1:, 0, 1].tolist()


def test_a_record_becomes_a_data_set() -> None:
    pytest.importorskip("xarray")
    record = carom.Record(0.5, "temperature", "stress")
    gas(record).run(1.0)
    data = record.to_xarray()
    assert data["stress"].dims == ("time", "stress_0", "stress_1")
    assert data["temperature"].sel(time=0.5) == record["temperature"][1]


@pytest.mark.parametrize(("package", "name"), [("pandas", "to_dataframe"), ("xarray", "to_xarray")])
def test_what_is_not_installed_is_named(
    monkeypatch: pytest.MonkeyPatch, package: str, name: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=f"needs {package}: pip install {package}"):
        getattr(carom.Record(1.0, "energy"), name)()


def test_a_record_belongs_to_one_simulation() -> None:
    record = carom.Record(1.0, "energy")
    gas(record)
    with pytest.raises(ValueError, match="a simulation has this Record already"):
        gas(record)


def test_what_cannot_be_looked_at_is_refused_when_it_is_made(tmp_path: Path) -> None:
    table = tmp_path / "log.csv"
    makes: list[Callable[[], Any]] = [
        lambda: carom.Record(1.0, 3),  # type: ignore[arg-type]
        lambda: carom.Record(1.0, fastest=3),  # type: ignore[arg-type]
        lambda: carom.Call(1.0, 3),  # type: ignore[arg-type]
        lambda: carom.Table(table, 1.0, ["energy"]),  # type: ignore[arg-type]
        lambda: carom.Table(table, 1.0, "momentum"),
        lambda: carom.Table(table, 1.0, "time", seconds=lambda sim: 0.0),
        lambda: carom.PairStatistics(1.0, "abc"),  # type: ignore[arg-type]
        lambda: carom.PairStatistics(1.0, [1.0, 1.0]),
    ]
    for make in makes:
        words = r"must be|function|last column|is not|is an array"
        with pytest.raises((TypeError, ValueError), match=words):
            make()


def test_one_observer_for_several_is_refused_in_words() -> None:
    system = gas().system
    for observer in (carom.Record(1.0), carom.CollisionLog(), carom.ImpactSpeeds()):
        with pytest.raises(TypeError, match="observers must be several"):
            carom.Simulation(system, observers=observer)  # type: ignore[arg-type]


def test_a_column_that_a_record_lacks_is_told() -> None:
    with pytest.raises(KeyError, match="no column 'presure'; it has time, pressure"):
        carom.Record(1.0, "pressure")["presure"]


def test_two_observers_do_not_share_a_file(tmp_path: Path) -> None:
    def table(*columns: str) -> carom.Table:
        return carom.Table(tmp_path / "." / "log.csv", 1.0, *columns)

    with pytest.raises(ValueError, match="write over each other"):
        gas(table("energy"), table("temperature"))
    simulation = gas(table("energy"))
    with pytest.raises(ValueError, match="write over each other"):
        simulation.add_observer(table("temperature"))


def test_a_file_that_cannot_be_leaves_the_others_alone(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("dear to me")
    (tmp_path / "folder.gsd").mkdir()
    for name in ("folder.gsd", "missing/t.gsd"):
        with pytest.raises(OSError, match=r"is a folder|there is no folder"):
            gas(carom.Table(tmp_path / "log.csv", 1.0), carom.Trajectory(tmp_path / name, 1.0))
    assert (tmp_path / "log.csv").read_text() == "dear to me"


def test_an_array_does_not_go_into_a_column(tmp_path: Path) -> None:
    table = carom.Table(tmp_path / "log.csv", 1.0, both=lambda sim: sim.momentum)
    with pytest.raises(ValueError, match=r"both has shape \(2,\)"):
        gas(table).run(until=1.0)


class Forgetful(carom.Observer):
    """Of one's own, without the schedule."""

    def __init__(self) -> None:
        self.seen = 0


def test_an_observer_of_ones_own_is_told_what_it_lacks() -> None:
    with pytest.raises(TypeError, match=r"begin with super\(\).__init__\(every\)"):
        gas(Forgetful())
    with pytest.raises(NotImplementedError, match=r"must define observe\(simulation\)"):
        gas(carom.Observer(1.0)).run(until=1.0)


def test_observers_tell_what_they_are() -> None:
    log, shells, speeds = carom.CollisionLog(), carom.PairStatistics(0.5), carom.ImpactSpeeds()
    simulation = gas(log, shells, speeds)
    simulation.run(1.0)
    assert repr(log) == f"<CollisionLog: {simulation.counts.collisions} collisions>"
    assert repr(speeds) == f"<ImpactSpeeds: {simulation.counts.collisions} collisions>"
    assert repr(shells) == "<PairStatistics: 10 shells from 1 to 1.1, every=0.5, 3 looks>"
