"""How images slide in a sheared box; where nothing slides, nothing is compiled for it.

The row of images above (along y) is displaced along x by an offset that grows in time. Only the
offset within one box length matters, so that it is kept between plus and minus half of it, where no
digits are lost.

Seen at one moment the boxes form a lattice that leans. Its *upright* coordinates have x less
offset · (y / L_y − 1/2) instead of x: in these, the images of a particle are in the same places for
ever, and a particle that moves with the flow is at rest.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel
from carom.types import Vector


class NoShear(NamedTuple):
    """Images stay where they are."""


class Shear(NamedTuple):
    """Rows of images along y slide along x."""

    jump: float  # the velocity of the row above
    length: float  # of the box along x
    height: float  # of the box along y
    offset: Any  # (1,) the displacement of the row above at the time from which times are counted


def compiled_shear(sides: Any, shear_rate: float) -> NoShear | Shear:
    """The shear of a box with these sides."""
    if shear_rate == 0.0:
        return NoShear()
    return Shear(shear_rate * sides[1], sides[0], sides[1], np.zeros(1))


@inner_kernel
def offset_at(shear: Shear, time: float) -> float:
    """How far the row above is displaced at a time."""
    return shear.offset[0] + shear.jump * time


def offset_of(shear: Shear, time: Any) -> Any:
    """``offset_at`` outside kernels, for one time or many."""
    return shear.offset[0] + shear.jump * time


def upright_x(shear: Shear, position: Any, time: float) -> Any:
    """The x (n,) of positions (n, 3) in upright coordinates, outside kernels."""
    return position[:, 0] - offset_of(shear, time) * (position[:, 1] / shear.height - 0.5)


def sheared_otherwise(shear: Shear, shear_rate: float, time: float) -> Shear:
    """A shear with another rate; at this time the images are where they were."""
    jump = shear_rate * shear.height
    offset = shear.offset + (shear.jump - jump) * time
    return Shear(jump, shear.length, shear.height, offset)


def time_of_turn(shear: Shear) -> float:
    """The time at which the offset is half a box length, and has to begin anew."""
    if shear.jump == 0.0:
        return math.inf
    ahead = float(shear.offset[0] if shear.jump > 0.0 else -shear.offset[0])
    return (0.5 * shear.length - ahead) / abs(shear.jump)


def turn(shear: Shear) -> int:
    """Let the offset begin anew: the images are the same. By how many box lengths it went back."""
    boxes = 1 if shear.jump > 0.0 else -1
    shear.offset[0] -= boxes * shear.length
    return boxes


def slide_on(shear: NoShear | Shear, duration: float) -> None:
    """Count times from an origin that is so much later."""
    if isinstance(shear, Shear):
        shear.offset[0] += shear.jump * duration


@inner_kernel
def from_middle(shear: Shear, y: Any) -> Any:
    """How far above the middle of the box, in box lengths; there the flow is zero."""
    return y / shear.height - 0.5


@dispatch_on("shear")
def image_vector(shear: Any, lengths: Any, boxes: Any, time: float) -> Any:
    """The vector for so many boxes along each axis at a time."""


@image_vector.register(NoShear)
@inner_kernel
def _(shear: NoShear, lengths: Any, boxes: Any, time: float) -> Any:
    return (boxes[0] * lengths[0], boxes[1] * lengths[1], boxes[2] * lengths[2])


@image_vector.register(Shear)
@inner_kernel
def _(shear: Shear, lengths: Any, boxes: Any, time: float) -> Any:
    along = boxes[0] * lengths[0] + boxes[1] * offset_at(shear, time)
    return (along, boxes[1] * lengths[1], boxes[2] * lengths[2])


@dispatch_on("shear")
def seen_velocity(shear: Any, velocity: Vector, shift: Vector) -> Any:
    """The velocity of one particle relative to the image of another that is moved by -shift.

    ``velocity`` is relative to the other one itself.
    """


@seen_velocity.register(NoShear)
@inner_kernel
def _(shear: NoShear, velocity: Vector, shift: Vector) -> Any:
    return velocity


@seen_velocity.register(Shear)
@inner_kernel
def _(shear: Shear, velocity: Vector, shift: Vector) -> Any:
    rows = np.rint(shift[1] / shear.height)
    return (velocity[0] + rows * shear.jump, velocity[1], velocity[2])


@dispatch_on("shear")
def peculiar(shear: Any, position: Any, velocity: Vector) -> Any:
    """A velocity relative to the mean flow, which is zero in the middle of the box.

    It is the same for all images of a particle.
    """


@peculiar.register(NoShear)
@inner_kernel
def _(shear: NoShear, position: Any, velocity: Vector) -> Any:
    return velocity


@peculiar.register(Shear)
@inner_kernel
def _(shear: Shear, position: Any, velocity: Vector) -> Any:
    flow = shear.jump * from_middle(shear, position[1])
    return (velocity[0] - flow, velocity[1], velocity[2])


@dispatch_on("shear")
def upright(shear: Any, position: Any, time: float) -> Any:
    """A position in upright coordinates."""


@upright.register(NoShear)
@inner_kernel
def _(shear: NoShear, position: Any, time: float) -> Any:
    return position


@upright.register(Shear)
@inner_kernel
def _(shear: Shear, position: Any, time: float) -> Any:
    along = offset_at(shear, time) * from_middle(shear, position[1])
    return (position[0] - along, position[1], position[2])


@inner_kernel
def upright_rate(shear: Shear, position: Any, velocity: Vector, time: float) -> Any:
    """How fast the upright x of a particle in straight flight changes, and how fast that does."""
    lean, rate = offset_at(shear, time) / shear.height, shear.jump / shear.height
    along = velocity[0] - lean * velocity[1] - shear.jump * from_middle(shear, position[1])
    return along, -2.0 * rate * velocity[1]
