"""Stokes drag: a force against the velocity relative to a uniform flow."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from carom.compiled.kernels import kernel
from carom.forces.force import Body, force
from carom.representation import shown_as_call


@shown_as_call
class LinearDrag(NamedTuple):
    """The force −``coefficient`` (v − u), with u the velocity (x, y, z) of the flow."""

    coefficient: float
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0

    def check(self) -> None:
        """Refuse a drag that pushes."""
        if not (math.isfinite(self.coefficient) and self.coefficient >= 0.0):
            raise ValueError(
                f"LinearDrag: coefficient must not be negative, not {self.coefficient!r}."
            )


@force.register(LinearDrag)
@kernel
def _(body: Body, law: LinearDrag) -> Any:
    return (
        -law.coefficient * (body.velocity[0] - law.x),
        -law.coefficient * (body.velocity[1] - law.y),
        -law.coefficient * (body.velocity[2] - law.z),
    )
