"""Contacts eight at a time against their plain twins.

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
from carom.methods.stepped import soft_lanes, soft_pairs
from carom.methods.stepped.course import copied
from carom.methods.stepped.friction import IMPULSE, TWIST
from carom.methods.stepped.vectors.touching import (
    far_one_by_one,
    far_pairs,
    near_one_by_one,
    near_pairs,
)
from carom.methods.stepped.world import FAR_TOUCHING, NEAR, TOUCHING, new_shift
from carom.neighbours.pairs.pair_list import new_pair_list

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="there are no vectors")

COUNTS = (0, 1, 2, 3, 4, 5, 7, 8, 30, 61)
STEP = 7
# No separation is longer, and nothing in contact slips or approaches faster, along one axis.
REACH, FASTEST = 0.5, 200.0
EPSILON = float(np.finfo(np.float64).eps)


@entry_point
def by_lanes(world: Any, is_far: bool, begin: int, end: int) -> None:
    world = borrowed(world)
    soft_lanes.squeeze_linear(world.rule.law, world.rule, world, is_far, False, begin, end)


@entry_point
def one_by_one(world: Any, is_far: bool, begin: int, end: int) -> None:
    world = borrowed(world)
    soft_pairs.squeeze_one_by_one(world.rule.law, world.rule, world, is_far, False, begin, end)


@entry_point
def kick_by_rows(world: Any) -> None:
    world = borrowed(world)
    near = world.inner.number[TOUCHING]
    soft_lanes.kick_by_rows(world.shear, world.rule.friction, world, near)
    soft_lanes.settle_by_rows(world.rule.friction, world, near)


@entry_point
def kick_one_by_one(world: Any) -> None:
    world = borrowed(world)
    near = world.inner.number[TOUCHING]
    soft_pairs.kick_one_by_one(world.shear, world.rule.friction, world, near)
    soft_pairs.settle_one_by_one(world.rule.friction, world, near)


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
    # The same pairs as images meet, with all images so near that they overlap.
    few = min(listed, len(inner.far_first))
    inner.far_first[:few], inner.far_second[:few] = inner.first[:few], inner.second[:few]
    inner.far_image[:few] = rng.integers(0, 27, few)
    inner.far_source[:few] = rng.permutation(len(inner.far_source))[:few]
    inner.far_found[:] = rng.integers(0, few, len(inner.far_found))
    inner.far_found[:contacts] = np.sort(rng.permutation(few)[:contacts])
    inner.number[FAR_TOUCHING] = contacts
    world.shift[:, :3] = 0.1 * rng.normal(size=(27, 3))
    world.tally.step = STEP
    if method.friction is not None:
        stretches = world.rule.friction.stretches
        for stretch in (stretches.near, stretches.far):
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


SMOOTH = [name for name, method in METHODS.items() if method.friction is None]
ROUGH = [name for name in METHODS if name not in SMOOTH]


def in_both_ways(world: Any, is_far: bool, begin: int, end: int) -> tuple[Any, Any]:
    """Copies of a world after some of its contacts were found eight at a time and one by one."""
    if is_far:
        world.inner.number[TOUCHING] = 0  # they are written down behind those inside
    vectors, plain = copied(world), copied(world)
    by_lanes(vectors, is_far, begin, end)
    one_by_one(plain, is_far, begin, end)
    assert vectors.tally.collisions == plain.tally.collisions
    return vectors, plain


@pytest.mark.parametrize("is_far", [False, True])
@pytest.mark.parametrize("name", SMOOTH)
def test_impulses_by_lanes_are_those_one_by_one(name: str, is_far: bool) -> None:
    rng = np.random.default_rng(7)
    pulled = 0
    for contacts in COUNTS:
        world = touching(METHODS[name], contacts, rng)
        vectors, plain = in_both_ways(world, is_far, 0, contacts)
        ours, theirs = vectors.rule.friction, plain.rule.friction
        for one, other in ((ours.push, theirs.push), (ours.loss, theirs.loss)):
            np.testing.assert_array_equal(one[:contacts], other[:contacts])
        _assert_same_sums(vectors, plain, contacts, theirs.push, theirs.loss)
        if is_far:
            continue
        kick_by_rows(vectors)
        kick_one_by_one(plain)
        np.testing.assert_array_equal(vectors.inner.velocity, plain.inner.velocity)
        assert vectors.tally.fastest == plain.tally.fastest
        _assert_same_sums(vectors, plain, contacts, theirs.push, theirs.loss)
        # The impulse on the first particle points away from the second, unless it pulls.
        found = plain.inner.found[:contacts]
        sphere, first, second = world.inner.sphere, world.inner.first, world.inner.second
        apart = sphere[first[found]] - sphere[second[found]]
        pulled += int(((theirs.push[:contacts, :3] * apart[:, :3]).sum(axis=1) < 0.0).sum())
    # Both branches of every choice have been there.
    assert is_far or (pulled > 0) == METHODS[name].pulls


@pytest.mark.parametrize("is_far", [False, True])
@pytest.mark.parametrize("name", ROUGH)
def test_particles_feel_by_lanes_what_they_feel_one_by_one(name: str, is_far: bool) -> None:
    rng = np.random.default_rng(7)
    slid = held = 0
    for contacts in COUNTS:
        world = touching(METHODS[name], contacts, rng)
        inner, begin = world.inner, contacts // 3
        vectors, plain = in_both_ways(world, is_far, begin, contacts)
        ours, theirs = vectors.rule.friction, plain.rule.friction
        np.testing.assert_array_equal(ours.felt, theirs.felt)
        np.testing.assert_array_equal(ours.stretches.near, theirs.stretches.near)
        np.testing.assert_array_equal(ours.stretches.far, theirs.stretches.far)
        felt = theirs.felt
        largest = np.abs(felt[:, IMPULSE:TWIST])
        _assert_same_sums(vectors, plain, contacts, largest, largest)
        np.testing.assert_allclose(
            vectors.tally.slackened, plain.tally.slackened, 1e-10, 1e-10 * FASTEST
        )
        # Opposite impulses add up to nothing, and every stretch is that of the next step.
        total = felt[:, IMPULSE : IMPULSE + 3].sum(axis=0)
        np.testing.assert_allclose(total, 0.0, atol=1e-10 * largest.max(initial=1.0))
        if is_far:
            sources = inner.far_source[inner.far_found[begin:contacts]]
            known = theirs.stretches.far[sources]
            continue
        sources = inner.source[inner.found[begin:contacts]]
        known = theirs.stretches.near[sources]
        assert (known[:, 3] == STEP + 1).all()
        # One contact by itself tells whether it slides.
        for c in range(begin, contacts):
            single = copied(world)
            one_by_one(single, False, c, c + 1)
            k = inner.found[c]
            i, j = inner.first[k], inner.second[k]
            push = single.rule.friction.felt[i, IMPULSE : IMPULSE + 3]
            normal = inner.sphere[i, :3] - inner.sphere[j, :3]
            normal /= np.linalg.norm(normal)
            across = push @ normal
            along = float(np.linalg.norm(push - across * normal))
            limit = METHODS[name].friction * max(across, 0.0)
            slid += along > limit * (1.0 - 1e-7)
            held += along < limit * (1.0 - 1e-7)
    assert is_far or (slid > 10 and held > 10)


def _assert_same_sums(vectors: Any, plain: Any, contacts: int, impulses: Any, losses: Any) -> None:
    """In either order each of m additions rounds a sum of at most m of the largest terms."""
    impulse = float(np.abs(impulses).max(initial=0.0))
    rounding = (contacts + 2) ** 2 * EPSILON * impulse
    np.testing.assert_allclose(vectors.sums.virial, plain.sums.virial, 0.0, 4 * rounding * REACH)
    # What is lost has two terms for each contact, and where a contact does not pull, also those of
    # a spring that does not push.
    taken = float(np.abs(losses).max(initial=0.0))
    rounding = (2 * contacts + 2) ** 2 * EPSILON * max(impulse, taken)
    lost = abs(float(vectors.tally.dissipated[0] - plain.tally.dissipated[0]))
    assert lost <= rounding * FASTEST
    if contacts > 30:
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
