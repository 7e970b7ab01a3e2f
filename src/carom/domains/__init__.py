"""Where particles may be: a file is one kind of domain."""

from carom.domains.box import Box
from carom.domains.lees_edwards import LeesEdwards
from carom.domains.open import Open
from carom.domains.periodic import Periodic
from carom.domains.planes import Plane
from carom.domains.sliding_images import (
    NoShear,
    Shear,
    from_middle,
    image_vector,
    offset_at,
    offset_of,
    peculiar,
    seen_velocity,
    sheared_otherwise,
    slide_on,
    time_of_turn,
    turn,
    upright,
    upright_rate,
    upright_x,
)
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

Domain = Periodic | Box | Open | LeesEdwards

__all__ = [
    "IMPULSE",
    "NORMAL",
    "POINT",
    "RESTITUTION",
    "Box",
    "Domain",
    "LeesEdwards",
    "NoPlanes",
    "NoShear",
    "Open",
    "Periodic",
    "Plane",
    "Shear",
    "Space",
    "compiled_planes",
    "compiled_space",
    "from_middle",
    "height_over",
    "image_vector",
    "offset_at",
    "offset_of",
    "peculiar",
    "seen_velocity",
    "sheared_otherwise",
    "slide_on",
    "time_of_turn",
    "turn",
    "upright",
    "upright_rate",
    "upright_x",
]
