"""Every notebook runs, and is stored with outputs that show something."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

import carom

NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples" / "notebooks").glob("*.ipynb"))
LONG = ("equation_of_state", "particles_in_a_flow", "sheared_grains")
SLOW = [
    pytest.param(path, marks=pytest.mark.slow if path.stem in LONG else (), id=path.stem)
    for path in NOTEBOOKS
]
MOST_BYTES = 400_000
pytestmark = pytest.mark.apart


class Client(NotebookClient):
    """Runs cells, and keeps what the kernel says of displays."""

    said: list[tuple[int, str, Any]]

    def process_message(self, msg: Any, cell: Any, cell_index: int) -> Any:
        """Keep the message, and do with it what is always done."""
        if "display" in msg["msg_type"]:
            self.said.append((cell_index, msg["msg_type"], msg["content"]["data"]))
        return super().process_message(msg, cell, cell_index)


def run(notebook: Any, folder: Path) -> list[tuple[int, str, Any]]:
    """Run all cells with the same carom; an error of one is one of the test."""
    client = Client(notebook, kernel_name="python3", resources={"metadata": {"path": str(folder)}})
    client.said = []
    sources = [str(Path(carom.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    client.execute(env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sources))})
    return client.said


def contents(notebook: Any) -> list[str]:
    """What the outputs of a notebook hold, each in the richest form."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    forms = [
        [output["text"]] if "text" in output else [*output["data"].values()] for output in outputs
    ]
    return [max(form, key=len) for form in forms]


@pytest.mark.parametrize("path", SLOW)
def test_notebook(path: Path, tmp_path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    stored = contents(notebook)
    run(notebook, tmp_path)
    assert len(stored) >= 4
    assert all(text.strip() for text in stored + contents(notebook))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_is_stored_with_outputs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert 8 <= len(notebook.cells) <= 15
    assert path.stat().st_size < MOST_BYTES
    kinds = {
        kind
        for cell in notebook.cells
        for o in cell.get("outputs", ())
        for kind in o.get("data", ())
    }
    assert {"image/png", "text/html"} <= kinds
    assert "## Questions" in notebook.cells[-1].source
    assert not any("Warning" in text for text in contents(notebook))


def test_there_are_six() -> None:
    assert len(NOTEBOOKS) == 6


def test_a_cell_shows_one_line_that_is_written_again(tmp_path: Path) -> None:
    notebook = nbformat.v4.new_notebook()
    cells = [
        "import carom\n"
        "particles, box = carom.packings.lattice(400, 0.2, temperature=1.0, seed=1)\n"
        "sim = carom.Simulation(carom.System(particles, box))",
        "sim.run(collisions=1)\n"
        "from carom.progress import _NotebookLine\n"
        "_NotebookLine.SECONDS_BEFORE = _NotebookLine.SECONDS_BETWEEN = -1.0\n"
        "sim.run(until=1.0)\nsim.run(until=2.0)",
        "sim.run(until=3.0, progress=False)",
        "sim",
    ]
    notebook.cells = [nbformat.v4.new_code_cell(source) for source in cells]
    said = run(notebook, tmp_path)
    assert [kind for _, kind, _ in said[:2]] == ["display_data", "update_display_data"]
    assert [kind for _, kind, _ in said].count("display_data") == 1
    (line,) = notebook.cells[1].outputs
    assert line["data"]["text/plain"].startswith("t = 2 of 2")
    assert notebook.cells[2].outputs == []
    assert "at time 3" in notebook.cells[3].outputs[0]["data"]["text/html"]
