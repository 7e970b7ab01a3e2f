"""Collisions that keep the energy."""

from __future__ import annotations

from typing import NamedTuple

from carom.collisions.restitution import Contact, restitution
from carom.compiled.kernels import kernel
from carom.representation import shown_as_call


@shown_as_call
class Elastic(NamedTuple):
    """Every contact is elastic."""

    def check(self) -> None:
        """Nothing can be wrong."""


@restitution.register(Elastic)
@kernel
def _(contact: Contact, law: Elastic) -> float:
    return 1.0
