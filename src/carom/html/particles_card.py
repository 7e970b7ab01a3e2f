"""What is worth knowing of particles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from carom.html.card import Fact, Markup, card, number, shown
from carom.html.thumbnail import COLOURS, thumbnail
from carom.types import Array


def particles_card(particles: Any) -> str:
    """Particles as HTML."""

    def picture() -> str:
        return thumbnail(particles.position, particles.radius, particles.species)

    return card(f"Particles: {particles.described}", _all_facts(particles), picture)


def _all_facts(particles: Any) -> Iterator[Fact]:
    yield from kinds(particles)
    yield "kinetic energy", lambda: number(particles.kinetic_energy)
    yield "places", lambda: _corners(particles.position)


def kinds(particles: Any) -> Iterator[Fact]:
    """How large and heavy they are, and how many are of which species."""
    yield "radius", lambda: span(particles.radius)
    yield "mass", lambda: span(particles.mass)
    if len(particles.species_names) > 1:
        yield "species", lambda: _species(particles)


def span(values: Array) -> str:
    """The number that all are, or the least and the largest."""
    least, largest = number(np.min(values)), number(np.max(values))
    return least if least == largest else f"{least} to {largest}"


def _species(particles: Any) -> Markup:
    """A dot in the colour of the picture, the name and the number of each."""
    names = particles.species_names
    numbers = np.bincount(particles.species, minlength=len(names))
    several = [
        f'<span style="color:{COLOURS[k % len(COLOURS)]}">●</span> {shown(name)} {numbers[k]:,}'
        for k, name in enumerate(names[: 2 * len(COLOURS)])
    ]
    more = len(names) - len(several)
    return Markup(", ".join(several) + (f" and {more} more" if more else ""))


def _corners(position: Array) -> str:
    axes = zip("xyz", position.min(axis=0), position.max(axis=0), strict=False)
    return ", ".join(f"{axis} {number(least)} to {number(most)}" for axis, least, most in axes)
