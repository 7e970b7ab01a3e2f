"""Contact times of accelerated spheres against arithmetic with 60 digits.

The reference takes the double coefficients as exact and applies the definition of a contact to
every candidate: zero, the roots of f and those of f'. An answer passes if its error is no more
than rounding f explains. Where rounding decides whether there is a contact at all, the answer
may be the contact or the next one; such cases are counted.
"""

from __future__ import annotations

import itertools
import math
import os
import subprocess
import sys
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from carom.detection.quartic import earliest_contact, time_to_contact_accelerated

mp = mpmath.mp.clone()
mp.dps = 60
# Relative to the sum of the magnitudes of its terms, a smaller value is zero.
ZERO = mp.mpf(10) ** -45
# Newton's method doubles the digits: the step after one this small does not matter.
CONVERGED = mp.mpf(10) ** -30
EPS = float(np.finfo(float).eps)
# What a value of f may err, in units of eps times the sum of |c_k| t^k.
ROUNDING = 8


def value(p, t):
    """p(t) for coefficients in ascending order."""
    result = mp.zero
    for c in reversed(p):
        result = result * t + c
    return result


def derivative(p):
    """The coefficients of p'."""
    return [k * c for k, c in enumerate(p)][1:]


def derivatives(p):
    """p, p', p'' and so on until nothing is left."""
    while p:
        yield p
        p = derivative(p)


def sign(p, t):
    """The sign of p(t)."""
    v = value(p, t)
    return 0 if abs(v) <= ZERO * value([abs(c) for c in p], t) else int(mp.sign(v))


def middle(low, high):
    """A number between two; the geometric mean, for times of any magnitude."""
    return mp.sqrt(low * high) if low else high / 2**64


def bracketed_root(p, low, high, t):
    """The root of p in (low, high), where p is monotone and changes sign, sought from t."""
    p1, rises, step = derivative(p), value(p, low) < 0, high - low
    for _ in range(5000):
        v, slope = value(p, t), value(p1, t)
        low, high = (t, high) if (v < 0) == rises else (low, t)
        newton = t - v / slope if slope else low
        if abs(newton - t) <= CONVERGED * t:
            return newton
        halves = 2 * abs(newton - t) <= abs(step)
        new = newton if halves and low < newton < high else middle(low, high)
        step, t = new - t, new
    raise AssertionError("the reference has not converged")


def positive_roots(p, extrema, hints):
    """The roots of p in (0, oo), given those of p'; a hint is a guess of one of them."""
    while p and not p[-1]:
        p = p[:-1]
    if len(p) < 3:
        return [-p[0] / p[1]] if len(p) == 2 and p[0] * p[1] < 0 else []
    ends = [mp.zero, *extrema, 1 + max(abs(c / p[-1]) for c in p[:-1])]
    signs = [sign(p, t) for t in ends]
    roots = [t for t, s in zip(ends[1:], signs[1:], strict=True) if s == 0]
    for k, (low, high) in enumerate(itertools.pairwise(ends)):
        if signs[k] * signs[k + 1] < 0:
            guesses = [mp.mpf(h) for h in hints if low < h < high] or [middle(low, high)]
            if len(guesses) > 1:
                guesses.sort(key=lambda h: abs(value(p, h)))
            roots.append(bracketed_root(p, low, high, guesses[0]))
    return sorted(roots)


def falls_after(p, t):
    """Whether p decreases immediately after t."""
    signs = (sign(q, t) for q in derivatives(derivative(p)))
    return next((s for s in signs if s != 0), 0) < 0


