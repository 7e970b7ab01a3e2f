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


class PowerTable(Table):
    """relaxation_time or exchange = { factor = ..., exponent = ... }: a power of the radius."""

    factor: Positive
    exponent: float = 2.0


class LadenMethod(Table):
    """[method] kind = "laden"."""

    kind: Literal["laden"]
    fluid: Fluid
    dt: Positive
    relaxation_time: Positive | PowerTable
    viscosity: Positive | None = None  # of the fluid, for the drag of Schiller and Naumann
    integrator: Literal["straight", "curved"] = "straight"
    paths: Annotated[int, Field(ge=1)] = 1
    algorithm: Literal["auto", "cells", "lines"] = "auto"
    search: Literal["exact", "at_end", "without_transfers"] = "exact"
    cells_per_side: Annotated[int, Field(ge=1)] | None = None


class TaylorGreenForcingTable(Table):
    """forcing = { kind = "taylor_green" }."""

    kind: Literal["taylor_green"]
    speed: float = 1.0
    length: Positive = 1.0


class StochasticForcingTable(Table):
    """forcing = { kind = "stochastic" }."""

    kind: Literal["stochastic"]
    spectrum: Literal["karman_obukhov", "kraichnan"] = "karman_obukhov"
    speed: Positive = 1.0
    length_scale: Positive | None = None
    seed: Annotated[int, Field(ge=0)] = 0


Forcing = Annotated[
    TaylorGreenForcingTable | StochasticForcingTable,
    Field(discriminator="kind"),
    BeforeValidator(_as_table),
]
# A checkpoint tells how the fluid began, and the frames of a grid field are not in it.
StartingFlow = Annotated[
    TaylorGreenTable | UniformTable | TurbulenceTable,
    Field(discriminator="kind"),
    BeforeValidator(_as_table),
]
Nodes = Annotated[int, Field(ge=1)]


class SolvedFluidTable(Table):
    """fluid = { kind = "diffusion" } or { kind = "navier_stokes" }."""

    kind: Literal["diffusion", "navier_stokes"]
    grid: Nodes | Annotated[list[Nodes], Field(min_length=2, max_length=2)]
    viscosity: Positive
    forcing: Forcing | None = None
    scheme: Literal["implicit", "explicit", "conserving"] = "implicit"
    exchange: Positive | PowerTable | None = None
    tolerance: Positive = 1e-8
    start: StartingFlow | None = None


class CoupledMethod(Table):
    """[method] kind = "coupled"."""

    kind: Literal["coupled"]
    fluid: SolvedFluidTable
    dt: Positive
    relaxation_time: Positive | PowerTable
    algorithm: Literal["auto", "cells", "lines"] = "auto"
    cells_per_side: Annotated[int, Field(ge=1)] | None = None


FLUIDS: dict[str, Any] = {
    "taylor_green": carom.fluids.TaylorGreen,
    "uniform": carom.fluids.Uniform,
    "shear": carom.fluids.Shear,
    "abc": carom.fluids.ABC,
    "synthetic_turbulence": carom.fluids.SyntheticTurbulence,
    "grid_field": carom.fluids.GridField.from_hdf5,
}


SOLVED_FLUIDS: dict[str, Any] = {
    "diffusion": carom.fluids.DiffusionFlow,
    "navier_stokes": carom.fluids.NavierStokes2D,
}
FORCINGS: dict[str, Any] = {
    "taylor_green": carom.fluids.TaylorGreenForcing,
    "stochastic": carom.fluids.StochasticForcing,
}


def laden_of(table: LadenMethod) -> carom.Laden:
    """The method of a [method] table with a flow that is given."""
    options = table.model_dump(exclude={"kind", "fluid", "relaxation_time", "viscosity"})
    if table.viscosity is not None:
        options["drag"] = carom.drags.SchillerNaumann(table.viscosity)
    return carom.Laden(
        fluid=_made(table.fluid, FLUIDS),
        relaxation_time=_number_or_power(table.relaxation_time),
        **options,
    )


def coupled_of(table: CoupledMethod) -> carom.Coupled:
    """The method of a [method] table with a fluid that feels the particles."""
    of_fluid = table.fluid
    options = of_fluid.model_dump(exclude={"kind", "forcing", "exchange", "start"})
    fluid = SOLVED_FLUIDS[of_fluid.kind](
        forcing=_made(of_fluid.forcing, FORCINGS),
        exchange=_number_or_power(of_fluid.exchange),
        start=_made(of_fluid.start, FLUIDS),
        **options,
    )
    return carom.Coupled(
        fluid=fluid,
        relaxation_time=_number_or_power(table.relaxation_time),
        **table.model_dump(exclude={"kind", "fluid", "relaxation_time"}),
    )


def _made(table: Any, kinds: dict[str, Any]) -> Any:
    """What a table with a kind describes, or None."""
    return None if table is None else kinds[table.kind](**table.model_dump(exclude={"kind"}))


def _number_or_power(given: Any) -> Any:
    """A number as it is, or the power of the radius that a table describes."""
    return carom.PowerOfRadius(**given.model_dump()) if isinstance(given, PowerTable) else given
