"""From a neighbour method to the arrays that its search works with."""

from __future__ import annotations

import functools
from typing import Any

from carom.checks import is_not_negative, is_one_of
from carom.neighbours.pairs.every_pair import EveryPair
from carom.types import Array


@functools.singledispatch
def new_search(neighbours: Any, system: Any, skin: float) -> Any:
    """The arrays of a search for the pairs of a system whose gap is below ``skin``.

    They serve for any number of searches, in which the particles may have moved and may be numbered
    otherwise.
    """
    raise TypeError(
        f"neighbours={neighbours!r} is not a neighbour method. Use AllPairs(), VerletList(), "
        "LinkedCells(), LinkedLinearList() or HierarchicalCells()."
    )


@functools.singledispatch
def plain_search(neighbours: Any, sphere: Array) -> Any:
    """A search that finds the same pairs of particles (n, 4) by examining all of them."""
    return EveryPair()


@functools.singledispatch
def grown(search: Any) -> Any:
    """A search with more room, to be used after SEARCH_IS_FULL."""
    raise TypeError(f"{type(search).__name__} does not grow.")


def check_skin(method: Any) -> None:
    """Refuse a skin that cannot be."""
    skin = method.skin
    if not is_one_of(method.check, (True, False)):
        raise ValueError(
            f"{type(method).__name__}: check must be True or False, not {method.check!r}."
        )
    if skin is not None and not is_not_negative(skin):
        raise ValueError(
            f"{type(method).__name__}: skin={skin!r} must be a length of at least zero; leave it "
            "out to have it chosen."
        )
