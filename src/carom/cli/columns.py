"""Columns that the log of a run can have."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from carom.observers.quantities import OF_FLUID, component_names


def needs_depth(name: str) -> bool:
    """Whether a column exists in three dimensions only."""
    return name in component_names(3) and name not in component_names(2)


def needs_coupling(name: str) -> bool:
    """Whether a column is about a fluid that particles act upon."""
    return name.startswith(OF_FLUID)


def group_columns(name: str, members: slice, dimension: int) -> dict[str, Callable[[Any], float]]:
    """Columns about a group of particles: its temperature, and where its centre of mass is."""
    columns = {f"temperature_{name}": _temperature_of(members)}
    for axis, letter in enumerate("xyz"[:dimension]):
        columns[f"centre_{letter}_{name}"] = _centre_of(members, axis)
    return columns


def _rows(particles: Any, members: slice) -> slice:
    """The rows of those of a group who are still there."""
    return slice(*np.searchsorted(particles.identity, [members.start or 0, members.stop]).tolist())


def _temperature_of(members: slice) -> Callable[[Any], float]:
    """A function of a simulation: the temperature of some particles about their mean motion."""

    def temperature(simulation: Any) -> float:
        particles = simulation.particles
        there = _rows(particles, members)
        mass, velocity = particles.mass[there], particles.velocity[there]
        if len(mass) == 0:
            return math.nan
        n, dimension = velocity.shape
        mean = (mass[:, None] * velocity).sum(axis=0) / mass.sum()
        squares = (mass * ((velocity - mean) ** 2).sum(axis=1)).sum()
        return float(squares / (dimension * max(n - 1, 1)))

    return temperature


def _centre_of(members: slice, axis: int) -> Callable[[Any], float]:
    """A function of a simulation: where the centre of mass of some particles is along an axis."""

    def centre(simulation: Any) -> float:
        particles = simulation.particles
        there = _rows(particles, members)
        mass, place = particles.mass[there], particles.unwrapped[there, axis]
        if len(mass) == 0:
            return math.nan
        return float((mass * place).sum() / mass.sum())

    return centre
