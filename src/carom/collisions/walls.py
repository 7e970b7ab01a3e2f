"""The law that holds at a wall with a restitution of its own."""

from __future__ import annotations

from typing import Any

from carom.collisions.constant_restitution import ConstantRestitution
from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import kernel


@dispatch_on("law")
def law_at_wall(law: Any, coefficient: float) -> Any:
    """The law for a wall of this coefficient beside ``law`` for pairs.

    Laws that look at the history of a particle, such as ContactDuration, keep doing so at walls.
    """


@law_at_wall.otherwise
@kernel
def _(law: Any, coefficient: float) -> ConstantRestitution:
    return ConstantRestitution(coefficient)
