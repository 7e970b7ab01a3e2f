"""With how many cells a collision costs least: figures 8, 10, 12 of Sigurgeirsson et al. 2001."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure

from carom.plotting.style import FAINT
from carom_studies.drawing import OURS, label, law, legend, panels, points, published_law
from carom_studies.entry import STANDARD_ERRORS, Number, Statement
from carom_studies.experiments.billiards import Scan
from carom_studies.fits import Power, fitted

CHECKS = 1.1  # per collision, "typically", section 1.3
CHECKS_WITHIN = 0.05  # the digits that are given
NEARLY = 0.05  # by how much a cost may exceed the least and still be called one
OTHER_MACHINE = (
    "the minimum is flat, and its place depends on what a transfer costs beside a look at a pair, "
    "on this machine and on a Pentium III"
)


class Published(NamedTuple):
    """What a figure gives."""

    n: int  # of the left panel
    best: int  # cells per side there
    best_within: float
    law: Power  # of the right panel, m = a n^b
    exponent_within: float

    def scan(self, found: Sequence[Scan]) -> Scan:
        """That of the left panel."""
        return next(scan for scan in found if scan.n == self.n)


def numbers(published: Published, found: Sequence[Scan]) -> list[Number]:
    """The published numbers beside ours."""
    shown, fit = published.scan(found), best_law(found)
    # A line turns about the middle of its points when its slope changes, and log a with it.
    middle = float(np.mean(np.log([scan.n for scan in found])))
    checks = float(np.interp(published.best, shown.cells, shown.checks))
    within = published.exponent_within
    return [
        Number(
            f"best m for n = {published.n:,}",
            published.best,
            shown.best,
            published.best_within,
            shown.error,
            OTHER_MACHINE,
        ),
        Number(
            "b of m = a n^b", published.law.exponent, fit.exponent, within, fit.error, OTHER_MACHINE
        ),
        Number(
            "log a",
            math.log(published.law.factor),
            math.log(fit.factor),
            within * middle,
            fit.error * middle,
            OTHER_MACHINE,
        ),
        Number(f"checks per collision, m = {published.best}", CHECKS, checks, CHECKS_WITHIN),
    ]


def best_law(found: Sequence[Scan]) -> Power:
    """The power law through the best numbers of cells."""
    return fitted([scan.n for scan in found], [scan.best for scan in found])


def cheap_with_published(published: Published, found: Sequence[Scan]) -> Statement:
    """That the published number of cells serves here too."""
    shown = published.scan(found)
    excess = float(shown.curve([published.best])[0]) / shown.least - 1.0
    return Statement(
        f"with the published m = {published.best} a collision costs at most {NEARLY:.0%} more than "
        f"with the best (here {excess:.1%})",
        excess <= NEARLY,
        OTHER_MACHINE,
    )


def clear_minimum(published: Published, found: Sequence[Scan]) -> Statement:
    """That fewer and more cells cost more."""
    shown = published.scan(found)
    fewest, largest = shown.cells[0], shown.cells[-1]
    few, many = shown.curve([fewest, largest]) / shown.least - 1.0
    inside = min(shown.best - fewest, largest - shown.best) > STANDARD_ERRORS * shown.error
    return Statement(
        f"there is a minimum: the best m = {shown.best} lies {STANDARD_ERRORS:g} standard errors "
        f"or more from m = {fewest} and m = {largest}, with which collisions cost {few:.0%} and "
        f"{many:.0%} more",
        inside,
        OTHER_MACHINE,
    )


def smallest_possible(published: Published, found: Sequence[Scan]) -> Statement:
    """That cells cannot be small enough."""
    shown = published.scan(found)
    excess = float(shown.curve([shown.most])[0]) / shown.least - 1.0
    return Statement(
        f"the time falls with m as far as particles fit into cells: with the largest possible "
        f"m = {shown.most} it is within 1 % of the least (here {excess:.1%} above)",
        excess <= 0.01,
        OTHER_MACHINE,
    )


def data_of(published: Published, found: Sequence[Scan]) -> dict[str, Any]:
    """What is drawn."""
    shown = published.scan(found)
    tried = np.arange(shown.cells[0], shown.cells[-1] + 1)
    return {
        "m": shown.cells,
        "seconds per million collisions": 1e6 * shown.cost,
        "curve m": tried,
        "curve": 1e6 * shown.curve(tried),
        "n": [scan.n for scan in found],
        "best": [scan.best for scan in found],
        "error": [scan.error for scan in found],
        "most": [scan.most for scan in found],
    }


def draw(published: Published, data: Mapping[str, Any]) -> Figure:
    """Left: the cost over m for one n; right: the best m over n."""
    figure, (left, right) = panels(2)
    points(left, data["m"], data["seconds per million collisions"], "carom")
    left.plot(data["curve m"], data["curve"], color=OURS, linewidth=1.2, label="equation 8")
    name = f"published minimum, $m$ = {published.best}"
    left.axvline(published.best, ymax=0.75, color=FAINT, linewidth=2.0, zorder=0, label=name)
    left.set(xlim=(0, None))
    label(left, "$m$, cells per side", "s per million collisions", f"$n$ = {published.n:,}")
    thousands = [n / 1000.0 for n in data["n"]]
    right.errorbar(
        thousands, data["best"], data["error"], fmt="o", color=OURS, markersize=4.5, label="carom"
    )
    fit, whole = fitted(data["n"], data["best"]), published.law
    for line, power, name in ((law, fit, "fit"), (published_law, whole, "published")):
        in_thousands = Power(power.factor * 1000.0**power.exponent, power.exponent)
        line(
            right,
            thousands,
            in_thousands,
            f"{name}, {power.factor:.3g} $n^{{{power.exponent:.3f}}}$",
        )
    right.set(xlim=(0, None), ylim=(0, None))
    label(right, "$n$ in thousands", "best $m$")
    legend(left, loc="upper right")
    legend(right)
    return figure
