"""Verlet's list: pairs that are near are kept until particles have moved."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from carom.checks import is_one_of, is_positive, is_whole
from carom.compiled.kernels import inner_kernel
from carom.compiled.lent import lasting
from carom.compiled.memory import in_cache_lines
from carom.neighbours.pairs.cells import new_cells
from carom.neighbours.pairs.every_pair import EveryPair
from carom.neighbours.pairs.lattice import Lattice
from carom.neighbours.pairs.pair_list import RADIUS, PairList, find_pairs
from carom.neighbours.pairs.searches import check_skin, grown, new_search, plain_search
from carom.representation import shown_as_call
from carom.types import Array, Records

BUILDS = ("cells", "all_pairs")


@shown_as_call
@dataclass(frozen=True)
class VerletList:
    """A list of the pairs with a gap below ``skin``, made anew when particles have moved so far.

    ``skin`` is chosen by the method when left out, and 0 asks for a new list at every step.
    ``build`` says how the list is made, from ``"cells"`` or from ``"all_pairs"``. Instead of the
    skin, ``radius`` and ``every`` keep a list as Muth et al. (2007, section 2.1) publish it: all
    pairs whose centres are closer than ``radius`` times the largest radius, 5 for example, made
    anew after ``every`` steps, 100 for example, however far particles have moved. ``check``
    compares each list with that of all pairs.
    """

    skin: float | None = None
    build: str = "cells"
    radius: float | None = None
    every: int | None = None
    check: bool = False

    def __post_init__(self) -> None:
        check_skin(self)
        if not is_one_of(self.build, BUILDS):
            raise ValueError(
                f"VerletList: build={self.build!r} is not known; use 'cells' or 'all_pairs'."
            )
        if (self.radius is None) != (self.every is None):
            raise ValueError(
                f"VerletList: radius={self.radius!r} and every={self.every!r} belong together, for "
                "example radius=5.0, every=100; leave both out for a list with a skin."
            )
        if self.radius is None or self.every is None:
            return
        if self.skin is not None:
            raise ValueError(
                f"VerletList: skin={self.skin!r} and radius={self.radius!r} exclude each other; "
                "give one of them."
            )
        if not (is_positive(self.radius) and self.radius >= 2.0):
            raise ValueError(
                f"VerletList: radius={self.radius!r} must be at least 2: the largest particles "
                "touch at twice their radius. Muth et al. use 5."
            )
        if not (is_whole(self.every) and self.every >= 1):
            raise ValueError(f"VerletList: every={self.every!r} must be a number of steps.")


@lasting
class NearCentres(NamedTuple):
    """A search for centres nearer than a distance, whatever the radii."""

    search: Any  # for points
    times_largest: float  # the distance in units of the largest radius
    points: Array  # (n, 4) scratch: the particles without their radii


def _near_centres(search: Any, times_largest: float, n: int) -> NearCentres:
    points = in_cache_lines(4 * n, float).reshape(n, 4)
    return NearCentres(search, float(times_largest), points)


@new_search.register
def _(neighbours: VerletList, system: Any, skin: float) -> Any:
    n = len(system.particles.radius)
    search = EveryPair() if neighbours.build == "all_pairs" else new_cells(n, [math.inf])
    return search if neighbours.radius is None else _near_centres(search, neighbours.radius, n)


@plain_search.register
def _(neighbours: VerletList, sphere: Array) -> Any:
    if neighbours.radius is None:
        return EveryPair()
    return _near_centres(EveryPair(), neighbours.radius, len(sphere))


@grown.register
def _(search: NearCentres) -> NearCentres:
    return search._replace(search=grown(search.search))


@find_pairs.register(NearCentres)
@inner_kernel
def _(
    search: NearCentres,
    lattice: Lattice,
    sphere: Array,
    skin: float,
    pairs: PairList,
    tally: Records,
) -> int:
    largest = 0.0
    for i in range(len(sphere)):
        for axis in range(3):
            search.points[i, axis] = sphere[i, axis]
        search.points[i, RADIUS] = 0.0
        largest = max(largest, sphere[i, RADIUS])
    distance = search.times_largest * largest
    return find_pairs(search.search, lattice, search.points, distance, pairs, tally)
