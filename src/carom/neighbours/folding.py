"""Grids over far more cells than particles: distant cells share memory.

A clump in a box a thousand times as wide wants narrow cells, and has particles in next to none of
them. So the cells along an axis can be folded: after so many of them memory begins anew, and those
in view of a particle are then joined by some that are far away. Nothing is wrong with these: a pair
test finds when they meet, if they do. There are few as long as the cells that have memory of their
own cover what the particles fill.
"""

from __future__ import annotations

from typing import Any

import numpy as np

# Cells along an axis that keep memory of their own: three are in view at once.
LEAST = 8
# Cells of a block, which lies in memory as one.
BLOCK_CELLS = 64


def block_sides(is_planar: bool) -> tuple[int, int, int]:
    """The cells along each axis of a block."""
    return (8, 8, 1) if is_planar else (4, 4, 4)


def cells_in_memory(fold: Any, is_planar: bool) -> Any:
    """The cells of levels (levels, 3) with so many of them along each axis, in whole blocks."""
    sides = np.array(block_sides(is_planar))
    return np.prod(-(-fold // sides), axis=1) * BLOCK_CELLS


def foldable(number: Any) -> Any:
    """The largest numbers, not above these, that can be halved until LEAST or a few more are left.

    Memory must begin anew with the box along an axis that repeats; they are an eighth less at most.
    """
    spare = [max(int(along).bit_length() - LEAST.bit_length(), 0) for along in number]
    return (number >> np.array(spare)) << np.array(spare)


def folded(number: Any, occupied: Any, most: int, to_one: bool) -> Any:
    """How many cells (levels, 3) have memory of their own: all, or fewer until there are ``most``.

    Of ``number`` cells along each axis of each level so many are ``occupied``, and they are folded
    where they are most in excess. ``to_one`` allows a single one: who looks around must then not
    look at it twice.
    """
    fold, is_planar = number.copy(), bool(number[0, 2] == 1)
    while (cells := cells_in_memory(fold, is_planar)).sum() > most:
        halves = (fold % 2 == 0) & (fold >= 2 * LEAST)
        less = np.where(halves, fold // 2, 1 if to_one else fold)
        can = less < fold
        if not can.any():
            break
        level = int(np.argmax(np.where(can.any(axis=1), cells, 0)))
        axis = int(np.argmax(np.where(can[level], fold[level] / occupied[level], 0.0)))
        fold[level, axis] = less[level, axis]
    return fold
