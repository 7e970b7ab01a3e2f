"""Computing time when contacts are looked for over k time steps at once."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.figure import Figure

import carom
from carom.methods.laden.engine import LadenEngine
from carom.methods.laden.piecewise_paths import Pieces
from carom.particles import Array
from carom_studies.drawing import OTHER, OURS, label, legend, marked, panels, points
from carom_studies.entry import Entry, Findings, Number, Size, Statement, Tell
from carom_studies.experiments.laden_fits import column
from carom_studies.experiments.laden_flows import (
    DURATION,
    FACTORS,
    SEED,
    TAYLOR_GREEN,
    TAYLOR_GREEN_CHOICES,
)
from carom_studies.experiments.laden_variants import N, fixed_cells, in_turns
from carom_studies.sources import SIGURGEIRSSON_2001
from carom_studies.timing import by_rounds

DT = 1e-3
PATHS = (1, 2, 3, 4, 6, 8, 12)
BEST = 3  # published
PIECE = 96 * DT  # of time in each round: a whole number of paths of all lengths
# From where on, and for how many rounds: small runs begin when disks have gathered.
BEGINNING = {Size.QUICK: 5.0, Size.PAPER: 0.0}
ROUNDS = {Size.QUICK: 12, Size.PAPER: 104}
RESAMPLED = 200  # times, for the error of the best k
STRAIGHT = "straight steps"  # carom's own way with k = 1


class PiecewiseEngine(LadenEngine):
    """Also a single step is a path of pieces."""

    def _motion(self, system: carom.System) -> Any:
        motion = super()._motion(system)
        if isinstance(motion, Pieces):
            return motion
        n = len(system.particles)
        own: dict[str, Any] = {"dt": DT, "begin": np.zeros(n), "velocity": np.zeros((n, 1, 3))}
        return Pieces(**motion._asdict(), **own)


@dataclass(frozen=True)
class PiecewiseLaden(carom.Laden):
    """The same code for all k.

    carom makes the pair tests of single steps four at a time, and those of paths one by one; of
    these two the paper has only the second.
    """

    def engine(self, system: carom.System) -> LadenEngine:
        """The engine that runs a system with this method."""
        return PiecewiseEngine(system, self)


def measure(size: Size, tell: Tell) -> Findings:
    """The processor time of 10 units of time, for each k."""
    options = fixed_cells(
        fluid=carom.fluids.TaylorGreen(),
        dt=DT,
        relaxation_time=carom.PowerOfRadius(FACTORS[TAYLOR_GREEN], 1.0),
    )
    methods: dict[str, carom.Laden] = {
        f"k = {k}": PiecewiseLaden(paths=k, **options) for k in PATHS
    }
    methods[STRAIGHT] = carom.Laden(**options)
    found = in_turns(methods, BEGINNING[size], PIECE, ROUNDS[size], tell)
    straight = found.pop(STRAIGHT)
    runs = list(found.values())
    rounds = by_rounds(np.array([run["rounds"] for run in runs]).T)
    seconds = np.median(rounds, axis=0)
    shares = column(runs, "pair_tests") / column(runs, "collisions")
    least = PATHS[int(seconds.argmin())]
    return Findings(
        seed=SEED,
        parameters={"n": N, "Δt": DT, "from": BEGINNING[size], "rounds": ROUNDS[size]},
        data={"paths": PATHS, "seconds": seconds, "runs": runs, "straight": straight},
        numbers=[
            Number(
                "k of the least cost, by a fit of (20)",
                BEST,
                best(cost(seconds)),
                # A whole number at a flat minimum: one to either side costs a few per cent more.
                within=1.0,
                uncertainty=error_of_best(rounds),
            )
        ],
        statements=[
            Statement(
                f"there is an optimal k > 1: {seconds.min():.0f} s with k = {least}, "
                f"{seconds[0]:.0f} s with k = 1",
                least > 1,
            ),
            Statement(
                f"longer paths need fewer pair tests: {shares[0]:.0f} for each collision with "
                f"k = 1, {shares[-1]:.0f} with k = {PATHS[-1]}",
                bool((np.diff(shares) < 0.0).all()),
            ),
        ],
        choices=TAYLOR_GREEN_CHOICES,
    )


def cost(seconds: Array) -> Array:
    """A, B and C of a cost A + B k + C/k through those of PATHS: the form of (20)."""
    k = np.array(PATHS, dtype=float)
    columns = np.stack([np.ones_like(k), k, 1.0 / k])
    return np.asarray(np.linalg.lstsq(columns.T, seconds, rcond=None)[0])


def best(coefficients: Array) -> float:
    """The k for which such a cost is least."""
    _, rising, falling = coefficients
    return math.sqrt(max(falling, 0.0) / rising) if rising > 0.0 else math.inf


def error_of_best(rounds: Array) -> float:
    """The standard error of the best k, from rounds (m, k) drawn again and again; infinite if some
    of these have no best."""
    number = len(rounds)
    random = np.random.default_rng(SEED)
    drawn = (rounds[random.integers(number, size=number)] for _ in range(RESAMPLED))
    bests = [best(cost(np.median(each, axis=0))) for each in drawn]
    return float(np.std(bests)) if math.isfinite(max(bests)) else math.inf


def draw(data: Mapping[str, Any]) -> Figure:
    """Like Fig. 23, right; and beside it what is done for each collision."""
    figure, (left, right) = panels(2)
    k, runs = np.array(data["paths"]), data["runs"]
    seconds = np.array(data["seconds"])
    fine = np.linspace(k[0], k[-1], 300)
    constant, rising, falling = cost(seconds)
    marked(left, x=BEST, name="published minimum")
    points(left, k, seconds, "paths of k pieces")
    said = "fit A + B k + C/k, (20)"
    left.plot(fine, constant + rising * fine + falling / fine, color=OURS, lw=1.2, label=said)
    points(left, [1], [data["straight"]["seconds"]], "carom's own k = 1", OTHER, marker="D")
    left.set_ylim(0.0, 1.35 * seconds.max())
    tests = column(runs, "pair_tests") / column(runs, "collisions")
    points(right, k, tests / tests[0], f"pair tests ({tests[0]:.0f} with k = 1)")
    checks = column(runs, "checks") / column(runs, "collisions")
    name = f"checks ({checks[0]:.2f} with k = 1)"
    points(right, k, checks / checks[0], name, OTHER, marker="s")
    right.set_ylim(0.0, 1.3 * (checks / checks[0]).max())
    label(left, "steps k in a path", f"processor time of {DURATION:g} units, s", "Fig. 23, right")
    label(right, "steps k in a path", "for each collision, over those with k = 1")
    for axes in (left, right):
        axes.set_xticks(k)
        legend(axes)
    return figure


ENTRY = Entry(
    name="laden-piecewise-paths",
    title="Contacts looked for over several steps at once",
    source=SIGURGEIRSSON_2001,
    figure="Fig. 23, right",
    compares="For how many time steps at once it costs least to look for contacts.",
    minutes={Size.QUICK: 1, Size.PAPER: 9},
    measure=measure,
    draw=draw,
    takes_time=True,
)
