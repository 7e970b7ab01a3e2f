"""A slice through space: which particles it shows, and where they are in its plane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from carom.particles import Array
from carom.system import System

# The thickness of a slice, as a share of the box, where nobody says otherwise.
SHARE = 0.05


@dataclass(frozen=True)
class Slice:
    """A slice perpendicular to an axis, at a height; in the middle of the box when left out.

    It shows the particles whose centres are up to half a thickness away, with their radii; a
    twentieth of the box when left out.
    """

    axis: Literal["x", "y", "z"] = "z"
    height: float | None = None
    thickness: float | None = None

    def __post_init__(self) -> None:
        if self.axis not in ("x", "y", "z"):
            raise ValueError(f"a slice is perpendicular to 'x', 'y' or 'z', not {self.axis!r}.")
        if self.thickness is not None and not self.thickness > 0.0:
            raise ValueError(f"the thickness of a slice must be positive, not {self.thickness!r}.")

    @property
    def across(self) -> int:
        """The number of the axis that is not shown."""
        return "xyz".index(self.axis)

    @property
    def kept(self) -> list[int]:
        """The numbers of the axes that are shown."""
        return [axis for axis in range(3) if axis != self.across]

    @property
    def handedness(self) -> float:
        """1 where the two axes shown and the third are right-handed; x, z and y are not."""
        return -1.0 if self.axis == "y" else 1.0

    def height_in(self, system: System) -> float:
        """Where the slice is."""
        return 0.5 * self._depth(system) if self.height is None else self.height

    def thickness_in(self, system: System) -> float:
        """How thick it is."""
        return SHARE * self._depth(system) if self.thickness is None else self.thickness

    def _depth(self, system: System) -> float:
        if system.sides is None:
            raise ValueError("open space has no middle: give the slice a height and a thickness.")
        return float(system.sides[self.across])

    def in_space(self, points: Array, system: System) -> Array:
        """Points (k, 3) in space, of points (k, 2) of the slice."""
        return np.insert(points, self.across, self.height_in(system), axis=1)


class PlanarSystem(NamedTuple):
    """What a picture has to know of the system in a slice."""

    sides: tuple[float, ...] | None
    periodic: tuple[bool, ...]
    further_planes: list[Any]
    sheared_by: float

    @property
    def dimension(self) -> int:
        """2."""
        return 2

    @property
    def shapes(self) -> list[Any]:
        """None: slices show plane walls only."""
        return []

    def offset(self, time: float) -> float:
        """How far the images above are displaced at the time of the slice."""
        return self.sheared_by


class Line(NamedTuple):
    """Where a plane wall meets the slice."""

    point: Array  # (2,)
    normal: Array  # (2,)


class Disks(NamedTuple):
    """The particles of a slice."""

    position: Array  # (k, 2)
    radius: Array  # (k,)


class PlanarLook(NamedTuple):
    """A slice at one time, which is drawn like any disks; ``chosen`` (n,) says whom it shows."""

    system: PlanarSystem
    time: float
    particles: Disks
    chosen: Any


def slice_through(look: Any, cut: Slice) -> PlanarLook:
    """What a slice shows of a simulation or a look at one."""
    system, particles = look.system, look.particles
    kept, across = cut.kept, cut.across
    offset = system.offset(look.time)
    if offset != 0.0 and cut.axis != "z":
        raise ValueError("a sheared box slides along x from one y to the next: slice it along z.")
    height = particles.position[:, across] - cut.height_in(system)
    sides = system.sides
    if sides is not None and system.periodic[across]:
        height -= np.round(height / sides[across]) * sides[across]
    chosen = np.abs(height) <= 0.5 * cut.thickness_in(system)
    planar = PlanarSystem(
        None if sides is None else tuple(sides[axis] for axis in kept),
        tuple(system.periodic[axis] for axis in kept),
        [line for wall in system.further_planes if (line := _line(wall, cut, system)) is not None],
        offset,
    )
    disks = Disks(particles.position[chosen][:, kept], particles.radius[chosen])
    return PlanarLook(planar, look.time, disks, chosen)


def _line(wall: Any, cut: Slice, system: System) -> Line | None:
    """Where a wall meets the slice; None for a wall that is parallel to it."""
    point, normal = np.array(wall.point), np.array(wall.normal)
    flat = normal[cut.kept]
    if not flat.any():
        return None
    rise = normal[cut.across] * (cut.height_in(system) - point[cut.across])
    return Line(point[cut.kept] - flat * rise / (flat @ flat), flat / np.linalg.norm(flat))
