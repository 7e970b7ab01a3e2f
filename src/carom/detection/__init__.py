"""When do two things touch: a file is one way to find out."""

from carom.detection import pairs as _pairs  # noqa: F401  (registers the motions)
from carom.detection.contact import Pair, time_to_contact, time_to_plane, time_to_sphere
from carom.detection.naive import Naive
from carom.detection.stable import Stable, time_to_close

__all__ = [
    "Naive",
    "Pair",
    "Stable",
    "time_to_close",
    "time_to_contact",
    "time_to_plane",
    "time_to_sphere",
]
