"""Spheres beside the members of a grid: no overlap is missed, however coarsely they are kept."""

from __future__ import annotations

import numpy as np
import pytest

from carom.compiled.entry_points import entry_point
from carom.compiled.memory import in_cache_lines
from carom.methods.event_driven.world import LEDGER
from carom.neighbours.grids import BITS, hold, insert, places, remove
from carom.neighbours.new_grids import new_grids
from carom.neighbours.spheres import (
    BLOCK,
    FAR,
    LEAN_UNITS,
    UNITS_PER_CELL,
    _overlapping_lanes,
    forget,
    mark,
    mark_all,
    new_spheres,
    one_by_one,
    overlapping,
)

LENGTHS = np.array([10.0, 12.0, 9.0])
LARGEST = 0.7


@entry_point
def both(blocks, row, x, y, z, radius, lean):
    """What the vectors say, and their twin."""
    return _overlapping_lanes(blocks, row, x, y, z, radius, lean), one_by_one(
        blocks, row, x, y, z, radius, lean
    )


@entry_point
def found_by(spheres, grid, place, i, centre, radius, found, lean=0):
    """``overlapping``, for a centre as an array."""
    at = (centre[0], centre[1], centre[2])
    return overlapping(spheres, grid, place, i, at, radius, lean, found)


@entry_point
def move(spheres, grid, before, after, i, place, centre, radius):
    """Let particle i change cells, or its place in a cell."""
    if before != after:
        forget(spheres, grid, before, i)
        remove(grid, before, i)
        insert(grid, after, i)
    mark(spheres, grid, after, i, place, (centre[0], centre[1], centre[2]), radius)


