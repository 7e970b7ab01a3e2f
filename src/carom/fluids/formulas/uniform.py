"""The same velocity everywhere."""

from __future__ import annotations

import math
from typing import NamedTuple

from carom.checks import check_finite
from carom.compiled.kernels import kernel
from carom.fluids.flow import Place, velocity
from carom.fluids.periods import Sides
from carom.fluids.stream import Scales
from carom.representation import shown_as_call
from carom.types import Vector


@shown_as_call
class Uniform(NamedTuple):
    """The velocity (``x``, ``y``, ``z``), everywhere and always."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0

    def check(self) -> None:
        """Refuse what is no velocity."""
        for axis, value in self._asdict().items():
            check_finite(f"Uniform: {axis}", value)

    def scales(self, sides: Sides, dimension: int) -> Scales:
        """The speed; it changes over no length and in no time."""
        return Scales(math.hypot(*self), math.inf, math.inf)


@velocity.register(Uniform)
@kernel
def _(place: Place, flow: Uniform) -> Vector:
    return (flow.x, flow.y, flow.z)
