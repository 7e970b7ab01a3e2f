"""Restitution of viscoelastic spheres, which tends to 1 for slow contacts.

Müller & Pöschel, Phys. Rev. E 84, 021302 (2011): a Padé approximant of the solution of
m ξ'' + ρ (ξ^(3/2) + 3/2 A ξ^(1/2) ξ') = 0, where the contact ends at zero force. Its expansion
is 1 − C1 v*² + C2 v*⁴ with C1 = 1.15345, C2 = 3/5 C1² (Schwager & Pöschel 1998, 2008).
"""

from __future__ import annotations

import math
from typing import NamedTuple

from carom.collisions.restitution import Contact, restitution
from carom.compiled.kernels import kernel
from carom.functions import power
from carom.representation import shown_as_call

# Coefficients of the approximant (1 + B1 x) / (1 + B1 x + B2 x² + B3 x³ + B4 x⁴).
B1, B2, B3, B4 = 0.501086, 1.15345, 0.577977, 0.532178


@shown_as_call
class ViscoelasticRestitution(NamedTuple):
    """Restitution from the material: Young's modulus, Poisson ratio, dissipative time A.

    With ρ = 2 Y √R_eff / (3 (1 − ν²)) and β = 3/2 A (ρ / m_eff)^(2/5) it is a function of
    v* = β^(1/2) v^(1/10) alone.
    """

    young_modulus: float
    poisson_ratio: float
    dissipation_time: float

    def check(self) -> None:
        """Refuse parameters that no material has."""
        if not (math.isfinite(self.young_modulus) and self.young_modulus > 0):
            raise ValueError(
                "ViscoelasticRestitution: young_modulus must be positive, "
                f"not {self.young_modulus!r}."
            )
        if not -1.0 < self.poisson_ratio <= 0.5:
            raise ValueError(
                "ViscoelasticRestitution: poisson_ratio lies between -1 and 0.5, "
                f"not {self.poisson_ratio!r}."
            )
        if not (math.isfinite(self.dissipation_time) and self.dissipation_time >= 0):
            raise ValueError(
                "ViscoelasticRestitution: dissipation_time must be zero or positive, "
                f"not {self.dissipation_time!r}."
            )


@restitution.register(ViscoelasticRestitution)
@kernel
def _(contact: Contact, law: ViscoelasticRestitution) -> float:
    rho = 2.0 * law.young_modulus * math.sqrt(contact.effective_radius)
    rho /= 3.0 * (1.0 - law.poisson_ratio * law.poisson_ratio)
    per_mass = rho / contact.reduced_mass
    # Both powers of v* = β^(1/2) v^(1/10) are tenths: one root does for both.
    tenth_root = power(per_mass * per_mass * contact.approach_speed, 0.1)
    x = math.sqrt(1.5 * law.dissipation_time) * tenth_root
    rational = 1.0 + B1 * x
    return rational / (rational + x * x * (B2 + x * (B3 + x * B4)))
