"""The one question a flow answers: the velocity of the fluid at a place and a time."""

from __future__ import annotations

from typing import Any, NamedTuple

from carom.compiled.components import check_component, check_vector
from carom.compiled.dispatch import dispatch_on
from carom.types import Vector


class Place(NamedTuple):
    """Where and when a flow is asked for; the position has three components, also in the plane."""

    position: Vector  # inside the box along axes that repeat, give or take a step
    time: float


@dispatch_on("flow")
def velocity(place: Place, flow: Any) -> Vector:
    """The velocity of the fluid, a tuple of three numbers; the third is 0.0 in the plane."""


def check_flow(flow: Any, dimension: int) -> None:
    """Refuse what is not a flow, or gives something that is no velocity."""
    if type(flow) not in velocity.implementations:
        raise TypeError(
            f"fluid={flow!r} is not a flow. Use carom.fluids.TaylorGreen(), ..., or write one: a "
            "NamedTuple of its parameters and a function registered with "
            f"@carom.fluids.velocity.register({type(flow).__name__})."
        )
    check_component("fluid", flow)
    probe = Place((0.3, 0.2, 0.1 if dimension == 3 else 0.0), 0.0)
    check_vector("fluid", flow, velocity, probe, dimension)
