"""Fast Fourier transforms of planar fields, both components at once.

A field (n, m, 2) is taken for the complex numbers u + iv, which it is in memory: one complex
transform does for both components what two real ones would, and in place.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import fft

from carom.compiled.views import borrowed
from carom.fluids.solved.bands import in_bands, threads_for
from carom.functions import sine
from carom.particles import Array


def spectrum(field: Array) -> Any:
    """The sums Σ (u + iv) e^(−ik·x) (n, m) over the nodes of a field, which is written over."""
    numbers = field.view(np.complex128)[..., 0]
    return fft.fft2(numbers, overwrite_x=True, workers=threads_for(field.size))


def field_of(spectrum: Any) -> Array:
    """The field (n, m, 2) with the sums Σ s e^(ik·x) of a spectrum, which is written over."""
    workers = threads_for(2 * spectrum.size)
    return as_field(fft.ifft2(spectrum, norm="forward", overwrite_x=True, workers=workers))


def as_field(numbers: Any) -> Array:
    """Complex numbers (n, m) as pairs (n, m, 2), in the same memory."""
    return numbers.view(np.float64).reshape(*numbers.shape, 2)  # type: ignore[no-any-return]


class InverseDiffusion:
    """Multiplies fields with (1 + spreading · A)⁻¹, A the periodic five-point Laplacian.

    A has the eigenvalues 4 sin²(πj/n) / Δx² + 4 sin²(πl/m) / Δy² and the sign of a positive matrix;
    ``spreading`` are ν Δt / Δx² and ν Δt / Δy².
    """

    def __init__(self, shape: tuple[int, int], spreading: tuple[float, float]) -> None:
        along_x, along_y = (
            4.0 * factor * sine(0.5 * np.arange(nodes) / nodes) ** 2
            for nodes, factor in zip(shape, spreading, strict=True)
        )
        # One over the number of nodes belongs to the transforms there and back.
        self._factor = 1.0 / ((1.0 + along_x[:, None] + along_y) * (shape[0] * shape[1]))

    def __call__(self, field: Array) -> tuple[Array, float]:
        """The product with a field r (n, m, 2), which is written over, and r · product."""
        transformed = spectrum(field)
        inner = weigh(as_field(transformed), self._factor)
        return field_of(transformed), inner


@in_bands
def weigh(rows: Any, spectrum: Any, factor: Any) -> float:
    """Multiply a spectrum (n, m, 2) in place with factors (n, m); Σ factor · |before|²."""
    spectrum, factor = borrowed((spectrum, factor))
    total = 0.0
    for i in range(rows[0], rows[1]):
        of_row = 0.0
        for j in range(spectrum.shape[1]):
            x = factor[i, j] * spectrum[i, j, 0]
            y = factor[i, j] * spectrum[i, j, 1]
            of_row += x * spectrum[i, j, 0] + y * spectrum[i, j, 1]
            spectrum[i, j, 0] = x
            spectrum[i, j, 1] = y
        total += of_row
    return total
