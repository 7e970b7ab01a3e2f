"""Contacts four at a time against their plain twins.

The vectors do the same operations in the same order, so that what acts on particles agrees to the
last bit; sums are added up in another order and agree up to rounding.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

import carom
from carom.compiled.entry_points import entry_point
from carom.compiled.views import borrowed
from carom.methods.stepped import soft_by_fours, soft_pairs
from carom.methods.stepped.course import copied
from carom.methods.stepped.vectors.touching import (
    far_one_by_one,
    far_pairs,
    near_one_by_one,
    near_pairs,
)
from carom.methods.stepped.world import NEAR, TOUCHING, new_shift
from carom.neighbours.pairs.pair_list import new_pair_list

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="there are no vectors")

COUNTS = (0, 1, 2, 3, 4, 5, 7, 8, 30, 61)
STEP = 7
# No separation is longer, and nothing in contact slips or approaches faster, along one axis.
REACH, FASTEST = 0.5, 200.0
EPSILON = float(np.finfo(np.float64).eps)


@entry_point
def by_fours(world: Any) -> None:
    world = borrowed(world)
    near = world.inner.number[TOUCHING]
    soft_by_fours.squeeze_linear(world.rule.law, world.rule, world, near)
    soft_by_fours.kick_by_fours(world.shear, world.rule, world, near)
    soft_by_fours.settle_by_rows(world.rule, world, near)


@entry_point
def one_by_one(world: Any) -> None:
    world = borrowed(world)
    near = world.inner.number[TOUCHING]
    soft_pairs.squeeze_one_by_one(world.rule.law, world.rule, world, near)
    soft_pairs.kick_one_by_one(world.shear, world.rule, world, near)
    soft_pairs.settle_one_by_one(world.rule, world, near)


@entry_point
def near_by_fours(sphere: Any, pairs: Any, number: int, margin: float, found: Any) -> int:
    return near_pairs(sphere, pairs.first, pairs.second, number, margin, found)


@entry_point
def near_singly(sphere: Any, pairs: Any, number: int, margin: float, found: Any) -> int:
    return near_one_by_one(sphere, pairs.first, pairs.second, number, margin, found)


@entry_point
def far_by_fours(
    sphere: Any, pairs: Any, shift: Any, number: int, margin: float, found: Any
) -> int:
    first, second, image = pairs.far_first, pairs.far_second, pairs.far_image
    return far_pairs(sphere, first, second, image, shift, number, margin, found)


@entry_point
def far_singly(sphere: Any, pairs: Any, shift: Any, number: int, margin: float, found: Any) -> int:
    first, second, image = pairs.far_first, pairs.far_second, pairs.far_image
    return far_one_by_one(sphere, first, second, image, shift, number, margin, found)


def crowd(n: int, rng: np.random.Generator) -> carom.System:
    """Particles of unequal sizes and masses, all of which overlap all others."""
    particles = carom.Particles(
        rng.uniform(0.0, 0.5, (n, 3)),
        20.0 * rng.normal(size=(n, 3)),
        rng.uniform(0.5, 1.5, n),
        rng.uniform(0.2, 5.0, n),
    )
    return carom.System(particles)


def touching(method: carom.SoftContacts, contacts: int, rng: np.random.Generator) -> Any:
    """A world in a block, some of whose pairs touch now; some springs are stretched."""
    n = 13
    world = method.engine(crowd(n, rng)).world
    inner, flock = world.inner, world.flock
    order = rng.permutation(n).astype(np.int32)
    inner.particle[:] = order
    inner.sphere[:] = flock.sphere[order]
    inner.velocity[:] = flock.velocity[order]
    first, second = np.triu_indices(n, 1)
    listed = len(first)
    turned = rng.random(listed) < 0.5
    inner.first[:listed] = np.where(turned, first, second)
    inner.second[:listed] = np.where(turned, second, first)
    inner.source[:listed] = rng.permutation(len(inner.source))[:listed]
    inner.number[NEAR] = listed
    # Whatever was found before stands beyond the end.
    inner.found[:] = rng.integers(0, listed, len(inner.found))
    inner.found[:contacts] = np.sort(rng.permutation(listed)[:contacts])
    inner.number[TOUCHING] = contacts
    world.tally.step = STEP
    if method.friction is not None:
        stretch = world.rule.friction.stretches.near
        stretch[:, :3] = 0.1 * rng.normal(size=(len(stretch), 3))
        stretch[::7, :3] = 0.0
        stretch[:, 3] = np.where(rng.random(len(stretch)) < 0.7, STEP, STEP - 1)
        world.rule.friction.spin.surface[:, :3] = rng.normal(size=(n, 3))
    return world


METHODS = {
    "pulls": carom.SoftContacts(stiffness=30.0, restitution=0.4),
    "never pulls": carom.SoftContacts(stiffness=30.0, restitution=0.1, ends_at="zero_force"),
    "one damping": carom.SoftContacts(stiffness=30.0, damping=2.0),
    "friction": carom.SoftContacts(stiffness=30.0, restitution=0.5, friction=0.4),
    "friction, pulls seldom": carom.SoftContacts(
        stiffness=30.0, restitution=0.1, ends_at="zero_force", friction=2.0, tangential_damping=1.0
    ),
    "no tangential spring": carom.SoftContacts(
        stiffness=30.0, damping=1.0, friction=0.3, tangential_stiffness=0.0
    ),
}


@pytest.mark.parametrize("name", METHODS)
def test_impulses_by_fours_are_those_one_by_one(name: str) -> None:
    rng = np.random.default_rng(7)
    slid = held = pulled = 0
    for contacts in COUNTS:
        world = touching(METHODS[name], contacts, rng)
        plain, vectors = copied(world), copied(world)
        one_by_one(plain)
        by_fours(vectors)
        same = np.testing.assert_array_equal
        same(vectors.rule.push[:contacts], plain.rule.push[:contacts])
        same(vectors.rule.loss[:contacts], plain.rule.loss[:contacts])
        same(vectors.inner.velocity, plain.inner.velocity)
        assert vectors.tally.fastest == plain.tally.fastest
        assert vectors.tally.collisions == plain.tally.collisions
        _assert_same_sums(vectors, plain, contacts)
        # The impulse on the first particle points away from the second, unless it pulls.
        found = plain.inner.found[:contacts]
        apart = (
            world.inner.sphere[world.inner.first[found]]
            - (world.inner.sphere[world.inner.second[found]])
        )
        pulled += int(((plain.rule.push[:contacts, :3] * apart[:, :3]).sum(axis=1) < 0.0).sum())
        if METHODS[name].friction is not None:
            ours, theirs = vectors.rule.friction, plain.rule.friction
            same(ours.twists[:contacts], theirs.twists[:contacts])
            same(ours.drags[:contacts], theirs.drags[:contacts])
            same(ours.stretches.near, theirs.stretches.near)
            same(ours.spin.surface, theirs.spin.surface)
            sources = plain.inner.source[found]
            assert (theirs.stretches.near[sources, 3] == STEP + 1).all()
            across = (plain.rule.push[:contacts, :3] * apart[:, :3]).sum(axis=1)
            across /= np.linalg.norm(apart[:, :3], axis=1)
            square = (plain.rule.push[:contacts, :3] ** 2).sum(axis=1) - across**2
            along = np.sqrt(np.maximum(square, 0.0))
            limit = METHODS[name].friction * np.maximum(across, 0.0)
            slid += int((along > limit * (1.0 - 1e-7)).sum())
            held += int((along < limit * (1.0 - 1e-7)).sum())
    # Both branches of every choice have been there.
    assert (pulled > 0) == METHODS[name].pulls
    if METHODS[name].friction is not None:
        assert slid > 10 and held > 10


def _assert_same_sums(vectors: Any, plain: Any, contacts: int) -> None:
    """In either order each of m additions rounds a sum of at most m of the largest terms."""
    impulse = float(np.abs(plain.rule.push[:contacts]).max(initial=0.0))
    rounding = contacts**2 * EPSILON * impulse
    np.testing.assert_allclose(vectors.sums.virial, plain.sums.virial, 0.0, rounding * REACH)
    # What is lost has two terms for each contact, and where a contact does not pull, also those of
    # a spring that does not push.
    taken = float(np.abs(plain.rule.loss[:contacts]).max(initial=0.0))
    rounding = (2 * contacts) ** 2 * EPSILON * max(impulse, taken)
    lost = abs(float(vectors.tally.dissipated[0] - plain.tally.dissipated[0]))
    assert lost <= rounding * FASTEST
    if contacts > 20:
        assert np.abs(plain.sums.virial).max() > 1e3 * rounding * REACH
        assert abs(float(plain.tally.dissipated[0])) > 1e3 * rounding * FASTEST


@pytest.mark.parametrize("margin", [0.0, 0.3])
def test_pairs_are_found_by_fours_as_one_by_one(margin: float) -> None:
    rng = np.random.default_rng(11)
    n, room = 40, 256
    system = crowd(n, rng)
    sphere = carom.SoftContacts(stiffness=1.0).engine(system).world.flock.sphere
    sphere[:, :3] = rng.uniform(0.0, 4.0, (n, 3))
    pairs, shift = new_pair_list(room, room), new_shift()
    shift[:, :3] = 4.0 * rng.integers(-1, 2, (len(shift), 3))
    for first, second in ((pairs.first, pairs.second), (pairs.far_first, pairs.far_second)):
        first[:] = rng.integers(0, n, room)
        second[:] = (first + rng.integers(1, n, room)) % n
    pairs.far_image[:] = rng.integers(0, 27, room)
    for number in (*COUNTS, 253):
        found, expected = np.full((2, room + 4), -1, dtype=np.int32)
        count = near_singly(sphere, pairs, number, margin, expected)
        assert near_by_fours(sphere, pairs, number, margin, found) == count
        np.testing.assert_array_equal(found[:count], expected[:count])
        assert number < 30 or 0 < count < number

        count = far_singly(sphere, pairs, shift, number, margin, expected)
        assert far_by_fours(sphere, pairs, shift, number, margin, found) == count
        np.testing.assert_array_equal(found[:count], expected[:count])
        assert number < 200 or 0 < count < number


def test_a_gap_that_is_the_margin_but_for_rounding_is_decided_alike() -> None:
    """Positions on a grid of which the machine has no exact numbers."""
    n = 216
    particles = carom.Particles(np.arange(3 * n).reshape(n, 3) * 1.0, np.zeros((n, 3)), 0.05)
    sphere = carom.SoftContacts(stiffness=1.0).engine(carom.System(particles)).world.flock.sphere
    axes = np.arange(6) * 0.1
    sphere[:, :3] = np.stack(np.meshgrid(axes, axes, axes), axis=-1).reshape(-1, 3)
    first, second = np.triu_indices(n, 1)
    pairs = new_pair_list(len(first), 4)
    pairs.first[: len(first)], pairs.second[: len(first)] = first, second
    found, expected = np.full((2, len(first) + 8), -1, dtype=np.int32)
    for margin in (0.0, 0.1):
        count = near_singly(sphere, pairs, len(first), margin, expected)
        assert near_by_fours(sphere, pairs, len(first), margin, found) == count
        np.testing.assert_array_equal(found[:count], expected[:count])
    separation = sphere[first, :3] - sphere[second, :3]
    ties = np.abs((separation**2).sum(axis=1) - 0.01) < 1e-15
    decided = near_singly(sphere, pairs, len(first), 0.0, expected)
    assert 0 < decided < ties.sum()  # rounding decides both ways
