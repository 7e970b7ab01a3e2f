"""How strongly a fluid resists a particle that moves through it."""

from __future__ import annotations

import math
from typing import Any

from carom.checks import is_number
from carom.compiled.components import answer_of, check_component, is_foreign
from carom.compiled.dispatch import dispatch_on


@dispatch_on("drag")
def resistance(slip: float, radius: float, drag: Any) -> float:
    """The drag at the speed ``slip`` relative to the fluid, as a multiple of Stokes's."""


def check_drag(drag: Any) -> None:
    """Refuse what is no law of drag, or one that would push."""
    if type(drag) not in resistance.implementations:
        raise TypeError(
            f"drag={drag!r} is no law of drag; use carom.drags.Stokes(), "
            "carom.drags.SchillerNaumann(viscosity), or write one: a NamedTuple of its parameters "
            "and a function registered with "
            f"@carom.drags.resistance.register({type(drag).__name__})."
        )
    check_component("drag", drag)
    if is_foreign(drag):
        for slip in (0.0, 1.0):
            value = answer_of("drag", drag, resistance, slip, 0.5, drag)
            if not (is_number(value) and math.isfinite(value) and value >= 0.0):
                raise ValueError(
                    f"drag={drag!r} gives {value!r} at the speed {slip}; it must be a finite "
                    "multiple of Stokes's drag, not negative."
                )
