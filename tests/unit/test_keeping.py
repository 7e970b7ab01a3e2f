"""What an engine holds is kept without being listed, and is there again as it was."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

import carom
from carom.methods.keeping import kept, makes, not_kept, take_over


@not_kept("scratch")
class Search(NamedTuple):
    list: Any
    flat: Any  # the same memory
    width: float
    rows: Any  # a tuple whose length the compiler knows
    scratch: Any


class Made(NamedTuple):
    pair: Any
    bits: Any  # the same memory


PAIR = np.dtype([("first", np.int8), ("time", np.float64)], align=True)


@not_kept("_clock")
class Plan:
    def __init__(self) -> None:
        self._clock = 1.0
        self.crowd = 0.5
        self.asked: int | None = None


@makes(Made)
class Engine:
    def __init__(self, n: int = 3) -> None:
        self.plan = Plan()
        shared = np.zeros(2 * n)
        self.search = Search(shared.reshape(n, 2), shared, 1.0, (0, 0), np.zeros(2))
        self.made: Any = None
        self.both = {0: Plan(), 1: np.float32(0.0)}


# They stand for classes of the package, which are walked through.
for _kind in (Plan, Engine):
    _kind.__module__ = "carom.somewhere"


def gone_on() -> Engine:
    """An engine after a while."""
    engine = Engine(4)
    engine.search.list[:] = np.arange(8.0).reshape(4, 2)
    engine.search = engine.search._replace(width=np.inf, rows=(0, 0, 0), scratch=np.ones(2))
    pairs = np.zeros(2, dtype=PAIR).view(np.recarray)
    pairs.time = 0.1, 0.2
    engine.made = Made(pairs, pairs)
    engine.plan.crowd, engine.plan.asked, engine.plan._clock = 0.25, 7, 9.0
    engine.both[1] = np.float32(0.3)
    return engine


def test_numbers_arrays_and_tuples_are_there_again_in_their_shapes_and_types() -> None:
    before, after = gone_on(), Engine()
    take_over(after, kept(before))
    assert (after.plan.crowd, after.plan.asked) == (0.25, 7)
    assert (after.search.width, after.search.rows) == (np.inf, (0, 0, 0))
    assert after.both[1] == np.float32(0.3)
    assert type(after.both[1]) is np.float32
    np.testing.assert_array_equal(after.search.list, before.search.list)
    assert type(after.made) is Made
    assert after.made.pair.dtype == before.made.pair.dtype
    assert after.made.pair.dtype.isalignedstruct
    np.testing.assert_array_equal(after.made.pair.time, [0.1, 0.2])


def test_what_is_named_as_not_kept_stays_as_it_is() -> None:
    after = Engine()
    take_over(after, kept(gone_on()))
    assert after.plan._clock == 1.0
    np.testing.assert_array_equal(after.search.scratch, [0.0, 0.0])


def test_arrays_that_share_memory_do_so_again_and_are_kept_once() -> None:
    arrays, after = kept(gone_on()), Engine()
    take_over(after, arrays)
    after.search.flat[0] = -1.0
    assert after.search.list[0, 0] == -1.0
    assert after.made.bits is after.made.pair
    assert "search.list" in arrays
    assert "search.flat" not in arrays


def test_arrays_of_the_same_form_are_filled_in_place() -> None:
    before, after = Engine(), Engine()
    before.search.flat[:] = 2.0
    there = after.search.list
    take_over(after, kept(before))
    assert after.search.list is there
    np.testing.assert_array_equal(there, 2.0)


def test_an_engine_that_holds_something_else_is_refused_in_words() -> None:
    arrays, after = kept(Engine()), Engine()
    after.plan.more = 1.0  # type: ignore[attr-defined]
    with pytest.raises(carom.CheckpointError, match="keeps plan in another way"):
        take_over(after, arrays)


def test_what_cannot_be_kept_is_noticed_when_it_is_to_be_kept() -> None:
    engine = Engine()
    engine.plan.asked = lambda: 1  # type: ignore[assignment]
    with pytest.raises(TypeError, match=r"plan.asked .*not_kept"):
        kept(engine)


def test_arrays_that_share_a_part_of_their_memory_are_noticed() -> None:
    engine = Engine()
    engine.search = engine.search._replace(flat=engine.search.flat[1:])
    with pytest.raises(TypeError, match=r"search.flat .*shares"):
        kept(engine)
