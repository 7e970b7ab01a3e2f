"""A grid for each class of sizes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from carom.neighbours.pairs.cells import Cells, new_cells
from carom.neighbours.pairs.searches import check_skin, new_search
from carom.representation import shown_as_call


@shown_as_call
@dataclass(frozen=True)
class HierarchicalCells:
    """Cells as wide as the particles in them: a grid for each class of sizes.

    Of two classes that follow each other one is up to twice as large as the other. A particle is
    compared with its own class and with all larger ones (as in Ogarko & Luding 2012), so that the
    cost for each hardly depends on how different their sizes are. Lists hold the pairs with a gap
    below ``skin``: chosen by the method when left out, and 0 for a new list at every step.
    ``check`` compares each list with that of ``AllPairs``.
    """

    skin: float | None = None
    check: bool = False

    def __post_init__(self) -> None:
        check_skin(self)


def size_classes(radius: Any, skin: float) -> list[float]:
    """The largest radius of each class of sizes that has particles, from the smallest on.

    What counts is the width of the cells, which the skin makes more alike.
    """
    half_width = radius + 0.5 * skin
    _, number = np.frexp(half_width.max() / half_width)  # of halvings, and one
    return [float(radius[number == k].max()) for k in sorted(set(number), reverse=True)]


@new_search.register
def _(neighbours: HierarchicalCells, system: Any, skin: float) -> Cells:
    radius = system.particles.radius
    return new_cells(len(radius), size_classes(radius, skin))
