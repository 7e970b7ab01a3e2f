"""Quantities by name: properties of a simulation, its counts, components of its tensors, statistics
of its particles, and what is asked of one species of them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from carom.particles import Array, Particles, sum_of_squares
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


def is_one_number(name: str) -> bool:
    """Whether a known quantity of that name is a single number."""
    asked = OF_ONE.fullmatch(name)
    return asked["quantity"] not in ARRAYS_OF_SPECIES if asked else name in known_numbers()


def is_known(name: str) -> bool:
    """Whether there is a quantity of that name, of all particles or of some species."""
    asked = OF_ONE.fullmatch(name)
    return asked["quantity"] in OF_SPECIES if asked else name in known_names()


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
    asked = OF_ONE.fullmatch(name)
    if asked:
        return _quantity_of_species(who, **asked.groupdict())
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


def _quantity_of_species(who: str, quantity: str, species: str) -> Quantity:
    if quantity not in OF_SPECIES:
        raise ValueError(
            f"{who}: a species has no quantity '{quantity}'{suggestion(quantity, OF_SPECIES)}"
        )
    return partial(_of_species, quantity, species)


def refuse_other_species(name: str, names: Sequence[str]) -> None:
    """Refuse a quantity of a species that is none of these."""
    asked = OF_ONE.fullmatch(name)
    if asked and asked["species"] not in names:
        raise ValueError(
            f"there is no quantity '{name}', since no particle is of the species "
            f"'{asked['species']}'{suggestion(asked['species'], names)}"
        )


def _of_species(name: str, species: str, simulation: Any) -> Any:
    particles = simulation.particles
    return OF_SPECIES[name](simulation, particles, particles.of_species(species))


def _number(simulation: Any, particles: Particles, members: Any) -> int:
    return int(np.count_nonzero(members))


def _kinetic_energy(simulation: Any, particles: Particles, members: Any) -> float:
    return 0.5 * sum_of_squares(particles.mass[members], particles.velocity[members])


def _temperature(simulation: Any, particles: Particles, members: Any) -> float:
    """The sum of m v² over the degrees of freedom, with the peculiar velocity v.

    Where that is relative to the centre of mass of all, a species lacks the share of those degrees
    of freedom that it has of the mass: in equilibrium all species have one temperature.
    """
    mass, n = particles.mass, len(particles)
    if n == 0:
        return math.nan
    lacking = particles.dimension * n - simulation.degrees_of_freedom
    share = float(mass[members].sum() / mass.sum())
    freedom = particles.dimension * int(np.count_nonzero(members)) - lacking * share
    squares = sum_of_squares(mass[members], simulation.peculiar_velocity[members])
    return squares / freedom if freedom > 0.0 else math.nan


def _momentum(simulation: Any, particles: Particles, members: Any) -> Array:
    return np.einsum("i,ij->j", particles.mass[members], particles.velocity[members])


def _centre(simulation: Any, particles: Particles, members: Any) -> Array:
    mass = particles.mass[members]
    if len(mass) == 0:
        return np.full(particles.dimension, math.nan)
    return np.asarray(np.einsum("i,ij->j", mass, particles.unwrapped[members]) / mass.sum())


def _component(tensor: str, a: int, b: int, simulation: Any) -> float:
    return float(getattr(simulation, tensor)[a, b])


def _of_fluid(name: str, simulation: Any) -> Any:
    return getattr(simulation.fluid, name)


def _named(name: str, simulation: Any) -> Any:
    return getattr(simulation.counts if name in simulation.counts._fields else simulation, name)


def _collision_kernel(simulation: Any) -> float:
    """From the collisions since the start or ``reset_averages``; NaN before time has passed."""
    n, duration = simulation.mean_number, simulation.averaged_duration
    if duration <= 0.0 or n == 0.0:
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
        if isinstance(function, partial) and kind is _of_species:
            refuse_other_species(name, simulation.system.particles.species_names)
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


# 'temperature of "small"': a quantity of one species.
OF_ONE = re.compile(r'(?P<quantity>\S+) of "(?P<species>[^"]+)"')
OF_SPECIES: dict[str, Callable[[Any, Particles, Any], Any]] = {
    "centre": _centre,
    "kinetic_energy": _kinetic_energy,
    "momentum": _momentum,
    "number": _number,
    "temperature": _temperature,
}
ARRAYS_OF_SPECIES = ("centre", "momentum")

STATISTICS: dict[str, Callable[[Any], float]] = {
    "collision_kernel": _collision_kernel,
    "contact_distribution": _contact_distribution,
    "contact_radial_speed": _contact_radial_speed,
    "voronoi_deviation": _voronoi_deviation,
    "count_dispersion": _count_dispersion,
}
