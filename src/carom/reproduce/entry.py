"""What an entry is: who published what, how it is measured, compared and drawn."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, Protocol

from carom.reproduce.sources import Source

if TYPE_CHECKING:  # a list of entries is shown without it
    from matplotlib.figure import Figure

STANDARD_ERRORS = 2.0  # by which a measured number may miss on top of what its entry allows
Verdict = Literal["agrees", "differs", "qualitative"]


class Size(StrEnum):
    """How large the runs of an entry are."""

    QUICK = "quick"  # about a minute
    PAPER = "paper"  # the paper's own sizes, where a day of computing allows


class Tell(Protocol):
    """Shows how far an entry has come."""

    def __call__(self, share: float, doing: str) -> None:
        """Show the share that is done and what comes next."""


@dataclass(frozen=True)
class Number:
    """A published number beside ours.

    They agree if they differ by at most ``within``, plus two standard errors of ours. ``within``
    allows for what the publication leaves open: its own error, digits, what is read off a figure.
    """

    quantity: str
    published: float
    measured: float
    within: float
    uncertainty: float = 0.0  # standard error of what was measured
    if_not: str = ""  # what is known of the reason, should they differ

    @property
    def agrees(self) -> bool:
        """Whether they agree."""
        allowed = self.within + STANDARD_ERRORS * self.uncertainty
        return abs(self.measured - self.published) <= allowed

    @property
    def criterion(self) -> str:
        """When they agree, in words."""
        errors = f" + {STANDARD_ERRORS:g} standard errors" if self.uncertainty else ""
        return f"{self.quantity}: {self.published:.5g} ± {self.within:.2g}{errors}"

    @property
    def told(self) -> str:
        """Both numbers, in words."""
        error = f" ± {self.uncertainty:.1g}" if self.uncertainty else ""
        return f"{self.quantity} {self.measured:.4g}{error}, published {self.published:.5g}"


@dataclass(frozen=True)
class Statement:
    """Something that the publication says or shows without a number, and whether it came out."""

    text: str
    holds: bool
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
        """``differs`` if anything does; ``agrees`` if published numbers were met; else
        ``qualitative``: the source gives no number, and what it shows came out."""
        if self._missed():
            return "differs"
        return "agrees" if self.numbers else "qualitative"

    @property
    def why(self) -> str:
        """The reason for the verdict, in a sentence."""
        missed = self._missed()
        if missed:
            return "; ".join(missed) + "."
        met = [number.told for number in self.numbers] or [s.text for s in self.statements]
        return "; ".join(met) + "."

    def _missed(self) -> list[str]:
        numbers = [(n.told, n.if_not) for n in self.numbers if not n.agrees]
        statements = [(f"not so: {s.text}", s.if_not) for s in self.statements if not s.holds]
        return [f"{what} ({reason})" if reason else what for what, reason in numbers + statements]


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
