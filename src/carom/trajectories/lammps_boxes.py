"""What dumps and data files of LAMMPS share: boxes, the plane, and types."""

from __future__ import annotations

from typing import Any

import numpy as np

from carom.species import ONLY
from carom.trajectories.frame import Cell, Kinds
from carom.trajectories.text_frames import Lines


def check_tilts(lines: Lines, tilts: Any) -> None:
    """Refuse the tilts xy, xz and yz of a box that leans along other axes than x."""
    if tilts[1] != 0.0 or tilts[2] != 0.0 or not np.isfinite(tilts[0]):
        raise lines.error(
            f"the box has the tilts xy, xz, yz = {tilts[0]:g}, {tilts[1]:g}, {tilts[2]:g}; carom "
            "knows boxes that lean along x alone. In LAMMPS, 'change_box all xz final 0 yz final 0 "
            "remap' makes this box such a one"
        )


def tilted_cell(lower: Any, upper: Any, offset: float, letters: str = "") -> Cell:
    """A box from the lower and upper ends of its edges, and its tilt xy."""
    middle = np.array([lower[0] + 0.5 * offset, *lower[1:]])
    return Cell(middle, np.array(upper - lower), letters or "ppp", offset)


def is_planar(cell: Cell, position: Any, velocity: Any) -> bool:
    """Whether all is as in the plane, where LAMMPS has z = 0 in a box around it."""
    still = velocity is None or not velocity[:, 2].any()
    around = cell.lower[2] == -0.5 * cell.sides[2] and cell.boundaries[2] == "p"
    return bool(still and around and not position[:, 2].any())


def flat(cell: Cell, dimension: int) -> Cell:
    """The box of the first two axes, or of all three."""
    return cell._replace(
        lower=cell.lower[:dimension],
        sides=cell.sides[:dimension],
        boundaries=cell.boundaries[:dimension],
    )


def kinds_of_types(types: Any, n: int, labels: list[str] | None = None) -> Kinds:
    """Species of types, in their order: by their labels, else one is A, and several are called by
    their numbers."""
    if types is None:
        return Kinds([ONLY], np.zeros(n, dtype=int))
    present, first, numbers = np.unique(types, return_index=True, return_inverse=True)
    if labels is not None:
        names = [labels[k] for k in first]
    else:
        names = [ONLY] if len(present) == 1 else [str(number) for number in present]
    return Kinds(names, numbers.reshape(-1))
