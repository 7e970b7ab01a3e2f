"""Contact times of pairs: a quadratic when both fly alike or grow, else a quartic."""

from __future__ import annotations

from typing import Any

from carom.compiled.kernels import kernel
from carom.compiled.vectors import minus
from carom.detection.contact import Pair, time_to_contact, time_to_sphere
from carom.detection.growing import time_to_contact_growing
from carom.detection.quartic import time_to_contact_accelerated
from carom.motions import Accelerated, Free, Gravity, Growing, acceleration, grown


@kernel
def when_alike(motion: Any, detection: Any, pair: Pair) -> float:
    """Neither is accelerated relative to the other."""
    return time_to_sphere(detection, pair.separation, pair.velocity, pair.sigma)


time_to_contact.register(Free)(when_alike)
time_to_contact.register(Gravity)(when_alike)


@time_to_contact.register(Accelerated)
@kernel
def when_accelerated(motion: Any, detection: Any, pair: Pair) -> float:
    """Each has an acceleration of its own."""
    relative = minus(acceleration(motion, pair.i), acceleration(motion, pair.j))
    if relative[0] == 0.0 and relative[1] == 0.0 and relative[2] == 0.0:
        return time_to_sphere(detection, pair.separation, pair.velocity, pair.sigma)
    return time_to_contact_accelerated(pair.separation, pair.velocity, relative, pair.sigma)


@time_to_contact.register(Growing)
@kernel
def _(motion: Growing, detection: Any, pair: Pair) -> float:
    present, growth = grown(motion, pair.sigma, pair.time), motion.rate * pair.sigma
    return time_to_contact_growing(pair.separation, pair.velocity, present, growth)
