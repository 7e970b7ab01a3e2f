"""What all packings are asked for."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from carom.checks import check_not_negative, check_positive, check_whole, is_number, is_whole
from carom.domains import Domain
from carom.functions import power
from carom.packings.room import Region, Room, room_in
from carom.sizes import Sizes

SMALLEST = 1e-250  # volume
MOST = 10**9  # particles; far beyond any memory, and within what can be counted


def _check_dimension(dimension: Any) -> None:
    if not (is_whole(dimension) and dimension in (2, 3)):
        raise ValueError(f"dimension must be 2 or 3, not {dimension!r}.")


def check_arguments(n: Any, packing_fraction: Any, dimension: Any, temperature: Any) -> None:
    """Refuse numbers that no packing has."""
    _check_dimension(dimension)
    check_whole("n", n, 1)
    if n > MOST:
        raise ValueError(f"n={n!r} particles are more than the {MOST:,} that can be placed.")
    if packing_fraction is not None and not is_number(packing_fraction):
        raise ValueError(f"packing_fraction must be a number, not {packing_fraction!r}.")
    check_not_negative("temperature", temperature)


class Asked(NamedTuple):
    """How many particles, and where. Without a room, number and fraction say how large the box is.

    The fraction is None where the number is given with a room.
    """

    n: int
    packing_fraction: Any
    dimension: int
    room: Room | None


def asked_for(
    n: Any,
    packing_fraction: Any,
    domain: Domain | None,
    region: Region | None,
    dimension: Any,
    radius: Any,
) -> Asked:
    """What a packing is asked for; what contradicts itself is refused."""
    if domain is None:
        if region is not None:
            raise ValueError("region is a part of a domain: give domain=... as well.")
        if n is None or packing_fraction is None:
            raise ValueError(
                "give n and packing_fraction, from which the box follows; or domain=... and one of "
                "them."
            )
        return Asked(n, packing_fraction, 3 if dimension is None else dimension, None)
    if (n is None) == (packing_fraction is None):
        raise ValueError(
            f"n={n!r} and packing_fraction={packing_fraction!r}: in a given domain each follows "
            "from the other, so give one of them."
        )
    if dimension is not None:
        _check_dimension(dimension)
    room = room_in(domain, region, dimension)
    if n is None:
        n = _number_for(packing_fraction, radius, room)
    return Asked(n, packing_fraction, room.dimension, room)


def _number_for(packing_fraction: Any, radius: Any, room: Room) -> int:
    """How many particles of one size have a packing fraction in a room."""
    if not is_number(packing_fraction) or not 0.0 < packing_fraction < 1.0:
        raise ValueError(f"packing_fraction must lie between 0 and 1, not {packing_fraction!r}.")
    if callable(radius) or isinstance(radius, Sizes) or np.ndim(radius) > 0:
        raise ValueError(
            f"how many particles of different radii have packing_fraction={packing_fraction} is "
            "not known beforehand; give n instead."
        )
    check_positive("radius", radius)
    one = volume_of_one(float(radius), room.dimension)
    check_volume(one)
    return max(1, round(packing_fraction * room.volume / one))


def volume_of_one(radius: float, dimension: int) -> float:
    """The volume (in the plane: area) of a particle."""
    return (math.pi if dimension == 2 else 4.0 / 3.0 * math.pi) * power(radius, dimension)


def check_volume(volume: float) -> None:
    """Refuse radii whose powers are beyond what numbers can hold."""
    if not SMALLEST <= volume <= 1.0 / SMALLEST:
        raise ValueError(
            f"the particles have the volume {volume:g}, too near to the end of the range of "
            "numbers; measure radii in another unit of length."
        )
