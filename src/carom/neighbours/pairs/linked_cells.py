"""Linked cells: particles are neighbours when their cells are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from carom.checks import is_positive
from carom.compiled.kernels import inner_kernel
from carom.neighbours.pairs.cell_pairs import list_pairs
from carom.neighbours.pairs.cells import Cells, new_cells, sort_into_cells
from carom.neighbours.pairs.lattice import Lattice
from carom.neighbours.pairs.pair_list import PairList, begin_list, end_list, find_pairs
from carom.neighbours.pairs.searches import check_skin, new_search
from carom.representation import shown_as_call
from carom.types import Array, Records


@shown_as_call
@dataclass(frozen=True)
class LinkedCells:
    """Cells at least as wide as the largest particle and the skin together.

    Each is compared with itself and half of those around it, (3^d + 1) / 2 cells (Muth et al. 2007,
    section 2.2). ``cell_size`` makes them wider. Lists hold the pairs with a gap below ``skin``:
    chosen by the method when left out, and 0 for a new list at every step. ``check`` compares each
    list with that of ``AllPairs``.
    """

    cell_size: float | None = None
    skin: float | None = None
    check: bool = False

    def __post_init__(self) -> None:
        check_skin(self)
        size = self.cell_size
        if size is not None and not is_positive(size):
            raise ValueError(
                f"LinkedCells: cell_size={size!r} must be a positive length; leave it out for "
                "cells as narrow as they can be."
            )


@new_search.register
def _(neighbours: LinkedCells, system: Any, skin: float) -> Cells:
    radius = system.particles.radius
    size, needed = neighbours.cell_size, 2.0 * float(radius.max()) + skin
    if size is not None and size < needed:
        raise ValueError(
            f"LinkedCells: cell_size={size:g} is less than {needed:g}, the largest diameter and "
            f"the skin of {skin:g}: neighbours would be missed. Use cell_size={needed:g} or more, "
            "or leave it out."
        )
    return new_cells(len(radius), [math.inf], 0.0 if size is None else size)


@find_pairs.register(Cells)
@inner_kernel
def _(
    cells: Cells, lattice: Lattice, sphere: Array, skin: float, pairs: PairList, tally: Records
) -> int:
    begin_list(pairs)
    sort_into_cells(cells, lattice, sphere, skin)
    list_pairs(cells, lattice, sphere, skin, pairs, tally)
    return end_list(pairs, tally)
