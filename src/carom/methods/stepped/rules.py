"""What happens to particles that touch: the question that tells the stepped methods apart."""

from __future__ import annotations

from typing import Any

from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel
from carom.types import Records

GOES_ON = -1  # no reason to stop; the other statuses are in carom.errors


@dispatch_on("rule")
def act(rule: Any, world: Any) -> int:
    """Let the contacts of the block change the velocities for a step; GOES_ON or why not.

    When it does not go on, nothing has been changed.
    """


@dispatch_on("rule")
def room_of(rule: Any, tally: Records) -> int:
    """How many contacts a step may have."""


@dispatch_on("rule")
def part_from_list(rule: Any, world: Any) -> None:
    """Keep what is known of the pairs of a list that is about to be given up."""


@dispatch_on("rule")
def join_list(rule: Any, world: Any) -> None:
    """Put what is known of pairs beside those of a new list."""


@inner_kernel
def _nothing(rule: Any, world: Any) -> None:
    pass


part_from_list.otherwise(_nothing)
join_list.otherwise(_nothing)
