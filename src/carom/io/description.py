"""Systems, methods and actors as plain data, and back."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import MISSING, asdict, fields, is_dataclass, replace
from typing import Any

import numpy as np

from carom import (
    actors,
    collisions,
    domains,
    drags,
    fluids,
    forces,
    methods,
    regions,
    sizes,
    walls,
)
from carom.actors import Actor
from carom.domains import Plane
from carom.errors import CheckpointError
from carom.methods import Method
from carom.neighbours import pairs
from carom.particles import Particles
from carom.representation import defaults_of
from carom.system import System
from carom.types import Columns, Plain
from carom.walls import Shape

# Where methods and the components among their options come from.
COMPONENTS = (methods, pairs, fluids, drags)
OF_ACTORS = (actors, regions, sizes)


# Arrays with more numbers are known by a hash; who has one hands it over again anyway.
MOST_NUMBERS = 100


def described_law(law: Any) -> Plain:
    """A law or a force as its name and parameters; laws inside laws likewise."""
    if isinstance(law, collisions.ByPair):
        return _described_table(law)
    parameters = {name: _described_parameter(value) for name, value in law._asdict().items()}
    return {"name": type(law).__name__, "ours": _is_ours(law), "parameters": parameters}


def _described_table(table: collisions.ByPair) -> dict[str, Any]:
    """Laws by pair of species as a list of rows."""
    rows = [[*pair, described_law(law)] for pair, law in table.table.items()]
    otherwise = None if table.otherwise is None else described_law(table.otherwise)
    parameters = {"table": rows, "otherwise": otherwise}
    return {"name": type(table).__name__, "ours": True, "parameters": parameters}


def _described_parameter(value: Any) -> Any:
    """What JSON can hold of a parameter that compiled code can hold."""
    if isinstance(value, np.ndarray):
        return _described_array(value)
    if hasattr(value, "_asdict") or isinstance(value, collisions.ByPair):
        return described_law(value)
    if isinstance(value, tuple):
        return [_described_parameter(part) for part in value]
    return _described_option(value)


def _described_array(array: Any) -> Plain:
    numbers = np.ascontiguousarray(array)
    described = {"dtype": array.dtype.str, "shape": list(array.shape)}
    if array.size > MOST_NUMBERS:
        return described | {"hash": hashlib.sha256(numbers.tobytes()).hexdigest()}
    return described | {"array": _described_option(numbers.ravel())}


def _is_component(description: Any) -> bool:
    return isinstance(description, dict) and "parameters" in description


def same(one: Any, other: Any) -> bool:
    """Whether two descriptions are of the same: numbers that are none are equal, too."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other) or (one != one and other != other)


def _is_ours(law: Any) -> bool:
    name = type(law).__name__
    return any(getattr(module, name, None) is type(law) for module in (collisions, forces))


def foreign_laws(description: Plain) -> list[str]:
    """The names of the laws in a description that are the user's own."""
    names = [] if description["ours"] else [description["name"]]
    return names + [name for law in _laws_in(description) for name in foreign_laws(law)]


def _laws_in(description: dict[str, Any]) -> list[dict[str, Any]]:
    """The descriptions in one, of components and of those in a table by pair."""
    parameters = description["parameters"]
    rows = parameters["table"] if description["name"] == collisions.ByPair.__name__ else []
    inner = [*parameters.values(), *(law for *_, law in rows)]
    return list(filter(_is_component, inner))


def law_from(description: Plain, given: Any, what: str = "law") -> Any:
    """The law described; a law of the user's own has to be handed over and must be the same.

    The same for a force, if that is ``what`` it is.
    """
    if given is not None:
        is_law = hasattr(given, "_asdict") or isinstance(given, collisions.ByPair)
        if not (is_law and same(described_law(given), description)):
            raise CheckpointError(
                f"the checkpoint was made with the {what} {spelled(description)}, but "
                f"{what}={given!r} was handed over; the run would not continue as it was."
            )
        return given
    foreign = foreign_laws(description)
    if foreign:
        raise CheckpointError(
            f"the checkpoint was made with a {what} of your own, {foreign[0]}; hand it over again: "
            f"carom.load(path, {what}={spelled(description)})."
        )
    parameters = {
        name: law_from(value, None) if _is_component(value) else value
        for name, value in description["parameters"].items()
    }
    if description["name"] == collisions.ByPair.__name__:
        parameters["table"] = {(a, b): law_from(law, None) for a, b, law in parameters["table"]}
    return getattr(forces if what == "force" else collisions, description["name"])(**parameters)


def _force_from(description: Plain | None, given: Any) -> Any:
    """The force described, if there was one."""
    if description is not None:
        return law_from(description, given, "force")
    if given is not None:
        raise CheckpointError(
            f"the checkpoint was made without a force, but force={given!r} was handed over; the "
            "run would not continue as it was."
        )
    return None


