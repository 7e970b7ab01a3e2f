"""Fluids that have forgotten the lattice they started from."""

from __future__ import annotations

import carom

COLLISIONS_EACH = 20  # elastic ones per particle, after which a lattice is forgotten


def melted(system: carom.System, collisions_each: int = COLLISIONS_EACH) -> carom.System:
    """The system after so many elastic collisions per particle."""
    simulation = carom.Simulation(system)
    simulation.run(collisions=collisions_each * len(system.particles) // 2, progress=False)
    return carom.System(
        simulation.particles, system.domain, gravity=system.gravity, walls=system.walls
    )
