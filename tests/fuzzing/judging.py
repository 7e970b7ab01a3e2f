"""What an answer in words is, and attacks that go on until their time is over."""

from __future__ import annotations

import linecache
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

import carom

PACKAGE = str(Path(carom.__file__).parent)
SECONDS_TO_ANSWER = 60  # of processor time, for what takes less than one
EXAMPLES_AT_ONCE = 200
LONGEST_REPORT = 600


class TakesLong(BaseException):
    """An answer has not come in time."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Stop what takes more processor time; uncompiled code can be stopped anywhere."""

    def stop(*_: Any) -> None:
        raise TakesLong

    before = signal.signal(signal.SIGPROF, stop)
    # Again and again: what is raised while garbage is collected gets lost.
    signal.setitimer(signal.ITIMER_PROF, seconds, 0.1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


def is_in_words(error: BaseException) -> bool:
    """Whether carom itself has raised it, with a sentence."""
    if not isinstance(error, ValueError | TypeError | carom.CaromError | OSError):
        return False
    inner = error.__cause__
    if isinstance(error, carom.SceneError) and inner is not None and _comes_from_inside(inner):
        return False
    text = str(error).strip()
    return not _comes_from_inside(error) and " " in text and text.endswith((".", ")"))


def _comes_from_inside(error: BaseException) -> bool:
    """Whether an error was not raised on purpose, but came from a line of carom or its libraries.

    What reads TOML and checks tables raises on purpose, too.
    """
    last = traceback.extract_tb(error.__traceback__)[-1]
    if any(reader in last.filename for reader in ("tomllib", "pydantic", "codecs", "encodings")):
        return False
    line = linecache.getline(last.filename, last.lineno or 0).strip()
    return not (last.filename.startswith(PACKAGE) and line.startswith("raise"))


class Findings:
    """What was not answered in words, once for each place that it came from."""

    def __init__(self) -> None:
        self.examples = 0
        self._found: dict[tuple[Any, ...], str] = {}

    def try_out(self, what: Any, attack: Callable[[], Any]) -> None:
        """Attack once."""
        self.examples += 1
        try:
            with within(SECONDS_TO_ANSWER), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                attack()
        except (Exception, TakesLong) as error:
            if is_in_words(error):
                return
            frames = traceback.extract_tb(error.__traceback__)
            inside = [frame for frame in frames if frame.filename.startswith(PACKAGE)] or frames
            place = (type(error).__name__, inside[-1].filename, inside[-1].lineno)
            told = f"{type(error).__name__}: {error} at {inside[-1].filename}:{inside[-1].lineno}"
            report = f"{told}\n  from {what}"[:LONGEST_REPORT]
            if place not in self._found or len(report) < len(self._found[place]):
                self._found[place] = report

    def report(self) -> int:
        """Print what was found; the number of it."""
        for found in self._found.values():
            print(found)
        print(f"{self.examples} examples, {len(self._found)} without an answer in words")
        return len(self._found)


def carried_out(examples: st.SearchStrategy[Any], attack: Callable[[Any], Any]) -> Findings:
    """Attack as the command line asks for: ``ROUNDS SECONDS``.

    So many rounds of examples, the same ones in every run, and more until the time is over.
    """
    rounds, seconds = int(sys.argv[1]), float(sys.argv[2])
    findings = Findings()
    start = time.monotonic()
    round_number = 0
    while round_number < rounds or time.monotonic() - start < seconds:

        @seed(round_number)
        @settings(
            max_examples=EXAMPLES_AT_ONCE,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(examples)
        def one_round(example: Any) -> None:
            findings.try_out(example, lambda: attack(example))

        one_round()
        round_number += 1
    return findings


def finish(findings: Findings) -> None:
    """End the process, with a status that says whether anything was found."""
    sys.exit(1 if findings.report() else 0)


NUMBERS = st.one_of(
    st.floats(),
    st.sampled_from([0.0, -0.0, 5e-324, 1e-308, 1e-300, 1e-160, 1e160, 1e300, float("inf"), 2.5]),
    st.integers(-3, 40),
    st.sampled_from([2**31, 2**63, -(2**63) - 1, 10**400]),
    st.booleans(),
)


@st.composite
def arrays(draw: Any) -> Any:
    """Arrays of all shapes and many types."""
    shape = draw(st.lists(st.integers(0, 4), max_size=3))
    fill = draw(st.sampled_from([0.0, 1.0, -1.0, np.nan, np.inf, 1e300, 5e-324]))
    kind = draw(st.sampled_from(["f8", "f4", ">f8", "c16", "O", "U3", "M8[s]"]))
    with np.errstate(all="ignore"):
        array = np.full(shape, fill)
        return array.astype("i8").astype(kind) if kind == "M8[s]" else array.astype(kind)


ODD = st.one_of(
    NUMBERS,
    NUMBERS,
    arrays(),
    st.lists(NUMBERS, max_size=4),
    st.lists(st.lists(NUMBERS, max_size=3), max_size=3),
    st.sampled_from(
        [None, "", "x", "auto", "energy", b"x", (), {}, {"x": 1.0}, {1, 2}, 1j, object(), float]
    ),
    st.sampled_from([np.float32(1.5), np.float16(0.5), np.int8(2), np.bool_(True), len, np.sin]),
)
