"""Drag in proportion to the speed."""

from __future__ import annotations

from typing import NamedTuple

from carom.compiled.kernels import kernel
from carom.drags.drag import resistance
from carom.representation import shown_as_call


@shown_as_call
class Stokes(NamedTuple):
    """Drag in proportion to the speed, as for small Reynolds numbers."""

    def check(self) -> None:
        """There is nothing that could be wrong."""


@resistance.register(Stokes)
@kernel
def _(slip: float, radius: float, drag: Stokes) -> float:
    return 1.0
