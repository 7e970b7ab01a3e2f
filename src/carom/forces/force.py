"""The one question a force answers: how strongly it acts on a particle."""

from __future__ import annotations

from typing import Any, NamedTuple

from carom.compiled.components import check_component, check_vector
from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import kernel


class Body(NamedTuple):
    """What a force may know of a particle; vectors have three components, also in the plane."""

    position: Any  # inside the box along axes that repeat, give or take a step
    velocity: Any
    radius: float
    mass: float
    time: float


@dispatch_on("law")
def force(body: Body, law: Any) -> Any:
    """The force on a particle, three numbers."""


class NoForce(NamedTuple):
    """Nothing acts on the particles but gravity and contacts."""


@force.register(NoForce)
@kernel
def _(body: Body, law: NoForce) -> Any:
    return (0.0, 0.0, 0.0)


def check_force(law: Any, dimension: int) -> None:
    """Refuse what is not a force, or gives something that is none."""
    if type(law) not in force.implementations:
        raise TypeError(
            f"force={law!r} is not a force. Use carom.forces.LinearDrag(...), ..., or write one: a "
            "NamedTuple of its parameters and a function registered with "
            f"@carom.forces.force.register({type(law).__name__})."
        )
    check_component("force", law)
    probe = Body((0.3, 0.2, 0.1), (1.0, -0.5, 0.25), 0.5, 1.0, 0.0)
    if dimension == 2:
        probe = probe._replace(position=(0.3, 0.2, 0.0), velocity=(1.0, -0.5, 0.0))
    check_vector("force", law, force, probe, dimension)
