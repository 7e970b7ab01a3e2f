"""Where particles may be: a file is one kind of domain."""

from carom.domains.box import Box
from carom.domains.open import Open
from carom.domains.periodic import Periodic
from carom.domains.planes import Plane
from carom.domains.space import Planes, Space, compiled_planes, compiled_space, height_over

Domain = Periodic | Box | Open

__all__ = [
    "Box",
    "Domain",
    "Open",
    "Periodic",
    "Plane",
    "Planes",
    "Space",
    "compiled_planes",
    "compiled_space",
    "height_over",
]
