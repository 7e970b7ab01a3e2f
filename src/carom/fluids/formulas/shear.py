"""Simple shear: layers that slide over each other."""

from __future__ import annotations

import math
from typing import NamedTuple

from carom.checks import check_finite
from carom.compiled.kernels import kernel
from carom.fluids.flow import Place, velocity
from carom.fluids.periods import Repeats, Sides
from carom.fluids.stream import Scales
from carom.representation import shown_as_call
from carom.types import Vector


@shown_as_call
class Shear(NamedTuple):
    """The velocity ``rate`` · y along x."""

    rate: float

    def check(self) -> None:
        """Refuse what is no rate."""
        check_finite("Shear: rate", self.rate)

    def check_box(self, repeats: Repeats) -> None:
        """Refuse a box that repeats along y."""
        if repeats[1] is not None and self.rate != 0.0:
            raise ValueError(
                f"Shear(rate={self.rate!r}) is not possible in a box that repeats along y (after "
                f"{repeats[1]:g}): the flow would jump there. Use walls, such as "
                "carom.Box(lengths, periodic='x'), or carom.Open()."
            )

    def scales(self, sides: Sides, dimension: int) -> Scales:
        """The speed across the box, its height, and the time of a strain of one."""
        height = math.inf if sides is None else sides[1]
        if self.rate == 0.0:
            return Scales(0.0, height, math.inf)
        return Scales(abs(self.rate) * height, height, 1.0 / abs(self.rate))


@velocity.register(Shear)
@kernel
def _(place: Place, flow: Shear) -> Vector:
    return (flow.rate * place.position[1], 0.0, 0.0)
