"""What is worth knowing of a system."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from carom.html.card import Fact, call, card, number
from carom.html.particles_card import kinds
from carom.html.thumbnail import thumbnail


def system_card(system: Any) -> str:
    """A system as HTML."""
    title = f"System: {system.particles.described}"
    return card(title, facts(system), lambda: picture(system, system.particles))


def facts(system: Any) -> Iterator[Fact]:
    """What it is made of."""
    yield from kinds(system.particles)
    yield "domain", lambda: call(system.domain)
    if math.isfinite(system.volume):
        yield "packing fraction", lambda: number(system.packing_fraction)
        yield "number density", lambda: number(len(system.particles) / system.volume)
    yield "law", lambda: call(system.law)
    if system.gravity is not None:
        yield "gravity", lambda: ", ".join(map(number, system.gravity))
    if system.acceleration is not None:
        yield "acceleration", lambda: "one for each"
    if system.walls:
        yield "further walls", lambda: ", ".join(map(call, system.walls))
    if system.force is not None:
        yield "force", lambda: call(system.force)


def picture(system: Any, particles: Any) -> str:
    """Particles in the box of a system, or in open space."""
    columns = particles.position, particles.radius, particles.species
    return thumbnail(*columns, system.sides, system.periodic)
