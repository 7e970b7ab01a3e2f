"""All neighbour methods list the same pairs, those of a plain search over all pairs and images."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pair_oracle import listed, near_pairs
from refusals import assert_refused

from carom.neighbours.pairs import (
    AllPairs,
    HierarchicalCells,
    LinkedCells,
    LinkedLinearList,
    VerletList,
    all_found,
    automatic,
    differences,
    new_search,
)
from carom.neighbours.pairs.lattice import Lattice, new_lattice
from carom.neighbours.pairs.pair_list import new_pair_list, new_search_tally
from carom.neighbours.pairs.sparse_pairs import new_sparse_pairs

METHODS = [AllPairs(), LinkedCells(), HierarchicalCells(), LinkedLinearList()]
EXAMPLES = settings(max_examples=60, deadline=None)


@dataclass
class Scene:
    """Particles in a box, and a skin."""

    sphere: Any
    lattice: Lattice
    skin: float
    dimension: int = 3

    @property
    def system(self) -> Any:
        return SimpleNamespace(
            dimension=self.dimension,
            particles=SimpleNamespace(radius=self.sphere[:, 3].copy()),
        )

    def expected(self) -> Any:
        lattice = self.lattice
        return near_pairs(
            self.sphere, lattice.lengths, lattice.periodic, float(lattice.offset[0]), self.skin
        )


@st.composite
def scenes(draw: Any) -> Scene:
    """Boxes of all kinds, from narrower than two particles to wide ones, and open space."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    planar = draw(st.booleans())
    n = draw(st.integers(1, 60))
    ratio = draw(st.sampled_from([1.0, 1.5, 5.0, 100.0]))
    radius = np.exp(random.uniform(-np.log(ratio), 0.0, n)) if ratio > 1.0 else np.ones(n)
    skin = draw(st.sampled_from([0.0, 0.01, 0.3, 2.0]))
    periodic = [draw(st.booleans()) for _ in range(3)]
    lengths = np.array([draw(st.floats(2.0, 16.0)) for _ in range(3)])
    if planar:
        periodic[2], lengths[2] = False, 0.0
    place = random.uniform(0.0, 1.0, (n, 3))
    if draw(st.booleans()):  # most of them in a corner
        place[::2] *= 0.3
    if draw(st.booleans()):  # on edges of cells and of the box
        place = np.floor(place * 8.0) / 8.0
    position = place * lengths
    far = draw(st.sampled_from([0.0, 1e3, 1e9]))
    for axis in range(2 if planar else 3):
        if not periodic[axis]:
            position[: n // 5, axis] += far * random.choice([-1.0, 1.0], n // 5)
    lattice = new_lattice(lengths, periodic)
    if periodic[0] and periodic[1]:
        lattice.offset[0] = draw(st.sampled_from([0.0, 1e-9, 0.2, -0.45, 0.5, -0.5])) * lengths[0]
    return Scene(np.column_stack([position, radius]), lattice, skin, 2 if planar else 3)


def found(scene: Scene, search: Any, pairs: Any = None) -> tuple[Any, Any, list[Any]]:
    pairs = new_pair_list(3, 3) if pairs is None else pairs
    search, pairs = all_found(
        search, scene.lattice, scene.sphere, scene.skin, pairs, new_search_tally()
    )
    return search, pairs, listed(pairs)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
@EXAMPLES
@given(scene=scenes())
def test_same_pairs_as_the_plain_search(method: Any, scene: Scene) -> None:
    """The list has room for three pairs, that of the linear list's boxes for one, and both grow."""
    search = new_search(method, scene.system, scene.skin)
    if isinstance(method, LinkedLinearList):
        search = search._replace(overlapping=new_sparse_pairs(len(scene.sphere), 1))
    *_, pairs = found(scene, search)
    assert pairs == sorted(scene.expected())


@pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
@settings(max_examples=40, deadline=None)
@given(scene=scenes(), seed=st.integers(0, 2**32 - 1))
def test_searches_go_on_after_moves_large_and_small(method: Any, scene: Scene, seed: int) -> None:
    random, lattice = np.random.default_rng(seed), scene.lattice
    search, pairs = new_search(method, scene.system, scene.skin), None
    for largest_move in (0.0, 0.01, 0.1, 0.4, 3.0):
        step = largest_move * random.uniform(-1.0, 1.0, (len(scene.sphere), 3))
        move(scene, step, slide_by=largest_move * lattice.lengths[0] / 4.0)
        search, pairs, rows = found(scene, search, pairs)
        assert rows == sorted(scene.expected())


def move(scene: Scene, step: Any, slide_by: float) -> None:
    """Displace the particles, and the boxes above; both are wrapped."""
    sphere, lattice = scene.sphere, scene.lattice
    lengths = lattice.lengths
    if scene.dimension == 2:
        step[:, 2] = 0.0
    sphere[:, :3] += step
    if lattice.offset[0] != 0.0:
        over = np.floor(sphere[:, 1] / lengths[1])
        sphere[:, 0] -= over * lattice.offset[0]
        lattice.offset[0] += slide_by
        if lattice.offset[0] > 0.5 * lengths[0]:
            lattice.offset[0] -= lengths[0]
    for axis in np.flatnonzero(lattice.periodic):
        sphere[:, axis] -= np.floor(sphere[:, axis] / lengths[axis]) * lengths[axis]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
@pytest.mark.parametrize(
    ("lengths", "periodic", "offset"),
    [
        ((8.0, 7.0, 6.0), (True, True, True), 0.1),
        ((9.0, 2.1, 6.0), (True, True, False), -0.2),
        ((30.0, 5.0, 0.0), (False, True, False), 0.0),
    ],
)
def test_pairs_stay_right_over_thousands_of_small_steps(
    method: Any, lengths: Any, periodic: Any, offset: float
) -> None:
    """Free flight over many boxes; the offset grows by some ten boxes, and flips as often."""
    random = np.random.default_rng(5)
    planar = lengths[2] == 0.0
    n, steps = 40, 4000
    radius = np.where(np.arange(n) < 5, 1.0, 0.2)
    sphere = np.column_stack([random.uniform(0.0, 1.0, (n, 3)) * lengths, radius])
    lattice = new_lattice(lengths, periodic)
    lattice.offset[0] = offset
    scene = Scene(sphere, lattice, 0.05, 2 if planar else 3)
    velocity = random.normal(size=(n, 3)) * 0.02 + (0.01, 0.003, 0.0)
    search, pairs = new_search(method, scene.system, scene.skin), None
    changes, before = 0, None
    for step in range(steps):
        move(scene, velocity.copy(), slide_by=10.0 * lengths[0] / steps)
        search, pairs, rows = found(scene, search, pairs)
        if step % 20 == 0 or step > steps - 20:
            expected = sorted(scene.expected())
            assert rows == expected, step
            changes += expected != before
            before = expected
    assert changes > 100


@pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
@pytest.mark.parametrize("offset", [0.0, 1.3])
def test_same_pairs_in_a_crowd(method: Any, offset: float) -> None:
    """Hundreds in a cell, more than are compared in one go, and others spread over many cells."""
    random, n = np.random.default_rng(11), 500
    place = random.uniform(0.0, 1.0, (n, 3))
    place[: n // 2] = 0.97 + 0.06 * place[: n // 2]  # around the corners of the box
    radius = random.choice([0.02, 0.05, 0.5], n, p=[0.6, 0.39, 0.01])
    lattice = new_lattice((8.0, 9.0, 7.0), (True, True, True))
    lattice.offset[0] = offset
    sphere = np.column_stack([place % 1.0 * lattice.lengths, radius])
    scene = Scene(sphere, lattice, 0.1)
    *_, rows = found(scene, new_search(method, scene.system, scene.skin))
    assert len(rows) > n
    assert rows == sorted(scene.expected())


def test_rings_of_ends_survive_moves_of_half_a_box() -> None:
    """Ends then pass each other everywhere, and the boundary from both sides."""
    random, length = np.random.default_rng(8), 6.0
    sphere = np.column_stack([random.uniform(0.0, length, (60, 3)), np.full(60, 0.8)])
    scene = Scene(sphere, new_lattice((length,) * 3, (True, True, True)), 0.0)
    search, pairs = new_search(LinkedLinearList(), scene.system, scene.skin), None
    for _ in range(100):
        search, pairs, rows = found(scene, search, pairs)
        assert rows == sorted(scene.expected())
        move(scene, random.uniform(-0.49, 0.49, (60, 3)) * length, slide_by=0.0)


def test_a_new_numbering_is_told_by_the_state() -> None:
    """Half of the particles change their numbers; a linear list that begins anew gets it right."""
    random = np.random.default_rng(1)
    sphere = np.column_stack([random.uniform(0.0, 9.0, (60, 3)), random.uniform(0.2, 0.8, 60)])
    scene = Scene(sphere, new_lattice((9.0, 9.0, 9.0), (True, True, True)), 0.1)
    search, pairs, _ = found(scene, new_search(LinkedLinearList(), scene.system, scene.skin))
    scene.sphere[:] = scene.sphere[random.permutation(60)]
    search.state[0] = 0
    *_, rows = found(scene, search, pairs)
    assert rows == sorted(scene.expected())


@EXAMPLES
@given(scene=scenes(), radius=st.floats(2.0, 6.0))
def test_published_verlet_lists_hold_all_centres_within_a_radius(
    scene: Scene, radius: float
) -> None:
    points = scene.sphere.copy()
    points[:, 3] = 0.0
    lattice = scene.lattice
    expected = near_pairs(
        points,
        lattice.lengths,
        lattice.periodic,
        float(lattice.offset[0]),
        radius * float(scene.sphere[:, 3].max()),
    )
    for build in ("cells", "all_pairs"):
        method = VerletList(radius=radius, every=100, build=build)
        _, pairs, rows = found(scene, new_search(method, scene.system, 0.0))
        assert rows == sorted(expected)
        assert differences(method, pairs, lattice, scene.sphere, 0.0) == []


def test_differences_name_what_is_missing_and_what_is_too_much() -> None:
    sphere = np.array([[0.5, 5.0, 5.0, 0.5], [9.7, 5.0, 5.0, 0.5], [1.4, 5.0, 5.0, 0.5]])
    scene = Scene(sphere, new_lattice((10.0, 10.0, 10.0), (True, True, True)), 0.1)
    _, pairs, rows = found(scene, new_search(LinkedCells(), scene.system, scene.skin))
    assert rows == [(0, 1, 1, 0, 0), (0, 2, 0, 0, 0)]
    method = (LinkedCells(), pairs, scene.lattice, scene.sphere)
    assert differences(*method, scene.skin) == []
    pairs.number[0] = 0
    assert differences(*method, scene.skin) == [(0, 2, 13)]
    pairs.number[0] = 1
    pairs.second[0] = 1
    assert differences(*method, scene.skin) == [(0, 1, 13), (0, 2, 13)]
    pairs.second[0] = 2
    # With 1.0 more, 1 and 2 are near across the boundary, too.
    assert differences(*method, 1.1) == [(1, 2, 12)]


def test_all_pairs_are_examined_once_for_each_list() -> None:
    """Equation 5 of Muth et al. 2007, also where the images that are near are unique."""
    random = np.random.default_rng(2)
    for periodic in ((False, False, False), (True, True, True)):
        n = 50
        sphere = np.column_stack([random.uniform(0.0, 20.0, (n, 3)), np.full(n, 0.5)])
        lattice, tally = new_lattice((20.0, 20.0, 20.0), periodic), new_search_tally()
        for _ in range(3):
            all_found(
                new_search(AllPairs(), None, 0.0),
                lattice,
                sphere,
                0.1,
                new_pair_list(99, 99),
                tally,
            )
        assert tally.builds[0] == 3
        assert tally.pair_tests[0] == 3 * n * (n - 1) // 2


@pytest.mark.parametrize(("dimension", "cells"), [(2, 12), (3, 6)])
def test_cells_examine_as_many_pairs_as_the_paper_says(dimension: int, cells: int) -> None:
    """Equation 3 of Muth et al. 2007 for particles anywhere in a box that repeats.

    With m^d cells and n particles thrown at random, two are in cells beside each other or in the
    same with probability 3^d / m^d, so that the mean is n (n − 1) / 2 3^d / m^d: equation 3 for a
    given n_c says n more, 3^d n_c² / 2 m^d for n² in place of n (n − 1), less n_c / 2. The 1,000
    pairs of each particle are not independent of each other but uncorrelated, so the variance is
    n (n − 1) / 2 p (1 − p); 4 standard deviations.
    """
    random, n = np.random.default_rng(7), 1000
    size = 3.0
    length = cells * size * 1.001
    position = random.uniform(0.0, length, (n, 3)) * (np.arange(3) < dimension)
    sphere = np.column_stack([position, np.full(n, 0.5)])
    lattice = new_lattice((length,) * 3, [axis < dimension for axis in range(3)])
    scene = Scene(sphere, lattice, 0.5, dimension)
    tally = new_search_tally()
    search = new_search(LinkedCells(cell_size=size), scene.system, scene.skin)
    all_found(search, lattice, sphere, scene.skin, new_pair_list(9 * n, 9 * n), tally)
    assert list(search.levels.number[0][:dimension]) == [cells] * dimension
    p = 3.0**dimension / cells**dimension
    expected, error = n * (n - 1) / 2 * p, np.sqrt(n * (n - 1) / 2 * p * (1.0 - p))
    assert abs(float(tally.pair_tests[0]) - expected) < 4.0 * error
    n_c = n / cells**dimension
    equation_3 = (3**dimension * n_c**2 / 2 - n_c / 2) * cells**dimension
    # It differs from the mean by (3^d / m^d − 1) n / 2; equation 4, in the plane, by n / 2 more.
    assert abs(equation_3 - expected) == pytest.approx((1.0 - p) * n / 2)
    if dimension == 2:
        assert 4.5 * n * n_c - equation_3 == pytest.approx(n / 2)


def test_one_particle_far_away_does_not_spoil_the_cells() -> None:
    """Two thousand in a drop, and one of them 1e12 away.

    Cells along x then end at eight mean deviations instead of at the outermost particle, which in a
    drop of normal shape is at some 4.4: they are less than twice as long, and as many pairs more
    are examined. Without that all would be in one layer of cells, a tenth of the two million pairs.
    """
    random, n = np.random.default_rng(3), 2000
    sphere = np.column_stack([random.normal(size=(n, 3)) * 10.0, np.full(n, 0.5)])
    scene = Scene(sphere, new_lattice((0.0, 0.0, 0.0), (False, False, False)), 0.1)
    tests = []
    for x in (0.0, 1e12):
        sphere[7, 0] = x
        tally = new_search_tally()
        search = new_search(LinkedCells(), scene.system, scene.skin)
        _, pairs = all_found(search, scene.lattice, sphere, 0.1, new_pair_list(9 * n, 9), tally)
        assert listed(pairs) == sorted(scene.expected())
        assert len(search.start) < 2 * n
        tests.append(int(tally.pair_tests[0]))
    assert tests[1] < 2 * tests[0]


def test_the_automatic_choice_follows_number_and_sizes() -> None:
    random = np.random.default_rng(1)

    def chosen(n: int, sizes: Any, box: float) -> Any:
        particles = SimpleNamespace(
            position=random.uniform(0.0, box, (n, 3)), radius=random.choice(sizes, n)
        )
        return automatic(SimpleNamespace(particles=particles))

    assert chosen(15, [0.5], 5.0) == AllPairs()
    assert chosen(2000, [0.5], 12.0) == LinkedCells()
    assert chosen(2000, [0.5, 0.4], 12.0) == LinkedCells()
    assert chosen(20_000, [0.5] + [0.05] * 99, 12.0) == HierarchicalCells()


def test_what_cannot_be_is_refused() -> None:
    assert_refused(lambda: AllPairs(skin=-0.1), "AllPairs: skin=-0.1", "at least zero")
    assert_refused(lambda: LinkedCells(skin=float("nan")), "skin=nan")
    assert_refused(lambda: LinkedCells(cell_size=0.0), "cell_size=0.0", "positive")
    assert_refused(lambda: VerletList(build="tree"), "'tree'", "'cells' or 'all_pairs'")
    assert_refused(lambda: VerletList(radius=5.0), "every=None", "belong together")
    assert_refused(lambda: VerletList(every=5), "radius=None", "belong together")
    assert_refused(lambda: VerletList(radius=5.0, every=9, skin=0.1), "exclude each other")
    assert_refused(lambda: VerletList(radius=1.5, every=9), "radius=1.5", "at least 2")
    assert_refused(lambda: VerletList(radius=5.0, every=0), "every=0", "number of steps")
    system = SimpleNamespace(particles=SimpleNamespace(radius=np.array([0.2, 0.5])))
    assert_refused(
        lambda: new_search(LinkedCells(cell_size=1.05), system, 0.1),
        "cell_size=1.05 is less than 1.1",
        "skin of 0.1",
    )
    assert_refused(lambda: new_search("auto", system, 0.1), "'auto'", "AllPairs", error=TypeError)


SCRIPT = """
import json
from types import SimpleNamespace
import numpy as np
from carom.neighbours.pairs import *
from carom.neighbours.pairs.lattice import new_lattice
from carom.neighbours.pairs.pair_list import new_pair_list, new_search_tally

methods = [AllPairs(), LinkedCells(), HierarchicalCells(), LinkedLinearList(),
           VerletList(radius=2.5, every=9)]
results = []
for method in methods:
    random = np.random.default_rng(4)
    radius = random.uniform(0.2, 1.0, 40)
    sphere = np.column_stack([random.uniform(0.0, 7.0, (40, 3)), radius])
    system = SimpleNamespace(dimension=3, particles=SimpleNamespace(radius=radius))
    search, pairs = new_search(method, system, 0.1), new_pair_list(4, 4)
    tally = new_search_tally()
    for offset in (0.0, 2.0, 2.1):
        lattice = new_lattice((7.0, 7.0, 7.0), (True, True, False))
        lattice.offset[0] = offset
        search, pairs = all_found(search, lattice, sphere, 0.1, pairs, tally)
        near, far = pairs.number
        results.append([pairs.first[:near].tolist(), pairs.second[:near].tolist(),
                        pairs.far_first[:far].tolist(), pairs.far_image[:far].tolist()])
        sphere[:, :2] = (sphere[:, :2] + random.uniform(-0.1, 0.1, (40, 2))) % 7.0
    results.append([int(tally[name][0]) for name in tally.dtype.names])
print(json.dumps(results))
"""


def test_uncompiled_searches_list_the_same_pairs_in_the_same_order(
    tmp_path: Path, run_script: Any
) -> None:
    script = tmp_path / "searches.py"
    script.write_text(SCRIPT)
    results = []
    for disabled in ("0", "1"):
        finished = run_script(script, NUMBA_DISABLE_JIT=disabled)
        assert finished.returncode == 0, finished.stderr
        results.append(json.loads(finished.stdout))
    assert len(results[0][0][0]) > 20
    assert results[0] == results[1]
