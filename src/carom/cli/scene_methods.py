"""What a scene file may say about the method: [method], and the neighbours in it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from carom.cli.scene_fluids import CoupledMethod, LadenMethod
from carom.cli.scene_table import Table
from carom.cli.scene_values import NotNegative, Positive, Step, must


class AutoNeighbours(Table):
    """neighbours = "auto"."""

    kind: Literal["auto"]


class SkinTable(Table):
    """What all lists of neighbours have."""

    skin: NotNegative | None = None
    check: bool = False


class AllPairsTable(SkinTable):
    """neighbours = { kind = "all_pairs" }."""

    kind: Literal["all_pairs"]


class VerletListTable(SkinTable):
    """neighbours = { kind = "verlet_list" }."""

    kind: Literal["verlet_list"]
    build: Literal["cells", "all_pairs"] = "cells"
    radius: Positive | None = None
    every: Annotated[int, Field(ge=1)] | None = None


class LinkedCellsTable(SkinTable):
    """neighbours = { kind = "linked_cells" }."""

    kind: Literal["linked_cells"]
    cell_size: Positive | None = None


class LinkedLinearListTable(SkinTable):
    """neighbours = { kind = "linked_linear_list" }."""

    kind: Literal["linked_linear_list"]


class HierarchicalCellsTable(SkinTable):
    """neighbours = { kind = "hierarchical_cells" }."""

    kind: Literal["hierarchical_cells"]


def _as_table(value: Any) -> Any:
    """A kind without options is short for a table with nothing else in it."""
    return {"kind": value} if isinstance(value, str) else value


Neighbours = Annotated[
    AutoNeighbours
    | AllPairsTable
    | VerletListTable
    | LinkedCellsTable
    | LinkedLinearListTable
    | HierarchicalCellsTable,
    Field(discriminator="kind"),
    BeforeValidator(_as_table),
]


class EventDrivenMethod(Table):
    """[method] kind = "event_driven", which is also meant when no kind is given."""

    kind: Literal["event_driven"] = "event_driven"
    algorithm: Literal["auto", "cells", "lists", "heap", "collision_list", "simple"] = "auto"
    detection: Literal["stable", "naive"] = "stable"
    resting: bool = False
    cells_per_side: Annotated[int, Field(ge=1)] | None = None
    adaptive: Annotated[
        bool | str,
        must(lambda value: isinstance(value, bool) or value == "clock", 'true, false or "clock"'),
    ] = False
    three_body: bool = False


class TimeSteppedMethod(Table):
    """[method] kind = "time_stepped"."""

    kind: Literal["time_stepped"]
    dt: Step = "auto"
    simultaneous: Literal["sequence", "backtrack"] = "sequence"
    neighbours: Neighbours = AutoNeighbours(kind="auto")


class SoftContactsMethod(Table):
    """[method] kind = "soft_contacts"."""

    kind: Literal["soft_contacts"]
    stiffness: Positive
    damping: NotNegative | None = None
    restitution: Annotated[float, Field(gt=0.0, le=1.0)] | None = None
    ends_at: Literal["zero_overlap", "zero_force"] = "zero_overlap"
    friction: NotNegative | None = None
    tangential_stiffness: NotNegative | None = None
    tangential_damping: NotNegative = 0.5
    dt: Step = "auto"
    neighbours: Neighbours = AutoNeighbours(kind="auto")


def _with_kind(value: Any) -> Any:
    return {"kind": "event_driven"} | value if isinstance(value, dict) else value


Method = Annotated[
    EventDrivenMethod | TimeSteppedMethod | SoftContactsMethod | LadenMethod | CoupledMethod,
    Field(discriminator="kind"),
    BeforeValidator(_with_kind),
]
