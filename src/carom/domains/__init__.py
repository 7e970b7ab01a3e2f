"""Where particles may be: a file is one kind of domain."""

from carom.domains.box import Box
from carom.domains.open import Open
from carom.domains.periodic import Periodic
from carom.domains.planes import Plane
from carom.domains.space import (
    IMPULSE,
    NORMAL,
    POINT,
    RESTITUTION,
    NoPlanes,
    Space,
    compiled_planes,
    compiled_space,
    height_over,
)

Domain = Periodic | Box | Open

__all__ = [
    "IMPULSE",
    "NORMAL",
    "POINT",
    "RESTITUTION",
    "Box",
    "Domain",
    "NoPlanes",
    "Open",
    "Periodic",
    "Plane",
    "Space",
    "compiled_planes",
    "compiled_space",
    "height_over",
]
