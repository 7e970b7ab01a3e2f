"""All near pairs of a few particles, found without any of the package's methods."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

Pairs = set[tuple[int, int, int, int, int]]


def near_pairs(sphere: Any, lengths: Any, periodic: Any, offset: float, skin: float) -> Pairs:
    """All (i, j, b_x, b_y, b_z) with i < j whose gap is below ``skin``.

    j is at x_j less the shift by b boxes; b is -1, 0 or 1 along the axes that repeat. Written for
    all pairs and images at once. The gap is compared as the package does, and as x_i − x_j is the
    same as x_j − x_i but for the sign, also on the computer, no tolerance is needed.
    """
    found: Pairs = set()
    i, j = np.triu_indices(len(sphere), 1)
    boxes = [(-1, 0, 1) if repeats else (0,) for repeats in periodic]
    reach = sphere[i, 3] + sphere[j, 3] + skin
    for b in itertools.product(*boxes):
        shift = (b[0] * lengths[0] + b[1] * offset, b[1] * lengths[1], b[2] * lengths[2])
        x, y, z = (sphere[i, axis] - sphere[j, axis] + shift[axis] for axis in range(3))
        for k in np.flatnonzero(x * x + y * y + z * z < reach * reach):
            found.add((int(i[k]), int(j[k]), *b))
    return found


def listed(pairs: Any) -> list[tuple[int, int, int, int, int]]:
    """The pairs of a PairList in the same form, in order; a pair listed twice is there twice."""
    near, far = (int(number) for number in pairs.number)
    rows = [
        (int(i), int(j), 0, 0, 0)
        for i, j in zip(pairs.first[:near], pairs.second[:near], strict=True)
    ]
    for i, j, image in zip(
        pairs.far_first[:far], pairs.far_second[:far], pairs.far_image[:far], strict=True
    ):
        code = int(image)
        assert code != 13, "a pair inside the box is among those across its boundary"
        rows.append((int(i), int(j), code % 3 - 1, code // 3 % 3 - 1, code // 9 - 1))
    return sorted((i, j, *b) if i < j else (j, i, *(-boxes for boxes in b)) for i, j, *b in rows)
