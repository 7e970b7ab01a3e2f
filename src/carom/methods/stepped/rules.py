"""What happens to particles that touch: the question that tells the stepped methods apart."""

from __future__ import annotations

from typing import Any

from carom._jit import dispatch_on

GOES_ON = -1  # no reason to stop; the other statuses are in carom.errors


@dispatch_on("rule")
def act(rule: Any, world: Any) -> int:
    """Let the contacts of the block change the velocities for a step; GOES_ON or why not.

    When it does not go on, nothing has been changed.
    """
    raise NotImplementedError


@dispatch_on("rule")
def room_of(rule: Any) -> int:
    """How many contacts a step may have."""
    raise NotImplementedError