class Reference:
    """All contacts of the polynomial p, by definition, and where rounding makes them doubtful.

    ``sizes`` are the magnitudes from which the coefficients were computed: |c_k|, unless they are
    themselves rounded. ``hints`` are guesses of the roots of p, p', p''.
    """

    def __init__(self, p, sizes=None, hints=((), (), (), ())):
        self.p = [mp.mpf(c) for c in p]
        self.sizes = [abs(c) for c in self.p] if sizes is None else sizes
        found = [[]]
        for q, guesses in zip(list(derivatives(self.p))[3::-1], hints[::-1], strict=True):
            found.append(positive_roots(q, found[-1], guesses))
        self.roots, self.extrema, self.inflections = found[:-4:-1]
        candidates = sorted([mp.zero, *self.roots, *self.extrema])
        self.contacts = [
            t for t in candidates if sign(self.p, t) <= 0 and falls_after(self.p, t)
        ] + [mp.inf]

    def error(self, exact, t):
        """The error of t in units of what rounding by one eps makes of the contact ``exact``.

        Infinite where the rounding is not small enough for a linear law.
        """
        if t == exact:
            return 0.0
        if mp.isinf(exact) or math.isinf(t):
            return math.inf
        # A crossing is a root of f; an overlap that begins to deepen is one of f'.
        crosses = sign(self.p, exact) == 0
        p, sizes = (self.p, self.sizes) if crosses else map(derivative, (self.p, self.sizes))
        slope, bend = (abs(value(q, exact)) for q in list(derivatives(p))[1:3])
        spread = EPS * value(sizes, exact)
        if ROUNDING * spread * bend > slope**2:
            return math.inf
        return float(abs(t - exact) / (spread / slope + 0.5 * EPS * exact))

    def doubts(self):
        """Points and radii around which the sign of f or f' is lost in rounding."""
        for points, p, sizes in (
            ([mp.zero, *self.extrema, *self.inflections], self.p, self.sizes),
            (self.inflections, derivative(self.p), derivative(self.sizes)),
        ):
            for t in points:
                spread = ROUNDING * EPS * value(sizes, t)
                if abs(value(p, t)) <= spread:
                    terms = [(k, abs(value(q, t))) for k, q in enumerate(derivatives(p))]
                    yield (
                        t,
                        min(
                            mp.root(2 * mp.factorial(k) * spread / term, k)
                            for k, term in terms[1:]
                            if term
                        ),
                    )

    def judge(self, t):
        """Assert that t is right; return its error, or None if rounding decides."""
        error = self.error(self.contacts[0], t)
        if error <= ROUNDING:
            return error
        doubts = list(self.doubts())
        assert doubts, (self.p, t, self.contacts)
        if any(abs(t - point) <= radius for point, radius in doubts):
            return None
        for contact in self.contacts:
            if self.error(contact, t) <= ROUNDING:
                return None
            assert any(abs(contact - point) <= radius for point, radius in doubts), (self.p, t)
        raise AssertionError((self.p, t, self.contacts))


def rounded(*factors):
    """The product of polynomials of fractions, each coefficient rounded once, as five floats."""
    product = [Fraction(1)]
    for factor in factors:
        new = [Fraction(0)] * (len(product) + len(factor) - 1)
        for (i, a), (k, b) in itertools.product(enumerate(product), enumerate(factor)):
            new[i + k] += a * b
        product = new
    return [float(c) for c in product] + [0.0] * (5 - len(product))


def with_roots(*roots):
    """The monic polynomial with these roots, its coefficients rounded once."""
    return rounded(*([-Fraction(r), Fraction(1)] for r in roots))


def companion_roots(coefficients):
    """Real parts of the roots of many polynomials at once, as starting points."""
    n = coefficients.shape[1] - 1
    companion = np.zeros((len(coefficients), n, n))
    companion[:, range(1, n), range(n - 1)] = 1.0
    companion[:, :, -1] = -coefficients[:, :n] / coefficients[:, n:]
    return np.linalg.eigvals(companion).real.tolist()


def references(coefficients, polynomials=None, sizes=None):
    """One reference for each row of coefficients, or for a more exact form of it."""
    rows = coefficients.tolist()
    hints = zip(
        companion_roots(coefficients),
        companion_roots(coefficients[:, 1:] * [1, 2, 3, 4]),
        companion_roots(coefficients[:, 2:] * [2, 6, 12]),
        itertools.repeat(()),
        strict=False,
    )
    sizes = sizes or itertools.repeat(None)
    for p, s, h in zip(polynomials or rows, sizes, hints, strict=False):
        yield Reference(p, s, h)


