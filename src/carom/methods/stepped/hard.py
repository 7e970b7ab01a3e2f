"""Hard contacts in fixed steps: particles that overlap and approach collide.

With ``Sequence`` all such pairs of a step collide where they are, one after the other. With
``Backtrack`` the step is cut at each contact: both partners go back to the moment at which they
touched, collide, and go on for the rest of the step with their new velocities. Pairs whose contact
is the first for both partners are independent and collide in the same round; then contacts are
looked for again.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from carom.collisions import Contact, restitution, tangential_restitution
from carom.collisions.rough import SMOOTH
from carom.collisions.walls import law_at_wall
from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot, minus, plus, row, set_row
from carom.domains import IMPULSE, RESTITUTION, NoPlanes
from carom.errors import LAW_IS_WRONG
from carom.methods.keeping import not_kept
from carom.methods.log import write_log
from carom.methods.stepped.nearest_wall import towards
from carom.methods.stepped.rules import GOES_ON, act, room_of
from carom.methods.stepped.surface_spin import scrape, scrape_wall
from carom.methods.stepped.world import (
    AT_WALLS,
    FAR_TOUCHING,
    PER_MASS,
    RADIUS,
    TOUCHING,
    World,
    jump_of,
    species_in_block,
    speed,
)
from carom.species import WALL_NUMBER
from carom.types import Records, Vector

UNLIMITED = 1 << 62


class Sequence(NamedTuple):
    """Simultaneous contacts one after the other."""


class Backtrack(NamedTuple):
    """Every contact at its own time within the step."""

    earliest: Any  # (n,) of the contacts of a particle in the round, from the end of the step on


@not_kept("log")  # it is empty whenever a checkpoint is made
class HardRule(NamedTuple):
    """A collision law for particles that overlap."""

    law: Any
    simultaneous: Any
    spin: Any
    last_contact: Any  # (n,) its time, walls included
    last_step: Any  # (n,) the step of the last contact
    log: Any  # (room,) see methods/log.py; no room means no log is kept


class Meeting(NamedTuple):
    """Two particles of the block that overlap; the second may be an image."""

    i: int
    j: int
    separation: Vector
    velocity: Any
    jump: float  # of the image, along x


@room_of.register(HardRule)
@inner_kernel
def _(rule: HardRule, tally: Records) -> int:
    if len(rule.log) == 0:
        return UNLIMITED
    return (len(rule.log) - tally.logged) // (1 + most_rounds(rule.simultaneous))


@act.register(HardRule)
@inner_kernel
def _(rule: HardRule, world: World) -> int:
    inner, tally = world.inner, world.tally[0]
    tally.contacts += inner.number[TOUCHING] + inner.number[FAR_TOUCHING]
    status = resolve(rule.simultaneous, rule, world)
    if status != GOES_ON:
        return status
    return _in_sequence(rule, world)


@dispatch_on("simultaneous")
def most_rounds(simultaneous: Any) -> int:
    """How often a pair may collide in a step, beside the last round in sequence."""


@most_rounds.register(Sequence)
@inner_kernel
def _(simultaneous: Sequence) -> int:
    return 0


@dispatch_on("simultaneous")
def resolve(simultaneous: Any, rule: HardRule, world: World) -> int:
    """Let contacts happen that have a time of their own."""


@resolve.register(Sequence)
@inner_kernel
def _(simultaneous: Sequence, rule: HardRule, world: World) -> int:
    return GOES_ON


@inner_kernel
def _in_sequence(rule: HardRule, world: World) -> int:
    """Let all pairs that overlap and approach collide, then those at walls."""
    inner = world.inner
    for c in range(inner.number[TOUCHING] + inner.number[FAR_TOUCHING]):
        meeting = meeting_of(world, c)
        if dot(meeting.separation, meeting.velocity) < 0.0:
            status = collide(rule, world, meeting)
            if status != GOES_ON:
                return status
    for w in range(inner.number[AT_WALLS]):
        status = collide_wall(world.planes, rule, world, w)
        if status != GOES_ON:
            return status
    return GOES_ON


@inner_kernel
def meeting_of(world: World, c: int) -> Meeting:
    """Contact c of those found: first all inside the box, then those across its boundary."""
    inner = world.inner
    near = inner.number[TOUCHING]
    if c < near:
        k = inner.found[c]
        i, j = inner.first[k], inner.second[k]
        shift, jump = (0.0, 0.0, 0.0), 0.0
    else:
        k = inner.far_found[c - near]
        i, j, image = inner.far_first[k], inner.far_second[k], int(inner.far_image[k])
        shift, jump = row(world.shift, image), jump_of(world.shear, image)
    separation = plus(minus(row(inner.sphere, i), row(inner.sphere, j)), 1.0, shift)
    velocity = minus(row(inner.velocity, i), row(inner.velocity, j))
    return Meeting(i, j, separation, (velocity[0] + jump, velocity[1], velocity[2]), jump)


@inner_kernel
def collide(rule: HardRule, world: World, meeting: Meeting) -> int:
    """Exchange momentum between two particles that approach."""
    inner, tally = world.inner, world.tally[0]
    i, j, separation = meeting.i, meeting.j, meeting.separation
    square = dot(separation, separation)
    distance = math.sqrt(square)
    closing = -dot(separation, meeting.velocity)
    r_i, r_j = inner.sphere[i, RADIUS], inner.sphere[j, RADIUS]
    per_mass_i, per_mass_j = inner.velocity[i, PER_MASS], inner.velocity[j, PER_MASS]
    reduced_mass = 1.0 / (per_mass_i + per_mass_j)
    approach_speed = closing / distance
    quiet = _time_since_last(rule, world, i, j)
    a, b = species_in_block(world, i), species_in_block(world, j)
    contact = Contact(approach_speed, reduced_mass, r_i * r_j / (r_i + r_j), quiet, a, b)
    coefficient = restitution(contact, rule.law)
    if not 0.0 <= coefficient <= 1.0:
        return _wrong_law(world, i, world.flock.name[inner.particle[j]], coefficient)
    push = (1.0 + coefficient) * reduced_mass * (closing / square)
    set_row(inner.velocity, i, plus(row(inner.velocity, i), push * per_mass_i, separation))
    set_row(inner.velocity, j, plus(row(inner.velocity, j), -push * per_mass_j, separation))
    impulse = (push * separation[0], push * separation[1], push * separation[2])
    # A glancing contact exerts no impulse, along the surfaces as little as across.
    tangential = tangential_restitution(contact, rule.law) if closing > 0.0 else SMOOTH
    along, scraped = scrape(rule.spin, world, meeting, tangential)
    impulse = plus(impulse, 1.0, along)
    for a in range(3):
        for b in range(3):
            world.sums.virial[a, b] += impulse[a] * separation[b]
    loss = 0.5 * reduced_mass * approach_speed * approach_speed * (1.0 - coefficient * coefficient)
    tally.dissipated += loss + scraped
    tally.shear_work -= impulse[0] * meeting.jump
    tally.collisions += 1
    name, particle = world.flock.name, inner.particle
    write_log(
        rule.log,
        tally,
        tally.step * world.plan.dt,
        name[particle[i]],
        name[particle[j]],
        push * distance,
        separation,
    )
    overlap = max(1.0 - distance / (r_i + r_j), 0.0)
    tally.overlap_sum += overlap
    tally.largest_overlap = max(tally.largest_overlap, overlap)
    several = _note_contact(rule, world, i)
    if _note_contact(rule, world, j) or several:
        tally.multiple_contacts += 1
    return GOES_ON


@inner_kernel
def _time_since_last(rule: HardRule, world: World, i: int, j: int) -> float:
    particle = world.inner.particle
    last = max(rule.last_contact[particle[i]], rule.last_contact[particle[j]])
    return world.tally[0].step * world.plan.dt - last


@inner_kernel
def _note_contact(rule: HardRule, world: World, i: int) -> bool:
    """Remember a contact of particle i of the block; whether it had another in this step."""
    inner, tally = world.inner, world.tally[0]
    particle = inner.particle[i]
    several = rule.last_step[particle] == tally.step
    rule.last_step[particle] = tally.step
    rule.last_contact[particle] = tally.step * world.plan.dt
    tally.fastest = max(tally.fastest, speed(world, inner.sphere, inner.velocity, i))
    return several


@inner_kernel
def _wrong_law(world: World, i: int, partner: int, coefficient: float) -> int:
    tally = world.tally[0]
    tally.first_in_trouble = world.flock.name[world.inner.particle[i]]
    tally.second_in_trouble = partner
    tally.coefficient = coefficient
    return LAW_IS_WRONG


@dispatch_on("planes")
def collide_wall(planes: Any, rule: HardRule, world: World, w: int) -> int:
    """Reflect the particle of wall contact w, if it overlaps the wall and approaches."""


@collide_wall.register(NoPlanes)
@inner_kernel
def _(planes: NoPlanes, rule: HardRule, world: World, w: int) -> int:
    return GOES_ON


@collide_wall.otherwise
@inner_kernel
def _(planes: Any, rule: HardRule, world: World, w: int) -> int:
    inner, tally = world.inner, world.tally[0]
    i, k = inner.wall_particle[w], inner.wall_plane[w]
    distance, normal = towards(planes, k, row(inner.sphere, i))
    velocity = row(inner.velocity, i)
    approach_speed = -dot(velocity, normal)
    if distance >= inner.sphere[i, RADIUS] or approach_speed <= 0.0:
        return GOES_ON
    mass = 1.0 / inner.velocity[i, PER_MASS]
    quiet = _time_since_last(rule, world, i, i)
    species, radius = species_in_block(world, i), inner.sphere[i, RADIUS]
    contact = Contact(approach_speed, mass, radius, quiet, species, WALL_NUMBER)
    own = planes[k, RESTITUTION]
    if math.isnan(own):
        coefficient = restitution(contact, rule.law)
    else:
        coefficient = restitution(contact, law_at_wall(rule.law, own))
    if not 0.0 <= coefficient <= 1.0:
        return _wrong_law(world, i, -1 - k, coefficient)
    change = (1.0 + coefficient) * approach_speed
    set_row(inner.velocity, i, plus(velocity, change, normal))
    tangential = tangential_restitution(contact, rule.law)
    scraped = scrape_wall(rule.spin, world, i, normal, tangential)
    planes[k, IMPULSE] += mass * change
    tally.wall_collisions += 1
    tally.contacts += 1
    inward = (distance * normal[0], distance * normal[1], distance * normal[2])
    name = world.flock.name[inner.particle[i]]
    write_log(rule.log, tally, tally.step * world.plan.dt, name, -1 - k, mass * change, inward)
    loss = 0.5 * mass * approach_speed * approach_speed * (1.0 - coefficient * coefficient)
    tally.dissipated += loss + scraped
    if _note_contact(rule, world, i):
        tally.multiple_contacts += 1
    return GOES_ON
