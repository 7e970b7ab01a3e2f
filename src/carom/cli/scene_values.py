"""The values that keys of a scene file can have, each with one sentence about what it must be."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Any

from pydantic import BeforeValidator, Field


def is_number(value: Any) -> bool:
    """Whether a value is a finite number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _are_numbers(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 0 and all(is_number(part) for part in value)


def _is_vector(value: Any) -> bool:
    return _are_numbers(value) and len(value) in (2, 3)


def _are_vectors(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) > 0
        and all(_is_vector(row) and len(row) == len(value[0]) for row in value)
    )


def _is_coefficient(value: Any) -> bool:
    return value == "law" or (is_number(value) and 0.0 <= value <= 1.0)


def _are_coefficients(value: Any) -> bool:
    """Whether a value says the restitution of the walls of a box."""
    if not isinstance(value, dict):
        return _is_coefficient(value)
    return all(
        axis in ("x", "y", "z")
        and (
            _is_coefficient(walls)
            or (isinstance(walls, list) and len(walls) == 2 and all(map(_is_coefficient, walls)))
        )
        for axis, walls in value.items()
    )


def must(accepts: Callable[[Any], bool], what: str) -> BeforeValidator:
    """Refuse what is not accepted; one message where a union would give one per alternative."""

    def check(value: Any) -> Any:
        if not accepts(value):
            raise ValueError(f"must be {what}")
        return value

    return BeforeValidator(check)


def _positive(accepts: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: accepts(value) and min(value if isinstance(value, list) else [value]) > 0


Positive = Annotated[float, Field(gt=0.0)]
NotNegative = Annotated[float, Field(ge=0.0)]
Coefficient = Annotated[float, Field(ge=0.0, le=1.0)]
Step = Annotated[
    float | str,
    must(
        lambda value: value == "auto" or (is_number(value) and value > 0.0),
        'a positive number, or "auto"',
    ),
]
Vector = Annotated[list[float], must(_is_vector, "two or three numbers, [x, y] or [x, y, z]")]
Vectors = Annotated[
    list[list[float]], must(_are_vectors, "rows of two or three numbers, [[x, y], ...]")
]
VelocityRows = Annotated[
    list[Any],
    must(
        lambda value: _is_vector(value) or _are_vectors(value),
        "one vector [x, y], or with position= one for each particle, [[x, y], ...]",
    ),
]
PositiveNumbers = Annotated[
    float | list[float],
    must(
        _positive(lambda value: is_number(value) or _are_numbers(value)),
        "a positive number, or a list with one for each particle",
    ),
]
Species = Annotated[
    str | list[str],
    must(
        lambda value: (
            isinstance(value, str | list)
            and len(value) > 0
            and all(isinstance(name, str) for name in value)
        ),
        'a name, "steel", or a list with one for each particle',
    ),
]
Lengths = Annotated[
    float | list[float],
    must(
        _positive(lambda value: is_number(value) or _is_vector(value)),
        "a positive number, or one for each axis",
    ),
]
WallRestitution = Annotated[
    Any, must(_is_coefficient, 'a number between 0 and 1, or "law" for the law of the particles')
]
BoxRestitution = Annotated[
    Any,
    must(
        _are_coefficients,
        'a number between 0 and 1, "law", or a table such as { y = [0.5, 1.0] } with one of these '
        "or a pair (lower wall, upper wall) for each axis",
    ),
]
