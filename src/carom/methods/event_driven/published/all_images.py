"""All pairs with all their images, for the algorithms without cells.

The box is one cell: while both particles are inside it, they can touch only the images one box
length away. So a particle that leaves the box is an event, after which its pairs are looked at
again. This is right for every box that holds a particle without overlapping its own image.

In a sheared box the rows above and below are displaced along x by up to half a box length, for as
long as what is found here is kept: there the images two box lengths away can be touched, too.
"""

from __future__ import annotations

import math
from typing import Any

from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel
from carom.detection import time_to_close
from carom.domains import NoShear, Shear
from carom.methods.event_driven.collide import time_of_pair
from carom.methods.event_driven.world import (
    World,
    change_image,
    image_rank,
    image_shift,
)
from carom.motions import acceleration


@dispatch_on("shear")
def _more_beside(shear: Any, rows: int) -> int:
    """How many more images along x can matter in a row so many boxes away."""


@_more_beside.register(NoShear)
@inner_kernel
def _(shear: NoShear, rows: int) -> int:
    return 0


@_more_beside.register(Shear)
@inner_kernel
def _(shear: Shear, rows: int) -> int:
    return abs(rows)


@inner_kernel
def time_of_nearest_image(world: World, i: int, j: int, x: Any, v: Any, time: float) -> Any:
    """When particle i, at x with velocity v now, meets an image of j, and the box lengths to it."""
    periodic = world.space.periodic
    x_reach, y_reach, z_reach = int(periodic[0]), int(periodic[1]), int(periodic[2])
    earliest = math.inf
    found = (0, 0, 0)
    for z_boxes in range(-z_reach, z_reach + 1):
        for y_boxes in range(-y_reach, y_reach + 1):
            reach = x_reach + _more_beside(world.space.shear, y_boxes)
            for x_boxes in range(-reach, reach + 1):
                boxes = (x_boxes, y_boxes, z_boxes)
                contact = time_of_pair(world, i, j, image_shift(world, boxes, time), x, v, time)
                first = image_rank(i, j, boxes) < image_rank(i, j, found)
                if contact < earliest or (contact == earliest and first):
                    earliest, found = contact, boxes
    return earliest, found


@inner_kernel
def time_of_leaving(world: World, i: int, x: Any, v: Any, time: float) -> Any:
    """When particle i leaves the box along a periodic axis, and through which face."""
    a = acceleration(world.motion, i)
    earliest = math.inf
    face = -1
    for axis in range(3):
        if world.space.periodic[axis]:
            duration = time_to_close(x[axis], v[axis], a[axis])
            if duration < earliest:
                earliest, face = duration, 2 * axis
            length = world.space.lengths[axis]
            duration = time_to_close(length - x[axis], -v[axis], -a[axis])
            if duration < earliest:
                earliest, face = duration, 2 * axis + 1
    return time + earliest, face


@inner_kernel
def enter_opposite(world: World, i: int, face: int) -> None:
    """Let a particle that left the box through a face come in again on the other side."""
    axis = face >> 1
    boxes = 1 if face & 1 else -1
    change_image(world, i, axis, boxes)
    if axis == 1:
        _back_along_x(world.space.shear, world, i)


@dispatch_on("shear")
def _back_along_x(shear: Any, world: World, i: int) -> None:
    """Let particle i be inside the box along x when it has come from another row of images."""


@_back_along_x.register(NoShear)
@inner_kernel
def _(shear: NoShear, world: World, i: int) -> None:
    return


@_back_along_x.register(Shear)
@inner_kernel
def _(shear: Shear, world: World, i: int) -> None:
    boxes = math.floor(world.bodies.record[i].x / shear.length)
    if boxes != 0:
        change_image(world, i, 0, boxes)
