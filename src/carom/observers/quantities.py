"""Quantities by name: properties of a simulation, its counts, components of its tensors, and
statistics of its particles."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from carom.spelling import suggestion
from carom.statistics import (
    Contact,
    box_around,
    box_counts,
    collision_kernel,
    count_dispersion,
    pair_shells,
    relative_deviation,
    voronoi_volumes,
)

TENSORS = ("stress", "kinetic_stress", "collisional_stress")
AXES = "xyz"


def component_names(dimension: int) -> list[str]:
    """The components of all tensors, ``stress_xy`` for example."""
    axes = AXES[:dimension]
    return [f"{tensor}_{a}{b}" for tensor in TENSORS for a in axes for b in axes]


def quantity(name: str) -> Callable[[Any], Any]:
    """A function of a simulation: the property, count, component or statistic of that name."""
    if not isinstance(name, str):
        raise TypeError(
            f"a quantity has a name, such as 'energy', and is not {name!r}; a function of the "
            "simulation goes under a name: fastest=function."
        )
    if name in STATISTICS:
        return STATISTICS[name]
    tensor, _, axes = name.rpartition("_")
    if tensor in TENSORS and len(axes) == 2 and set(axes) <= set(AXES):
        a, b = (AXES.index(axis) for axis in axes)
        return partial(_component, tensor, a, b)
    return partial(_named, name)


def own_quantities(functions: dict[str, Any]) -> dict[str, Callable[[Any], Any]]:
    """Functions of a simulation under names, if they are functions."""
    for name, function in functions.items():
        if not callable(function):
            raise TypeError(f"{name} must be a function of the simulation, not {function!r}.")
    return functions


def _component(tensor: str, a: int, b: int, simulation: Any) -> float:
    return float(getattr(simulation, tensor)[a, b])


def _named(name: str, simulation: Any) -> Any:
    return getattr(simulation.counts if name in simulation.counts._fields else simulation, name)


def _known(simulation: Any) -> set[str]:
    """What can be asked for by name: counts, properties, and what somebody has attached."""
    properties = (name for name in dir(type(simulation)) if _is_property(type(simulation), name))
    names = {*simulation.counts._fields, *vars(simulation), *properties, *STATISTICS}
    names |= set(component_names(simulation.system.dimension))
    return {name for name in names if not name.startswith("_")}


def _is_property(kind: type, name: str) -> bool:
    return isinstance(getattr(kind, name), property)


def _collision_kernel(simulation: Any) -> float:
    """From the collisions since the start or ``reset_averages``; NaN before time has passed."""
    n, duration = len(simulation.system.particles), simulation.averaged_duration
    if duration <= 0.0:
        return math.nan
    collisions = 0.5 * n * duration / simulation.mean_free_time
    return float(collision_kernel(collisions, duration, n, simulation.system.volume))


def _contact(simulation: Any) -> Contact:
    """In one look there are few pairs near contact: their mean, without a slope."""
    return pair_shells(simulation.particles, box_around(simulation)).contact(order=0)


def _contact_distribution(simulation: Any) -> float:
    return _contact(simulation).distribution


def _contact_radial_speed(simulation: Any) -> float:
    return _contact(simulation).radial_speed


def _voronoi_deviation(simulation: Any) -> float:
    cells = voronoi_volumes(simulation.particles.position, box_around(simulation))
    return relative_deviation(cells)


def _count_dispersion(simulation: Any) -> float:
    return count_dispersion(box_counts(simulation.particles.position, box_around(simulation)))


def refuse_where_undefined(functions: Mapping[str, Any], simulation: Any) -> None:
    """Refuse, before a run, to look at what this simulation does not have."""
    known = _known(simulation)
    for name, function in functions.items():
        by_name = isinstance(function, partial) and function.func in (_component, _named)
        if by_name and name not in known:
            raise ValueError(f"a simulation has no quantity '{name}'{suggestion(name, known)}")
    wanted = {name for name, function in functions.items() if STATISTICS.get(name) is function}
    if "collision_kernel" in wanted:
        collision_kernel(0, 1.0, len(simulation.system.particles), simulation.system.volume)
    if wanted - {"collision_kernel"}:
        box_around(simulation)


STATISTICS: dict[str, Callable[[Any], float]] = {
    "collision_kernel": _collision_kernel,
    "contact_distribution": _contact_distribution,
    "contact_radial_speed": _contact_radial_speed,
    "voronoi_deviation": _voronoi_deviation,
    "count_dispersion": _count_dispersion,
}