def test_vectors_agree_with_their_twin() -> None:
    rng = np.random.default_rng(1)
    blocks = in_cache_lines(40 * BLOCK, np.int16)
    blocks[:] = rng.integers(0, UNITS_PER_CELL, len(blocks))
    rows = blocks.reshape(-1, 4, 8)
    rows[:, 3] = rng.integers(1, UNITS_PER_CELL // 2, rows[:, 3].shape)
    rows[::3, 2, 5:] = FAR
    flagged = 0
    for row in range(40):
        for _ in range(20):
            x, y, z = rng.integers(-UNITS_PER_CELL, 2 * UNITS_PER_CELL, 3)
            radius, lean = rng.integers(1, 2000), rng.choice([0, -1, 1]) * rng.integers(6144)
            vectors, plain = both(blocks, row, x, y, z, int(radius), int(lean))
            assert vectors == plain
            flagged += int(plain).bit_count()
            assert not plain >> 5 or row % 3
    assert flagged > 100


def system(periodic, n=400, spread=1.0):
    """Random centres, radii, and a grid that holds them."""
    rng = np.random.default_rng(2)
    centre = LENGTHS * (0.5 + spread * rng.uniform(-0.5, 0.5, (n, 3)))
    radius = rng.uniform(0.3, LARGEST, n).astype(np.float32)
    number = np.floor(LENGTHS / (2.0 * LARGEST)).astype(int)
    grid = new_grids(np.zeros(3), LENGTHS, periodic, number, np.array([0]), [LARGEST], 6, 6)
    ledger = in_cache_lines(n, LEDGER)
    ledger.place = places(grid, centre)
    assert hold(grid, ledger)
    spheres = new_spheres(grid)
    mark_all(spheres, grid, ledger.place, centre, radius)
    return centre, radius, grid, ledger, spheres


def overlaps(centre, radius, i, periodic):
    apart = centre - centre[i]
    apart -= np.where(periodic, LENGTHS * np.rint(apart / LENGTHS), 0.0)
    gap = np.sqrt((apart**2).sum(axis=1)) - radius - radius[i]
    gap[i] = np.inf
    return gap


@pytest.mark.parametrize("periodic", [(True,) * 3, (False, True, False)], ids=["torus", "open"])
def test_no_overlap_is_missed_and_few_are_invented(periodic) -> None:
    periodic = np.array(periodic)
    centre, radius, grid, ledger, spheres = system(periodic)
    found = in_cache_lines(400, np.int32)
    tolerance = 4.0 * 1.7 / UNITS_PER_CELL  # four units of a cell
    pairs = 0
    for i in range(len(centre)):
        number, _ = found_by(spheres, grid, ledger.place[i], i, centre[i], radius[i], found)
        gap = overlaps(centre, radius, i, periodic)
        assert set(np.flatnonzero(gap < 0.0)) <= set(found[:number])
        assert set(found[:number]) <= set(np.flatnonzero(gap < tolerance))
        pairs += int(number)
    assert pairs > 400


@pytest.mark.parametrize("tilt", [0.5, -0.37, 1.4])
def test_no_overlap_is_missed_where_the_box_leans(tilt: float) -> None:
    """Centres in upright coordinates; a lean makes x larger by so much of y."""
    periodic = np.array([True] * 3)
    centre, radius, grid, ledger, spheres = system(periodic)
    found = in_cache_lines(400, np.int32)
    tolerance = (4.0 + 2.0 * (3.0 + abs(tilt))) * 1.7 / UNITS_PER_CELL
    for i in range(len(centre)):
        apart = centre - centre[i]
        apart -= LENGTHS * np.rint(apart / LENGTHS)
        # In view are those in the next cells; beyond, the cells would have to be wider.
        width = LENGTHS / grid.number
        view = (np.abs(apart) <= width).all(axis=1)
        apart[:, 0] += tilt * apart[:, 1]
        gap = np.sqrt((apart**2).sum(axis=1)) - radius - radius[i]
        gap[i] = np.inf
        lean = round(tilt * LEAN_UNITS)
        number, _ = found_by(spheres, grid, ledger.place[i], i, centre[i], radius[i], found, lean)
        assert set(np.flatnonzero((gap < 0.0) & view)) <= set(found[:number])
        assert set(found[:number]) <= set(np.flatnonzero(gap < tolerance))


def test_beyond_the_cells_of_an_open_axis_nothing_is_missed() -> None:
    periodic = np.array([False] * 3)
    centre, radius, grid, ledger, spheres = system(periodic, spread=2.0)
    outside = ((centre < 0.0) | (centre > LENGTHS)).any(axis=1)
    assert outside.sum() > 100
    found = in_cache_lines(400, np.int32)
    for i in range(len(centre)):
        number, _ = found_by(spheres, grid, ledger.place[i], i, centre[i], radius[i], found)
        gap = overlaps(centre, radius, i, periodic)
        assert set(np.flatnonzero(gap < 0.0)) <= set(found[:number])


def test_spheres_follow_particles_through_cells() -> None:
    periodic = np.array([True] * 3)
    centre, radius, grid, ledger, spheres = system(periodic)
    rng = np.random.default_rng(3)
    for _ in range(500):
        i = int(rng.integers(len(centre)))
        centre[i] = (centre[i] + rng.normal(0.0, 1.0, 3)) % LENGTHS
        place = places(grid, centre[i : i + 1])[0]
        before, after = cell(grid, ledger.place[i]), cell(grid, place)
        if grid.inside[after] == 24:
            continue
        move(spheres, grid, before, after, i, place, centre[i], radius[i])
        ledger.place[i] = place
    fresh = new_spheres(grid)
    mark_all(fresh, grid, ledger.place, centre, radius)
    used = spheres.blocks.reshape(-1, 4, 8)[:, 2] != FAR
    assert used.sum() == len(centre)
    for row in range(4):
        moved, written = (s.blocks.reshape(-1, 4, 8)[:, row][used] for s in (spheres, fresh))
        assert (moved == written).all()
    assert (fresh.blocks.reshape(-1, 4, 8)[:, 2][~used] == FAR).all()


def cell(grid, place):
    along = [(int(place) >> (BITS * axis)) & ((1 << BITS) - 1) for axis in range(3)]
    return sum(int(grid.index[axis, 1 + along[axis]]) for axis in range(3))


def test_a_list_that_is_full_says_so() -> None:
    periodic = np.array([True] * 3)
    centre, radius, grid, ledger, spheres = system(periodic)
    most = in_cache_lines(400, np.int32)
    few = in_cache_lines(3, np.int32)
    for i in range(50):
        number, _ = found_by(spheres, grid, ledger.place[i], i, centre[i], radius[i], most)
        limited, _ = found_by(spheres, grid, ledger.place[i], i, centre[i], radius[i], few)
        assert limited == min(number, 2)
