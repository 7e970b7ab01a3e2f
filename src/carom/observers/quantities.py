"""Quantities by name: properties of a simulation, its counts, components of its tensors, and
statistics of its particles."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
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
OF_FLUID = "fluid."
# What a table holds when nothing is named.
USUAL = (
    "collisions",
    "wall_collisions",
    "kinetic_energy",
    "energy",
    "temperature",
    "pressure",
    "compressibility",
)

Quantity = Callable[[Any], Any]
# Names that are known before there is a simulation, and whether each is a single number.
_told: dict[str, bool] = {}


def tell(kind: type, prefix: str = "") -> None:
    """Let the numbers and arrays that are properties of a class be known by name."""
    for base in kind.__mro__:
        for name, entry in vars(base).items():
            getter = entry.fget if isinstance(entry, property) else None
            returned = getter.__annotations__.get("return") if getter else None
            if not name.startswith("_") and returned in ("float", "int", "Array"):
                _told[prefix + name] = returned != "Array"


def tell_counts(names: Iterable[str]) -> None:
    """Let counts be known by name."""
    _told.update(dict.fromkeys(names, True))


def component_names(dimension: int) -> list[str]:
    """The components of all tensors, ``stress_xy`` for example."""
    axes = AXES[:dimension]
    return [f"{tensor}_{a}{b}" for tensor in TENSORS for a in axes for b in axes]


def known_names() -> list[str]:
    """All that can be asked for by name of one simulation or another."""
    return [*_told, *component_names(3), *STATISTICS]


def known_numbers() -> list[str]:
    """Those of them that are single numbers."""
    return [name for name in known_names() if _told.get(name, True)]


def columns_of(
    owner: object, names: Sequence[str], functions: Mapping[str, Quantity]
) -> dict[str, Quantity]:
    """Functions of a simulation by the names of their columns: ``time``, the quantities of these
    names, then functions of one's own. Without any of them, the usual ones."""
    if not names and not functions:
        names = USUAL
    who = type(owner).__name__
    columns = {name: quantity(who, name) for name in ("time", *names)}
    for name, function in functions.items():
        if not callable(function):
            raise TypeError(f"{who}: {name} must be a function of a simulation, not {function!r}.")
        if name in columns:
            raise ValueError(f"{who}: two columns would be called '{name}'; rename your function.")
        columns[name] = function
    return columns


def quantity(who: str, name: str) -> Quantity:
    """A function of a simulation: the property, count, component or statistic of that name."""
    if not isinstance(name, str):
        raise TypeError(
            f"{who}: a quantity has a name, such as 'energy', and is not {name!r}; several are "
            "given one after the other, and a function of the simulation under a name: "
            "fastest=function."
        )
    if name not in known_names():
        raise ValueError(
            f"{who}: a simulation has no quantity '{name}'{suggestion(name, known_names())}"
        )
    if name in STATISTICS:
        return STATISTICS[name]
    if name.startswith(OF_FLUID):
        return partial(_of_fluid, name.removeprefix(OF_FLUID))
    tensor, _, axes = name.rpartition("_")
    if tensor in TENSORS and len(axes) == 2:
        a, b = (AXES.index(axis) for axis in axes)
        return partial(_component, tensor, a, b)
    return partial(_named, name)


def _component(tensor: str, a: int, b: int, simulation: Any) -> float:
    return float(getattr(simulation, tensor)[a, b])


def _of_fluid(name: str, simulation: Any) -> Any:
    return getattr(simulation.fluid, name)


def _named(name: str, simulation: Any) -> Any:
    return getattr(simulation.counts if name in simulation.counts._fields else simulation, name)


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


def refuse_where_undefined(columns: Mapping[str, Quantity], simulation: Any) -> None:
    """Refuse, before a run, to look at what this simulation does not have."""
    dimension = simulation.system.dimension
    for name, function in columns.items():
        kind = function.func if isinstance(function, partial) else None
        if kind is _component and name not in component_names(dimension):
            raise ValueError(f"a simulation in {dimension} dimensions has no quantity '{name}'.")
        if kind is _of_fluid:
            try:
                function(simulation)
            except AttributeError as error:
                raise ValueError(f"there is no quantity '{name}': {error}") from error
    wanted = {name for name, function in columns.items() if STATISTICS.get(name) is function}
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