def coefficients_of(r, v, a, sigma):
    """c0 ... c4 of pairs, in double precision."""

    def dot(x, y):
        return np.sum(x * y, axis=1)

    return np.stack(
        [
            dot(r, r) - sigma**2,
            2 * dot(r, v),
            dot(v, v) + dot(a, r),
            dot(a, v),
            dot(a, a) / 4,
        ],
        axis=1,
    )


def random_pairs(rng, n):
    """Relative positions, velocities, accelerations and contact distances of n pairs.

    A third is apart, a third touches, a third overlaps a little; half of them are aimed.
    """
    sigma = 10.0 ** rng.uniform(-3, 2, n)
    gap = 10.0 ** rng.uniform(-12, 1, n)
    gap = np.choose(np.arange(n) % 3, [gap, 0.0, -1e-2 * np.minimum(gap, 1.0)])
    direction = rng.normal(size=(n, 3))
    direction /= np.linalg.norm(direction, axis=1)[:, None]
    r = direction * (sigma * (1 + gap))[:, None]
    v = rng.normal(size=(n, 3)) * 10.0 ** rng.uniform(-2, 2, (n, 1))
    aimed = rng.random(n) < 0.5
    speed = np.linalg.norm(v, axis=1)[:, None]
    v = np.where(aimed[:, None], speed * (0.1 * rng.normal(size=(n, 3)) - direction), v)
    a = rng.normal(size=(n, 3)) * 10.0 ** rng.uniform(-3, 2, (n, 1))
    return r, v, a, sigma


def random_coefficients(rng, n):
    """Polynomials of pairs, with normal coefficients, with log-uniform ones, with random roots."""
    part = n // 4
    normal = rng.normal(size=(part, 5))
    wide = rng.choice([-1, 1], (part, 5)) * 10.0 ** rng.uniform(-6, 6, (part, 5))
    roots = rng.uniform(-1, 3, (part, 4))
    made = np.array([np.polynomial.polynomial.polyfromroots(row) for row in roots])
    pairs = coefficients_of(*random_pairs(rng, n - 3 * part))
    coefficients = np.concatenate([pairs, normal, wide, made])
    coefficients[:, 4] = np.abs(coefficients[:, 4])
    return coefficients


@pytest.mark.parametrize(
    ("coefficients", "expected"),
    [
        pytest.param((0, 0, 0, 0, 0), math.inf, id="nothing"),
        pytest.param((1, 0, 0, 0, 0), math.inf, id="constant apart"),
        pytest.param((-1, 0, 0, 0, 0), math.inf, id="constant overlap"),
        pytest.param((5, -1, 0, 0, 0), 5.0, id="linear"),
        pytest.param((5, 1, 0, 0, 0), math.inf, id="linear, separating"),
        pytest.param((2, -3, 1, 0, 0), 1.0, id="quadratic"),
        pytest.param((4, 0, -1, 0, 0), 2.0, id="quadratic, from rest"),
        pytest.param((8, 0, 0, -1, 0), 2.0, id="cubic, from rest"),
        pytest.param((6, -11, 6, -1, 0), 1.0, id="cubic"),
        pytest.param((24, -50, 35, -10, 1), 1.0, id="quartic"),
        pytest.param((24, 50, 35, 10, 1), math.inf, id="negative roots"),
        pytest.param((1, 0, 2, 0, 1), math.inf, id="complex roots"),
        pytest.param((0, -1, 0, 0, 1), 0.0, id="touching, approaching"),
        pytest.param((-1, -1, 0, 0, 1), 0.0, id="overlapping, approaching"),
        pytest.param((0, 1, 0, 0, 1), math.inf, id="touching, separating"),
        pytest.param((-1, 1, 0, 0, 1), math.inf, id="overlapping, separating"),
        pytest.param((0, 1, -1, 0, 0), 1.0, id="touching, returning"),
        pytest.param((-3, 4, -1, 0, 0), 3.0, id="overlapping, separated, returning"),
        pytest.param((-2, 2, -1, 0, 0), 1.0, id="overlapping, deepening again"),
        pytest.param((-1, 2, -1, 0, 0), 1.0, id="overlapping, touching from below"),
        pytest.param((-10, 0, 2, 0, -0.0), math.inf, id="overlapping, pushed apart"),
        pytest.param((0, 0, -1, 0, 1), 0.0, id="second derivative approaches"),
        pytest.param((0, 0, 1, -1, 0), 1.0, id="second derivative separates"),
        pytest.param((0, 0, 0, -1, 1), 0.0, id="third derivative approaches"),
        pytest.param((-1, 0, 0, -1, 1), 0.0, id="overlap, third derivative approaches"),
        pytest.param((0, 0, 0, 1, 1), math.inf, id="third derivative separates"),
        pytest.param((-1, 0, 0, 0, 1), math.inf, id="overlap, fourth derivative separates"),
        pytest.param((1, -2, 1, 0, 0), math.inf, id="glancing"),
        pytest.param((9, -24, 22, -8, 1), math.inf, id="glancing twice"),
        pytest.param((6, -17, 17, -7, 1), 2.0, id="glancing, then crossing"),
        pytest.param((1, -4, 6, -4, 1), math.inf, id="quadruple root"),
    ],
)
def test_contact_by_hand(coefficients, expected):
    found = earliest_contact(*(float(c) for c in coefficients))
    assert found == pytest.approx(expected, rel=1e-15, abs=0.0)


