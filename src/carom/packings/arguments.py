"""What all packings are asked for."""

from __future__ import annotations

from typing import Any

from carom.checks import check_not_negative, check_whole, is_number, is_whole

SMALLEST = 1e-250  # volume
MOST = 10**9  # particles; far beyond any memory, and within what can be counted


def check_arguments(n: Any, packing_fraction: Any, dimension: Any, temperature: Any) -> None:
    """Refuse numbers that no packing has."""
    if not (is_whole(dimension) and dimension in (2, 3)):
        raise ValueError(f"dimension must be 2 or 3, not {dimension!r}.")
    check_whole("n", n, 1)
    if n > MOST:
        raise ValueError(f"n={n!r} particles are more than the {MOST:,} that can be placed.")
    if not is_number(packing_fraction):
        raise ValueError(f"packing_fraction must be a number, not {packing_fraction!r}.")
    check_not_negative("temperature", temperature)


def check_volume(volume: float) -> None:
    """Refuse radii whose powers are beyond what numbers can hold."""
    if not SMALLEST <= volume <= 1.0 / SMALLEST:
        raise ValueError(
            f"the particles have the volume {volume:g}, too near to the end of the range of "
            "numbers; measure radii in another unit of length."
        )
