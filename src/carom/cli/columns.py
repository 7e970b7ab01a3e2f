"""Columns that the log of a run can have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from carom.methods import Counts
from carom.simulation import Simulation


def known_columns() -> list[str]:
    """The counts, and every property of a simulation that is one number."""
    numbers = [
        name
        for name, entry in vars(Simulation).items()
        if isinstance(entry, property)
        and entry.fget is not None
        and entry.fget.__annotations__.get("return") in ("float", "int")
    ]
    return [*numbers, *Counts._fields]


def temperature_column(group: str) -> str:
    """The name of the column for the temperature of a group of particles."""
    return f"temperature_{group}"


def temperature_of(members: slice) -> Callable[[Any], float]:
    """A function of a simulation: the temperature of some particles about their mean motion."""

    def temperature(simulation: Any) -> float:
        particles = simulation.particles
        mass, velocity = particles.mass[members], particles.velocity[members]
        n, dimension = velocity.shape
        mean = (mass[:, None] * velocity).sum(axis=0) / mass.sum()
        squares = (mass * ((velocity - mean) ** 2).sum(axis=1)).sum()
        return float(squares / (dimension * max(n - 1, 1)))

    return temperature
