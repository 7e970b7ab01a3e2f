"""Spheres: Lun, Savage, Jeffrey & Chepurniy, J. Fluid Mech. 140, 223 (1984).

With eta = (1 + e) / 2 and y = phi chi their kinetic viscosity is
mu_0 / (eta (2 − eta) chi) [1 + 8/5 eta (3 eta − 2) y], see ``nearly_elastic.py``, and the bulk
viscosity of which the collisional part has three fifths is 256 / (5 pi) mu_0 phi y eta. For small
dissipation, as it has no normal stress differences.
"""

from __future__ import annotations

from carom.theory.nearly_elastic import NearlyElastic

__all__ = ["dissipation_rate", "pressure", "shear_viscosity", "simple_shear"]

_THEORY = NearlyElastic(dimension=3, relaxation=(2.0, 1.0))

pressure = _THEORY.pressure
shear_viscosity = _THEORY.shear_viscosity
dissipation_rate = _THEORY.dissipation_rate
simple_shear = _THEORY.simple_shear
