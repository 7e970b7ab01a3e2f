"""How wrong stresses are with a step: percent errors, and the step at which they reach a limit."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

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
    dt, weight = found.dt[small], 1.0 / found.uncertainty[small]
    terms = np.column_stack([dt, dt**2]) * weight[:, None]
    a, b = np.linalg.lstsq(terms, found.percent[small] * weight, rcond=None)[0]
    return float(a), float(b)


def remainder(found: Errors) -> tuple[float, float]:
    """The error that a fit c + a dt + b dt² leaves at dt = 0, and its standard error.

    All points share the uncertainty of the event-driven value, which is counted as if they did not.
    """
    small = np.abs(found.percent) < FITTED_BELOW
    dt, weight = found.dt[small], 1.0 / found.uncertainty[small]
    terms = np.column_stack([np.ones_like(dt), dt, dt**2]) * weight[:, None]
    c = np.linalg.lstsq(terms, found.percent[small] * weight, rcond=None)[0][0]
    return float(c), math.sqrt(np.linalg.pinv(terms.T @ terms)[0, 0])


def step_at_limit(a: float, b: float) -> float:
    """The smallest step at which a dt + b dt² is as large as the limit, either way."""
    roots = [root for limit in (LIMIT, -LIMIT) for root in np.roots([b, a, -limit])]
    positive = [float(root.real) for root in roots if root.imag == 0.0 and root.real > 0.0]
    return min(positive, default=math.inf)


def allowed_step(flows: Flows) -> float:
    """The step at which the first of the stresses xx, xy and yy errs by the limit."""
    return min(step_at_limit(*fitted(errors(flows, name))) for name in COMPONENTS)


def overlap_exponent(flows: Flows) -> float:
    """p of a mean overlap that grows like dt^p, while it is small."""
    small = [found for found in flows.stepped if found["overlap"] < SMALL_OVERLAP]
    dt, overlap = [found["dt"] for found in small], [found["overlap"] for found in small]
    return float(np.polyfit(np.log(dt), np.log(overlap), 1)[0])


def overlap_per_dt(flows: Flows) -> float:
    """The mean relative overlap over the step, for small steps."""
    first = flows.stepped[0]
    return float(first["overlap"] / first["dt"])
