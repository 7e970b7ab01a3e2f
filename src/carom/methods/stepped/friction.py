"""Friction and rotation of soft contacts; particles without friction cost nothing."""

from __future__ import annotations

from typing import Any, NamedTuple

from carom._jit import dispatch_on, inner_kernel
from carom.methods.stepped.world import World


class Frictionless(NamedTuple):
    """Contacts act along their normals only."""


@dispatch_on("friction")
def rub(
    friction: Any,
    world: World,
    i: int,
    j: int,
    source: int,
    squeeze: Any,
    force: float,
    begins: bool,
    c: int,
) -> Any:
    """The tangential impulse on i in contact c with j, and the energy lost to it."""
    raise NotImplementedError


@dispatch_on("friction")
def rub_wall(
    friction: Any,
    world: World,
    i: int,
    w: int,
    squeeze: Any,
    force: float,
    begins: bool,
    c: int,
) -> Any:
    """The same for contact w with a wall."""
    raise NotImplementedError


@dispatch_on("friction")
def turn(friction: Any, world: World, i: int, j: int, c: int) -> None:
    """Let contact c change the angular velocities of i and j; j is below 0 for a wall."""
    raise NotImplementedError


@rub.register(Frictionless)
@inner_kernel
def _(
    friction: Frictionless,
    world: World,
    i: int,
    j: int,
    source: int,
    squeeze: Any,
    force: float,
    begins: bool,
    c: int,
) -> Any:
    return (0.0, 0.0, 0.0), 0.0


@rub_wall.register(Frictionless)
@inner_kernel
def _(
    friction: Frictionless,
    world: World,
    i: int,
    w: int,
    squeeze: Any,
    force: float,
    begins: bool,
    c: int,
) -> Any:
    return (0.0, 0.0, 0.0), 0.0


@turn.register(Frictionless)
@inner_kernel
def _(friction: Frictionless, world: World, i: int, j: int, c: int) -> None:
    pass
