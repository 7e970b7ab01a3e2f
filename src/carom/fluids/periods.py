"""After which lengths a box and a flow repeat, and whether they fit each other."""

from __future__ import annotations

from collections.abc import Sequence

from carom.domains.lengths import AXES, lengths_in

# Box lengths, or None for open space.
Sides = tuple[float, ...] | None
# After which length space repeats along each axis; None where it does not.
Repeats = tuple[float | None, ...]

# How far a box may be from a whole number of periods, relative: the jump of a flow at the
# boundary is then as small.
ROUNDING = 1e-9
MOST_PERIODS = 1e9  # along a box


def repeats(sides: Sides, dimension: int, periodic: Sequence[bool] | None = None) -> Repeats:
    """After which length space repeats along each axis; None where it does not.

    ``periodic`` says along which axes the box repeats: along all of them when left out.
    """
    if sides is None:
        return (None,) * dimension
    if periodic is None:
        return tuple(sides)
    return tuple(side if again else None for side, again in zip(sides, periodic, strict=True))


def period(
    owner: str, lengths: tuple[float, ...] | None, sides: Sides, dimension: int
) -> tuple[float, ...]:
    """The lengths after which a flow repeats: those given, or those of the box."""
    if lengths is not None:
        return lengths_in(owner, lengths, dimension)
    if sides is None:
        raise ValueError(
            f"{owner} repeats after the lengths of the box, but open space has none; give "
            "lengths=..., or use carom.Periodic(lengths)."
        )
    return tuple(sides)


def check_whole_periods(
    owner: str, lengths: Sequence[float], repeats: Repeats, option: str = "length"
) -> None:
    """Refuse a box that does not hold a whole number of periods of a flow along each axis."""
    for axis, length, side in zip(AXES, lengths, repeats, strict=False):
        if side is None:
            continue
        if side / length > MOST_PERIODS:
            raise ValueError(
                f"{owner} repeats after {length:g} along {axis}, too often in a box that is "
                f"{side:g} long; use a longer {option}."
            )
        number = max(round(side / length), 1)
        if abs(side - number * length) > ROUNDING * side:
            raise ValueError(
                f"{owner} repeats after {length:g} along {axis}, but the box after {side:g}, which "
                "is not a whole number of times that: the flow would jump at the boundary. Use "
                f"{option}={side / number:g} along {axis}, or a box {number * length:g} long."
            )
