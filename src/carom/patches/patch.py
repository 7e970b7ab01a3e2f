"""The questions about patches, the smooth pieces of which walls are made.

Patches of one kind are the rows of a table; a kind is a named tuple with such a table, and answers
by its type. What a sphere has to keep away from is the union of all patches thickened by its
radius, and it enters a union where it first enters one of its members. So the first contact with a
wall is the earliest with one of its patches, each found as if it were alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from carom.compiled.dispatch import dispatch_on
from carom.types import Vector

# Patches that join overlap by this part of a particle's radius, so that rounding leaves no gap
# between them. A contact in that margin is off by half its square.
MARGIN = 1e-8


class Nearest(NamedTuple):
    """How a place lies to a patch: the vector from the nearest point of the surface that the patch
    is a part of, whether that point is within the patch, and on which side of it the place is."""

    away: Vector
    is_there: bool
    side: float  # 1 or -1


@dispatch_on("patches")
def time_to_patch(patches: Any, k: int, path: Any, radius: float, before: float) -> float:
    """How long until a sphere touches patch k and approaches it; never = inf.

    By the rule of Bannerman et al. (2014), section 4.1: at once if it overlaps and approaches, not
    at all as long as it leaves. Contacts later than ``before`` need not be found.
    """


@dispatch_on("patches")
def is_out_of_reach(patches: Any, k: int, path: Any, radius: float, duration: float) -> bool:
    """Whether a sphere certainly does not touch patch k during a time; quickly answered."""


@dispatch_on("patches")
def nearest_point(patches: Any, k: int, x: Vector, radius: float) -> Nearest:
    """How a place lies to patch k; ``radius`` is that of the particle there, for the margin."""


@dispatch_on("patches")
def first_touch(patches: Any, path: Any, radius: float, before: float) -> Any:
    """How long until a sphere touches one of the patches, if that is before a time, and which."""


@dispatch_on("patches")
def deepest(patches: Any, x: Vector, radius: float) -> Any:
    """By how much a sphere overlaps the patch that it overlaps most (negative: is away), which."""


@dispatch_on("patches")
def count_of(patches: Any) -> int:
    """How many patches there are."""


@dispatch_on("patches")
def wall_of(patches: Any, k: int) -> int:
    """The number of the wall that patch k is part of."""
