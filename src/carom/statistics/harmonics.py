"""Waves around a point: how bonds are spread over directions."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from carom.particles import Array


def planar_waves(bonds: Array, degree: int) -> Any:
    """exp(i degree θ) (k, 1) for bonds (k, 2)."""
    towards = _directions(bonds)
    return _powers(towards[:, 0], towards[:, 1], degree)[:, degree:]


def spherical_waves(bonds: Array, degree: int) -> Any:
    """Spherical harmonics (k, degree + 1) of the orders 0 to ``degree`` for bonds (k, 3).

    They are weighted such that those of a bond have the length 1; those of negative order have the
    same size and are counted with the positive ones.
    """
    towards = _directions(bonds)
    turned = _powers(towards[:, 0], towards[:, 1], degree)
    legendre = np.polynomial.Legendre.basis(degree).convert(kind=np.polynomial.Polynomial)
    # The harmonic of order m is (x + iy)^m times the derivative of that order of P_degree(z).
    heights = [_weight(degree, m) * legendre.deriv(m)(towards[:, 2]) for m in range(degree + 1)]
    return turned * np.stack(heights, axis=1)


def length(waves: Any) -> Any:
    """The length of vectors of waves, which no rotation changes."""
    return np.sqrt((waves.real**2 + waves.imag**2).sum(axis=-1))


def third_invariant(waves: Any, degree: int) -> Array:
    """Ŵ (n,) of vectors of spherical waves: Σ (3j symbol) q_a q_b q_c over a + b + c = 0, relative
    to the cube of the length (Steinhardt, Nelson & Ronchetti, Phys. Rev. B 28, 784, 1983)."""
    orders = np.arange(degree + 1)
    single = np.where(orders == 0, 1.0, math.sqrt(0.5)) * waves
    # With the phase of Condon and Shortley, for which the symbols are made.
    upper = np.where(orders % 2 == 0, 1.0, -1.0) * single
    every = np.concatenate([np.conj(single[:, :0:-1]), upper], axis=1)
    total = np.zeros(len(waves))
    for (a, b, c), symbol in _symbols(degree).items():
        total += symbol * (every[:, a] * every[:, b] * every[:, c]).real
    with np.errstate(invalid="ignore"):
        return np.asarray(total / length(waves) ** 3)


def _directions(bonds: Array) -> Array:
    return np.asarray(bonds / np.linalg.norm(bonds, axis=1)[:, None])


def _weight(degree: int, m: int) -> float:
    share = math.factorial(degree - m) / math.factorial(degree + m)
    return math.sqrt(share if m == 0 else 2.0 * share)


def _powers(x: Array, y: Array, highest: int) -> Any:
    """(x + iy)^m (k, highest + 1), in real numbers: NumPy's complex products depend on the
    processor."""
    powers = np.ones((len(x), highest + 1), dtype=np.complex128)
    for m in range(highest):
        before = powers[:, m]
        powers[:, m + 1].real = before.real * x - before.imag * y
        powers[:, m + 1].imag = before.real * y + before.imag * x
    return powers


@cache
def _symbols(degree: int) -> dict[tuple[int, int, int], float]:
    """Wigner's 3j symbols of three equal degrees, by the places of three orders from −degree on."""
    symbols = {}
    for a in range(-degree, degree + 1):
        for b in range(max(-degree, -degree - a), min(degree, degree - a) + 1):
            symbols[a + degree, b + degree, degree - a - b] = _symbol(degree, a, b)
    return symbols


def _symbol(degree: int, a: int, b: int) -> float:
    """By the formula of Racah, Phys. Rev. 62, 438 (1942)."""
    f, c = math.factorial, -a - b
    triangle = f(degree) ** 3 / f(3 * degree + 1)
    orders = math.prod(f(degree + m) * f(degree - m) for m in (a, b, c))
    total = 0.0
    for t in range(max(0, -a, b), min(degree, degree - a, degree + b) + 1):
        below = f(t) * f(degree - t) * f(degree - a - t) * f(degree + b - t) * f(t + a) * f(t - b)
        total += (-1) ** t / below
    return float((-1) ** (c % 2) * math.sqrt(triangle * orders) * total)
