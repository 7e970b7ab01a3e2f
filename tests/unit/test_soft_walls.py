"""Walls and friction of soft contacts; without a compiler, which needs longer than these runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

NEAR_A_WALL = """
import json
import carom

# Two disks rub against each other far from all walls; the third is near one and never touches it.
position = [[5.0, 5.0], [6.1, 5.3], [0.51, 2.0]]
velocity = [[2.0, 0.0], [-2.0, 0.0], [0.0, 0.0]]
system = carom.System(carom.Particles(position, velocity), carom.Box(10.0))
method = carom.SoftContacts(1e3, friction=0.5)
simulation = carom.Simulation(system, method=method)
simulation.run(until=0.3)
particles = simulation.particles
print(json.dumps({
    "position": particles.position.tolist(),
    "spin": particles.angular_velocity.tolist(),
    "counts": [simulation.counts.collisions, simulation.counts.wall_collisions],
}))
"""


def test_a_wall_that_is_not_touched_does_not_turn_anybody(tmp_path: Path, run_script: Any) -> None:
    script = tmp_path / "near_a_wall.py"
    script.write_text(NEAR_A_WALL)
    done = run_script(script, NUMBA_DISABLE_JIT="1")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["counts"] == [1, 0]
    assert found["spin"][0] == found["spin"][1] != 0.0
    assert found["spin"][2] == 0.0
    assert found["position"][2] == [0.51, 2.0]
