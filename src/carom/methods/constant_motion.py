"""How the particles of a system move where nothing but constant accelerations acts."""

from __future__ import annotations

from carom.compiled.vectors import three_columns
from carom.motions import Accelerated, Free, Gravity
from carom.system import System


def constant_motion(system: System) -> Free | Gravity | Accelerated:
    """Free flight, gravity, or each particle's own acceleration."""
    if system.acceleration is not None:
        return Accelerated(three_columns(system.acceleration))
    if system.gravity is None:
        return Free()
    return Gravity(*(float(component) for component in three_columns(system.gravity[None, :])[0]))
