"""First contacts with curved patches under gravity, against roots with fifty digits."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest

from carom.compiled.entry_points import entry_point
from carom.compiled.vectors import row
from carom.patches.cones import Cones
from carom.patches.patch import time_to_patch
from carom.patches.path import Parabola
from carom.patches.rims import Rims
from carom.patches.turning import WORK

mpmath.mp.dps = 50
pytestmark = pytest.mark.filterwarnings("ignore:Descending:DeprecationWarning")
CASES = 80
NEVER = mpmath.inf


@entry_point
def fill_in_times(patches: Any, radius: float, x: Any, v: Any, a: Any, times: Any) -> None:
    """The time of the first contact of each of many paths with patch 0."""
    for i in range(len(times)):
        path = Parabola(row(x, i), row(v, i), row(a, i))
        times[i] = time_to_patch(patches, 0, path, radius, np.inf)


def polynomial(x: Any, v: Any, a: Any) -> list[list[Any]]:
    """The coordinates as polynomials of time, the constant first."""
    return [
        [mpmath.mpf(p), mpmath.mpf(q), mpmath.mpf(r) / 2] for p, q, r in zip(x, v, a, strict=True)
    ]


def product(p: list[Any], q: list[Any]) -> list[Any]:
    total = [mpmath.mpf(0)] * (len(p) + len(q) - 1)
    for m, left in enumerate(p):
        for n, right in enumerate(q):
            total[m + n] += left * right
    return total


def added(*terms: tuple[Any, list[Any]]) -> list[Any]:
    total = [mpmath.mpf(0)] * max(len(p) for _, p in terms)
    for factor, p in terms:
        for k, value in enumerate(p):
            total[k] += factor * value
    return total


def value(p: list[Any], t: Any) -> Any:
    total = mpmath.mpf(0)
    for coefficient in reversed(p):
        total = total * t + coefficient
    return total


def falls(f: list[Any], gap: Any) -> Any:
    """The positive roots of f at which a gap closes, in order."""
    while f and f[-1] == 0:
        f = f[:-1]
    roots = mpmath.polyroots(f[::-1], maxsteps=400, extraprec=600)
    real = sorted(mpmath.re(t) for t in roots if abs(mpmath.im(t)) < mpmath.mpf(10) ** -30)
    step = mpmath.mpf(10) ** -20
    return [t for t in real if t > 0 and gap(t - step) > 0 > gap(t + step)]


def rim_time(x: Any, v: Any, a: Any, reach: float, radius: float) -> Any:
    """Of a rim around the z axis."""
    path = polynomial(x, v, a)
    squares = [product(p, p) for p in path]
    across = added((1, squares[0]), (1, squares[1]))
    big = mpmath.mpf(reach) ** 2
    q = added((1, across), (1, squares[2]), (1, [big - mpmath.mpf(radius) ** 2]))
    f = added((1, product(q, q)), (-4 * big, across))

    def gap(t: Any) -> Any:
        rho = mpmath.sqrt(value(across, t))
        return mpmath.sqrt((rho - reach) ** 2 + value(squares[2], t)) - radius

    return min(falls(f, gap), default=NEVER)


def cone_time(x: Any, v: Any, a: Any, wide: float, slope: float, half: float, radius: float) -> Any:
    """Of a cone around the z axis, from both of its sides."""
    path = polynomial(x, v, a)
    across = added((1, product(path[0], path[0])), (1, product(path[1], path[1])))
    k = mpmath.mpf(slope)
    length = mpmath.sqrt(1 + k * k)
    found = []
    for side in (1, -1):
        line = added((1, [mpmath.mpf(wide) + side * radius * length]), (k, path[2]))
        f = added((1, across), (-1, product(line, line)))

        def height(t: Any) -> Any:
            return (mpmath.sqrt(value(across, t)) - wide - k * value(path[2], t)) / length

        def gap(t: Any, side: int = side, height: Any = height) -> Any:
            return side * height(t) - radius

        for t in falls(f, gap):
            if abs(value(path[2], t) + height(t) * k / length) <= half:
                found.append(t)
    return min(found, default=NEVER)


def paths(seed: int, skewed: bool) -> Any:
    """Places, velocities and accelerations (n, 3) that mostly lead to the origin."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(-3.0, 3.0, (CASES, 3))
    x[:, 2] += np.copysign(1.5, x[:, 2])
    a = rng.normal(size=(CASES, 3)) if skewed else np.tile([0.0, 0.0, -1.0], (CASES, 1))
    when = rng.uniform(0.5, 3.0, (CASES, 1))
    aim = rng.uniform(-1.2, 1.2, (CASES, 3))
    return x, (aim - x) / when - 0.5 * a * when, a


@pytest.mark.parametrize(("reach", "radius"), [(1.0, 0.2), (0.5, 0.9)])
def test_rims_are_touched_when_fifty_digits_say_so(reach: float, radius: float) -> None:
    """Degree eight; a ball that is larger than the rim has the torus cross itself."""
    x, v, a = paths(5, skewed=True)
    far = np.hypot(np.hypot(x[:, 0], x[:, 1]) - reach, x[:, 2]) > radius
    x, v, a = x[far], v[far], a[far]
    times = np.empty(len(x))
    rows = np.array([[0.0, 0.0, 0.0, 0.0, 0.0, 1.0, reach]])
    fill_in_times(Rims(rows, np.zeros(1, dtype=np.int64), np.zeros(WORK)), radius, x, v, a, times)
    expected = [rim_time(*path, reach, radius) for path in zip(x, v, a, strict=True)]
    assert np.isfinite(times).sum() > 20
    assert (np.isfinite(times) == [t < NEVER for t in expected]).all()
    assert times == pytest.approx(np.array([float(t) for t in expected]), rel=1e-12)


def test_cones_are_touched_when_fifty_digits_say_so() -> None:
    x, v, a = paths(6, skewed=False)
    wide, slope, half, radius = 0.6, 0.7, 0.8, 0.15
    height = (np.hypot(x[:, 0], x[:, 1]) - wide - slope * x[:, 2]) / np.sqrt(1 + slope**2)
    far = abs(height) > radius
    x, v, a = x[far], v[far], a[far]
    times = np.empty(len(x))
    rows = np.array([[0.0, 0.0, 0.0, 0.0, 0.0, 1.0, wide, slope, half]])
    fill_in_times(Cones(rows, np.zeros(1, dtype=np.int64), np.zeros(WORK)), radius, x, v, a, times)
    # Whoever gets in past an end of the cone has touched its rim before, another patch.
    clear = ~np.array(
        [
            touches(wide + slope * end, end, radius, path, min(t, 10.0))
            for end in (-half, half)
            for t, *path in zip(times, x, v, a, strict=True)
        ]
    ).reshape(2, -1).any(axis=0)
    x, v, a, times = x[clear], v[clear], a[clear], times[clear]
    expected = [cone_time(*path, wide, slope, half, radius) for path in zip(x, v, a, strict=True)]
    assert np.isfinite(times).sum() > 20
    assert (np.isfinite(times) == [t < NEVER for t in expected]).all()
    assert times == pytest.approx(np.array([float(t) for t in expected]), rel=1e-12)


def touches(reach: float, height: float, radius: float, path: Any, until: float) -> bool:
    """Whether a path comes near a circle around the z axis before a time."""
    x, v, a = path
    t = np.linspace(0.0, until, 2000)[:, None]
    place = x + v * t + 0.5 * a * t * t
    across = np.hypot(place[:, 0], place[:, 1]) - reach
    return bool(np.hypot(across, place[:, 2] - height).min() < radius)
