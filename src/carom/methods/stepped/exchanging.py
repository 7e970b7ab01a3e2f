"""Particles that come and go in steps: a world of others that goes on from the one before."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from carom.compiled.vectors import three_columns
from carom.domains import IMPULSE, NoPlanes
from carom.errors import CaromWarning
from carom.forces.force import NoForce
from carom.methods.exchange import Stays, Sums, renamed_slots, slots_of
from carom.methods.stepped import blocks
from carom.methods.stepped.world import World
from carom.system import System

NOBODY = -1
# What a tally says of a list and a block, which a new world has not.
OF_LISTS = {"listed_at": -1, "block_from": -1, "lists_made": 0, "moved": 0.0, "logged": 0}


class Exchanging:
    """The part of a ``SteppedEngine`` that is about a changing number of particles.

    The engine itself is ``self``: what it has is said there.
    """

    def moment(self: Any, time: float) -> float:
        """When a change that is asked for at a time happens: at the step that it is in."""
        return float(self.time)

    def exchanged(self: Any, time: float, system: System, stays: Stays) -> Any:
        """An engine that goes on from the present step with other particles."""
        self.prepare()
        blocks.close_block(self.world)
        blocks.drop_list(self.world)
        blocks.begin(self.world)
        successor = self._successor(system)
        _put_tally(self.world, successor.world)
        slots, names = slots_of(self.world.flock.name), successor.world.flock.name.copy()
        for old, new in zip(self._per_particle(), successor._per_particle(), strict=True):
            new[stays.after] = old[slots[stays.before]]
        successor.world.flock.name[:] = names
        successor._follow_pairs(self.world, renamed_slots(len(slots), slots, stays, NOBODY))
        if self.keeps_log:
            successor.keep_log()
        is_new = np.ones(len(names), dtype=bool)
        is_new[stays.after] = False
        successor._take_in(is_new)
        return successor

    def go_on_from(self: Any, sums: Sums, time: float) -> None:
        """Begin at the step before a time with sums of before, where nobody was left."""
        _put_sums(self.world, sums, self._steps_until(time))
        self._take_in(np.ones(len(self.system.particles), dtype=bool))

    def sums(self: Any, time: float) -> Sums:
        """What has been summed up to a time."""
        tally = self.world.tally[0]
        return Sums(
            self.counts,
            self.dissipated,
            self.virial,
            self.snapshot(time)[1],
            self.wall_impulse,
            self.shear_work(time),
            float(tally.overlap_sum),
            float(tally.largest_overlap),
        )

    def _successor(self: Any, system: System) -> Any:
        """A new engine of the same kind, and with the same steps."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CaromWarning)  # it has been said of those who stay
            return type(self)(system, self._method)

    def _follow_pairs(self: Any, before: World, number: Any) -> None:
        """Take over what is kept by pairs; ``number`` are the new ones of those of before."""

    def _take_in(self: Any, is_new: Any) -> None:
        """Begin with some particles, an array of True and False, whose velocities are those of the
        present step; those of the others are of half a step before already."""
        self._prepared = True
        self._renumber()
        is_new = is_new[self.world.flock.name]
        if not isinstance(self.world.force, NoForce):
            self._set_back(self._angular(self.world), is_new)
        elif self.system.gravity is not None:  # nobody touches those who have just come
            pull = three_columns(self.system.gravity[None, :])[0]
            self.world.flock.velocity[is_new, :3] -= 0.5 * self.dt * pull
        blocks.begin(self.world)


def _put_tally(before: World, after: World) -> None:
    """Let a world go on with all that was counted and summed up."""
    after.tally[0] = before.tally[0]
    for name, value in OF_LISTS.items():
        after.tally[name] = value
    after.searched[0] = before.searched[0]
    after.sums.virial[...] = before.sums.virial
    after.sums.kinetic[...] = before.sums.kinetic
    if not isinstance(after.planes, NoPlanes):
        after.planes[:, IMPULSE] = before.planes[:, IMPULSE]


def _put_sums(world: World, sums: Sums, step: int) -> None:
    """Let a world begin at a step with these sums."""
    tally = world.tally[0]
    for name, value in sums.counts._asdict().items():
        tally[name] = value
    searched = world.searched[0]
    searched.builds, searched.pair_tests = sums.counts.rebuilds, sums.counts.pair_tests
    searched.swaps, searched.listed = sums.counts.swaps, sums.counts.listed
    tally.step = tally.surveyed_at = step
    tally.dissipated, tally.shear_work = sums.dissipated, sums.shear_work
    tally.overlap_sum, tally.largest_overlap = sums.overlap_sum, sums.largest_overlap
    world.sums.virial[...] = sums.virial
    world.sums.kinetic[...] = sums.kinetic
    if not isinstance(world.planes, NoPlanes):
        world.planes[:, IMPULSE] = sums.wall_impulse
