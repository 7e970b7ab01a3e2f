"""A fluid in one system: prepared for its box, and as it changes in time.

A fluid is a flow, a NamedTuple that ``velocity`` knows, or something that has to be prepared,
which then has a method ``stream(sides, dimension, periodic)``. What else either may have:
``check()`` refuses parameters that cannot be, ``check_box(repeats)`` boxes it does not fit, and
``scales(sides, dimension)`` gives its characteristic :class:`Scales`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from carom.domains.lengths import AXES
from carom.fluids.flow import check_flow
from carom.particles import Array

Sides = tuple[float, ...] | None
# After which length space repeats along each axis; None where it does not.
Repeats = tuple[float | None, ...]

# How a flow declares a parameter that is a float.
FLOAT = (float, "float")
# How far a box may be from a whole number of periods, relative: the jump of a flow at the
# boundary is then as small.
ROUNDING = 1e-9


class Stream(Protocol):
    """A fluid in one system, as it changes in time."""

    field: Any  # for kernels: a NamedTuple that ``velocity`` knows; ``go_to`` changes its arrays

    def go_to(self, time: float) -> None:
        """Let the field be that at a time, which must not be before the last."""

    def arrays(self) -> dict[str, Array]:
        """Everything that changes, by name, for a checkpoint."""

    def restore(self, arrays: Mapping[str, Any]) -> None:
        """Take over the arrays of a checkpoint, bit for bit."""


@dataclass
class Formula:
    """A flow that is known at every place and time: nothing has to be prepared."""

    field: Any

    def go_to(self, time: float) -> None:
        """Nothing to do: the time is part of every question."""

    def arrays(self) -> dict[str, Array]:
        """Nothing changes."""
        return {}

    def restore(self, arrays: Mapping[str, Any]) -> None:
        """Nothing has changed."""


class Scales(NamedTuple):
    """What is characteristic of a fluid; the Stokes number is relaxation time over ``time``."""

    speed: float
    length: float
    time: float

    @staticmethod
    def of(speed: float, length: float) -> Scales:
        """Those of a flow that crosses a length with a speed."""
        return Scales(speed, length, length / speed if speed > 0.0 else math.inf)


def stream(
    fluid: Any, sides: Sides, dimension: int, periodic: Sequence[bool] | None = None
) -> Stream:
    """The fluid in a box with these sides, or in open space (None), at time 0.

    ``periodic`` says along which axes the box repeats: along all of them when left out.
    """
    prepare = _own(fluid, "stream")
    if prepare is not None:
        return prepare(sides, dimension, periodic)  # type: ignore[no-any-return]
    check_flow(fluid, dimension)
    check_box = _own(fluid, "check_box")
    if check_box is not None:
        check_box(repeats(sides, dimension, periodic))
    return Formula(_in_floats(fluid))


def scales(fluid: Any, sides: Sides, dimension: int) -> Scales | None:
    """Speed, length and time that are characteristic of a fluid; None when it does not tell."""
    own_scales = _own(fluid, "scales")
    return None if own_scales is None else own_scales(sides, dimension)


def repeats(sides: Sides, dimension: int, periodic: Sequence[bool] | None = None) -> Repeats:
    """After which length space repeats along each axis; None where it does not."""
    if sides is None:
        return (None,) * dimension
    if periodic is None:
        return tuple(sides)
    return tuple(side if again else None for side, again in zip(sides, periodic, strict=True))


def check_whole_periods(
    owner: str, lengths: Sequence[float], repeats: Repeats, option: str = "length"
) -> None:
    """Refuse a box that does not hold a whole number of periods of a flow along each axis."""
    for axis, length, side in zip(AXES, lengths, repeats, strict=False):
        if side is None:
            continue
        number = max(round(side / length), 1)
        if abs(side - number * length) > ROUNDING * side:
            raise ValueError(
                f"{owner} repeats after {length:g} along {axis}, but the box after {side:g}, which "
                "is not a whole number of times that: the flow would jump at the boundary. Use "
                f"{option}={side / number:g} along {axis}, or a box {number * length:g} long."
            )


def _own(fluid: Any, name: str) -> Callable[..., Any] | None:
    """A method of the fluid, if it has one; a parameter may have the same name."""
    method = getattr(fluid, name, None)
    return method if callable(method) else None


def _in_floats(flow: Any) -> Any:
    """The flow with floats where it declares floats: 1 and 1.0 would be compiled each."""
    declared = type(flow).__annotations__
    return flow._replace(
        **{name: float(getattr(flow, name)) for name in declared if declared[name] in FLOAT}
    )
