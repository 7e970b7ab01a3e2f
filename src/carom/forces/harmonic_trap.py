"""A spring that pulls every particle to one point."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from carom.compiled.kernels import kernel
from carom.forces.force import Body, force
from carom.representation import shown_as_call


@shown_as_call
class HarmonicTrap(NamedTuple):
    """The force −``stiffness`` (x − c), with c the centre (x, y, z)."""

    stiffness: float
    x: float
    y: float
    z: float = 0.0

    def check(self) -> None:
        """Refuse a spring that pushes."""
        if not (math.isfinite(self.stiffness) and self.stiffness >= 0.0):
            raise ValueError(
                f"HarmonicTrap: stiffness must not be negative, not {self.stiffness!r}."
            )


@force.register(HarmonicTrap)
@kernel
def _(body: Body, law: HarmonicTrap) -> Any:
    return (
        -law.stiffness * (body.position[0] - law.x),
        -law.stiffness * (body.position[1] - law.y),
        -law.stiffness * (body.position[2] - law.z),
    )
