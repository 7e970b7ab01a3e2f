"""Cells in a hierarchy of grids, for particles of different sizes and for narrow boxes.

Along a narrow axis that repeats the box is searched once for each image, and every particle keeps
in which image it meets its partner.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from carom.compiled.kernels import inner_kernel
from carom.compiled.lent import lasting
from carom.compiled.vectors import plus
from carom.domains import seen_velocity
from carom.events.calendar import Calendar
from carom.methods.event_driven.fast.cells import came_into_view, next_cell, time_to_face, yes
from carom.methods.event_driven.fast.loop import (
    expect_contact,
    fetch,
    fill_up,
    find_partner,
    keeps_partner,
    leave,
    shift_between,
    shift_to_nearest,
    soonest,
    time_to_leave,
)
from carom.methods.event_driven.fast.pair_search import NearestImage, Seeker
from carom.methods.event_driven.world import World, image_rank, image_shift
from carom.neighbours.grids import Grids, gather_levels


@lasting
class HierarchySearch(NamedTuple):
    """Grids, and what the algorithm keeps beside the particles."""

    grids: Grids
    calendar: Calendar
    images: NearestImage
    found: Any  # (n + room,) candidates of the search at hand
    crossing: Any  # (n, 3) box lengths between unwrapped partners
    large: int  # number of particles beyond which memory is asked for ahead


leave.register(HierarchySearch)(next_cell)
time_to_leave.register(HierarchySearch)(time_to_face)
keeps_partner.register(HierarchySearch)(yes)


@fetch.register(HierarchySearch)
@inner_kernel
def _(search: HierarchySearch, world: World, i: int, is_next: bool) -> None:
    """The cells in view are too many to ask for."""
    return


@shift_between.register(HierarchySearch)
@inner_kernel
def _(search: HierarchySearch, world: World, i: int, j: int) -> Any:
    nearest = shift_to_nearest(search, world, i, j)
    crossed, crossing, repeats = world.bodies.boxes, search.crossing, search.grids.repeats
    narrow = (
        min(repeats[0], 1) * (crossing[i, 0] + crossed[i, 0] - crossed[j, 0]),
        min(repeats[1], 1) * (crossing[i, 1] + crossed[i, 1] - crossed[j, 1]),
        min(repeats[2], 1) * (crossing[i, 2] + crossed[i, 2] - crossed[j, 2]),
    )
    return plus(nearest, 1.0, image_shift(world, narrow, world.bodies.record[i].time))


@find_partner.register(HierarchySearch)
@inner_kernel
def _(
    search: HierarchySearch, world: World, i: int, x: Any, v: Any, time: float, left: int
) -> None:
    new_axis, step = came_into_view(left)
    own, grids, repeats = world.bodies.ledger[i], search.grids, search.grids.repeats
    met = (0, 0, 0)
    for z_box in range(-repeats[2], repeats[2] + 1):
        for y_box in range(-repeats[1], repeats[1] + 1):
            for x_box in range(-repeats[0], repeats[0] + 1):
                boxes = (x_box, y_box, z_box)
                number = gather_levels(
                    grids, own.level, own.place, new_axis, step, boxes, search.found
                )
                shift = image_shift(world, (-x_box, -y_box, -z_box), time)
                seen = seen_velocity(world.space.shear, v, shift)
                seeker = Seeker(
                    i=i,
                    position=x,
                    velocity=seen,
                    time=time,
                    images=search.images,
                    shift=shift,
                    at_edge=1,
                )
                fill_up(search.found, number, i)
                contact, j = soonest(world, search.found, number, seeker)
                box = (-x_box, -y_box, -z_box)
                sooner = contact < own.contact_time
                if contact == own.contact_time and j == own.partner:
                    # Two images of one particle at the same time; both partners agree which.
                    name, other = world.bodies.ledger[i].name, world.bodies.ledger[j].name
                    sooner = image_rank(name, other, box) < image_rank(name, other, met)
                if sooner:
                    met = box
                    expect_contact(world, i, j, contact)
                    _expect_crossing(world, search.crossing, i, j, box)


@inner_kernel
def _expect_crossing(world: World, crossing: Any, i: int, j: int, boxes: Any) -> None:
    """Keep the image in which i meets j; relative to unwrapped positions it stays true."""
    crossed = world.bodies.boxes
    for axis in range(3):
        crossing[i, axis] = boxes[axis] - crossed[i, axis] + crossed[j, axis]
