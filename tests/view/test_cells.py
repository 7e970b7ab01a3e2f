"""The live view in the cells of a notebook, with a real kernel."""

from __future__ import annotations

import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import carom
from carom.view.where import ELSEWHERE

CELLS = (
    """
import time
import carom
particles, box = carom.packings.lattice(40, 0.2, dimension=2, temperature=1.0, seed=2)
sim = carom.Simulation(carom.System(particles, box))
show = sim.view(rate=5.0)
show
""",
    """
end = time.monotonic() + 300.0
while sim.time == 0.0 and time.monotonic() < end:
    time.sleep(0.05)
sim.time > 0.0
""",
    """
try:
    sim.view()
except RuntimeError as error:
    refusal = str(error)
refusal
""",
    """
show.stop()
reached = sim.time
sim.run(reached + 1.0)
again = sim.view(paused=True)
again.stop()
sim.time == reached + 1.0, show.error is None, again.is_over
""",
)
pytestmark = pytest.mark.apart


def test_a_view_in_a_cell_runs_ends_and_leaves_a_simulation_that_goes_on():
    notebook = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, CELLS)))
    sources = [str(Path(carom.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    here = {name: value for name, value in os.environ.items() if name not in ELSEWHERE}
    NotebookClient(notebook, kernel_name="python3", timeout=600).execute(
        env=here | {"PYTHONPATH": os.pathsep.join(filter(None, sources))}
    )
    told = [cell["outputs"][-1]["data"] for cell in notebook.cells]
    assert "<iframe" in told[0]["text/html"]
    assert told[1]["text/plain"] == "True"
    assert "shown already" in told[2]["text/plain"]
    assert told[3]["text/plain"] == "(True, True, True)"
