"""Vortices that turn in turn to the left and to the right (Taylor & Green 1937)."""

from __future__ import annotations

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
class TaylorGreen(NamedTuple):
    """``speed`` · (sin kx cos ky, −cos kx sin ky), with k = 2π / ``length``: four vortices in a
    square with sides ``length``.

    In three dimensions both components have a factor cos kz (Taylor & Green, Proc. R. Soc. A 158,
    499, 1937, with C = 0, a quarter of a period further on). The planar flow is steady when it is
    forced as in Sigurgeirsson, Stuart & Wan 2001, appendix 1.
    """

    speed: float = 1.0
    length: float = 1.0

    def check(self) -> None:
        """Refuse a flow without a period."""
        check_finite("TaylorGreen: speed", self.speed)
        check_positive("TaylorGreen: length", self.length)

    def check_box(self, repeats: Repeats) -> None:
        """Refuse a box that is not a whole number of periods long."""
        check_whole_periods("TaylorGreen", (self.length,) * 3, repeats)

    def scales(self, sides: Sides, dimension: int) -> Scales:
        """The largest speed, the period, and the time to cross it."""
        return Scales.of(abs(self.speed), self.length)


@velocity.register(TaylorGreen)
@kernel
def _(place: Place, flow: TaylorGreen) -> Vector:
    per_length = 1.0 / flow.length
    x, y, z = place.position
    # sin a cos b = (sin(a + b) + sin(a − b)) / 2: two sines instead of four functions.
    sum_of = sine(per_length * (x + y))
    difference_of = sine(per_length * (x - y))
    half = 0.5 * flow.speed
    if z != 0.0:  # in the plane it is zero, and its cosine is spared
        half *= cosine(per_length * z)
    return (half * (sum_of + difference_of), half * (difference_of - sum_of), 0.0)
