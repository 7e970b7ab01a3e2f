"""All pairs: every one is examined."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from carom.neighbours.pairs.every_pair import EveryPair
from carom.neighbours.pairs.searches import check_skin, new_search
from carom.representation import shown_as_call


@shown_as_call
@dataclass(frozen=True)
class AllPairs:
    """All n (n − 1) / 2 pairs are examined for each list.

    Lists hold the pairs with a gap below ``skin``: chosen by the method when left out, and 0 for a
    new list at every step. ``check`` compares each list with AllPairs itself.
    """

    skin: float | None = None
    check: bool = False

    def __post_init__(self) -> None:
        check_skin(self)


@new_search.register
def _(neighbours: AllPairs, system: Any, skin: float) -> EveryPair:
    return EveryPair()
