"""Functions of our own: accurate, and the same wherever they are called."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest

import carom
from carom import functions

N = 1500
R = np.random.default_rng(3)
SMALL = R.normal(size=N) * np.power(10.0, R.uniform(-18, -1, N))


def joined(*parts: Any) -> Any:
    """Arguments of all kinds, in one array."""
    return np.concatenate(parts)


# The function, the true one, arguments, and the largest error in units of the last place.
CASES: dict[str, tuple[Callable[..., Any], tuple[Any, ...], float]] = {
    "exp": (mpmath.exp, (joined(R.uniform(-5, 5, N), R.uniform(-745, 709, N), SMALL),), 0.53),
    "expm1": (mpmath.expm1, (joined(R.uniform(-5, 5, N), R.uniform(-60, 709, N), SMALL),), 2.0),
    "log": (
        mpmath.log,
        (joined(R.uniform(0, 5, N), np.power(10.0, R.uniform(-323, 307, N)), 1.0 + SMALL),),
        0.51,
    ),
    "log1p": (mpmath.log1p, (joined(R.uniform(-1, 5, N), SMALL, 1e9 * R.uniform(size=N)),), 0.7),
    "tanh": (mpmath.tanh, (joined(R.uniform(-25, 25, N), SMALL),), 2.0),
    "sin": (
        mpmath.sin,
        (joined(R.uniform(-7, 7, N), R.uniform(-1e6, 1e6, N), math.pi * R.integers(-99, 99, N)),),
        0.8,
    ),
    "cos": (mpmath.cos, (joined(R.uniform(-7, 7, N), R.uniform(-1e6, 1e6, N), SMALL),), 0.8),
    "arctan2": (mpmath.atan2, (joined(R.normal(size=N), SMALL), R.normal(size=2 * N)), 2.0),
    "power": (
        mpmath.power,
        (
            joined(np.power(10.0, R.uniform(-9, 9, N)), R.uniform(0, 3, N), 1.0 + 1e-3 * SMALL),
            joined(
                R.choice([0.1, 0.2, 0.4, 0.687, 1 / 3, -7 / 3, 2.0, 3.0], N),
                R.uniform(-300, 300, N),
                R.uniform(-1e5, 1e5, N),
            ),
        ),
        0.53,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_errors_are_about_half_a_unit_in_the_last_place(name: str) -> None:
    truth, arguments, bound = CASES[name]
    values = getattr(functions, name)(*arguments)
    with mpmath.workdps(40):
        exact = [truth(*map(mpmath.mpf, each)) for each in zip(*arguments, strict=True)]
        error = [
            float(abs(mpmath.mpf(value) - true)) / np.spacing(abs(float(true)))
            for value, true in zip(values.tolist(), exact, strict=True)
            if math.isfinite(value) and true != 0
        ]
    assert len(error) > 0.9 * len(values)
    print(f"{name}: {max(error):.3f} units in the last place")
    assert max(error) < bound


@pytest.mark.parametrize("name", [*CASES, "sine", "cosine"])
def test_numbers_and_arrays_give_the_same_bits(name: str) -> None:
    """Arrays are computed by compiled code, numbers by Python."""
    arguments = CASES[name][1] if name in CASES else (R.uniform(-3, 3, N),)
    function = getattr(functions, name)
    one_by_one = [function(*each) for each in zip(*(a.tolist() for a in arguments), strict=True)]
    assert all(type(value) is float for value in one_by_one)
    np.testing.assert_array_equal(function(*arguments), one_by_one)


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("exp", (-math.inf,), 0.0),
        ("exp", (-1000.0,), 0.0),
        ("exp", (1000.0,), math.inf),
        ("exp", (math.nan,), math.nan),
        ("expm1", (-1000.0,), -1.0),
        ("expm1", (math.inf,), math.inf),
        ("log", (0.0,), -math.inf),
        ("log", (-1.0,), math.nan),
        ("log", (math.inf,), math.inf),
        ("log1p", (-1.0,), -math.inf),
        ("log1p", (-2.0,), math.nan),
        ("tanh", (math.inf,), 1.0),
        ("tanh", (-30.0,), -1.0),
        ("tanh", (math.nan,), math.nan),
        ("sin", (math.inf,), math.nan),
        ("arctan2", (0.0, -1.0), math.pi),
        ("arctan2", (-1.0, 0.0), -0.5 * math.pi),
        ("arctan2", (0.0, 0.0), 0.0),
        ("power", (0.0, 0.1), 0.0),
        ("power", (0.0, -0.1), math.inf),
        ("power", (0.0, 0.0), 1.0),
        ("power", (math.inf, 0.5), math.inf),
        ("power", (math.inf, -0.5), 0.0),
        ("power", (2.0, math.inf), math.inf),
        ("power", (0.5, math.inf), 0.0),
        ("power", (2.0, 5000.0), math.inf),
        ("power", (2.0, -5000.0), 0.0),
        ("power", (-2.0, 0.5), math.nan),
        ("power", (2.0, math.nan), math.nan),
        ("power", (8.0, 1.0 / 3.0), 2.0),
        ("power", (3.0, 2), 9.0),
    ],
)
def test_values_at_the_edges(name: str, arguments: tuple[float, ...], expected: float) -> None:
    function = getattr(functions, name)
    np.testing.assert_array_equal(function(*arguments), expected)
    np.testing.assert_array_equal(function(*(np.full(2, value) for value in arguments)), expected)


def test_far_sines_stay_between_one_and_minus_one() -> None:
    x = np.array([1e7, -3e12, 1e300])
    assert (np.abs(functions.sin(x)) <= 1.0).all()
    assert functions.sin(1e7) == pytest.approx(math.sin(1e7), abs=1e-8)


def test_doublings_are_whole_numbers_without_rounding() -> None:
    assert functions.doublings(8.0) == 3
    assert functions.doublings(np.array([1.0, 1.0 + 2.0**-52, 2.0, 0.3])).tolist() == [0, 1, 1, -1]


@pytest.mark.parametrize("kind", [np.random.PCG64, np.random.SFC64])
def test_normal_numbers_are_numpys(kind: Any) -> None:
    """But for the last bit of those beyond the outermost layer; and so is the next word."""
    ours, numpys = np.random.Generator(kind(5)), np.random.Generator(kind(5))
    for shape in (1, 7, 300_000, (100, 3)):
        ours.integers(10), numpys.integers(10)
        found = functions.standard_normal(ours, shape)
        expected = numpys.standard_normal(shape)
        assert found.shape == expected.shape
        differ = found != expected
        assert (np.abs(found[differ]) > 3.654).all()
        np.testing.assert_allclose(found, expected, rtol=3e-16, atol=0.0)
        assert ours.bit_generator.random_raw() == numpys.bit_generator.random_raw()


SCRIPT = """
import hashlib, sys
import numpy as np
from carom import functions
from carom.functions.calling import Beginning

