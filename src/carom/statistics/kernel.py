"""The collision kernel: how often pairs collide, whatever their number.

Γ is defined by the rate of collisions per volume, Γ (N/V)² / 2 among N equal particles (Saffman &
Turner 1956): two particles alone in a volume V would collide Γ/V times per unit of time.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike


def collision_kernel(collisions: ArrayLike, duration: ArrayLike, n: int, volume: float) -> Any:
    """Γ = 2 n_c V / (N² T) from n_c collisions of N particles in a volume V over a duration T.

    Of columns over time, it is that of each interval between two lines:
    ``collision_kernel(np.diff(log["collisions"]), np.diff(log["time"]), n, volume)``.
    """
    if not (n >= 2 and 0.0 < volume < math.inf):
        raise ValueError(
            f"a collision kernel needs two or more particles in a finite volume, not {n} in "
            f"{volume:g}."
        )
    durations = np.asarray(duration, dtype=np.float64)
    if not (durations > 0.0).all():
        raise ValueError("a collision kernel needs positive durations; leave out empty intervals.")
    kernel = 2.0 * np.asarray(collisions, dtype=np.float64) * volume / (n**2 * durations)
    return kernel if kernel.ndim else float(kernel)


def kernel_from_contact(
    dimension: int, diameter: float, distribution: float, radial_speed: float
) -> float:
    """Γ = 2π σ² g(σ) <|w_r|> of spheres, and π σ g(σ) <|w_r|> of disks, of diameter σ.

    Half the pairs at contact approach: half the surface of a sphere, or circumference of a circle,
    of radius σ times the radial relative speed there (Sundaram & Collins, J. Fluid Mech. 335, 75,
    1997; Wang, Wexler & Zhou, ibid. 415, 117, 2000). ``PairShells`` has both factors.
    """
    half = math.pi * diameter if dimension == 2 else 2.0 * math.pi * diameter * diameter
    return half * distribution * radial_speed
