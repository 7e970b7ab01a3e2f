"""Who may touch whom: a file is one way to find out."""

from carom.neighbours.chained_cells import (
    Cells,
    cell_number,
    deepest_overlap,
    insert,
    locate,
    neighbour,
    new_cells,
    remove,
)

__all__ = [
    "Cells",
    "cell_number",
    "deepest_overlap",
    "insert",
    "locate",
    "neighbour",
    "new_cells",
    "remove",
]
