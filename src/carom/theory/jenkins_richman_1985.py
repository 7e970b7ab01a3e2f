"""Disks: Jenkins & Richman, Phys. Fluids 28, 3485 (1985), for smooth ones.

Grad's method to first order in the deviator, see ``nearly_elastic.py``. With y = phi chi the
kinetic viscosity is 8 mu_0 / ((1 + e) (7 − 3 e) chi) [1 + (1 + e) (3 e − 1) y / 4]. The restitution
is kept as it stands in all integrals; simplified versions set e = 1 but for the dissipation. For
small dissipation: at e = 0.9 and phi = 0.1 the normal stresses already differ by a seventh of the
pressure, which no isotropic theory has.
"""

from __future__ import annotations

from carom.theory.nearly_elastic import NearlyElastic

__all__ = ["dissipation_rate", "pressure", "shear_viscosity", "simple_shear"]

_THEORY = NearlyElastic(dimension=2, relaxation=(2.5, 1.5))

pressure = _THEORY.pressure
shear_viscosity = _THEORY.shear_viscosity
dissipation_rate = _THEORY.dissipation_rate
simple_shear = _THEORY.simple_shear
