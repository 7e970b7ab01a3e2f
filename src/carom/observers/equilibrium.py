"""Where fluctuations tell transport coefficients: fluids in equilibrium."""

from __future__ import annotations

from typing import Any

from carom.collisions import Elastic
from carom.statistics import box_around


def refuse_out_of_equilibrium(who: str, simulation: Any) -> None:
    """Refuse what gains or loses energy or momentum."""
    box_around(simulation)
    system = simulation.system
    if not isinstance(system.law, Elastic):
        raise ValueError(f"{who} needs a fluid in equilibrium, but {system.law!r} costs energy.")
    if getattr(simulation.method, "friction", None):
        raise ValueError(f"{who} needs a fluid in equilibrium, but friction costs energy.")
    if not simulation.temperature > 0.0:
        raise ValueError(f"{who}: all particles are at rest.")
    carried = hasattr(simulation, "fluid")
    disturbed = system.shear_rate != 0.0 or not system.conserves_momentum
    if disturbed or carried or simulation.actors:
        raise ValueError(
            f"{who} needs a fluid in equilibrium that is left alone: no shear, no gravity or other "
            "forces, no flow that carries the particles, no actors."
        )
