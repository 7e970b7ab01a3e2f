"""A world and the search for its neighbours, which grow as they need."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from carom.compiled.memory import in_cache_lines
from carom.errors import LIST_DUE, LIST_TOO_SHORT, SEARCH_TOO_SHORT, NeighbourError
from carom.methods.keeping import not_kept
from carom.methods.statuses import served
from carom.methods.stepped import blocks
from carom.methods.stepped.world import AT_WALLS, World, new_inner
from carom.neighbours.pairs.listing import all_found, differences, grown_list
from carom.neighbours.pairs.pair_list import PairList
from carom.neighbours.pairs.searches import grown


@functools.singledispatch
def fitted_rule(rule: Any, pairs: PairList, more_contacts: bool) -> Any:
    """A rule with room for what it keeps beside a list, and perhaps for more contacts in a step."""
    return rule


@not_kept("_checks", "_is_compiled")
class Course:
    """Takes the steps of a world.

    ``at_once``: lists are made within the steps and not between them; worth its compilation only
    when a list is made at every step. ``checks``: the neighbour method whose lists are compared
    with those of all pairs, if it asks for that.
    """

    def __init__(
        self, world: World, search: Any, *, at_once: bool = False, checks: Any = None
    ) -> None:
        self.world = world
        self.search = search
        self._checks = checks if checks is not None and checks.check else None
        self.at_once = at_once and self._checks is None
        self._is_compiled = False

    def _arguments(self) -> tuple[Any, Any]:
        return self.world, self.search if self.at_once else blocks.Elsewhere()

    def is_compiled(self) -> bool:
        """Whether the next ``advance`` starts without a compilation."""
        # It takes milliseconds to find out, and what is compiled stays so.
        if not self._is_compiled:
            self._is_compiled = blocks.advance.is_compiled_for(*self._arguments(), 0, 0, 0)
        return self._is_compiled

    def advance(self, until: int, collisions: int, steps: int) -> int:
        """Take steps up to one of these numbers; the status says why it came back."""
        status = int(blocks.advance(*self._arguments(), until, collisions, steps))
        return served(
            status,
            {
                LIST_DUE: self._make_list,
                LIST_TOO_SHORT: self._grow,
                SEARCH_TOO_SHORT: self._grow_search,
            },
        )

    def _make_list(self) -> None:
        world = self.world
        arguments = world.lattice, world.flock.sphere, world.plan.skin, world.pairs, world.searched
        self.search, pairs = all_found(self.search, *arguments)
        if pairs is not world.pairs:
            self.world = with_list(world, pairs)
        if self._checks is not None:
            self._compare(pairs)
        blocks.take_list(self.world)

    def _compare(self, pairs: PairList) -> None:
        """Refuse a list that is not that of all pairs."""
        world = self.world
        wrong = differences(self._checks, pairs, world.lattice, world.flock.sphere, world.plan.skin)
        if wrong:
            i, j, _ = wrong[0]
            names = world.flock.name
            raise NeighbourError(
                f"{self._checks!r} lists {len(wrong)} pairs otherwise than AllPairs at step "
                f"{int(world.tally[0].step)}, the first of them particles {names[i]} and "
                f"{names[j]}. Please report it; AllPairs is slow but right."
            )

    def _grow_search(self) -> None:
        self.search = grown(self.search)

    def _grow(self) -> None:
        """Make room for what did not fit."""
        world, n = self.world, len(self.world.flock.name)
        pairs, inner = world.pairs, world.inner
        if pairs.number[0] > len(pairs.first) or pairs.number[1] > len(pairs.far_first):
            pairs = grown_list(pairs)
            world.tally.listed_at = -1
            self.world = with_list(world, pairs)
        elif inner.number[AT_WALLS] > len(inner.wall_particle):
            wall_room = 2 * int(inner.number[AT_WALLS])
            self.world = world._replace(inner=new_inner(n, pairs, wall_room))
        else:
            self.world = world._replace(rule=fitted_rule(world.rule, pairs, True))


def with_list(world: World, pairs: PairList) -> World:
    """A world with another list, and room for it."""
    inner = new_inner(len(world.flock.name), pairs, len(world.inner.wall_particle))
    return world._replace(pairs=pairs, inner=inner, rule=fitted_rule(world.rule, pairs, False))


def copied(component: Any) -> Any:
    """The same component with arrays of its own."""
    if isinstance(component, np.ndarray):
        twin = _like(component)
        twin[...] = component
        return twin
    if isinstance(component, tuple):
        parts = [copied(part) for part in component]
        return type(component)(*parts) if hasattr(component, "_fields") else tuple(parts)
    return component


def _like(array: Any) -> Any:
    """An array of the same form that begins at a cache line, as rows of four must."""
    return in_cache_lines(array.size, array.dtype).reshape(array.shape)
