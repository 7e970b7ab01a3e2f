"""All neighbour methods list the same pairs, those of a plain search over all pairs and images."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pair_oracle import listed, near_pairs

from carom.neighbours.pairs.all_pairs import AllPairs
from carom.neighbours.pairs.hierarchical_cells import HierarchicalCells
from carom.neighbours.pairs.lattice import Lattice, new_lattice
from carom.neighbours.pairs.linked_cells import LinkedCells
from carom.neighbours.pairs.listing import all_found
from carom.neighbours.pairs.pair_list import new_pair_list, new_search_tally
from carom.neighbours.pairs.searches import new_search
from carom.neighbours.pairs.verlet_list import VerletList

METHODS = [AllPairs(), LinkedCells(), HierarchicalCells(), VerletList(build="all_pairs")]
EXAMPLES = settings(max_examples=60, deadline=None)


@dataclass
class Scene:
    """Particles in a box, and a skin."""

    record: Any
    lattice: Lattice
    skin: float

    @property
    def system(self) -> Any:
        return SimpleNamespace(particles=SimpleNamespace(radius=self.record[:, 3].copy()))

    def expected(self) -> Any:
        lattice = self.lattice
        return near_pairs(
            self.record, lattice.lengths, lattice.periodic, float(lattice.tilt[0]), self.skin
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
        lattice.tilt[0] = draw(st.sampled_from([0.0, 1e-9, 0.2, -0.45, 0.5, -0.5])) * lengths[0]
    return Scene(np.column_stack([position, radius]), lattice, skin)


def found(scene: Scene, search: Any, pairs: Any = None) -> tuple[Any, Any, list[Any]]:
    pairs = new_pair_list(3, 3) if pairs is None else pairs
    search, pairs = all_found(
        search, scene.lattice, scene.record, scene.skin, pairs, new_search_tally()
    )
    return search, pairs, listed(pairs)


@pytest.mark.parametrize("method", METHODS, ids=repr)
@EXAMPLES
@given(scene=scenes())
def test_same_pairs_as_the_plain_search(method: Any, scene: Scene) -> None:
    *_, pairs = found(scene, new_search(method, scene.system, scene.skin))
    assert pairs == sorted(scene.expected())
