"""Energy spectra of synthetic turbulence: the mean energy of one mode, up to a factor.

``wavenumber`` is ‖k‖ ℓ, with ℓ the length scale of the spectrum. The energy of all modes of a
wavenumber is k^(d−1) times that of one.
"""

from __future__ import annotations

import numpy as np

from carom.particles import Array


def karman_obukhov(wavenumber: Array, dimension: int) -> Array:
    """k² (1 + k²)^(−7/3) in the plane: all modes of a wavenumber together go with k^(−5/3).

    Sigurgeirsson, Stuart & Wan 2001, section 2.3. In three dimensions there are more modes of a
    wavenumber; the exponent −17/6 gives them the same k^(−5/3), Kármán's spectrum (von Kármán,
    Proc. Natl. Acad. Sci. 34, 530, 1948).
    """
    square = wavenumber**2
    return square * (1.0 + square) ** (-(dimension + 8.0 / 3.0) / 2.0)


def kraichnan(wavenumber: Array, dimension: int) -> Array:
    """k² exp(−k²): eddies of about one size (Kraichnan, Phys. Fluids 13, 22, 1970)."""
    square = wavenumber**2
    return square * np.exp(-square)


SPECTRA = {"karman_obukhov": karman_obukhov, "kraichnan": kraichnan}
