"""What a scene file may say of particles that come and go: the actors that let them, and where."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

import carom
from carom.cli.scene_table import Table
from carom.cli.scene_values import NotNegative, Positive, Vector, is_number, must


class BlockRegion(Table):
    """region = { lower = ..., upper = ... }, also with kind = "block"."""

    kind: Literal["block"]
    lower: Vector
    upper: Vector


class BallRegion(Table):
    """region = { kind = "ball", ... }."""

    kind: Literal["ball"]
    centre: Vector
    radius: Positive


class TubeRegion(Table):
    """region = { kind = "tube", ... }."""

    kind: Literal["tube"]
    start: Vector
    end: Vector
    radius: Positive


class BeyondRegion(Table):
    """region = { kind = "beyond", ... }."""

    kind: Literal["beyond"]
    point: Vector
    normal: Vector


def _as_block(value: Any) -> Any:
    """Two corners need no kind."""
    if isinstance(value, dict) and "kind" not in value and "lower" in value:
        return {"kind": "block", **value}
    return value


AnyRegion = Annotated[
    Annotated[BlockRegion | BallRegion | TubeRegion | BeyondRegion, Field(discriminator="kind")],
    BeforeValidator(_as_block),
]


class OneSize(Table):
    """radius = 0.5."""

    kind: Literal["one"]
    radius: Positive


class BetweenSizes(Table):
    """radius = { kind = "between", ... }."""

    kind: Literal["between"]
    smallest: Positive
    largest: Positive
    by: Literal["number", "mass"] = "number"


class NormalSizes(Table):
    """radius = { kind = "normal", ... }."""

    kind: Literal["normal"]
    mean: Positive
    deviation: Positive
    cut_below: Positive | None = None
    cut_above: Positive | None = None
    by: Literal["number", "mass"] = "number"


class LogNormalSizes(Table):
    """radius = { kind = "log_normal", ... }."""

    kind: Literal["log_normal"]
    median: Positive
    spread: Positive
    cut_below: Positive | None = None
    cut_above: Positive | None = None
    by: Literal["number", "mass"] = "number"


class SieveSizes(Table):
    """radius = { kind = "sieve_curve", ... }."""

    kind: Literal["sieve_curve"]
    apertures: list[Positive]
    passing: list[NotNegative]
    by: Literal["number", "mass"] = "mass"


AnySize = Annotated[
    Annotated[
        OneSize | BetweenSizes | NormalSizes | LogNormalSizes | SieveSizes,
        Field(discriminator="kind"),
    ],
    BeforeValidator(lambda value: {"kind": "one", "radius": value} if is_number(value) else value),
    must(
        lambda value: isinstance(value, dict) or (is_number(value) and value > 0.0),
        'a positive number, or a table such as { kind = "between", smallest = 0.4, largest = 0.6 }',
    ),
]


class InletActor(Table):
    """[[actors]] kind = "inlet"."""

    kind: Literal["inlet"]
    region: AnyRegion
    rate: Positive | Literal["as many as fit"]
    radius: AnySize = OneSize(kind="one", radius=0.5)
    velocity: Vector | None = None
    temperature: NotNegative = 0.0
    mass: Positive | None = None
    density: Positive | None = None
    species: str | None = None
    until_number: Annotated[int, Field(ge=1)] | None = None
    until_mass: Positive | None = None
    arrivals: Literal["regular", "random"] = "regular"
    every: Positive | None = None

    @model_validator(mode="after")
    def _has_one_mass(self) -> InletActor:
        if self.mass is not None and self.density is not None:
            raise ValueError("give mass or density, not both: each follows from the other")
        return self


class OutletActor(Table):
    """[[actors]] kind = "outlet"."""

    kind: Literal["outlet"]
    region: AnyRegion
    every: Positive | None = None


class RecirculationActor(Table):
    """[[actors]] kind = "recirculation"."""

    kind: Literal["recirculation"]
    region: AnyRegion
    to: AnyRegion
    velocity: Vector | None = None
    every: Positive | None = None


EXCHANGE = (InletActor, OutletActor, RecirculationActor)
KINDS: dict[str, Any] = {
    "block": carom.regions.Block,
    "ball": carom.regions.Ball,
    "tube": carom.regions.Tube,
    "beyond": carom.regions.Beyond,
    "between": carom.sizes.Between,
    "normal": carom.sizes.Normal,
    "log_normal": carom.sizes.LogNormal,
    "sieve_curve": carom.sizes.SieveCurve,
    "inlet": carom.Inlet,
    "outlet": carom.Outlet,
    "recirculation": carom.Recirculation,
}


def exchange_of(table: Any) -> carom.Actor:
    """The actor of a table."""
    given: dict[str, Any] = {name: _part(getattr(table, name)) for name in type(table).model_fields}
    if given.get("rate") == "as many as fit":
        given["rate"] = float("inf")
    actor: carom.Actor = KINDS[given.pop("kind")](**given)
    return actor


def _part(value: Any) -> Any:
    """A region or a distribution of sizes for its table; all else as it is."""
    if isinstance(value, OneSize):
        return value.radius
    if isinstance(value, Table):
        options: dict[str, Any] = value.model_dump()
        return KINDS[options.pop("kind")](**options)
    return value
