"""What a detection sees of the contacts within a step: all of them, or what simpler ones see.

The two simpler schemes are those that Sigurgeirsson, Stuart & Wan 2001 discuss, for comparison
(section 1.1 and "Previous Work" in 2.1; Sundaram & Collins 1996). What they miss is counted.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import kernel
from carom.types import Vector


class Exact(NamedTuple):
    """Every contact, when it happens."""


class AtEnd(NamedTuple):
    """Pairs that overlap at the end of a step; those that have passed each other are missed."""


class WithoutTransfers(NamedTuple):
    """Pairs that were in the same or in adjacent cells when the step began."""

    number: Any  # (3,) cells along each axis
    home: Any  # (n, 3) the cell of each particle when the step began


@dispatch_on("scheme")
def sees(scheme: Any, i: int, j: int) -> bool:
    """Whether two particles that meet within the step are looked at."""


@sees.otherwise
@kernel
def _(scheme: Any, i: int, j: int) -> bool:
    return True


@sees.register(WithoutTransfers)
@kernel
def _(scheme: WithoutTransfers, i: int, j: int) -> bool:
    for axis in range(3):
        number = scheme.number[axis]
        apart = abs(scheme.home[i, axis] - scheme.home[j, axis])
        if min(apart, number - apart) > 1:
            return False
    return True


@dispatch_on("scheme")
def note_home(scheme: Any, i: int, x: Vector, inverse: Any) -> None:
    """Remember where particle i is when the step begins; ``inverse`` are those of the lengths."""


@note_home.otherwise
@kernel
def _(scheme: Any, i: int, x: Vector, inverse: Any) -> None:
    return


@note_home.register(WithoutTransfers)
@kernel
def _(scheme: WithoutTransfers, i: int, x: Vector, inverse: Any) -> None:
    for axis in range(3):
        number = scheme.number[axis]
        scheme.home[i, axis] = int(x[axis] * inverse[axis] * number) % number


@dispatch_on("scheme")
def acts_at(scheme: Any, contact: float, end: float) -> float:
    """When a contact is acted upon."""


@acts_at.otherwise
@kernel
def _(scheme: Any, contact: float, end: float) -> float:
    return contact


@acts_at.register(AtEnd)
@kernel
def _(scheme: AtEnd, contact: float, end: float) -> float:
    return end


@dispatch_on("scheme")
def looks_again(scheme: Any) -> bool:
    """Whether those who have collided are looked at again in the same step."""


@looks_again.otherwise
@kernel
def _(scheme: Any) -> bool:
    return True


@looks_again.register(AtEnd)
@kernel
def _(scheme: AtEnd) -> bool:
    return False  # in a heap of particles that overlap there would be no end of it


@dispatch_on("scheme")
def still_touch(scheme: Any, separation: float, sigma: float) -> bool:
    """Whether two that met are a contact when it is acted upon."""


@still_touch.otherwise
@kernel
def _(scheme: Any, separation: float, sigma: float) -> bool:
    return True


@still_touch.register(AtEnd)
@kernel
def _(scheme: AtEnd, separation: float, sigma: float) -> bool:
    return separation < sigma
