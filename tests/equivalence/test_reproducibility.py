"""The same system gives the same run, bit for bit, whoever looks and however it is cut."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starts import ALGORITHMS, STARTS, mixture

import carom

END = 5.0


def hot(domain: Any, walls: Any = ()) -> Callable[[int], carom.System]:
    """Elastic disks so fast that cells and the origin of times change several times."""

    def make(seed: int) -> carom.System:
        rng = np.random.default_rng(seed)
        particles = mixture(28, carom.Box(8.5), rng, 2)
        particles.velocity *= 20.0
        law = carom.ConstantRestitution(1.0)
        return carom.System(particles, domain, law=law, walls=walls)

    return make


PLANES = [
    carom.Plane([0.0, 0.0], [1.0, 0.0]),
    carom.Plane([0.0, 0.0], [0.0, 1.0]),
    carom.Plane([8.5, 8.5], [-1.0, 0.0]),
    carom.Plane([8.5, 8.5], [0.0, -1.0]),
]
MAKERS = {start.name: start.make for start in STARTS} | {
    "hot 2D": hot(carom.Box(8.5)),
    "hot, open 2D": hot(carom.Open(), PLANES),
}
CASES = [
    *[("hot 2D", {"algorithm": algorithm}) for algorithm in ALGORITHMS],
    *[("gravity 2D", {"algorithm": algorithm}) for algorithm in ALGORITHMS],
    ("periodic 3D", {"algorithm": "heap"}),
    ("acceleration 2D", {"algorithm": "heap"}),
    ("acceleration 2D", {"algorithm": "simple"}),
    ("resting 2D", {"algorithm": "heap", "resting": True}),
    ("resting 2D", {"algorithm": "collision_list", "resting": True}),
    ("hot, open 2D", {"algorithm": "heap"}),
    ("hot 2D", {"algorithm": "heap", "adaptive": True}),
    ("periodic 3D", {"algorithm": "cells"}),
    ("resting 2D", {"algorithm": "cells", "resting": True}),
    ("hot, open 2D", {"algorithm": "cells"}),
    ("hot 2D", {"algorithm": "lists"}),
    ("hot, open 2D", {"algorithm": "lists"}),
]
each_case = pytest.mark.parametrize(
    ("name", "options"), CASES, ids=lambda case: case if isinstance(case, str) else str(case)
)


def simulation_of(name: str, options: dict[str, Any], observers: Any = ()) -> carom.Simulation:
    method = carom.EventDriven(**options)
    return carom.Simulation(MAKERS[name](2), method=method, observers=observers, seed=5)


def fingerprint(simulation: carom.Simulation) -> str:
    """A digest of every bit that physics depends on, and of the averages and counts.

    The pairs that were tested do not belong to it: the simple algorithm looks for the next event
    again after each stop.
    """
    particles = simulation.particles
    digest = hashlib.sha256()
    for array in (particles.position, particles.velocity, particles.unwrapped):
        digest.update(array.tobytes())
    numbers = (
        simulation.time,
        simulation.energy,
        simulation.pressure,
        simulation.mean_temperature,
        simulation.dissipated_energy,
        *simulation.wall_pressures,
    )
    digest.update(np.array(numbers).tobytes())
    digest.update(str(simulation.counts._replace(pair_tests=0)).encode())
    return digest.hexdigest()


def in_pieces(simulation: carom.Simulation) -> None:
    simulation.run(until=0.1)
    simulation.run(collisions=7)
    for _ in range(5):
        simulation.run(duration=0.0371)
    simulation.run(collisions=0)
    simulation.run(duration=0.0)
    while simulation.time < 1.0:
        simulation.run(collisions=1)
    simulation.run(until=END)


def with_looks(simulation: carom.Simulation) -> None:
    def look() -> None:
        assert simulation.pressure is not None
        assert len(simulation.particles) == len(simulation.system.particles)

    simulation.run(until=END, after_each_piece=look)


def whole(simulation: carom.Simulation) -> None:
    simulation.run(until=END)


def with_progress(simulation: carom.Simulation) -> None:
    simulation.run(until=END, progress=True)


def observers_of(kind: str, folder: Path) -> list[carom.Observer]:
    if kind == "records":
        return [carom.Record(0.0713, "energy", "pressure"), carom.Call(1.0 / 7.0, fingerprint)]
    if kind == "log":
        return [carom.CollisionLog()]
    if kind == "saves":
        return [carom.Call(0.37, lambda simulation: simulation.save(folder / "middle.carom"))]
    return []


@each_case
def test_nothing_that_looks_changes_a_run(
    name: str, options: dict[str, Any], tmp_path: Path, capsys: Any
) -> None:
    reference = simulation_of(name, options)
    reference.run(until=END)
    assert reference.counts.collisions > 10
    # Only the cells of the heap follow the particles, or adapt.
    follows = options["algorithm"] == "heap" and ("open" in name or "adaptive" in options)
    assert (reference.counts.rebuilds > 2) == follows
    assert (reference.counts.came_to_rest > 1) == ("resting" in name)
    expected = fingerprint(reference)
    ways: list[tuple[str, Callable[[carom.Simulation], None]]] = [
        ("again", whole),
        ("records", whole),
        ("log", whole),
        ("saves", whole),
        ("progress", with_progress),
        ("looks", with_looks),
        ("pieces", in_pieces),
    ]
    for kind, run in ways:
        simulation = simulation_of(name, options, observers_of(kind, tmp_path))
        run(simulation)
        assert fingerprint(simulation) == expected, kind
    assert "collisions" in capsys.readouterr().err


@each_case
def test_a_loaded_simulation_goes_on_bit_for_bit(
    name: str, options: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "state.carom"
    whole_log, log_before, log_after = (carom.CollisionLog() for _ in range(3))
    reference = simulation_of(name, options, [whole_log])
    reference.run(until=END / 4.0)
    reference.reset_averages()
    reference.run(until=END)

    interrupted = simulation_of(name, options, [log_before])
    interrupted.run(until=END / 4.0)
    interrupted.reset_averages()
    interrupted.run(until=END / 2.0)
    assert interrupted.counts.rebuilds > 1 or "adaptive" not in options
    interrupted.save(path)
    loaded = carom.load(path, observers=[log_after])
    assert fingerprint(loaded) == fingerprint(interrupted)
    loaded.run(until=END)
    assert fingerprint(loaded) == fingerprint(reference)
    for column in ("time", "i", "j", "impulse", "separation"):
        joined = np.concatenate([log_before[column], log_after[column]])
        np.testing.assert_array_equal(joined, whole_log[column])


def test_a_checkpoint_of_a_simulation_that_has_not_run(tmp_path: Path) -> None:
    simulation = simulation_of("hot 2D", {})
    simulation.save(tmp_path / "state.carom")
    loaded = carom.load(tmp_path / "state.carom")
    for either in (simulation, loaded):
        either.run(until=1.0)
    assert fingerprint(loaded) == fingerprint(simulation)
    assert loaded.random.random(5).tolist() == simulation.random.random(5).tolist()


def test_observers_go_on_with_their_schedules(tmp_path: Path) -> None:
    path, times = tmp_path / "state.carom", carom.Record(0.17)
    simulation = simulation_of("hot 2D", {}, [times])
    simulation.run(until=1.0)
    simulation.save(path)
    later = carom.Record(0.17)
    carom.load(path, observers=[later]).run(until=2.0)
    simulation.run(until=2.0)
    before = times["time"][: times.looks - later.looks]
    assert np.concatenate([before, later["time"]]).tolist() == times["time"].tolist()
    assert later.looks == 6  # at 1.02, 1.19, ..., 1.87


IN_A_FRESH_PROCESS = """
import sys
import carom
sys.path.insert(0, sys.argv[1])
from test_reproducibility import END, fingerprint
for path in sys.argv[2:]:
    simulation = carom.load(path)
    simulation.run(until=END)
    print(fingerprint(simulation))
"""


def test_a_fresh_process_goes_on_bit_for_bit(tmp_path: Path, run_script: Any) -> None:
    script = tmp_path / "go_on.py"
    script.write_text(IN_A_FRESH_PROCESS)
    paths, expected = [], []
    for k, (name, options) in enumerate(CASES):
        simulation = simulation_of(name, options)
        simulation.run(until=END / 2.0)
        paths.append(tmp_path / f"{k}.carom")
        simulation.save(paths[-1])
        simulation.run(until=END)
        expected.append(fingerprint(simulation))
    finished = run_script(script, Path(__file__).parent, *paths)
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.split() == expected
