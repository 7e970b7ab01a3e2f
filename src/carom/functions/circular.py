"""Sines and cosines, of angles in whole turns and in radians, and the angle of a vector."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba.extending import register_jitable

from carom.compiled.kernels import INNER
from carom.functions.calling import for_numbers_and_arrays

# sin 2πr = r P(r²) for |r| ≤ 1/4, with the smallest largest relative error, 2.6e-19: from Remez's
# exchange in fifty digits.
(P0, P1, P2, P3, P4, P5, P6, P7, P8) = (
    6.283185307179586,
    -41.341702240399755,
    81.60524927607341,
    -76.7058597527985,
    42.058693923785235,
    -15.094641620509961,
    3.8199270504789338,
    -0.7177235801554498,
    0.10085633077354056,
)
# Of sin and cos for |r| ≤ π/4, and of arctan for |r| ≤ 7/16: those of fdlibm (Sun Microsystems).
(S1, S2, S3, S4, S5, S6) = (
    -1.66666666666666324348e-01,
    8.33333333332248946124e-03,
    -1.98412698298579493134e-04,
    2.75573137070700676789e-06,
    -2.50507602534068634195e-08,
    1.58969099521155010221e-10,
)
(C1, C2, C3, C4, C5, C6) = (
    4.16666666666666019037e-02,
    -1.38888888888741095749e-03,
    2.48015872894767294178e-05,
    -2.75573143513906633035e-07,
    2.08757232129817482790e-09,
    -1.13596475577881948265e-11,
)
(A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10) = (
    3.33333333333329318027e-01,
    -1.99999999998764832476e-01,
    1.42857142725034663711e-01,
    -1.11111104054623557880e-01,
    9.09088713343650656196e-02,
    -7.69187620504482999495e-02,
    6.66107313738753120669e-02,
    -5.83357013379057348645e-02,
    4.97687799461593236017e-02,
    -3.65315727442169155270e-02,
    1.62858201153657823623e-02,
)
# π/2 in parts of 33 bits, and the rest.
QUARTER_1 = 1.57079632673412561417e00
QUARTER_2 = 6.07710050630396597660e-11
QUARTER_3 = 2.02226624879595063154e-21
QUARTERS_PER_UNIT = 6.36619772367581382433e-01
FARTHEST = 1e6  # up to here quarters of a turn are taken away without loss
# arctan 1/2, π/4, arctan 3/2, π/2, and what is left of them.
ANGLE = np.array(
    [
        0.0,
        4.63647609000806093515e-01,
        7.85398163397448278999e-01,
        9.82793723247329054082e-01,
        1.57079632679489655800e00,
    ]
)
ANGLE_REST = np.array(
    [
        0.0,
        2.26987774529616870924e-17,
        3.06161699786838301793e-17,
        1.39033110312309984516e-17,
        6.12323399573676603587e-17,
    ]
)

inner = register_jitable(**INNER)


@for_numbers_and_arrays
def sine(turns: float) -> float:
    """sin(2π · turns), to about the last bit.

    Angles in turns are brought into one turn without rounding, however far away a place is, and
    without the branches of ``sin``: loops over many particles are several times as fast.
    """
    r = turns - np.floor(turns + 0.5)
    # From a quarter of a turn on the sine falls as it rose.
    r = max(min(r, 0.5 - r), -0.5 - r)
    s = r * r
    return r * (  # type: ignore[no-any-return]
        P0 + s * (P1 + s * (P2 + s * (P3 + s * (P4 + s * (P5 + s * (P6 + s * (P7 + s * P8)))))))
    )


@for_numbers_and_arrays
def cosine(turns: float) -> float:
    """cos(2π · turns)."""
    return sine(turns + 0.25)  # type: ignore[no-any-return]


@inner
def without_quarters(x: float) -> tuple[Any, float, float]:
    """The nearest whole number of quarters of a turn, and what is left, in two parts."""
    quarters = np.floor(x * QUARTERS_PER_UNIT + 0.5)
    left = x - quarters * QUARTER_1
    taken = quarters * QUARTER_2
    r = left - taken
    rest = ((left - r) - taken) - quarters * QUARTER_3
    total = r + rest
    return np.int64(quarters), total, (r - total) + rest


@inner
def sine_near_zero(r: float, rest: float) -> float:
    """sin(r + rest) for |r| ≤ π/4."""
    s = r * r
    cube = s * r
    series = S2 + s * (S3 + s * (S4 + s * (S5 + s * S6)))
    return r - ((s * (0.5 * rest - cube * series) - rest) - cube * S1)


@inner
def cosine_near_zero(r: float, rest: float) -> float:
    """cos(r + rest) for |r| ≤ π/4."""
    s = r * r
    series = s * (C1 + s * (C2 + s * (C3 + s * (C4 + s * (C5 + s * C6)))))
    half = 0.5 * s
    whole = 1.0 - half
    return whole + (((1.0 - whole) - half) + (s * series - r * rest))


@inner
def sine_after(x: float, quarters_ahead: int) -> float:
    """sin(x + quarters_ahead · π/2)."""
    if not abs(x) <= FARTHEST:
        if not abs(x) < np.inf:
            return np.nan
        return sine(x / (2.0 * math.pi) + 0.25 * quarters_ahead)  # type: ignore[no-any-return]
    quarters, r, rest = without_quarters(x)
    quarters += quarters_ahead
    value = cosine_near_zero(r, rest) if quarters & 1 else sine_near_zero(r, rest)
    return -value if quarters & 2 else value


@for_numbers_and_arrays
def sin(x: float) -> float:
    """The sine of an angle in radians, to the last bit up to |x| = 10⁶.

    Beyond that its error is some 1e-16 |x|.
    """
    return sine_after(x, 0)


@for_numbers_and_arrays
def cos(x: float) -> float:
    """The cosine of an angle in radians; see ``sin``."""
    return sine_after(x, 1)


@inner
def angle_up_to_a_quarter(slope: float) -> float:
    """arctan of a slope ≥ 0."""
    if slope < 0.4375:
        k, r = 0, slope
    elif slope < 0.6875:
        k, r = 1, (2.0 * slope - 1.0) / (2.0 + slope)
    elif slope < 1.1875:
        k, r = 2, (slope - 1.0) / (slope + 1.0)
    elif slope < 2.4375:
        k, r = 3, (slope - 1.5) / (1.0 + 1.5 * slope)
    else:
        k, r = 4, -1.0 / slope
    s = r * r
    f = s * s
    odd = s * (A0 + f * (A2 + f * (A4 + f * (A6 + f * (A8 + f * A10)))))
    even = f * (A1 + f * (A3 + f * (A5 + f * (A7 + f * A9))))
    return ANGLE[k] - ((r * (odd + even) - ANGLE_REST[k]) - r)  # type: ignore[no-any-return]


@for_numbers_and_arrays
def arctan2(y: float, x: float) -> float:
    """The angle of the vector (x, y) with the x axis, between −π and π; 0 of the vector 0."""
    if x != x or y != y:
        return np.nan
    up, right = abs(y), abs(x)
    if up == 0.0 and right == 0.0:
        return 0.0
    if up == right:
        angle = 0.25 * math.pi
    elif up < right:
        angle = angle_up_to_a_quarter(up / right)
    else:
        angle = 0.5 * math.pi - angle_up_to_a_quarter(right / up)
    if x < 0.0:
        angle = math.pi - angle
    return -angle if y < 0.0 else angle
