"""Several ways to carry 10,000 disks by a Taylor–Green flow, timed in turns.

For figure 23 of Sigurgeirsson, Stuart & Wan 2001.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import carom
from carom_studies.entry import Tell
from carom_studies.experiments.laden_flows import (
    DURATION,
    TAYLOR_GREEN,
    at_rest,
    method_of,
    outcome,
    scheme_options,
)
from carom_studies.experiments.processor_time import ProcessorTime

N = 10_000


def fixed_cells(**options: Any) -> dict[str, Any]:
    """Options of ``carom.Laden`` for N disks as in the paper, and these."""
    return {**scheme_options("fixed", N), **options}


def start_at(time: float) -> carom.System:
    """N disks as they are at a time in the flow; they were at rest at 0."""
    if time == 0.0:
        return at_rest(N)
    simulation = carom.Simulation(at_rest(N), method=method_of(TAYLOR_GREEN, **fixed_cells()))
    simulation.run(until=time, progress=False)
    return carom.System(simulation.particles, carom.Periodic((1.0, 1.0)))


def in_turns(
    methods: Mapping[str, carom.Laden], start: float, piece: float, rounds: int, tell: Tell
) -> dict[str, dict[str, Any]]:
    """Counts of each variant, and its processor times in each round, for DURATION units of time.

    All begin with the same disks and carry out a piece in each round, so that whatever else the
    machine does meets all of them alike.
    """
    tell(0.0, "disks gather")
    system = start_at(start)
    simulations = {name: carom.Simulation(system, method=m) for name, m in methods.items()}
    seconds: dict[str, list[float]] = {name: [] for name in methods}
    for turn in range(rounds):
        for number, (name, simulation) in enumerate(simulations.items()):
            tell((turn + number / len(methods)) / rounds, name)
            with ProcessorTime() as clock:
                simulation.run(until=(turn + 1) * piece, progress=False)
            seconds[name].append(clock.seconds * DURATION / piece)
    return {
        name: {
            **outcome(simulation, float(np.mean(seconds[name]))),
            "rounds": [round(each, 3) for each in seconds[name]],
        }
        for name, simulation in simulations.items()
    }
