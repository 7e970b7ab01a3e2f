"""What is said while the compiler works, and where progress is shown."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

import carom
from carom.cli.app import app
from carom.compiled import compile_times
from carom.progress import Compilation, _NotebookLine, own_line


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own."""
    monkeypatch.setenv("CAROM_CACHE_DIR", str(tmp_path))
    return tmp_path


def compiled(kind: str, seconds: float, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is said of a compilation that takes so long."""
    said: list[str] = []
    compilation = Compilation(kind, said.append)
    compilation.expect()
    compilation.expect()
    monkeypatch.setattr(compile_times._Spent, "seconds", compile_times.spent() + seconds)
    compilation.done()
    return said


def test_the_notice_tells_how_long_it_took_the_last_time(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (first,) = compiled("EventDriven", 4.2, monkeypatch)
    assert "Compiling EventDriven" in first
    assert "the last time" not in first
    (second,) = compiled("EventDriven", 0.1, monkeypatch)
    assert "the last time it took 4 s" in second
    (other,) = compiled("SoftContacts", 6.0, monkeypatch)
    assert "the last time" not in other
    (third,) = compiled("EventDriven", 1.0, monkeypatch)
    assert "took 4 s" in third  # one function of many says nothing


@pytest.mark.parametrize("kept", ["", "[]", '{"EventDriven": "long"}', '{"EventDriven": -1}'])
def test_a_damaged_note_is_none(kept: str, folder: Path) -> None:
    (folder / "seconds.json").write_text(kept)
    assert compile_times.last_time("EventDriven") is None
    compile_times.remember("EventDriven", 3.0)
    assert compile_times.last_time("EventDriven") == 3.0


def test_what_cannot_be_noted_is_not(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "file").write_text("")
    monkeypatch.setenv("CAROM_CACHE_DIR", str(folder / "file"))
    compile_times.remember("EventDriven", 3.0)
    assert compile_times.last_time("EventDriven") is None


class _Display:
    """A place below a cell, as IPython hands it out."""

    def __init__(self) -> None:
        self.shown: list[str] = []
        self.places = 0

    def __call__(self, content: dict[str, str], *, raw: bool, display_id: bool) -> Any:
        self.places += 1
        self.update(content, raw=raw)
        return self

    def update(self, content: dict[str, str], *, raw: bool) -> None:
        self.shown.append(content["text/plain"])


@pytest.fixture
def cell(monkeypatch: pytest.MonkeyPatch) -> tuple[_Display, SimpleNamespace]:
    """What is shown below the cells of a notebook, and the shell that numbers them."""
    display, shell = _Display(), SimpleNamespace(kernel=object(), execution_count=1)
    package, module = ModuleType("IPython"), ModuleType("IPython.display")
    package.get_ipython = lambda: shell  # type: ignore[attr-defined]
    module.display = display  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", package)
    monkeypatch.setitem(sys.modules, "IPython.display", module)
    monkeypatch.setattr(_NotebookLine, "_cell", (None, None))
    return display, shell


def two_disks() -> carom.Simulation:
    particles = carom.Particles([[0.0, 0.0], [3.0, 0.0]], [[1.0, 0.0], [0.0, 0.0]])
    return carom.Simulation(carom.System(particles))


def test_a_notebook_has_one_line_below_the_cell(
    cell: tuple[_Display, SimpleNamespace], monkeypatch: pytest.MonkeyPatch
) -> None:
    display, shell = cell
    monkeypatch.setattr(_NotebookLine, "SECONDS_BEFORE", -1.0)
    monkeypatch.setattr(_NotebookLine, "SECONDS_BETWEEN", -1.0)
    simulation = two_disks()
    simulation.run(until=5.0)
    simulation.run(until=6.0)
    assert display.places == 1
    assert any(text.startswith("100 %  t = 5 of 5") for text in display.shown)
    assert display.shown[-1].startswith("t = 6 of 6  1 collisions  in 0.")
    shell.execution_count += 1
    simulation.run(until=7.0)
    assert display.places == 2
    simulation.run(until=8.0, progress=False)
    assert display.shown[-1].startswith("t = 7 of 7")


def test_a_line_of_a_notebook_says_that_a_run_stopped(
    cell: tuple[_Display, SimpleNamespace], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_NotebookLine, "SECONDS_BEFORE", -1.0)

    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), own_line(None) as line:
        line.compiling("Compiling ...")
        line.show("t = 1 of 4", 12, 0.25)
        stop()
    assert cell[0].shown[-1].startswith("stopped at 25 %:  t = 1 of 4  12 collisions  in 0.")


def test_short_runs_leave_no_line_in_a_notebook(cell: tuple[_Display, SimpleNamespace]) -> None:
    simulation = two_disks()
    simulation.run(until=1.0, progress=False)  # compiles
    simulation.run(until=5.0)
    assert cell[0].shown == []


def test_a_prompt_of_ipython_is_no_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    package = ModuleType("IPython")
    package.get_ipython = lambda: SimpleNamespace()  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", package)
    with own_line(None) as line:
        assert "Notebook" not in type(line).__name__


def test_scenes_are_compiled_ahead(folder: Path) -> None:
    result = CliRunner().invoke(app, ["warm-up", "cooling"])
    assert result.exit_code == 0, result.output
    assert "cooling: " in result.output
    assert list(folder.glob("*/*.code"))
    refused = CliRunner().invoke(app, ["warm-up", "cooling", "nonsense"])
    assert refused.exit_code != 0
    assert "no built-in scene of that name" in refused.output
