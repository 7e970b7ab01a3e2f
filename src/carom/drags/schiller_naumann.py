"""Drag at Reynolds numbers that are not small."""

from __future__ import annotations

import math
from typing import NamedTuple

from carom.compiled.kernels import kernel
from carom.drags.drag import resistance
from carom.functions import power
from carom.particles import LARGEST, SMALLEST
from carom.representation import shown_as_call


@shown_as_call
class SchillerNaumann(NamedTuple):
    """1 + 0.15 Re^0.687 times Stokes's drag, with the particle's Reynolds number Re = 2 r |u − v| /
    ``viscosity`` (kinematic); made for Re < 800 (Schiller & Naumann 1933)."""

    viscosity: float

    def check(self) -> None:
        """Refuse a fluid without viscosity."""
        if not (math.isfinite(self.viscosity) and self.viscosity > 0.0):
            raise ValueError(
                f"SchillerNaumann: viscosity must be positive, not {self.viscosity!r}; for drag in "
                "proportion to the speed leave drag= out."
            )
        # So that no Reynolds number overflows.
        if not SMALLEST <= self.viscosity <= LARGEST:
            raise ValueError(
                f"SchillerNaumann: viscosity={self.viscosity!r} is not between {SMALLEST:g} and "
                f"{LARGEST:g}; use other units."
            )


@resistance.register(SchillerNaumann)
@kernel
def _(slip: float, radius: float, drag: SchillerNaumann) -> float:
    reynolds = 2.0 * radius * slip / drag.viscosity
    return 1.0 + 0.15 * power(reynolds, 0.687)
