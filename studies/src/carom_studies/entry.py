"""What an entry is: who published what, how it is measured, compared and drawn."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args

from carom_studies.sources import Source

if TYPE_CHECKING:  # a list of entries is shown without it
    from matplotlib.figure import Figure

STANDARD_ERRORS = 2.0  # that make up our own error
Judgement = Literal["agrees", "differs", "inconclusive"]
Verdict = Literal["agrees", "qualitative", "inconclusive", "differs"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
# Of rates of which no event was met: with 95 % there would have been one or more above this number
# over the trials.
NONE_MET = 3.0


class Size(StrEnum):
    """How large the runs of an entry are."""

    QUICK = "quick"  # about a minute
    PAPER = "paper"  # the paper's own sizes, where a day of computing allows


class Tell(Protocol):
    """Shows how far an entry has come."""

    def __call__(self, share: float, doing: str) -> None:
        """Show the share that is done and what comes next."""


def judged(distance: float, within: float, standard_error: float = 0.0) -> Judgement:
    """Whether a distance is within what is allowed, as far as a measurement can tell.

    Our own error, two standard errors, never helps to agree: where it is larger than what is
    allowed, agreement would mean nothing, and only a distance beyond both together tells something.
    A distance that could not be measured differs; one of unknown error is inconclusive.
    """
    error = STANDARD_ERRORS * standard_error
    if math.isnan(distance) or distance > within + error:
        return "differs"
    if math.isnan(error) or error > within:
        return "inconclusive"
    return "agrees" if distance <= within else "differs"


def above(value: float, standard_error: float, bound: float = 0.0) -> bool | None:
    """Whether a measured value is above a bound; None if our own error leaves that open."""
    if abs(value - bound) <= STANDARD_ERRORS * standard_error:
        return None
    return value > bound


def is_so(judgements: Iterable[Judgement]) -> bool | None:
    """Whether all agree; None if that cannot be told of some, and no other one differs."""
    found = set(judgements)
    if "differs" in found:
        return False
    return None if "inconclusive" in found else True


@dataclass(frozen=True)
class Number:
    """A published number beside ours.

    They agree if they differ by at most ``within``, see ``judged``. ``within`` allows for what the
    publication leaves open: its own error, digits, what is read off a figure.
    """

    quantity: str
    published: float
    measured: float
    within: float
    uncertainty: float = 0.0  # standard error of what was measured
    if_not: str = ""  # what is known of the reason, should they differ
    by_choice: bool = False  # a parameter was chosen by it: that it is met is no success
    at_most: bool = False  # none was met: what was measured is an upper bound

    @property
    def judgement(self) -> Judgement:
        """Whether they agree."""
        if self.at_most:
            is_below = self.measured < self.published - self.within
            return "differs" if is_below else "inconclusive"
        return judged(abs(self.measured - self.published), self.within, self.uncertainty)

    @property
    def criterion(self) -> str:
        """When they agree, in words."""
        chosen = ", by which a parameter was chosen" if self.by_choice else ""
        return f"{self.quantity}: {self.published:.5g} ± {self.within:.2g}{chosen}"

    @property
    def told(self) -> str:
        """Both numbers, in words."""
        error = f" ± {self.uncertainty:.1g}" if self.uncertainty else ""
        bound = "below " if self.at_most else ""
        chosen = ", by which a parameter was chosen" if self.by_choice else ""
        ours = f"{self.quantity} {bound}{self.measured:.4g}{error}"
        return f"{ours}, published {self.published:.5g}{chosen}"


@dataclass(frozen=True)
class Statement:
    """Something that the publication says or shows without a number, and whether it came out."""

    text: str
    holds: bool | None  # None if our own error leaves it open
    if_not: str = ""


@dataclass(frozen=True)
class Choice:
    """A parameter that the publication leaves out, and the one published number it comes from."""

    parameter: str
    value: Any
    because: str


@dataclass(frozen=True)
class Findings:
    """What an entry measured. ``data`` is all that is needed to draw: lists, numbers, text."""

    seed: int
    parameters: Mapping[str, Any]
    data: Mapping[str, Any]
    numbers: Sequence[Number] = ()
    statements: Sequence[Statement] = ()
    choices: Sequence[Choice] = ()

    @property
    def verdict(self) -> Verdict:
        """``differs`` if anything does, ``inconclusive`` if anything is; ``agrees`` if published
        numbers were met by which nothing was chosen; else ``qualitative``: what the source shows
        came out."""
        if self._missed():
            return "differs"
        if self._open():
            return "inconclusive"
        return "agrees" if any(not n.by_choice for n in self.numbers) else "qualitative"

    @property
    def why(self) -> str:
        """The reason for the verdict, in a sentence."""
        reasons = [*self._missed(), *self._open()]
        if not reasons:
            statements = [statement.text for statement in self.statements]
            reasons = [number.told for number in self.numbers] or statements
        return "; ".join(reasons) + "."

    def _missed(self) -> list[str]:
        numbers = [(n.told, n.if_not) for n in self.numbers if n.judgement == "differs"]
        statements = [(f"not so: {s.text}", s.if_not) for s in self.statements if s.holds is False]
        return [f"{what} ({reason})" if reason else what for what, reason in numbers + statements]

    def _open(self) -> list[str]:
        numbers = [
            f"{n.told}: too uncertain for ± {n.within:.2g}"
            for n in self.numbers
            if n.judgement == "inconclusive"
        ]
        return numbers + [f"open: {s.text}" for s in self.statements if s.holds is None]


@dataclass(frozen=True)
class Entry:
    """One figure, or a few that belong together, of a source."""

    name: str
    title: str
    source: Source
    figure: str  # "Figs. 8, 9"
    compares: str
    minutes: Mapping[Size, float]  # expected, on one core
    measure: Callable[[Size, Tell], Findings] = field(repr=False)
    draw: Callable[[Mapping[str, Any]], Figure] = field(repr=False)  # from the findings' data
    takes_time: bool = False  # whether it measures time, and must have the machine for itself

    @property
    def order(self) -> tuple[int, float, str]:
        """Sorts entries as their sources show the figures."""
        digits = "".join(c if c.isdigit() else " " for c in self.figure).split()
        return self.source.order, float(digits[0]) if digits else math.inf, self.name
