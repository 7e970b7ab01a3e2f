"""What a page has to know of a system before its first frame."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from carom.particles import SMALLEST
from carom.types import Plain
from carom.walls.surface import spanned

MOST_LINES = 20_000  # of a mesh; of more, some are left out


def described_scene(simulation: Any, offered: Plain) -> Plain:
    """The box, the walls and what can be chosen, as plain data."""
    system = simulation.system
    particles = system.particles
    lower, upper = corners(system, particles.position, particles.radius)
    return {
        "dimension": system.dimension,
        "particles": len(particles),
        "lower": lower,
        "upper": upper,
        "boxed": system.sides is not None,
        "periodic": list(system.periodic) if system.sides is not None else [],
        "walls": [
            *(described_plane(wall) for wall in system.further_planes),
            *(described_shape(shape, np.array(lower), np.array(upper)) for shape in system.shapes),
        ],
        "species": list(particles.species_names),
        "method": type(simulation.method).__name__,
        "system": repr(system),
        "largest": float(particles.radius.max(initial=SMALLEST)),
        "offered": offered,
    }


def described_plane(wall: Any) -> Plain:
    """A plane as plain data."""
    return {"kind": "plane"} | dataclasses.asdict(wall)


def described_shape(shape: Any, lower: Any, upper: Any) -> Plain:
    """The edges of any other wall, or those of its triangles where it has no sharp ones: the
    coordinates of all their ends."""
    triangles, lines = shape.surface(lower, upper)
    if len(lines) == 0:
        lines = np.concatenate([triangles[:, [k, (k + 1) % 3]] for k in range(3)])
    some = lines[:: -(-len(lines) // MOST_LINES) or 1]
    return {"kind": "lines", "ends": some.reshape(-1, 3).tolist()}


def corners(system: Any, position: Any, radius: Any) -> tuple[list[float], list[float]]:
    """The corners of what is shown at first: the box, or in open space most particles."""
    if system is not None and system.sides is not None:
        return [0.0] * system.dimension, list(system.sides)
    if len(position) == 0:
        return [-1.0] * position.shape[1], [1.0] * position.shape[1]
    lower, upper = np.percentile(position, [1.0, 99.0], axis=0)
    if system is not None:
        lower, upper = spanned(system.shapes, lower, upper)
    margin = 2.0 * float(np.median(radius)) + 0.05 * float((upper - lower).max())
    return (lower - margin).tolist(), (upper + margin).tolist()
