"""Planar velocities without divergence, as spectra of the complex numbers w = u + iv.

With ∂ = ∂/∂x − i ∂/∂y, ∂w = div u + i curl u. So the transform ŵ_k of a field without divergence
is bound to that of the opposite wave: (k_x − i k_y) ŵ_k is i times the transform of a real field.
The part of any field that has no divergence is therefore, with e = (k_x + i k_y)² / ‖k‖²,

    (P ŵ)_k = ½ (ŵ_k − e conj ŵ_(−k)),

and the mean flow, k = 0, is left as it is. Advection is made of the square of w: for a field
without divergence ½ ∂w² = w ∂w = iω w, which is the vector ω × u = (−ωv, ωu), so that, by Lamb's
form u·∇u = ω × u + ∇|u|²/2, the tendency −P(u·∇u) is −½ P ∂w²: two complex transforms. (It is the
form with the fewest transforms, Basdevant, J. Comput. Phys. 50, 209, 1983, written with w.)

Waves up to a third of the nodes along an axis are kept, j < n/3, and all others are zero: products
of two fields then have no aliases among those kept (Orszag, J. Atmos. Sci. 28, 1074, 1971).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import fft

from carom.compiled.entry_points import entry_point
from carom.compiled.kernels import inner_kernel
from carom.compiled.views import borrowed
from carom.fluids.solved.bands import in_bands
from carom.fluids.solved.transforms import field_of, spectrum
from carom.particles import Array


class Solenoidal:
    """Fields (n, m, 2) without divergence in a period with these lengths, and their spectra."""

    def __init__(self, shape: tuple[int, int], lengths: tuple[float, float]) -> None:
        self.waves: tuple[Array, Array] = (  # wavenumbers (n,) and (m,) in the order of transforms
            2.0 * math.pi / lengths[0] * fft.fftfreq(shape[0], 1.0 / shape[0]),
            2.0 * math.pi / lengths[1] * fft.fftfreq(shape[1], 1.0 / shape[1]),
        )
        self.shape = shape
        reach = [(nodes - 1) // 3 for nodes in shape]
        self.highest = tuple(2.0 * math.pi / L * j for L, j in zip(lengths, reach, strict=True))
        self._kept = tuple(
            np.abs(fft.fftfreq(n, 1.0 / n)) < j + 0.5 for n, j in zip(shape, reach, strict=True)
        )
        self._share = 1.0 / (shape[0] * shape[1])

    def transformed(self, field: Array) -> Any:
        """The spectrum (n, m) of the part of a field without divergence; the field is written over.

        Its sum is the field again, ``field_of(spectrum)``.
        """
        transform = spectrum(field)
        project(transform, *self.waves, *self._kept, self._share)
        return transform

    def tendency(self, field: Array) -> Any:
        """The spectrum (n, m) of −P(u·∇u); the field, without divergence, is written over."""
        square(field)
        transform = spectrum(field)
        differentiate(transform, *self.waves, *self._kept, -0.5 * self._share)
        return transform

    def __call__(self, field: Array) -> tuple[Array, float]:
        """P r of a field r (n, m, 2), which is written over, and r · P r: a filter for solvers."""
        transform = spectrum(field)
        inner = project(transform, *self.waves, *self._kept, self._share)
        return field_of(transform), inner / self._share


@inner_kernel
def projected(w: complex, opposite: complex, x: float, y: float) -> complex:
    """The part without divergence of a wave (x, y), given the one opposite to it."""
    norm = x * x + y * y
    if norm == 0.0:
        return w
    e = complex((x * x - y * y) / norm, 2.0 * x * y / norm)
    return 0.5 * (w - e * opposite.conjugate())


@entry_point
def project(w: Any, x: Any, y: Any, kept_x: Any, kept_y: Any, factor: float) -> float:
    """Let a spectrum (n, m) be ``factor`` times its part without divergence; Σ |w|² of it."""
    n, m = w.shape
    total = 0.0
    for i in range(n):
        mirror_i = n - i if i > 0 else 0
        for j in range(m):
            mirror_j = m - j if j > 0 else 0
            if mirror_i < i or (mirror_i == i and mirror_j < j):
                continue  # done along with its mirror
            one, other = 0j, 0j
            if kept_x[i] and kept_y[j]:
                one = factor * projected(w[i, j], w[mirror_i, mirror_j], x[i], y[j])
                other = factor * projected(w[mirror_i, mirror_j], w[i, j], x[i], y[j])
            w[i, j] = one
            w[mirror_i, mirror_j] = other
            total += one.real * one.real + one.imag * one.imag
            if mirror_i != i or mirror_j != j:
                total += other.real * other.real + other.imag * other.imag
    return total


@entry_point
def differentiate(w: Any, x: Any, y: Any, kept_x: Any, kept_y: Any, factor: float) -> None:
    """Let a spectrum (n, m) be ``factor`` times P ∂ of it."""
    n, m = w.shape
    for i in range(n):
        mirror_i = n - i if i > 0 else 0
        for j in range(m):
            mirror_j = m - j if j > 0 else 0
            if mirror_i < i or (mirror_i == i and mirror_j < j):
                continue
            one, other = 0j, 0j
            if kept_x[i] and kept_y[j]:
                # ∂ multiplies the wave (x, y) with i (x − iy), the opposite one with minus that.
                derivative = complex(factor * y[j], factor * x[i])
                one = derivative * w[i, j]
                other = -derivative * w[mirror_i, mirror_j]
                one, other = (
                    projected(one, other, x[i], y[j]),
                    projected(other, one, x[i], y[j]),
                )
            w[i, j] = one
            w[mirror_i, mirror_j] = other


@in_bands
def square(rows: Any, field: Any) -> None:
    """Let a field (n, m, 2) be (u + iv)²."""
    field = borrowed(field)
    for i in range(rows[0], rows[1]):
        for j in range(field.shape[1]):
            u, v = field[i, j, 0], field[i, j, 1]
            field[i, j, 0] = (u - v) * (u + v)
            field[i, j, 1] = 2.0 * u * v
