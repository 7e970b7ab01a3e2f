"""The flow of Arnold, Beltrami and Childress: steady, and with chaotic paths."""

from __future__ import annotations

import math
from typing import NamedTuple

from carom.checks import check_finite, check_positive
from carom.compiled.kernels import kernel
from carom.fluids.flow import Place, velocity
from carom.fluids.periods import Repeats, Sides, check_whole_periods
from carom.fluids.stream import Scales
from carom.functions import cosine, sine
from carom.representation import shown_as_call
from carom.types import Vector


@shown_as_call
class ABC(NamedTuple):
    """(``a`` sin kz + ``c`` cos ky, ``b`` sin kx + ``a`` cos kz, ``c`` sin ky + ``b`` cos kx), with
    k = 2π / ``length``, in three dimensions.

    Its curl is k times itself, so it is a steady solution of Euler's equations (Dombre, Frisch,
    Greene, Hénon, Mehr & Soward, J. Fluid Mech. 167, 353, 1986, eq. 1.1).
    """

    a: float = 1.0
    b: float = 1.0
    c: float = 1.0
    length: float = 1.0

    def check(self) -> None:
        """Refuse a flow without a period."""
        for name in "abc":
            check_finite(f"ABC: {name}", getattr(self, name))
        check_positive("ABC: length", self.length)

    def check_box(self, repeats: Repeats) -> None:
        """Refuse a box that is not a whole number of periods long."""
        check_whole_periods("ABC", (self.length,) * 3, repeats)

    def scales(self, sides: Sides, dimension: int) -> Scales:
        """The root mean square of the speed, the period, and the time to cross it."""
        return Scales.of(math.hypot(self.a, self.b, self.c), self.length)


@velocity.register(ABC)
@kernel
def _(place: Place, flow: ABC) -> Vector:
    per_length = 1.0 / flow.length
    x = per_length * place.position[0]
    y = per_length * place.position[1]
    z = per_length * place.position[2]
    return (
        flow.a * sine(z) + flow.c * cosine(y),
        flow.b * sine(x) + flow.a * cosine(z),
        flow.c * sine(y) + flow.b * cosine(x),
    )
