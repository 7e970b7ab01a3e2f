"""Energy spectra of synthetic turbulence: the mean energy of one mode, up to a factor.

``wavenumber`` is ‖k‖ ℓ, with ℓ the length scale of the spectrum. The energy of all modes of a
wavenumber is k^(d−1) times that of one.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from carom.checks import answer, is_one_of, numbers_in
from carom.fluids.random.waves import Waves
from carom.functions import exp, power
from carom.particles import Array

# A name in SPECTRA, or a function of an array of wavenumbers k.
Spectrum = str | Callable[[Array], Array]

# Periods to length scales, when none is given; see SyntheticTurbulence.
PERIOD_TO_SCALE = 1.0 / (4.0 * math.pi)


def karman_obukhov(wavenumber: Array, dimension: int) -> Array:
    """k² (1 + k²)^(−7/3) in the plane: all modes of a wavenumber together go with k^(−5/3).

    Sigurgeirsson, Stuart & Wan 2001, section 2.3. In three dimensions there are more modes of a
    wavenumber; the exponent −17/6 gives them the same k^(−5/3), Kármán's spectrum (von Kármán,
    Proc. Natl. Acad. Sci. 34, 530, 1948).
    """
    square = wavenumber**2
    return square * power(1.0 + square, -(dimension + 8.0 / 3.0) / 2.0)


def kraichnan(wavenumber: Array, dimension: int) -> Array:
    """k² exp(−k²): eddies of about one size (Kraichnan, Phys. Fluids 13, 22, 1970)."""
    square = wavenumber**2
    return square * exp(-square)


SPECTRA = {"karman_obukhov": karman_obukhov, "kraichnan": kraichnan}


def check_spectrum(owner: str, spectrum: Spectrum) -> None:
    """Refuse what is no spectrum."""
    if not (callable(spectrum) or is_one_of(spectrum, SPECTRA)):
        raise ValueError(
            f"{owner}: spectrum={spectrum!r} is unknown; use one of "
            f"{', '.join(map(repr, SPECTRA))}, or a function of the wavenumbers."
        )


def mode_energies(
    owner: str, spectrum: Spectrum, speed: float, scale: float, waves: Waves
) -> Array:
    """ε_k of the waves of a grid (half), 0 of those not used; they add up to speed²."""
    wavenumber = np.sqrt(waves.square[waves.used])
    if isinstance(spectrum, str):
        if scale * wavenumber.max() < 1.0:
            raise ValueError(
                f"{owner}: length_scale={scale:g} is finer than the grid, whose "
                f"largest wavenumber is {wavenumber.max():g}. Use more nodes, grid=..., or a "
                f"length_scale of at least {1.0 / wavenumber.max():g}."
            )
        values = SPECTRA[spectrum](scale * wavenumber, len(waves.shape))
    else:
        values = numbers_in("spectrum", answer(f"{owner}: spectrum", spectrum, wavenumber))
    energy = np.zeros(waves.square.shape)
    if values.shape != wavenumber.shape or not (np.isfinite(values) & (values >= 0.0)).all():
        raise ValueError(
            f"{owner}: spectrum={spectrum!r} must give one energy, finite and "
            "not negative, for each of the wavenumbers it gets in an array."
        )
    energy[waves.used] = values
    total = float((waves.count * energy).sum())
    if total == 0.0:
        raise ValueError(
            f"{owner}: the spectrum {spectrum!r} with length_scale={scale:g} "
            f"has no energy in waves from {2.0 * math.pi / wavenumber.max():g} to "
            f"{2.0 * math.pi / wavenumber.min():g} long, which are those of the grid. Use "
            "another length_scale."
        )
    return energy * (speed * speed / total)
