"""What a scene file may say about a flow that carries the particles: [method.fluid]."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

import carom
from carom.cli.scene_table import Table
from carom.cli.scene_values import Positive


class TaylorGreenTable(Table):
    """fluid = { kind = "taylor_green" }."""

    kind: Literal["taylor_green"]
    speed: float = 1.0
    length: Positive = 1.0


class UniformTable(Table):
    """fluid = { kind = "uniform" }."""

    kind: Literal["uniform"]
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0


class ShearTable(Table):
    """fluid = { kind = "shear" }."""

    kind: Literal["shear"]
    rate: float


class ABCTable(Table):
    """fluid = { kind = "abc" }."""

    kind: Literal["abc"]
    a: float = 1.0
    b: float = 1.0
    c: float = 1.0
    length: Positive = 1.0


class TurbulenceTable(Table):
    """fluid = { kind = "synthetic_turbulence" }."""

    kind: Literal["synthetic_turbulence"]
    spectrum: Literal["karman_obukhov", "kraichnan"] = "karman_obukhov"
    speed: Positive = 1.0
    length_scale: Positive | None = None
    viscosity: Positive | None = None
    correlation_time: Positive | None = None
    grid: Annotated[int, Field(ge=3)] | None = None
    seed: Annotated[int, Field(ge=0)] = 0


class GridFieldTable(Table):
    """fluid = { kind = "grid_field" }."""

    kind: Literal["grid_field"]
    path: str
    velocity: str = "velocity"
    times: str = "times"


def _as_table(value: Any) -> Any:
    """A kind without options is short for a table with nothing else in it."""
    return {"kind": value} if isinstance(value, str) else value


Fluid = Annotated[
    TaylorGreenTable | UniformTable | ShearTable | ABCTable | TurbulenceTable | GridFieldTable,
    Field(discriminator="kind"),
    BeforeValidator(_as_table),
]


class RelaxationTable(Table):
    """relaxation_time = { factor = ..., exponent = ... }: a power of the radius."""

    factor: Positive
    exponent: float = 2.0


class LadenMethod(Table):
    """[method] kind = "laden"."""

    kind: Literal["laden"]
    fluid: Fluid
    dt: Positive
    relaxation_time: Positive | RelaxationTable
    viscosity: Positive | None = None  # of the fluid, for the drag of Schiller and Naumann
    integrator: Literal["straight", "curved"] = "straight"
    paths: Annotated[int, Field(ge=1)] = 1
    algorithm: Literal["auto", "cells", "lines"] = "auto"
    detection: Literal["exact", "at_end", "without_transfers"] = "exact"
    cells_per_side: Annotated[int, Field(ge=1)] | None = None


FLUIDS: dict[str, Any] = {
    "taylor_green": carom.fluids.TaylorGreen,
    "uniform": carom.fluids.Uniform,
    "shear": carom.fluids.Shear,
    "abc": carom.fluids.ABC,
    "synthetic_turbulence": carom.fluids.SyntheticTurbulence,
    "grid_field": carom.fluids.GridField.from_hdf5,
}


def laden_of(table: LadenMethod) -> carom.Laden:
    """The method of a [method] table with a fluid."""
    options = table.model_dump(exclude={"kind", "fluid", "relaxation_time", "viscosity"})
    time = table.relaxation_time
    if isinstance(time, RelaxationTable):
        options["relaxation_time"] = carom.PowerOfRadius(time.factor, time.exponent)
    else:
        options["relaxation_time"] = time
    if table.viscosity is not None:
        options["drag"] = carom.SchillerNaumann(table.viscosity)
    fluid = FLUIDS[table.fluid.kind](**table.fluid.model_dump(exclude={"kind"}))
    return carom.Laden(fluid=fluid, **options)
