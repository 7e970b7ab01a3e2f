"""``table.nc`` in the folder of a sweep: what other programs read of it, and when it is renewed."""

from __future__ import annotations

import math
import os
import signal
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray
from scipy.io import netcdf_file
from sweeping import END, gas, measure

import carom
from carom.interruption import stop_if_asked


def swept(folder: Path, values: Any = (0.8, 0.9), **options: Any) -> Any:
    options = {"run": END, "measure": measure} | options
    return carom.sweep(gas, {"restitution": list(values)}, folder=folder, **options)


def written(folder: Path) -> Any:
    with xarray.open_dataset(folder / "table.nc", engine="scipy") as table:
        return table.load()


def all_kinds(sim: carom.Simulation) -> dict[str, Any]:
    e = sim.system.law.coefficient
    if e == 0.7:
        raise ArithmeticError("nichts – rien")
    return {
        "float": 0.1 + e,
        "odd": math.nan if e < 0.85 else math.inf,
        "long": 2**62,
        "many": 2**40,
        "yes": e < 0.85,
        "perhaps": None if e < 0.85 else True,
        "nothing": None,
        "text": f"é {e}",
        "φ/2": 1.0,
        "φ 2": 2.0,
        "half": np.complex128(1 + 2j),
        "array": np.arange(3) * e,
        "bytes": np.array([1, 250], dtype=np.uint8),
        "ragged": np.arange(2 if e < 0.85 else 4),
        "texts": ["a", "bc"],
        "empty": [],
        "short": np.array([1, 2], dtype=np.float16),
        "broken": "\ud800\0",
    }


def test_other_programs_read_all_that_was_measured(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = swept(tmp_path, measure=all_kinds, seed=3)
    found = written(tmp_path)
    np.testing.assert_equal(found.float_.values, table.float.values)
    np.testing.assert_equal(found.odd.values, table.odd.values)
    np.testing.assert_equal(found.ragged.values, table.ragged.values)
    np.testing.assert_equal(found.bytes.values, table.bytes.values)
    np.testing.assert_equal(found.perhaps.values.ravel(), [np.nan, 1.0])
    assert found.array.values.tobytes() == table.array.values.tobytes()
    assert found.long_.values.ravel().tolist() == [str(2**62)] * 2  # no bit is lost
    assert found.many.values.ravel().tolist() == [2.0**40] * 2
    assert found.yes.values.ravel().tolist() == [True, False]
    assert np.isnan(found.nothing).all()
    assert found.text.values.ravel().tolist() == ["é 0.8", "é 0.9"]
    assert (found.phi_2.attrs["long_name"], float(found.phi_2[0, 0])) == ("φ/2", 1.0)
    assert float(found["phi 2"][0, 0]) == 2.0
    assert (found.half_real + 1j * found.half_imag).values.ravel().tolist() == [1 + 2j] * 2
    assert found.texts.values[0, 0].tolist() == ["a", "bc"]
    assert found.short_.values[0, 0].tolist() == [1.0, 2.0]
    assert found.restitution.values.tolist() == [0.8, 0.9]
    assert found.attrs["seed"] == "3"
    assert found.attrs["run"] == "until = 2.0"
    # Not only by the library that wrote it.
    with netcdf_file(tmp_path / "table.nc", mmap=False) as plain:
        assert plain.variables["many"].dimensions == ("restitution", "replica")


def test_failures_are_in_it(tmp_path: Path) -> None:
    swept(tmp_path, (0.7, 0.8), measure=all_kinds)
    found = written(tmp_path)
    assert found.error.values.ravel().tolist() == ["ArithmeticError: nichts – rien", ""]
    assert math.isnan(found.float_[0, 0])
    swept(tmp_path, (0.7,), measure=all_kinds)  # nothing else is in this one
    assert list(written(tmp_path).data_vars) == ["error"]


def test_points_that_are_listed_are_in_it(tmp_path: Path) -> None:
    points = [{"restitution": 0.8, "phi": 0.1}, {"restitution": 0.9, "phi": 0.3}]
    table = carom.sweep(gas, points, run=END, measure=measure, folder=tmp_path)
    found = written(tmp_path)
    assert found.phi.values.tolist() == [0.1, 0.3]
    assert "phi" in found.coords
    assert found.T.values.tobytes() == table.T.values.tobytes()


def test_it_is_of_what_was_asked_for_the_last_time(tmp_path: Path) -> None:
    swept(tmp_path)
    before = (tmp_path / "table.nc").stat().st_mtime_ns
    swept(tmp_path)
    assert (tmp_path / "table.nc").stat().st_mtime_ns == before  # nothing new
    swept(tmp_path, (0.9,))
    assert written(tmp_path).restitution.values.tolist() == [0.9]
    (tmp_path / "table.nc").unlink()  # as in the folder of an older carom
    swept(tmp_path, (0.9,))
    assert written(tmp_path).restitution.values.tolist() == [0.9]


def test_it_is_renewed_while_rows_come_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("carom.sweeps.table_file.SECONDS_BETWEEN_TABLES", 0.0)
    monkeypatch.setattr("carom.sweeps.table_file.SHARE_OF_TIME", 1e9)
    seen: list[Any] = []
    from carom.sweeps.table_file import TableFile

    original = TableFile.renew

    def noted(self: Any, table: Any) -> None:
        original(self, table)
        seen.append((written(tmp_path).error.values == "").sum())

    monkeypatch.setattr(TableFile, "renew", noted)
    swept(tmp_path, (0.7, 0.8, 0.9), replicas=4, workers=1)
    assert seen == sorted(seen)
    assert seen[-1] == 12
    assert len(seen) > 1


def test_a_large_one_is_renewed_less_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from carom.sweeps.table_file import TableFile

    now = [100.0]
    monkeypatch.setattr("carom.sweeps.table_file.perf_counter", lambda: now[0])
    file = TableFile(tmp_path)

    def portable(table: Any) -> Any:
        now[0] += 3.0  # seconds that it takes
        return xarray.Dataset()

    monkeypatch.setattr("carom.sweeps.table_file.portable", portable)
    file.renew(xarray.Dataset())
    for passed, is_due in ((11.0, False), (138.0, False), (2.0, True)):
        now[0] += passed
        assert file.is_due == is_due


@pytest.mark.posix
def test_ctrl_c_leaves_one(tmp_path: Path) -> None:
    pressed = tmp_path / "pressed"

    def build(restitution: float, random: np.random.Generator) -> carom.System:
        if restitution == 0.9 and not pressed.exists():
            pressed.touch()
            os.kill(os.getpid(), signal.SIGINT)
        while restitution == 0.95:  # not done before the sweep has noticed
            stop_if_asked()
            time.sleep(0.01)
        return gas(restitution, random)

    with pytest.raises(KeyboardInterrupt):
        carom.sweep(
            build,
            {"restitution": [0.8, 0.9, 0.95]},
            run=END,
            measure=measure,
            folder=tmp_path / "sweep",
            workers=1,
        )
    errors = written(tmp_path / "sweep").error.values.ravel().tolist()
    assert errors[0] == ""
    assert errors[-1] == "not run yet"


def test_where_it_cannot_be_written_the_rows_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("carom.sweeps.table_file.replacing", refuse)
    with pytest.warns(carom.CaromWarning, match=r"table\.nc could not be written .*No space left"):
        table = swept(tmp_path)
    monkeypatch.undo()
    assert (table.error == "").all()
    assert carom.sweeps.read(tmp_path).identical(table)
