"""A fluid in one system: prepared for its box, and as it changes in time.

A fluid is a flow, a NamedTuple that ``velocity`` knows, or something that has to be prepared,
which then has a method ``stream(sides, dimension, periodic)``. What else either may have:
``check()`` refuses parameters that cannot be, ``check_box(repeats)`` boxes it does not fit, and
``scales(sides, dimension)`` gives its characteristic :class:`Scales`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from carom.compiled.components import check_parameters, in_floats, own_method
from carom.fluids.flow import check_flow
from carom.fluids.periods import Sides, repeats
from carom.particles import Array


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
    prepare = own_method(fluid, "stream")
    if prepare is not None:
        prepared = prepare(sides, dimension, periodic)
        check_parameters("fluid", prepared.field)
        return prepared  # type: ignore[no-any-return]
    check_flow(fluid, dimension)
    check_box = own_method(fluid, "check_box")
    if check_box is not None:
        check_box(repeats(sides, dimension, periodic))
    return Formula(in_floats(fluid))


def scales(fluid: Any, sides: Sides, dimension: int) -> Scales | None:
    """Speed, length and time that are characteristic of a fluid; None when it does not tell."""
    own_scales = own_method(fluid, "scales")
    return None if own_scales is None else own_scales(sides, dimension)