def spelled(description: Plain) -> str:
    """The call that makes what is described, without arguments that are left to their defaults."""
    if description["name"] == collisions.ByPair.__name__:
        return _spelled_table(**description["parameters"])
    defaults = _described_defaults(description)
    parts = (
        f"{name}={_spelled_value(value)}"
        for name, value in description["parameters"].items()
        if not (name in defaults and same(value, defaults[name]))
    )
    return f"{description['name']}({', '.join(parts)})"


def _described_defaults(description: Plain) -> Plain:
    """The defaults of a class of ours, described; the classes of others are not known, and
    observers show all of their settings."""
    if not description.get("ours"):
        return {}
    homes = (*COMPONENTS, *OF_ACTORS, collisions, domains, forces)
    found = (getattr(module, description["name"], None) for module in homes)
    kind = next(one for one in found if one is not None)
    defaults = defaults_of(kind).items()
    return {name: _described_option(value) for name, value in defaults if value is not MISSING}


def spelled_domain(description: Plain) -> str:
    """The call that makes the domain of a system described."""
    parameters = {name: value for name, value in description.items() if name != "name"}
    return spelled({"name": description["name"], "ours": True, "parameters": parameters})


def _spelled_table(table: list[Any], otherwise: Plain | None) -> str:
    rows = ", ".join(f"({a!r}, {b!r}): {spelled(law)}" for a, b, law in table)
    last = "" if otherwise is None else f", otherwise={spelled(otherwise)}"
    return f"ByPair({{{rows}}}{last})"


def _spelled_value(value: Any) -> str:
    if _is_component(value):
        return spelled(value)
    if isinstance(value, dict) and "shape" in value:
        return f"<array of shape {tuple(value['shape'])}>"
    if isinstance(value, dict) and "complex" in value:
        return repr(complex(*value["complex"]))
    if isinstance(value, list):
        return f"({', '.join(map(_spelled_value, value))})"
    return repr(value)


def described_system(system: System) -> Plain:
    """A system without its arrays."""
    return {
        "domain": {"name": type(system.domain).__name__} | asdict(system.domain),
        "law": described_law(system.law),
        "gravity": None if system.gravity is None else system.gravity.tolist(),
        "walls": [_described_wall(wall) for wall in system.walls],
        "force": None if system.force is None else described_law(system.force),
        "species_names": list(system.particles.species_names),
        "under_way": system.under_way,
    }


def _described_wall(wall: Plane | Shape) -> Plain:
    """A wall without its arrays."""
    if isinstance(wall, Plane):
        return asdict(wall)
    options = {name: getattr(wall, name) for name in defaults_of(type(wall))}
    plain = {name: x for name, x in options.items() if not isinstance(x, np.ndarray)}
    return {"shape": type(wall).__name__} | plain


def arrays_of_walls(system: System) -> Columns:
    """The arrays of all walls that have any, by name."""
    return {
        f"system.walls.{k}.{name}": value
        for k, wall in enumerate(system.walls)
        for name in defaults_of(type(wall))
        if isinstance(value := getattr(wall, name), np.ndarray)
    }


def _wall_from(k: int, description: Plain, arrays: Columns) -> Plane | Shape:
    """The wall described; the only ones that are known are planes and those of ``walls``."""
    options = dict(description)
    shape = options.pop("shape", None)
    if shape is None:
        return Plane(**options)
    kind = getattr(walls, shape, None)
    if kind is None:
        raise CheckpointError(
            f"the checkpoint was made with a wall of your own, {shape}, which it cannot make "
            "again. Make the system anew, or use the shapes of carom.walls."
        )
    start = f"system.walls.{k}."
    own = {name[len(start) :]: x for name, x in arrays.items() if name.startswith(start)}
    return kind(**options, **own)  # type: ignore[no-any-return]


def system_from(description: Plain, arrays: Columns, law: Any, force: Any) -> System:
    """The system described, with the arrays of its particles."""
    domain = dict(description["domain"])
    particles = _particles_from(description["species_names"], arrays)
    return System(
        particles,
        getattr(domains, domain.pop("name"))(**domain),
        law=law_from(description["law"], law),
        gravity=description["gravity"],
        acceleration=arrays.get("system.acceleration"),
        walls=[_wall_from(k, wall, arrays) for k, wall in enumerate(description["walls"])],
        force=_force_from(description["force"], force),
        under_way=description.get("under_way", False),
    )


