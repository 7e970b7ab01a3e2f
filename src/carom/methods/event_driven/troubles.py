"""What users are told when a run cannot go on, and what they can do."""

from __future__ import annotations

from carom.errors import InelasticCollapse, LawError
from carom.methods.event_driven.world import World, time_of
from carom.system import System


def collapse_of(system: System, world: World, resting: bool) -> InelasticCollapse:
    """What the user is told when collisions of a pair leave no time between them."""
    i, partner = _in_trouble(world)
    involved = (i, partner) if partner >= 0 else (i,)
    remedies = [
        "law=carom.ContactDuration(law, duration)",
        "a restitution that tends to 1 for slow contacts (carom.ViscoelasticRestitution)",
    ]
    if system.gravity is not None and system.planes and not resting:
        remedies.append("method=carom.EventDriven(resting=True) to hold particles at rest on walls")
    return InelasticCollapse(
        f"inelastic collapse at time {time_of(world):.12g}: particle {i} and "
        f"{_partner_name(system, partner)} collide again and again without time advancing. "
        f"Remedies: {'; or '.join(remedies)}.",
        involved,
        time_of(world),
    )


def wrong_law_of(system: System, world: World) -> LawError:
    """What the user is told of a coefficient of restitution that is none."""
    i, partner = _in_trouble(world)
    value = float(world.tally[0].coefficient)
    return LawError(
        f"the law {system.law!r} gave a coefficient of restitution of {value} for "
        f"particle {i} and {_partner_name(system, partner)} at time {time_of(world):.12g}; it must "
        "lie between 0 and 1."
    )


def _in_trouble(world: World) -> tuple[int, int]:
    tally = world.tally[0]
    return int(tally.first_in_trouble), int(tally.second_in_trouble)


def _partner_name(system: System, partner: int) -> str:
    if partner >= 0:
        return f"particle {partner}"
    plane = system.planes[-1 - partner]
    return f"the wall through {plane.point} with normal {plane.normal}"
