"""Quantities by name: properties of a simulation, its counts, and components of its tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

TENSORS = ("stress", "kinetic_stress", "collisional_stress")
AXES = "xyz"


def component_names(dimension: int) -> list[str]:
    """The components of all tensors, ``stress_xy`` for example."""
    axes = AXES[:dimension]
    return [f"{tensor}_{a}{b}" for tensor in TENSORS for a in axes for b in axes]


def quantity(name: str) -> Callable[[Any], Any]:
    """A function of a simulation: the property, count or component of that name."""
    tensor, _, axes = name.rpartition("_")
    if tensor in TENSORS and len(axes) == 2 and set(axes) <= set(AXES):
        a, b = (AXES.index(axis) for axis in axes)
        return lambda simulation: float(getattr(simulation, tensor)[a, b])
    return lambda simulation: getattr(
        simulation.counts if hasattr(simulation.counts, name) else simulation, name
    )