def _particles_from(names: Sequence[str], arrays: Columns) -> Particles:
    position = arrays["system.position"]
    if len(position) == 0:
        return Particles.none(position.shape[1], names)
    return Particles(
        position,
        arrays["system.velocity"],
        arrays["system.radius"],
        arrays["system.mass"],
        angular_velocity=arrays.get("system.angular_velocity"),
        species=arrays.get("system.species"),
        species_names=names,
        identity=arrays.get("system.identity"),
    )


def described_method(method: Method) -> Plain:
    """A method as its name and options; components among these likewise."""
    return _described_component(method)


def _described_component(component: Any) -> Plain:
    """A method, or an option of one that has parameters, as its name and these."""
    kind = type(component)
    if isinstance(component, fluids.GridField):  # its frames stay where they came from
        shape = list(component.velocity.shape)
        return {"name": kind.__name__, "ours": False, "parameters": {"shape": shape}}
    if hasattr(component, "_asdict"):
        parameters = component._asdict()
    elif is_dataclass(component):
        options = (field.name for field in fields(component) if field.init)
        parameters = {name: getattr(component, name) for name in options}
    else:  # a function of the user's own
        name = getattr(component, "__qualname__", kind.__qualname__)
        return {"name": name, "ours": False, "parameters": {}}
    return {
        "name": kind.__name__,
        "ours": any(getattr(m, kind.__name__, None) is kind for m in (*COMPONENTS, *OF_ACTORS)),
        "parameters": {name: _described_option(value) for name, value in parameters.items()},
    }


def _described_option(value: Any) -> Any:
    """What JSON can hold of any option: of what it cannot, the name."""
    if isinstance(value, np.ndarray):
        return _described_option(value.tolist())
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, complex):
        return {"complex": [value.real, value.imag]}
    if isinstance(value, dict):
        return {"items": [_described_option(item) for item in value.items()]}
    if isinstance(value, list) or type(value) is tuple:
        return [_described_option(part) for part in value]
    return _described_component(value)


def method_from(description: Plain, given: Method | None) -> Method:
    """The method described; one with a component of the user's own has to be handed over."""
    if given is not None:
        chosen = description["parameters"].get("dt")
        if getattr(given, "dt", None) == "auto" and chosen != "auto":  # it was chosen before
            given = replace(given, dt=chosen)  # type: ignore[type-var]
        if not same(described_method(given), description):
            raise CheckpointError(
                f"the checkpoint was made with the method {spelled(description)}, but "
                f"method={given!r} was handed over; the run would not continue as it was."
            )
        return given
    foreign = foreign_laws(description)
    if foreign:
        raise CheckpointError(
            f"the checkpoint was made with a component of your own, {foreign[0]}; hand the method "
            f"over again: carom.load(path, method={spelled(description)})."
        )
    return _component_from(description)  # type: ignore[no-any-return]


def _component_from(description: Plain, homes: Sequence[Any] = COMPONENTS) -> Any:
    found = (getattr(module, description["name"], None) for module in homes)
    kind = next(one for one in found if one is not None)
    parameters = {
        name: _component_from(value, homes) if _is_component(value) else value
        for name, value in description["parameters"].items()
    }
    return kind(**parameters)


def described_actor(actor: Actor) -> Plain:
    """An actor as its name and parameters."""
    ours = getattr(actors, type(actor).__name__, None) is type(actor)
    names = [field.name for field in fields(actor)]  # type: ignore[arg-type]
    parameters = {name: _described_option(getattr(actor, name)) for name in names}
    return {"name": type(actor).__name__, "ours": ours, "parameters": parameters}


def actors_from(descriptions: Sequence[Plain], given: Sequence[Actor] | None) -> Sequence[Actor]:
    """The actors described; when one is of the user's own, all have to be handed over."""
    if given is not None:
        if len(given) == len(descriptions):
            given = [_as_often(actor, one) for actor, one in zip(given, descriptions, strict=True)]
        if not same([described_actor(actor) for actor in given], list(descriptions)):
            raise CheckpointError(
                f"the checkpoint was made with the actors {_spelled_list(descriptions)}, but "
                f"actors={list(given)!r} were handed over; the run would not continue as it was."
            )
        return given
    for description in descriptions:
        foreign = foreign_laws(description)
        if foreign:
            raise CheckpointError(
                f"the checkpoint was made with an actor of your own, {foreign[0]}; hand "
                f"all of them over again: carom.load(path, actors={_spelled_list(descriptions)})."
            )
    return [_component_from(one, OF_ACTORS) for one in descriptions]


def _as_often(actor: Actor, description: Plain) -> Actor:
    """An actor that was not told how often to act acts as often as it did."""
    if getattr(actor, "every", None) is not None:
        return actor
    return replace(actor, every=description["parameters"].get("every"))  # type: ignore[type-var]


def _spelled_list(descriptions: Sequence[Plain]) -> str:
    return f"[{', '.join(map(spelled, descriptions))}]"
