"""How wrong stresses are with a step: percent errors, and the step at which they reach a limit."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from carom_studies.fits import Power, least_squares
from carom_studies.fits import fitted as power_law

LIMIT = 2.5  # percent
COMPONENTS = {"xx": (0, 0), "−xy": (0, 1), "yy": (1, 1)}
FITTED_BELOW = 10.0  # percent; larger errors say little about the small ones
SMALL_OVERLAP = 0.03  # relative; larger ones heat the disks, which then overlap more


class Flows(NamedTuple):
    """The event-driven run of a system, and those with a step, the smallest first."""

    exact: dict[str, Any]
    stepped: list[dict[str, Any]]


class Errors(NamedTuple):
    """Percent errors against the step, and their standard errors."""

    dt: Any
    percent: Any
    uncertainty: Any


def by_system(runs: Iterable[dict[str, Any]]) -> dict[tuple[float, float], Flows]:
    """The runs of each (e, solid fraction)."""
    systems: dict[tuple[float, float], Flows] = {}
    for found in sorted(runs, key=lambda one: float(one["dt"])):
        if found["dt"] == 0.0:
            systems[found["e"], found["phi"]] = Flows(found, [])
        else:
            systems[found["e"], found["phi"]].stepped.append(found)
    return systems


def errors(flows: Flows, component: str, part: str = "stress") -> Errors:
    """Percent errors of a component of the stress, or of its kinetic or collisional part."""
    i, j = COMPONENTS[component]
    exact, exact_error = flows.exact[part][i][j], flows.exact[f"{part}_error"][i][j]
    value = np.array([found[part][i][j] for found in flows.stepped])
    error = np.array([found[f"{part}_error"][i][j] for found in flows.stepped])
    dt = np.array([found["dt"] for found in flows.stepped])
    ratio = value / exact
    uncertainty = np.abs(ratio) * np.hypot(error / value, exact_error / exact)
    return Errors(dt, 100.0 * (ratio - 1.0), 100.0 * uncertainty)


def fitted(found: Errors) -> tuple[float, float]:
    """a and b of error = a dt + b dt², from the points of small errors."""
    small = np.abs(found.percent) < FITTED_BELOW
    small[:2] = True  # two unknowns need two points
    dt, weight = found.dt[small], found.uncertainty[small] ** -2
    a, b = least_squares([dt, dt**2], found.percent[small], weight).coefficients
    return a, b


def remainder(found: Errors) -> tuple[float, float]:
    """The error that a fit c + a dt + b dt² leaves at dt = 0, and its standard error.

    All points share the uncertainty of the event-driven value, which is counted as if they did not.
    """
    small = np.abs(found.percent) < FITTED_BELOW
    small[:3] = True  # three unknowns need three points
    dt, weight = found.dt[small], found.uncertainty[small] ** -2
    fit = least_squares([dt**0, dt, dt**2], found.percent[small], weight)
    return fit.coefficients[0], fit.errors[0]


def mean_remainder(flows: Iterable[Flows], component: str) -> tuple[float, float]:
    """The weighted mean over flows of what is left at dt = 0, and its standard error."""
    left = [remainder(errors(each, component)) for each in flows]
    weights = [error**-2 for _, error in left]
    mean = sum(w * value for w, (value, _) in zip(weights, left, strict=True)) / sum(weights)
    return mean, sum(weights) ** -0.5


def step_at_limit(a: float, b: float) -> float:
    """The smallest step at which a dt + b dt² is as large as the limit, either way."""
    return min(_positive_root(a, b, limit) for limit in (LIMIT, -LIMIT))


def _positive_root(a: float, b: float, limit: float) -> float:
    """The smallest positive dt with a dt + b dt² = limit; infinity if there is none."""
    square = a * a + 4.0 * b * limit
    if square < 0.0:
        return math.inf
    # In this form of the solution b, which may be zero, does not stand below.
    below = (a + math.sqrt(square), a - math.sqrt(square))
    roots = [2.0 * limit / each for each in below if each != 0.0]
    return min((root for root in roots if root > 0.0), default=math.inf)


def allowed_step(flows: Flows, random: np.random.Generator | None = None) -> float:
    """The step at which the first of the stresses xx, xy and yy errs by the limit; with random
    numbers, as it might have come out as well."""
    found = [errors(flows, name) for name in COMPONENTS]
    if random is not None:
        found = [resampled(each, random) for each in found]
    return min(step_at_limit(*fitted(each)) for each in found)


def resampled(found: Errors, random: np.random.Generator) -> Errors:
    """Errors as they might have come out as well."""
    noise = found.uncertainty * random.standard_normal(len(found.percent))
    return found._replace(percent=found.percent + noise)


def overlap_exponent(flows: Flows) -> Power:
    """The mean overlap as a power of dt, while it is small."""
    small = [found for found in flows.stepped if found["overlap"] < SMALL_OVERLAP]
    return power_law([found["dt"] for found in small], [found["overlap"] for found in small])


def overlap_per_dt(flows: Flows) -> float:
    """The mean relative overlap over the step, for small steps."""
    first = flows.stepped[0]
    return float(first["overlap"] / first["dt"])
