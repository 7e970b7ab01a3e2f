"""The same restitution for every contact."""

from __future__ import annotations

from typing import NamedTuple

from carom.collisions.restitution import Contact, check_coefficient, restitution
from carom.compiled.kernels import kernel
from carom.representation import shown_as_call


@shown_as_call
class ConstantRestitution(NamedTuple):
    """Every contact keeps the fraction ``coefficient`` of its approach speed."""

    coefficient: float

    def check(self) -> None:
        """Refuse a coefficient outside [0, 1]."""
        check_coefficient("ConstantRestitution", self.coefficient)


@restitution.register(ConstantRestitution)
@kernel
def _(contact: Contact, law: ConstantRestitution) -> float:
    return law.coefficient
