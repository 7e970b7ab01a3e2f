"""What is worth knowing of a simulation."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

from carom.html.card import Fact, attempt, call, card, number
from carom.html.system_card import facts, picture


def simulation_card(simulation: Any) -> str:
    """A simulation as HTML, at the time that it has reached."""
    system = simulation.system
    # Before the first run to look would wait for the compiler, and nothing has moved.
    has_run = simulation.time > 0.0
    particles = (attempt(lambda: simulation.particles) if has_run else None) or system.particles
    title = f"Simulation: {system.particles.described} at time {number(simulation.time)}"
    told = [*_state(simulation, has_run), *facts(system), *_run_by(simulation)]
    return card(title, told, lambda: picture(system, particles))


def _state(simulation: Any, has_run: bool) -> Iterator[Fact]:
    """What has happened, and what a run has come to."""
    counts = simulation.counts
    for name in ("collisions", "wall_collisions", "steps"):
        if getattr(counts, name):
            yield name.replace("_", " "), partial("{:,}".format, getattr(counts, name))
    if has_run:
        yield "temperature", lambda: number(simulation.temperature)
        yield "energy", lambda: number(simulation.energy)
        if math.isfinite(simulation.system.volume):
            yield "mean pressure", lambda: number(simulation.pressure)


def _run_by(simulation: Any) -> Iterator[Fact]:
    """How it runs, who acts and who looks."""
    yield "method", lambda: call(simulation.method)
    if not math.isnan(simulation.dt):
        yield "dt", lambda: number(simulation.dt)
    for name in ("actors", "observers"):
        kinds = [type(one).__name__ for one in getattr(simulation, name)]
        if kinds:
            yield name, partial(", ".join, kinds)
