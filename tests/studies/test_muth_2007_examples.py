"""The small worked examples of Muth, Müller, Eberhard & Luding 2007, as far as its text tells them.

The figures are not in the text; configurations here are such that everything said of them holds.
Bodies are numbered from 1, as there.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from carom.neighbours.pairs import LinkedCells, LinkedLinearList, VerletList
from carom_studies.experiments.neighbour_search import NeighbourSearch


def test_figure_1_four_pairs_instead_of_ten() -> None:
    """Five bodies, a sphere of five radii around each: four pairs, found among ten."""
    position = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.5], [8.5, 0.5], [12.0, 3.0]]
    method = VerletList(radius=5.0, every=100, build="all_pairs")
    example = NeighbourSearch(method, position, radius=1.0)
    assert example.listed == [(1, 2), (2, 3), (2, 4), (4, 5)]
    assert example.tally.pair_tests[0] == 10
    assert example.tally.listed[0] == 4


def test_figures_2_and_3_the_neighbours_of_bodies_in_cell_6() -> None:
    """Four cells in a row, cell 6 the second of the second row; bodies 1 to 6 are in it.

    It is compared with cells 7, 9, 10 and 11, where bodies 7 to 15 are. All of these are so close
    to the middle of the upper edge of cell 6 that they are within a cell's width; so is body 16 in
    cell 5, which is compared from there. Bodies 17 and 18 hold the corners of the system.
    """
    width, little = 1.0, 0.01
    middle, below, above = 1.5, 2.0 - little, 2.0 + little
    in_cell = {
        6: (middle, below, range(1, 7)),
        7: (2.0 + little, below, range(7, 10)),
        9: (1.0 - little, above, range(10, 12)),
        10: (middle, above, range(12, 14)),
        11: (2.0 + little, above, range(14, 16)),
        5: (1.0 - little, below, range(16, 17)),
    }
    position = np.zeros((18, 2))
    for x, y, bodies in in_cell.values():
        for k, body in enumerate(bodies):
            position[body - 1] = (x + 0.001 * k * np.sign(x - middle), y)
    position[17] = (4.0 * width + 1e-6, 3.0 * width + 1e-6)
    example = NeighbourSearch(LinkedCells(cell_size=width), position, radius=0.1, skin=0.75)
    assert list(example.search.levels.number[0]) == [4, 3, 1]
    assert example.neighbours_of(1) == set(range(2, 16))
    assert example.neighbours_of(2) == set(range(3, 16))
    assert example.neighbours_of(6) == set(range(7, 16))
    assert example.neighbours_of(16) == {*range(1, 7), 10, 11, 12, 13}


@pytest.mark.parametrize(("dimension", "cells"), [(2, 5), (3, 14)])
def test_figures_3_and_4_half_of_the_cells_around(dimension: int, cells: int) -> None:
    """One body in the middle cell and one in each of those around, all within a cell's width."""
    offsets = [offset for offset in itertools.product((-1, 0, 1), repeat=dimension) if any(offset)]
    around = 1.5 + 0.51 * np.array(offsets)
    corners = [[0.0] * dimension, [3.0 + 1e-6] * dimension]
    position = np.vstack([np.full((1, dimension), 1.5), around, corners])
    example = NeighbourSearch(LinkedCells(cell_size=1.0), position, radius=0.1, skin=0.79)
    assert list(example.search.levels.number[0][:dimension]) == [3] * dimension
    assert cells == (3**dimension + 1) // 2
    assert len(example.neighbours_of(1)) == cells - 1
    others = [i for i, j in example.listed if j == 1]
    assert len(others) == cells - 1
    assert not set(others) & example.neighbours_of(1)


# Beginnings of the four bodies of Figs. 5 to 7 along x and y; their boxes are 1 long. Along x
# body 3 goes from position three to five and body 4 begins at position four; along y there are
# potential collisions of (3/4) and (1/2).
BEGINNINGS = np.array([[0.0, 0.0], [5.0, 0.4], [2.0, 3.0], [2.9, 3.3]])
LAST_ONE = (0, 0, 0, 1)


def test_figure_6_an_ending_and_a_beginning_are_exchanged() -> None:
    before = BEGINNINGS + np.outer(LAST_ONE, (0.2, 0.0))
    example = NeighbourSearch(LinkedLinearList(), before + 0.5, radius=0.5)
    assert example.ends_along(0) == "b1 e1 b3 e3 b4 e4 b2 e2"
    assert example.stored_rows() == {}
    # Case 4: an ending and a following beginning.
    example.look(BEGINNINGS + 0.5)
    assert example.ends_along(0) == "b1 e1 b3 b4 e3 e4 b2 e2"
    assert example.tally.swaps[0] == 1
    assert example.stored_rows() == {3: [4]}
    # Case 3, in the other direction.
    example.look(before + 0.5)
    assert example.tally.swaps[0] == 2
    assert example.stored_rows() == {}


def test_two_beginnings_and_two_endings_change_nothing() -> None:
    """Cases 1 and 2: body 4 overtakes body 3, and their boxes go on to overlap."""
    example = NeighbourSearch(LinkedLinearList(), BEGINNINGS + 0.5, radius=0.5)
    overtaken = BEGINNINGS + np.outer(LAST_ONE, (-1.1, 0.0))
    example.look(overtaken + 0.5)
    assert example.ends_along(0) == "b1 e1 b4 b3 e4 e3 b2 e2"
    assert example.tally.swaps[0] == 2
    assert example.stored_rows() == {3: [4]}


def test_figure_7_positions_along_the_other_axis() -> None:
    example = NeighbourSearch(LinkedLinearList(), BEGINNINGS + 0.5, radius=0.5)
    assert example.ends_along(0) == "b1 e1 b3 b4 e3 e4 b2 e2"
    assert example.ends_along(1) == "b1 b2 e1 e2 b3 b4 e3 e4"
    # Positions of body 3 along x, counted from 1, and the beginning of body 4.
    along_x = example.search.ends.position[0] + 1
    assert [along_x[4], along_x[5], along_x[6]] == [3, 5, 4]
    # (1/2) overlap along y only, (3/4) collide. So do the disks: |(0.9, 0.3)| < 1.
    assert example.stored_rows() == {3: [4]}
    assert example.listed == [(3, 4)]


def test_figure_8_pairs_in_the_sparse_store() -> None:
    """Boxes (1/2), (1/3) and (3/4) collide: in a row 2, 1, 3, 4."""
    position = np.array([[0.9, 0.0], [0.0, 0.0], [1.8, 0.0], [2.7, 0.0]])
    example = NeighbourSearch(LinkedLinearList(), position, radius=0.5)
    assert example.stored_rows() == {1: [2, 3], 3: [4]}
    assert example.listed == [(1, 2), (1, 3), (3, 4)]
