"""Systems, methods and actors as plain data, and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields, is_dataclass
from typing import Any

from carom import actors, collisions, domains, forces, methods
from carom.actors import Actor
from carom.domains import Plane
from carom.errors import CheckpointError
from carom.methods import Method
from carom.neighbours import pairs
from carom.particles import Particles
from carom.system import System


def described_law(law: Any) -> dict[str, Any]:
    """A law or a force as its name and parameters; laws inside laws likewise."""
    parameters = {
        name: described_law(value) if isinstance(value, tuple) else value
        for name, value in law._asdict().items()
    }
    return {"name": type(law).__name__, "ours": _is_ours(law), "parameters": parameters}


def _is_ours(law: Any) -> bool:
    name = type(law).__name__
    return any(getattr(module, name, None) is type(law) for module in (collisions, forces))


def foreign_laws(description: dict[str, Any]) -> list[str]:
    """The names of the laws in a description that are the user's own."""
    inner = [value for value in description["parameters"].values() if isinstance(value, dict)]
    names = [] if description["ours"] else [description["name"]]
    return names + [name for value in inner for name in foreign_laws(value)]


def law_from(description: dict[str, Any], given: Any, what: str = "law") -> Any:
    """The law described; a law of the user's own has to be handed over and must be the same.

    The same for a force, if that is ``what`` it is.
    """
    if given is not None:
        if described_law(given) != description:
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
        name: law_from(value, None) if isinstance(value, dict) else value
        for name, value in description["parameters"].items()
    }
    return getattr(forces if what == "force" else collisions, description["name"])(**parameters)


def _force_from(description: dict[str, Any] | None, given: Any) -> Any:
    """The force described, if there was one."""
    if description is not None:
        return law_from(description, given, "force")
    if given is not None:
        raise CheckpointError(
            f"the checkpoint was made without a force, but force={given!r} was handed over; the "
            "run would not continue as it was."
        )
    return None


def spelled(description: dict[str, Any]) -> str:
    """The call that makes the law or actor described."""
    parts = (
        f"{name}={spelled(value) if isinstance(value, dict) else repr(value)}"
        for name, value in description["parameters"].items()
    )
    return f"{description['name']}({', '.join(parts)})"


def described_system(system: System) -> dict[str, Any]:
    """A system without its arrays."""
    return {
        "domain": {"name": type(system.domain).__name__} | asdict(system.domain),
        "law": described_law(system.law),
        "gravity": None if system.gravity is None else system.gravity.tolist(),
        "walls": [asdict(wall) for wall in system.walls],
        "force": None if system.force is None else described_law(system.force),
    }


def system_from(
    description: dict[str, Any], arrays: dict[str, Any], law: Any, force: Any
) -> System:
    """The system described, with the arrays of its particles."""
    domain = dict(description["domain"])
    particles = Particles(
        arrays["system.position"],
        arrays["system.velocity"],
        arrays["system.radius"],
        arrays["system.mass"],
        angular_velocity=arrays.get("system.angular_velocity"),
    )
    return System(
        particles,
        getattr(domains, domain.pop("name"))(**domain),
        law=law_from(description["law"], law),
        gravity=description["gravity"],
        acceleration=arrays.get("system.acceleration"),
        walls=[Plane(**wall) for wall in description["walls"]],
        force=_force_from(description["force"], force),
    )


def described_method(method: Method) -> dict[str, Any]:
    """A method as its name and options; a neighbour method among them likewise."""
    options = {field.name: getattr(method, field.name) for field in fields(method)}  # type: ignore[arg-type]
    neighbours = options.get("neighbours")
    if is_dataclass(neighbours) and not isinstance(neighbours, type):
        options["neighbours"] = {"name": type(neighbours).__name__} | asdict(neighbours)
    return {"name": type(method).__name__} | options


def method_from(description: dict[str, Any]) -> Method:
    """The method described."""
    options = dict(description)
    kind = getattr(methods, options.pop("name"))
    if isinstance(options.get("neighbours"), dict):
        neighbours = dict(options["neighbours"])
        options["neighbours"] = getattr(pairs, neighbours.pop("name"))(**neighbours)
    return kind(**options)  # type: ignore[no-any-return]


def described_actor(actor: Actor) -> dict[str, Any]:
    """An actor as its name and parameters."""
    ours = getattr(actors, type(actor).__name__, None) is type(actor)
    names = [field.name for field in fields(actor)]  # type: ignore[arg-type]
    parameters = {name: getattr(actor, name) for name in names}
    return {"name": type(actor).__name__, "ours": ours, "parameters": parameters}


def actors_from(
    descriptions: Sequence[dict[str, Any]], given: Sequence[Actor] | None
) -> Sequence[Actor]:
    """The actors described; when one is of the user's own, all have to be handed over."""
    if given is not None:
        if [described_actor(actor) for actor in given] != list(descriptions):
            raise CheckpointError(
                f"the checkpoint was made with the actors {_spelled_list(descriptions)}, but "
                f"actors={list(given)!r} were handed over; the run would not continue as it was."
            )
        return given
    for description in descriptions:
        if not description["ours"]:
            raise CheckpointError(
                f"the checkpoint was made with an actor of your own, {description['name']}; hand "
                f"all of them over again: carom.load(path, actors={_spelled_list(descriptions)})."
            )
    return [getattr(actors, one["name"])(**one["parameters"]) for one in descriptions]


def _spelled_list(descriptions: Sequence[dict[str, Any]]) -> str:
    return f"[{', '.join(map(spelled, descriptions))}]"
