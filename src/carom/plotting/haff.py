"""Haff's law: how a granular gas cools while it is still homogeneous."""

from __future__ import annotations

import math

from carom.collisions import ConstantRestitution, ContactDuration
from carom.system import System


def haff_cooling_time(system: System, temperature: float) -> float | None:
    """The time τ in T(t) = T(0) / (1 + t/τ)²; None where the law does not hold.

    It holds for equal particles in a periodic box with a constant restitution ε < 1:
    1/τ = (1 − ε²) ω / (2 d), with the collision rate of a particle from kinetic theory,
    ω = 2 √π n σ χ √(T/m) in the plane and 4 √π n σ² χ √(T/m) in space (Haff 1983; Luding &
    Herrmann 1999). χ is the pair distribution at contact: (1 − 7φ/16) / (1 − φ)² (Henderson
    1975) and (1 − φ/2) / (1 − φ)³ (Carnahan & Starling 1969).
    """
    law = system.law.law if isinstance(system.law, ContactDuration) else system.law
    radius, mass = system.particles.radius, system.particles.mass
    equal = (radius == radius[0]).all() and (mass == mass[0]).all()
    if not (isinstance(law, ConstantRestitution) and system.conserves_momentum and equal):
        return None
    if system.shear_rate != 0.0:
        return None
    if law.coefficient == 1.0 or math.isinf(system.volume) or not temperature > 0.0:
        return None
    dimension, fraction = system.dimension, system.packing_fraction
    sigma, density = 2.0 * float(radius[0]), len(radius) / system.volume
    speed = math.sqrt(temperature / float(mass[0]))
    if dimension == 2:
        chi = (1.0 - 7.0 * fraction / 16.0) / (1.0 - fraction) ** 2
        rate = 2.0 * math.sqrt(math.pi) * density * sigma * chi * speed
    else:
        chi = (1.0 - 0.5 * fraction) / (1.0 - fraction) ** 3
        rate = 4.0 * math.sqrt(math.pi) * density * sigma**2 * chi * speed
    return 2.0 * dimension / ((1.0 - law.coefficient**2) * rate)
