"""A user's law, written in a script as the documentation shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

SCRIPT = """
from typing import NamedTuple

import carom
from carom.collisions import restitution


class HardWhenSlow(NamedTuple):
    coefficient: float
    threshold: float


@restitution.register(HardWhenSlow)
@carom.kernel
def _(contact, law):
    return law.coefficient if contact.approach_speed > law.threshold else 1.0


particles = carom.Particles(
    [[0.0, 0.0], [3.0, 0.0], [0.0, 9.0], [3.0, 9.0]],
    [[2.0, 0.0], [0.0, 0.0], [0.25, 0.0], [0.0, 0.0]],
)
simulation = carom.Simulation(
    carom.System(particles, law=HardWhenSlow(0.5, 1.0)), method=carom.EventDriven("simple")
)
simulation.run(until=20.0)
print(*simulation.particles.velocity[:, 0])
"""


def test_an_edited_law_runs_the_new_physics(tmp_path: Path, run_script: Any) -> None:
    """A fast pair and a slow one: v (1 − ε) / 2 and v (1 + ε) / 2 after a head-on collision."""
    script = tmp_path / "own_law.py"
    script.write_text(SCRIPT)
    first = run_script(script)
    assert first.returncode == 0, first.stderr
    assert [float(v) for v in first.stdout.split()] == pytest.approx([0.5, 1.5, 0.0, 0.25])

    script.write_text(SCRIPT.replace("else 1.0", "else 0.0"))
    second = run_script(script)
    assert second.returncode == 0, second.stderr
    assert [float(v) for v in second.stdout.split()] == pytest.approx([0.5, 1.5, 0.125, 0.125])