@pytest.mark.parametrize(
    ("roots", "expected"),
    [
        ((1, 1, 1, 3), 1.0),
        ((1, 1, 1, 1.5), 1.0),
        ((-2, 1, 1, 1), math.inf),
        ((0.25, 2, 2, 2), 0.25),
    ],
)
def test_triple_roots(roots, expected):
    p = with_roots(*roots)
    # Rounding moves a triple root by a cube root.
    spread = ROUNDING * EPS * sum(map(abs, p))
    assert earliest_contact(*p) == pytest.approx(expected, abs=spread ** (1 / 3))


@pytest.mark.parametrize("gap", [1e-3, 1e-4, 1e-5, 1e-6, 1e-7])
@pytest.mark.parametrize("first", [1e-2, 1 / 3, 1.0, 7.0, 1e3])
def test_close_roots(first, gap):
    for count in (2, 3, 4):
        cluster = [Fraction(first) * (1 + k * Fraction(gap)) for k in range(count)]
        for others in itertools.combinations([-2 * first, first / 2, 3 * first], 4 - count):
            p = with_roots(*cluster, *others)
            Reference(p).judge(earliest_contact(*p))


def test_four_roots_a_thousandth_apart_are_told_apart():
    p = with_roots(*(1 + Fraction(k, 1000) for k in range(4)))
    reference = Reference(p)
    assert len(reference.roots) == 4
    assert reference.judge(earliest_contact(*p)) is not None


@pytest.mark.parametrize("leading", [0.0, 5e-324, 1e-300, 1e-200, 1e-100, 1e-20, 1e-10])
@pytest.mark.parametrize(
    "rest",
    [
        (6.0, -11.0, 6.0, -1.0),
        (-6.0, 11.0, -6.0, 1.0),
        (2.0, -3.0, 1.0, 0.0),
        (3.0, 2.0, -1.0, 0.0),
        (5.0, -1.0, 0.0, 0.0),
        (5.0, 1.0, 0.0, 0.0),
        (-5.0, 1.0, 0.0, 0.0),
        (5.0, 1.0, 1.0, -1e-20),
        (-1.0, 3.0, -3.0, 1e-300),
        (1.0, 0.0, 0.0, 0.0),
    ],
)
def test_vanishing_leading_coefficient(rest, leading):
    p = (*rest, leading)
    assert Reference(p).judge(earliest_contact(*p)) is not None