if "compiled" in sys.argv:  # from the first number on
    Beginning.has_room_for = lambda self, numbers: False
random = np.random.Generator(np.random.PCG64(1))
digest = hashlib.sha256(functions.standard_normal(random, 2000).tobytes())
for x in (random.uniform(-4.0, 4.0, 2000), random.uniform(-300.0, 300.0, 2000)):
    for name in ("exp", "expm1", "tanh", "sin", "cos", "sine", "cosine"):
        digest.update(getattr(functions, name)(x).tobytes())
    for name in ("log", "log1p"):
        digest.update(getattr(functions, name)(np.abs(x)).tobytes())
    digest.update(functions.power(np.abs(x), 0.3).tobytes())
    digest.update(functions.arctan2(x, x[::-1]).tobytes())
print(digest.hexdigest())
"""


def test_compiled_and_uncompiled_functions_give_the_same_bits(
    tmp_path: Path, run_script: Any
) -> None:
    script = tmp_path / "functions.py"
    script.write_text(SCRIPT)
    runs = [run_script(script, "compiled", NUMBA_DISABLE_JIT=disabled) for disabled in ("0", "1")]
    runs.append(run_script(script))  # which begins in Python
    assert [run.returncode for run in runs] == [0, 0, 0], runs[1].stderr
    assert len({run.stdout for run in runs}) == 1


def test_laws_of_ones_own_can_call_them() -> None:
    """In compiled code they are compiled into it."""

    @carom.kernel
    def softened(speed: float) -> float:
        return functions.exp(-speed) * functions.power(speed, 0.2)  # type: ignore[no-any-return]

    assert softened(0.7) == functions.exp(-0.7) * functions.power(0.7, 0.2)
