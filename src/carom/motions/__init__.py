"""Flight between events: a file is one motion."""

from carom.motions.accelerated import Accelerated
from carom.motions.flight import acceleration, displaced, velocity_after
from carom.motions.free import Free
from carom.motions.gravity import Gravity

__all__ = ["Accelerated", "Free", "Gravity", "acceleration", "displaced", "velocity_after"]
