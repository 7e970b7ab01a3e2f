"""When contacts happen and what they change: shared by all event-driven algorithms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom.collisions import Contact, restitution, tangential_restitution
from carom.collisions.rough import SMOOTH
from carom.collisions.walls import law_at_wall
from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot, minus, part, plus
from carom.detection import Pair, time_to_contact, time_to_plane
from carom.domains import (
    IMPULSE,
    NORMAL,
    POINT,
    RESTITUTION,
    NoPlanes,
    NoShear,
    Shear,
    height_over,
    seen_velocity,
)
from carom.errors import COLLAPSED, LAW_IS_WRONG
from carom.methods.event_driven.rest import holding_planes, press, release
from carom.methods.event_driven.rough_spin import scrape, scrape_wall
from carom.methods.event_driven.three_body import note_impact
from carom.methods.event_driven.world import (
    World,
    add_virial,
    position_at,
    position_of,
    radius_of,
    set_velocity,
    species_of,
    velocity_at,
    velocity_of,
)
from carom.methods.log import write_log
from carom.motions import acceleration, closing_rate, grown, growth, predicts_falsely
from carom.patches.path import path_of
from carom.patches.walls import IMPULSE as GIVEN
from carom.patches.walls import RESTITUTION as OWN_RESTITUTION
from carom.patches.walls import Walls, number_of, seen_of, touch_of
from carom.species import WALL_NUMBER
from carom.types import Vector

GOES_ON = -1  # no reason to stop; the other statuses are in carom.errors

EPSILON = float(np.finfo(np.float64).eps)
# So many contacts of one particle without time advancing are a collapse. A particle in an
# exactly symmetric start has a dozen simultaneous contacts, a touching cluster some hundred.
CONTACTS_TO_COLLAPSE = 1000
# Time has not advanced when it moved by less than this many units in the last place.
STALL_ULPS = 8.0
# A bounce is unresolved when its height is below this many units in the last place of the
# coordinates: positions cannot represent it, and round-off alone keeps it going.
BOUNCE_ULPS = 4.0


@inner_kernel
def time_of_pair(
    world: World, i: int, j: int, shift: Vector, x: Vector, v: Vector, time: float
) -> float:
    """When particle i, at x with velocity v now, meets the image of j moved by -shift."""
    world.tally[0].pair_tests += 1
    separation = plus(minus(x, position_at(world, j, time)), 1.0, shift)
    velocity = seen_velocity(world.space.shear, minus(v, velocity_at(world, j, time)), shift)
    sigma = radius_of(world.bodies, i) + radius_of(world.bodies, j)
    pair = Pair(i, j, separation, velocity, sigma, time)
    return time + time_to_contact(world.motion, world.detection, pair)


@dispatch_on("planes")
def time_of_plane(planes: Any, world: World, i: int, x: Vector, v: Vector, time: float) -> Any:
    """When particle i, at x with velocity v now, meets a plane, and which."""


@dispatch_on("planes")
def time_of_patch(
    planes: Any, world: World, i: int, x: Vector, v: Vector, time: float, before: float
) -> Any:
    """When it meets a patch of another wall, if that is before a time, and which; else infinity."""


@dispatch_on("planes")
def has_patches(planes: Any) -> bool:
    """Whether there are walls other than planes."""


@time_of_plane.register(NoPlanes)
@inner_kernel
def _(planes: NoPlanes, world: World, i: int, x: Vector, v: Vector, time: float) -> Any:
    return math.inf, -1


@time_of_plane.otherwise
@inner_kernel
def _(planes: Any, world: World, i: int, x: Vector, v: Vector, time: float) -> Any:
    held_by = holding_planes(world.rest, i)
    a = acceleration(world.motion, i)
    radius = grown(world.motion, radius_of(world.bodies, i), time)
    widening = growth(world.motion, radius_of(world.bodies, i))
    earliest = math.inf
    wall = -1
    for k in range(len(planes)):
        if held_by >> k & 1:
            continue
        height = height_over(planes, k, x)
        side = -1.0 if height < 0.0 else 1.0  # Algorithm 2 flips the normal: planes have two sides
        normal = part(planes, k, NORMAL)
        gap = side * height - radius
        speed = side * dot(normal, v) - widening
        duration = time_to_plane(world.detection, gap, speed, side * dot(normal, a))
        if duration < earliest:
            earliest = duration
            wall = k
    return time + earliest, wall


@time_of_plane.register(Walls)
@inner_kernel
def _(planes: Walls, world: World, i: int, x: Vector, v: Vector, time: float) -> Any:
    return time_of_plane(planes.planes, world, i, x, v, time)


@has_patches.register(Walls)
@inner_kernel
def _(planes: Walls) -> bool:
    return True


@has_patches.otherwise
@inner_kernel
def _(planes: Any) -> bool:
    return False


@time_of_patch.register(Walls)
@inner_kernel
def _(planes: Walls, world: World, i: int, x: Vector, v: Vector, time: float, before: float) -> Any:
    path, radius = path_of(world.motion, i, x, v), radius_of(world.bodies, i)
    duration, number = touch_of(planes.groups, path, radius, before - time)
    return time + duration, number


@time_of_patch.otherwise
@inner_kernel
def _(planes: Any, world: World, i: int, x: Vector, v: Vector, time: float, before: float) -> Any:
    return math.inf, -1


@inner_kernel
def time_of_wall(planes: Any, world: World, i: int, x: Vector, v: Vector, time: float) -> Any:
    """When particle i, at x with velocity v now, meets a wall, and which."""
    earliest, wall = time_of_plane(planes, world, i, x, v, time)
    if has_patches(planes):
        touch, number = time_of_patch(planes, world, i, x, v, time, earliest)
        if touch < earliest:
            return touch, number
    return earliest, wall


@inner_kernel
def collide_pair(world: World, i: int, j: int, shift: Vector, time: float) -> int:
    """Exchange momentum between i and the image of j moved by -shift, both already at ``time``."""
    bodies = world.bodies
    separation = plus(minus(position_of(bodies, i), position_of(bodies, j)), 1.0, shift)
    square = dot(separation, separation)
    distance = math.sqrt(square)
    v_i = velocity_of(bodies, i)
    v_j = velocity_of(bodies, j)
    r_i, r_j = radius_of(bodies, i), radius_of(bodies, j)
    velocity = seen_velocity(world.space.shear, minus(v_i, v_j), shift)
    closing = closing_rate(world.motion, separation, velocity, r_i + r_j, time)
    if predicts_falsely(world.motion) and closing <= 0.0:
        world.tally[0].false_predictions += 1
        return GOES_ON
    closing = max(closing, 0.0)
    approach_speed = closing / distance
    mass_i, mass_j = bodies.ledger[i].mass, bodies.ledger[j].mass
    share_i, share_j = mass_j / (mass_i + mass_j), mass_i / (mass_i + mass_j)
    reduced_mass = mass_i * share_i
    quiet = time - max(bodies.ledger[i].last_contact, bodies.ledger[j].last_contact)
    effective_radius = grown(world.motion, r_i * r_j / (r_i + r_j), time)
    a, b = species_of(bodies, i), species_of(bodies, j)
    contact = Contact(approach_speed, reduced_mass, effective_radius, quiet, a, b)
    coefficient = restitution(contact, world.law)
    if not 0.0 <= coefficient <= 1.0:
        return _wrong_law(world, i, j, coefficient)

    # Along the separation itself: a unit vector's length is off by round-off, always to the same
    # side, and a long run would gain or lose energy by it.
    push = (1.0 + coefficient) * (closing / square)
    impulse = reduced_mass * push * distance
    set_velocity(bodies, i, plus(v_i, push * share_i, separation))
    set_velocity(bodies, j, plus(v_j, -push * share_j, separation))
    # A glancing contact exerts no impulse, along the surfaces as little as across.
    tangential = tangential_restitution(contact, world.law) if closing > 0.0 else SMOOTH
    scraped = scrape(world.spin, world, i, j, separation, shift, tangential)
    _note_work(world.space.shear, world, j, v_j, shift)
    pull = max(_strength(world, i), _strength(world, j))
    release(world.rest, world, i)
    release(world.rest, world, j)

    tally = world.tally[0]
    tally.collisions += 1
    # Bannerman et al. 2014, section 4.1: it follows at once on another collision, and only
    # keeps overlapping particles from approaching.
    overlapping = distance < grown(world.motion, r_i + r_j, time)
    if quiet == 0.0 and overlapping:
        tally.stabilising += 1
    note_impact(world.watch, world, i, j, overlapping, time)
    add_virial(world, reduced_mass * push, separation)
    loss = 0.5 * reduced_mass * approach_speed * approach_speed * (1.0 - coefficient * coefficient)
    tally.dissipated += loss + scraped
    write_log(world.log, tally, time, _name_of(world, i), _name_of(world, j), impulse, separation)

    x = position_of(bodies, i)
    scale = distance + abs(x[0]) + abs(x[1]) + abs(x[2])
    unresolved = _is_unresolved(coefficient * approach_speed, pull, scale)
    collapse_i = _note_contact(world, i, time, unresolved)
    collapse_j = _note_contact(world, j, time, unresolved)
    return _collapse(world, i, j) if collapse_i and collapse_j else GOES_ON


@dispatch_on("shear")
def _note_work(shear: Any, world: World, j: int, before: Any, shift: Vector) -> None:
    """Add what a contact with the image of j, moved by -shift, has changed the energy beside loss.

    The impulse acts on the image, which is faster than j by the difference of two rows.
    """


@_note_work.register(NoShear)
@inner_kernel
def _(shear: NoShear, world: World, j: int, before: Any, shift: Vector) -> None:
    return


@_note_work.register(Shear)
@inner_kernel
def _(shear: Shear, world: World, j: int, before: Any, shift: Vector) -> None:
    slower = np.rint(shift[1] / shear.height) * shear.jump
    gained = velocity_of(world.bodies, j)[0] - before[0]
    world.tally[0].shear_work += world.bodies.ledger[j].mass * gained * slower


@dispatch_on("planes")
def collide_wall(planes: Any, world: World, i: int, k: int, time: float) -> int:
    """Reflect particle i, already at ``time``, from wall k."""


@collide_wall.register(NoPlanes)
@inner_kernel
def _(planes: NoPlanes, world: World, i: int, k: int, time: float) -> int:
    return GOES_ON


@collide_wall.otherwise
@inner_kernel
def _(planes: Any, world: World, i: int, k: int, time: float) -> int:
    normal = part(planes, k, NORMAL)
    x = position_of(world.bodies, i)
    height = height_over(planes, k, x)
    if height < 0.0:
        normal = (-normal[0], -normal[1], -normal[2])
    velocity = velocity_of(world.bodies, i)
    approach_speed = -(dot(velocity, normal) - growth(world.motion, radius_of(world.bodies, i)))
    if predicts_falsely(world.motion) and approach_speed <= 0.0:
        world.tally[0].false_predictions += 1
        return GOES_ON
    approach_speed = max(approach_speed, 0.0)
    contact, coefficient = _answer(world, i, approach_speed, planes[k, RESTITUTION], time)
    if not 0.0 <= coefficient <= 1.0:
        return _wrong_law(world, i, -1 - k, coefficient)

    # Divided by the square: the length of a skew normal is 1 only up to round-off.
    mass = world.bodies.ledger[i].mass
    impulse = (1.0 + coefficient) * mass * approach_speed / dot(normal, normal)
    set_velocity(world.bodies, i, plus(velocity, impulse / mass, normal))
    reach = abs(height)
    planes[k, IMPULSE] += impulse
    scale = reach + abs(dot(x, normal)) + abs(dot(part(planes, k, POINT), normal))
    collapse = _note_bounce(world, i, k, contact, coefficient, impulse, normal, reach, scale, time)
    if press(world.rest, world, i, k, world.bodies.ledger[i].stalled > 0):
        return GOES_ON
    return _collapse(world, i, -1 - k) if collapse else GOES_ON


@collide_wall.register(Walls)
@inner_kernel
def _(planes: Walls, world: World, i: int, k: int, time: float) -> int:
    if k < number_of(planes.planes):
        return collide_wall(planes.planes, world, i, k, time)
    x = position_of(world.bodies, i)
    seen, wall = seen_of(planes.groups, k, x, radius_of(world.bodies, i))
    square = dot(seen.away, seen.away)
    reach = math.sqrt(square)
    normal = (seen.away[0] / reach, seen.away[1] / reach, seen.away[2] / reach)
    velocity = velocity_of(world.bodies, i)
    closing = max(-dot(velocity, seen.away), 0.0)
    own = planes.accounts[wall, OWN_RESTITUTION]
    contact, coefficient = _answer(world, i, closing / reach, own, time)
    if not 0.0 <= coefficient <= 1.0:
        return _wrong_law(world, i, -1 - wall, coefficient)

    # Along the separation itself, as in pairs: where the angle of impact is always the same, so is
    # the rounding of a unit vector or of a mass, and energy would drift.
    push = (1.0 + coefficient) * (closing / square)
    set_velocity(world.bodies, i, plus(velocity, push, seen.away))
    impulse = world.bodies.ledger[i].mass * push * reach
    planes.accounts[wall, GIVEN] += impulse
    scale = reach + abs(x[0]) + abs(x[1]) + abs(x[2])
    collapse = _note_bounce(
        world, i, wall, contact, coefficient, impulse, normal, reach, scale, time
    )
    return _collapse(world, i, -1 - wall) if collapse else GOES_ON


@inner_kernel
def _answer(world: World, i: int, approach_speed: float, own: float, time: float) -> Any:
    """The contact of particle i with a wall with a restitution of its own, or NaN, and what the law
    says to it."""
    ledger = world.bodies.ledger[i]
    radius = grown(world.motion, radius_of(world.bodies, i), time)
    species, quiet = species_of(world.bodies, i), time - ledger.last_contact
    contact = Contact(approach_speed, ledger.mass, radius, quiet, species, WALL_NUMBER)
    if math.isnan(own):
        return contact, restitution(contact, world.law)
    return contact, restitution(contact, law_at_wall(world.law, own))


@inner_kernel
def _note_bounce(
    world: World,
    i: int,
    wall: int,
    contact: Contact,
    coefficient: float,
    impulse: float,
    normal: Vector,
    reach: float,
    scale: float,
    time: float,
) -> bool:
    """Turn particle i at a rough wall, let it go if it was held, and write its bounce down; whether
    its contacts repeat without time advancing."""
    speed = contact.approach_speed
    tangential = tangential_restitution(contact, world.law) if speed > 0.0 else SMOOTH
    scraped = scrape_wall(world.spin, world, i, normal, tangential)
    if holding_planes(world.rest, i) != 0:
        release(world.rest, world, i)  # its count of presses goes on

    tally = world.tally[0]
    tally.wall_collisions += 1
    loss = 0.5 * contact.reduced_mass * speed * speed * (1.0 - coefficient * coefficient)
    tally.dissipated += loss + scraped
    towards = (reach * normal[0], reach * normal[1], reach * normal[2])
    write_log(world.log, tally, time, _name_of(world, i), -1 - wall, impulse, towards)

    falling = -dot(acceleration(world.motion, i), normal)
    return _note_contact(world, i, time, _is_unresolved(coefficient * speed, falling, scale))


@inner_kernel
def _strength(world: World, i: int) -> float:
    """How strongly particle i is accelerated.

    Not relative to its partner: two particles of a column that settles fall alike between their
    contacts, but it is their weight that keeps the contacts going.
    """
    a = acceleration(world.motion, i)
    return math.sqrt(dot(a, a))


@inner_kernel
def _is_unresolved(bounce: float, pull: float, scale: float) -> bool:
    """Whether positions of this scale cannot represent the height of a bounce against a pull."""
    return pull > 0.0 and bounce * bounce <= 2.0 * pull * BOUNCE_ULPS * EPSILON * scale


@inner_kernel
def _note_contact(world: World, i: int, time: float, unresolved: bool) -> bool:
    """Remember a contact of particle i; whether its contacts repeat without time advancing."""
    ledger = world.bodies.ledger[i]
    resolution = STALL_ULPS * EPSILON * abs(world.tally[0].origin + time)
    if unresolved or time - ledger.last_contact <= resolution:
        ledger.stalled += 1
    else:
        ledger.stalled = 0
    ledger.last_contact = time
    return ledger.stalled > CONTACTS_TO_COLLAPSE


@inner_kernel
def _name_of(world: World, i: int) -> int:
    """The number by which the user knows a particle; walls are below 0 and stay as they are."""
    return world.bodies.ledger[i].name if i >= 0 else i


@inner_kernel
def _collapse(world: World, i: int, partner: int) -> int:
    world.tally[0].first_in_trouble = _name_of(world, i)
    world.tally[0].second_in_trouble = _name_of(world, partner)
    return COLLAPSED


@inner_kernel
def _wrong_law(world: World, i: int, partner: int, coefficient: float) -> int:
    world.tally[0].first_in_trouble = _name_of(world, i)
    world.tally[0].second_in_trouble = _name_of(world, partner)
    world.tally[0].coefficient = coefficient
    return LAW_IS_WRONG


@inner_kernel
def log_is_full(world: World) -> bool:
    """Whether the next collision would not fit into the log."""
    room = len(world.log)
    return room > 0 and world.tally[0].logged >= room
