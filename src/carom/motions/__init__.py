"""Flight between events: a file is one motion."""

from carom.motions.accelerated import Accelerated
from carom.motions.flight import (
    acceleration,
    arrival,
    begin_later,
    closing_rate,
    displaced,
    grown,
    growth,
    predicts_falsely,
    set_out,
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
    "arrival",
    "begin_later",
    "closing_rate",
    "displaced",
    "grown",
    "growth",
    "predicts_falsely",
    "set_out",
    "velocity_after",
]
