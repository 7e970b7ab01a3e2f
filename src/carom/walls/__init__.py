"""Walls of other shapes than planes: a file is one shape."""

from carom.walls.arc import Arc
from carom.walls.cone import Cone
from carom.walls.cylinder import Cylinder
from carom.walls.disk import Disk
from carom.walls.mesh import Mesh
from carom.walls.mesh_health import Health
from carom.walls.rectangle import Rectangle
from carom.walls.segment import Segment
from carom.walls.shape import Shape
from carom.walls.sphere import Circle, Sphere
from carom.walls.surface import Surface

__all__ = [
    "Arc",
    "Circle",
    "Cone",
    "Cylinder",
    "Disk",
    "Health",
    "Mesh",
    "Rectangle",
    "Segment",
    "Shape",
    "Sphere",
    "Surface",
]
