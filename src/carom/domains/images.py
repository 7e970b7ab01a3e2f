"""Copies of points in the boxes around theirs."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carom.particles import Array


def images_around(
    position: Array,
    reach: ArrayLike,
    sides: Sequence[float],
    periodic: Sequence[bool],
    offset: float = 0.0,
) -> tuple[Array, Any, Any]:
    """Points (k, d) that lie up to ``reach`` outside a box, and for each the index (k,) of the
    point it is an image of and how many boxes away along each axis it is (k, d).

    The points themselves come first, in their order, wherever they are. ``reach`` is one number
    or one for each point. ``offset`` is the displacement of the images above in a sheared box.
    """
    everyone, lengths = np.arange(len(position)), np.array(sides)
    margin = np.broadcast_to(np.asarray(reach, dtype=np.float64), everyone.shape)[:, None]
    widest = float(margin.max(initial=0.0))
    number = [
        math.ceil(widest / side) if repeats else 0
        for side, repeats in zip(sides, periodic, strict=True)
    ]
    if offset != 0.0:  # rows of images are displaced by up to half a box length each
        number[0] += math.ceil(0.5 * number[1])
    places, owners, boxes = [position], [everyone], [np.zeros(position.shape, dtype=np.int64)]
    for step in itertools.product(*(range(-k, k + 1) for k in number)):
        if not any(step):
            continue
        moved = position + np.array(step) * lengths
        moved[:, 0] += step[1] * offset
        seen = ((moved > -margin) & (moved < lengths + margin)).all(axis=1)
        places.append(moved[seen])
        owners.append(everyone[seen])
        boxes.append(np.tile(step, (int(seen.sum()), 1)))
    return np.concatenate(places), np.concatenate(owners), np.concatenate(boxes)
