"""Tables of walls: a plane, or one of the shapes of ``carom.walls``."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from carom.cli.scene_table import Table
from carom.cli.scene_values import Positive, PositiveNumbers, Vector, WallRestitution, must

Side = Literal["inside", "outside"]
Radii = Annotated[
    list[float],
    must(
        lambda value: (
            isinstance(value, list)
            and len(value) == 2
            and all(isinstance(r, (int, float)) and not isinstance(r, bool) for r in value)
        ),
        "two numbers, the radii at start and end",
    ),
]


class PlaneWall(Table):
    """One of the [[walls]]: a plane, solid on both sides."""

    shape: Literal["plane"] = "plane"
    point: Vector
    normal: Vector
    restitution: WallRestitution = "law"

    @property
    def dimension(self) -> int:
        """Of the space that it stands in."""
        return len(self.point)


class ShapeWall(Table):
    """What all other [[walls]] share."""

    name: Annotated[str, Field(min_length=1)] | None = None
    restitution: WallRestitution = "law"

    @property
    def dimension(self) -> int:
        """Of the space that it stands in."""
        return 3


class PlanarWall(ShapeWall):
    """A wall in the plane."""

    @property
    def dimension(self) -> int:
        """Of the space that it stands in."""
        return 2


class SphereWall(ShapeWall):
    """[[walls]] shape = "sphere"."""

    shape: Literal["sphere"]
    centre: Vector
    radius: Positive
    side: Side | None = None


class CircleWall(PlanarWall):
    """[[walls]] shape = "circle"."""

    shape: Literal["circle"]
    centre: Vector
    radius: Positive
    side: Side | None = None


class ArcWall(PlanarWall):
    """[[walls]] shape = "arc"."""

    shape: Literal["arc"]
    centre: Vector
    radius: Positive
    start: float
    end: float


class SegmentWall(PlanarWall):
    """[[walls]] shape = "segment"."""

    shape: Literal["segment"]
    start: Vector
    end: Vector


class CylinderWall(ShapeWall):
    """[[walls]] shape = "cylinder"."""

    shape: Literal["cylinder"]
    point: Vector
    axis: Vector
    radius: Positive
    length: Positive | None = None
    side: Side | None = None


class ConeWall(ShapeWall):
    """[[walls]] shape = "cone"."""

    shape: Literal["cone"]
    start: Vector
    end: Vector
    radii: Radii


class DiskWall(ShapeWall):
    """[[walls]] shape = "disk"."""

    shape: Literal["disk"]
    centre: Vector
    normal: Vector
    radius: Positive
    opening: Positive | None = None


class RectangleWall(ShapeWall):
    """[[walls]] shape = "rectangle"."""

    shape: Literal["rectangle"]
    corner: Vector
    sides: Annotated[list[Vector], Field(min_length=2, max_length=2)]
    opening: PositiveNumbers | None = None


class MeshWall(ShapeWall):
    """[[walls]] shape = "mesh", from a file beside the scene."""

    shape: Literal["mesh"]
    file: Annotated[str, Field(min_length=1)]
    scale: Positive = 1.0
    side: Side | None = None


def _with_shape(value: Any) -> Any:
    """A table that says nothing of a shape is a plane."""
    return {"shape": "plane"} | value if isinstance(value, dict) else value


Wall = Annotated[
    Annotated[
        PlaneWall
        | SphereWall
        | CircleWall
        | ArcWall
        | SegmentWall
        | CylinderWall
        | ConeWall
        | DiskWall
        | RectangleWall
        | MeshWall,
        Field(discriminator="shape"),
    ],
    BeforeValidator(_with_shape),
]
