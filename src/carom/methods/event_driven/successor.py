"""What a world of other particles takes over from the one before."""

from __future__ import annotations

import numpy as np

from carom.methods.event_driven import world as parts
from carom.methods.event_driven.rest import RestsOnPlanes
from carom.methods.event_driven.rough_spin import Spins
from carom.methods.event_driven.three_body import NOBODY, CountsThreeBodies
from carom.methods.exchange import Stays, Sums, renamed_slots, slots_of
from carom.motions import Accelerated
from carom.patches.new_walls import give_impulses


def put_sums(world: parts.World, sums: Sums) -> None:
    """Let a world go on with sums."""
    tally = world.tally[0]
    for name, value in sums.counts._asdict().items():
        tally[name] = value
    tally.dissipated, tally.shear_work = sums.dissipated, sums.shear_work
    spins = isinstance(world.spin, Spins)
    if spins:
        world.spin.virial[0] = sums.virial  # which may have parts that are not symmetric
    for axes in parts.PRODUCTS:
        a, b = "xyz".index(axes[0]), "xyz".index(axes[1])
        tally[f"virial_{axes}"] = 0.0 if spins else sums.virial[a, b]
        tally[f"kinetic_{axes}"] = sums.kinetic[a, b]
    give_impulses(world.planes, sums.wall_impulse)


def follow(before: parts.World, after: parts.World, stays: Stays) -> None:
    """Let those who stay be what they were, in a world that begins in the order of rows."""
    slots = slots_of(before.bodies.ledger.name)
    old, new = slots[stays.before], stays.after
    parts.columns(after.bodies.record)[new] = parts.columns(before.bodies.record)[old]
    after.bodies.boxes[new] = before.bodies.boxes[old]
    for name in ("last_contact", "stalled"):
        after.bodies.ledger[name][new] = before.bodies.ledger[name][old]
    if isinstance(after.spin, Spins):
        after.spin.angular[new] = before.spin.angular[old]
    if isinstance(after.rest, RestsOnPlanes):
        after.rest.held_by[new] = before.rest.held_by[old]
        after.rest.presses[new] = before.rest.presses[old]
        after.tally[0].resting = int(np.count_nonzero(after.rest.held_by))
        if isinstance(after.motion, Accelerated):
            after.motion.of[new] = before.motion.of[old]
    if isinstance(after.watch, CountsThreeBodies):
        # Partners are known by where they lie; a new world has them in the order of rows.
        number = renamed_slots(len(slots), slots, stays, NOBODY)
        for partner, was in zip(after.watch, before.watch, strict=True):
            known = np.append(number, NOBODY)[was[old]]  # NOBODY is -1, the last
            partner[new] = known