@pytest.mark.parametrize("distance", [1e-1, 1e-3, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 0.0])
def test_complex_roots_close_to_the_axis(distance):
    for place, (low, high) in itertools.product(
        [0.1, 1 / 3, 1.0, 30.0], [(-3, -2), (-1, 9), (7, 8)]
    ):
        where = Fraction(place)
        pair = [where**2 * (1 + Fraction(distance) ** 2), -2 * where, Fraction(1)]
        p = rounded(pair, [-low * where, Fraction(1)], [-high * where, Fraction(1)])
        Reference(p).judge(earliest_contact(*p))


def test_glancing_is_no_contact():
    rng = np.random.default_rng(1)
    for place, b, c in rng.uniform([0.1, -2, 0.1], [9, 2, 9], (1000, 3)):
        glance = [-Fraction(place), Fraction(1)]
        always_positive = [Fraction(b * b / 4 + c), Fraction(b), Fraction(1)]
        assert earliest_contact(*rounded(glance, glance)) == math.inf
        assert earliest_contact(*rounded(glance, glance, always_positive)) == math.inf
        assert earliest_contact(*rounded(glance, glance, glance, glance)) == math.inf


@pytest.mark.parametrize("time", [1e-35, 1e-10, 1.0, 1e10, 1e35])
@pytest.mark.parametrize("height", [1e-140, 1e-100, 1.0, 1e100, 1e140])
def test_scales(time, height):
    rng = np.random.default_rng(2)
    for p in random_coefficients(rng, 40):
        scaled = [height * c * time**-k for k, c in enumerate(p.tolist())]
        if all(1e-150 <= abs(c) <= 1e150 for c in scaled):
            Reference(scaled).judge(earliest_contact(*scaled))


def test_sizes_may_overflow_where_the_polynomial_does_not():
    late = 3e79
    p = (1.0, 1.0, 1e150, -4e150 / (3 * late), 1e150 / (3 * late**2))
    assert value([abs(mp.mpf(c)) for c in p], 1.7 * late) > 32 * mp.mpf(sys.float_info.max)
    assert earliest_contact(*p) == pytest.approx(late, rel=1e-14)


def test_coefficients_of_any_scale():
    rng = np.random.default_rng(3)
    p = 10.0 ** rng.uniform(-150, 150, (500, 5)) * rng.choice([-1, 1], (500, 5))
    p[:, 2:] *= rng.choice([0, 1], (500, 3))
    p[:, 4] = np.abs(p[:, 4])
    for row in p.tolist():
        assert Reference(row).judge(earliest_contact(*row)) is not None


@given(
    *[st.floats(allow_nan=False, allow_infinity=False)] * 4,
    st.floats(min_value=0.0, allow_infinity=False),
)
@example(1.0, -1.7e308, 1.7e308, -1.7e308, 1.7e308)
@example(-5e-324, 5e-324, -5e-324, 5e-324, 5e-324)
def test_any_finite_input_has_an_answer(c0, c1, c2, c3, c4):
    assert earliest_contact(c0, c1, c2, c3, c4) >= 0.0


@pytest.mark.filterwarnings("ignore:Descending:DeprecationWarning")
def test_reference_finds_the_roots_of_polyroots():
    coefficients = random_coefficients(np.random.default_rng(8), 60)
    for reference in references(coefficients):
        p = reference.p
        for q, found in ((p, reference.roots), (derivative(p), reference.extrema)):
            roots = mp.polyroots(q[::-1], maxsteps=500, extraprec=500)
            real = [mp.re(t) for t in roots if abs(mp.im(t)) <= ZERO * abs(t) and mp.re(t) > 0]
            assert len(found) == len(real)
            for t, other in zip(found, sorted(real), strict=True):
                assert abs(t - other) <= ZERO * other


