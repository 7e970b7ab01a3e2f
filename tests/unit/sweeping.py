"""What tests of sweeps share: a small gas, and runs one after the other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import carom
from carom.sweeps.points import described, place_of
from carom.sweeps.run import seeds_of

END = {"until": 2.0}


def gas(restitution: float, random: np.random.Generator, phi: float = 0.3) -> carom.System:
    """A gas that starts at random."""
    particles, box = carom.packings.lattice(30, phi, dimension=2, seed=random.integers(2**32))
    return carom.System(particles, box, law=carom.ConstantRestitution(restitution))


def bath(restitution: float, random: np.random.Generator) -> carom.Simulation:
    """The same with random numbers on the way and an observer that keeps what it saw."""
    actors = [carom.AndersenThermostat(temperature=1.0, every=0.3, rate=1.0)]
    observers = [carom.Record(0.1, "energy")]
    return carom.Simulation(gas(restitution, random), actors=actors, observers=observers)


def measure(sim: carom.Simulation) -> dict[str, Any]:
    """Numbers in which every bit of the particles shows."""
    return {
        "T": sim.temperature,
        "collisions": sim.counts.collisions,
        "x": sim.particles.unwrapped[:3],
    }


def one_after_the_other(build: Any, points: list[dict[str, Any]], replicas: int, seed: int) -> Any:
    """What the runs of a sweep come to in a plain loop."""
    found = []
    for point in points:
        for replica in range(replicas):
            plain = {name: described(name, value) for name, value in point.items()}
            numbers = np.random.SeedSequence(seeds_of(seed, place_of(plain, replica)))
            of_start, of_run = numbers.spawn(2)
            made = build(random=np.random.default_rng(of_start), **point)
            if isinstance(made, carom.Simulation):
                made.random = np.random.default_rng(of_run)
            else:
                made = carom.Simulation(made, seed=of_run)
            made.run(END["until"])
            found.append(measure(made))
    return found


def rows_in(folder: Path) -> list[str]:
    """The lines of all rows."""
    lines = [
        line for file in (folder / "rows").glob("*.jsonl") for line in file.read_text().split("\n")
    ]
    return [line for line in lines if '"run"' in line and '"values"' in line]
