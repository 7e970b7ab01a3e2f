"""Pairs in the order of their particles, so that what they ask for lies side by side in memory.

Searches list pairs cell by cell and layer by layer, but particles are numbered along a curve that
keeps neighbours together in all directions. Listed by their lower number, pairs follow the curve,
too: what one has brought into the cache serves the next, however many particles there are.
"""

from __future__ import annotations

from carom.compiled.kernels import inner_kernel
from carom.methods.stepped.world import World


@inner_kernel
def put_in_order(world: World) -> None:
    """Sort the pairs inside the box by their lower number, which becomes the first; by counting.

    Outside a block the arrays of the block are free to be written to.
    """
    pairs, behind = world.pairs, world.inner.place
    number, first, second = pairs.number[0], world.inner.first, world.inner.second
    for i in range(len(behind)):
        behind[i] = 0
    for k in range(number):
        i, j = pairs.first[k], pairs.second[k]
        first[k], second[k] = min(i, j), max(i, j)
        behind[first[k]] += 1
    total = 0
    for i in range(len(behind)):
        listed = behind[i]
        behind[i] = total
        total += listed
    for k in range(number):
        i = first[k]
        at = behind[i]
        pairs.first[at], pairs.second[at] = i, second[k]
        behind[i] = at + 1
