"""Flight between events: a file is one motion."""

from carom.motions.accelerated import Accelerated
from carom.motions.flight import (
    acceleration,
    begin_later,
    closing_rate,
    displaced,
    grown,
    velocity_after,
)
from carom.motions.free import Free
from carom.motions.gravity import Gravity
from carom.motions.growing import Growing

__all__ = [
    "Accelerated",
    "Free",
    "Gravity",
    "Growing",
    "acceleration",
    "begin_later",
    "closing_rate",
    "displaced",
    "grown",
    "velocity_after",
]
