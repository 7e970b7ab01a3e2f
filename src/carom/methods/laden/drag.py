"""How strongly a fluid resists a particle that moves through it."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from carom.checks import is_number
from carom.compiled.components import answer_of, check_parameters, is_foreign, own_method
from carom.compiled.jit import dispatch_on, kernel
from carom.functions import power
from carom.particles import LARGEST, SMALLEST


@dispatch_on("drag")
def resistance(drag: Any, slip: float, radius: float) -> float:
    """The drag at a speed relative to the fluid, as a multiple of Stokes's."""
    raise NotImplementedError


class Stokes(NamedTuple):
    """Drag in proportion to the speed, as for small Reynolds numbers."""

    def check(self) -> None:
        """There is nothing that could be wrong."""


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


@resistance.register(Stokes)
@kernel
def _(drag: Stokes, slip: float, radius: float) -> float:
    return 1.0


@resistance.register(SchillerNaumann)
@kernel
def _(drag: SchillerNaumann, slip: float, radius: float) -> float:
    reynolds = 2.0 * radius * slip / drag.viscosity
    return 1.0 + 0.15 * power(reynolds, 0.687)


def check_drag(drag: Any) -> None:
    """Refuse what is no law of drag, or one that would push."""
    if type(drag) not in resistance.implementations:
        raise TypeError(
            f"drag={drag!r} is no law of drag; use carom.Stokes(), carom.SchillerNaumann(viscosity)"
            ", or write one: a NamedTuple of its parameters and a function registered with "
            f"@carom.methods.laden.drag.resistance.register({type(drag).__name__})."
        )
    check_parameters("drag", drag)
    own_check = own_method(drag, "check")
    if own_check is not None:
        own_check()
    if is_foreign(drag):
        for slip in (0.0, 1.0):
            value = answer_of("drag", drag, resistance, drag, slip, 0.5)
            if not (is_number(value) and math.isfinite(value) and value >= 0.0):
                raise ValueError(
                    f"drag={drag!r} gives {value!r} at the speed {slip}; it must be a finite "
                    "multiple of Stokes's drag, not negative."
                )