@pytest.mark.parametrize("n", [10_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_random_polynomials(n):
    coefficients = random_coefficients(np.random.default_rng(4), n)
    errors = [
        reference.judge(earliest_contact(*p))
        for p, reference in zip(coefficients.tolist(), references(coefficients), strict=True)
    ]
    assert errors.count(None) < 1e-3 * n


def exact_pair(r, v, a, sigma):
    """The quartic of a pair without rounding, and the magnitudes its coefficients come from."""
    r, v, a = ([mp.mpf(x) for x in vector] for vector in (r, v, a))
    s = mp.mpf(sigma)
    rr, vv, aa, rv, ra, va = (
        mp.fdot(x, y) for x, y in ((r, r), (v, v), (a, a), (r, v), (r, a), (v, a))
    )
    lengths = [mp.sqrt(x) for x in (rr, vv, aa)]
    p = [rr - s * s, 2 * rv, vv + ra, va, aa / 4]
    x, y, z = lengths
    return p, [rr + s * s, 2 * x * y, vv + x * z, y * z, aa / 4]


def test_random_pairs():
    n = 2000
    pairs = random_pairs(np.random.default_rng(5), n)
    rows = list(zip(*(x.tolist() for x in pairs), strict=True))
    polynomials, sizes = zip(*(exact_pair(*row) for row in rows), strict=True)
    judged = references(coefficients_of(*pairs), polynomials, sizes)
    errors = [
        reference.judge(time_to_contact_accelerated(tuple(r), tuple(v), tuple(a), sigma))
        for (r, v, a, sigma), reference in zip(rows, judged, strict=True)
    ]
    assert errors.count(None) < 1e-3 * n


def test_spheres_from_afar_meet_at_the_contact_distance():
    """The error of the distance grows like the path, not like its square."""
    rng = np.random.default_rng(6)
    for distance in 10.0 ** rng.uniform(1, 6, 300):
        r = distance * np.array([0.6, 0.0, 0.8]) + rng.normal(size=3)
        a = rng.normal(size=3)
        time = rng.uniform(0.1, 10)
        v = (0.3 * rng.normal(size=3) - r - 0.5 * a * time**2) / time
        r, v, a = r.tolist(), v.tolist(), a.tolist()
        t = time_to_contact_accelerated(tuple(r), tuple(v), tuple(a), 2.0)
        p, _ = exact_pair(r, v, a, 2.0)
        path = sum(np.linalg.norm(x) * t**k for k, x in enumerate((r, v, a)))
        # f = (|r| - sigma) (|r| + sigma)
        assert abs(value(p, mp.mpf(t))) / 4 <= 2 * EPS * path


@pytest.mark.parametrize(
    ("velocity", "acceleration", "expected"),
    [
        ((-1.0, 0.0, 0.0), (0.0, 0.0, 0.0), 2.0),
        ((0.0, 0.0, 0.0), (-1.0, 0.0, 0.0), 2.0),
        ((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), 1.0 + math.sqrt(5.0)),
        ((1.0, 0.0, 0.0), (0.0, 0.0, 0.0), math.inf),
        # Thrown over the other sphere: it touches nothing until it returns.
        ((-1.0, 4.0, 0.0), (0.0, -4.0, 0.0), 2.0),
        ((0.0, -1.0, 0.0), (0.0, 0.0, 0.0), math.inf),
    ],
)
def test_pairs_by_hand(velocity, acceleration, expected):
    found = time_to_contact_accelerated((3.0, 0.0, 0.0), velocity, acceleration, 1.0)
    assert found == pytest.approx(expected, rel=1e-15)


def test_touching_pair_collides_only_if_it_approaches():
    for vx, ax, expected in [
        (-1.0, 1.0, 0.0),
        (0.0, -1.0, 0.0),
        (0.0, 1.0, math.inf),
        (1.0, -1.0, 2.0),
        (1.0, 1.0, math.inf),
        (0.0, 0.0, math.inf),
    ]:
        found = time_to_contact_accelerated((1.0, 0.0, 0.0), (vx, 0.0, 0.0), (ax, 0.0, 0.0), 1.0)
        assert found == pytest.approx(expected, rel=1e-15)


def test_plain_python_gives_the_same_times():
    coefficients = random_coefficients(np.random.default_rng(7), 200).tolist()
    script = (
        "from carom.detection.quartic import earliest_contact\n"
        f"print(*(earliest_contact(*c).hex() for c in {coefficients}))"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.split() == [earliest_contact(*c).hex() for c in coefficients]
