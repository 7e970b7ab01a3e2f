"""Who may touch whom, as a list of pairs: a file is one way to find it."""

from carom.neighbours.pairs.all_pairs import AllPairs
from carom.neighbours.pairs.automatic import automatic
from carom.neighbours.pairs.hierarchical_cells import HierarchicalCells
from carom.neighbours.pairs.linked_cells import LinkedCells
from carom.neighbours.pairs.linked_linear_list import LinkedLinearList
from carom.neighbours.pairs.listing import all_found, differences, grown_list
from carom.neighbours.pairs.searches import grown, new_search
from carom.neighbours.pairs.verlet_list import VerletList

__all__ = [
    "AllPairs",
    "HierarchicalCells",
    "LinkedCells",
    "LinkedLinearList",
    "VerletList",
    "all_found",
    "automatic",
    "differences",
    "grown",
    "grown_list",
    "new_search",
]
