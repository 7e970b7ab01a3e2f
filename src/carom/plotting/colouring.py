"""What the colour of a particle means: its speed, the density around it, its group or species, a
value, or nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Colormap, Normalize, to_rgba
from scipy.spatial import cKDTree

from carom.particles import LARGEST, Array
from carom.plotting.planar import with_images
from carom.plotting.style import BRIGHTEST_PERCENTILE, LIGHT, Theme, colours_of_kinds

# The density around a particle is counted up to so many of the largest radii.
NEIGHBOURHOOD = 8.0


class Colouring(NamedTuple):
    """A colour for each particle (n, 4), and what explains them: a scale or a legend."""

    colours: Array
    label: str
    scale: ScalarMappable | None
    legend: dict[str, str]


def colouring(
    simulation: Any,
    colour: str | Sequence[float],
    groups: Mapping[str, slice],
    limits: Normalize | None = None,
    theme: Theme = LIGHT,
) -> Colouring:
    """The colouring by ``"speed"``, ``"density"``, ``"group"``, ``"species"``, one value per
    particle, or ``"plain"``; between limits other than those of the values, if given."""
    particles = simulation.particles
    if isinstance(colour, str) and colour == "plain":
        return Colouring(np.tile(to_rgba(theme.ink), (len(particles), 1)), "", None, {})
    if isinstance(colour, str) and colour == "group":
        return _by_group(len(particles), groups, theme)
    if isinstance(colour, str) and colour == "species":
        species = {name: particles.of_species(name) for name in particles.species_names}
        return _by_group(len(particles), species, theme)
    if isinstance(colour, str) and colour == "speed":
        speed = np.sqrt((particles.velocity**2).sum(axis=1))
        return _by_value(speed, "speed", limits, theme.values)
    if isinstance(colour, str) and colour == "density":
        fraction = local_packing_fraction(simulation)
        return _by_value(fraction, "local packing fraction", limits, theme.crowded)
    values = np.asarray(colour)
    if values.shape != (len(particles),) or values.dtype.kind not in "iuf":
        raise ValueError(
            'colour must be "speed", "density", "group", "species", "plain" or '
            f"{len(particles)} numbers, not {colour!r}."
        )
    beyond = np.flatnonzero(np.isinf(values) | (np.abs(values) > LARGEST))
    if len(beyond):
        raise ValueError(
            f"colour of particle {beyond[0]} is {values[beyond[0]]}, which no scale can show; use "
            f"numbers up to {LARGEST:g}, or NaN for none."
        )
    return _by_value(values.astype(np.float64), "", limits, theme.values)


def _by_value(
    values: Array, label: str, limits: Normalize | None, colour_map: Colormap
) -> Colouring:
    if limits is None:
        shown = values[~np.isnan(values)]
        lowest = min(0.0, float(shown.min(initial=0.0)))
        highest = float(np.percentile(shown, BRIGHTEST_PERCENTILE)) if len(shown) else lowest
        limits = Normalize(lowest, highest if highest > lowest else lowest + 1.0, clip=True)
    scale = ScalarMappable(limits, colour_map)
    return Colouring(scale.to_rgba(values), label, scale, {})


def _by_group(n: int, groups: Mapping[str, Any], theme: Theme) -> Colouring:
    colours = np.tile(to_rgba(theme.faint), (n, 1))
    legend = dict(zip(groups, colours_of_kinds(len(groups)), strict=True))
    for name, members in groups.items():
        try:
            colours[members] = to_rgba(legend[name])
        except IndexError as error:
            raise ValueError(
                f"groups[{name!r}]={members!r} are not some of the {n} particles ({error}); use a "
                "slice or their numbers."
            ) from error
    return Colouring(colours, "", None, {str(name): colour for name, colour in legend.items()})


def local_packing_fraction(simulation: Any) -> Array:
    """The share of a disk or ball around each particle that its neighbours and it fill, (n,)."""
    particles, system = simulation.particles, simulation.system
    position, radius = particles.position, particles.radius
    reach = NEIGHBOURHOOD * float(radius.max())
    box = None
    around = position
    if system.shear_rate != 0.0:
        offset = system.offset(simulation.time)
        around = with_images(system, position, np.full(len(position), reach), offset)[0]
    elif system.sides is not None and any(system.periodic):
        box = np.where(system.periodic, system.sides, 0.0)
        repeating = box > 0.0
        # The tree wants images inside the box and reaches of less than half of it.
        position = np.where(repeating, position % np.where(repeating, box, 1.0), position)
        reach = min(reach, 0.49 * float(box[repeating].min()))
        around = position
    tree = cKDTree(around, boxsize=box)
    number = tree.query_ball_point(position, reach, return_length=True)
    mean_volume = float((radius**particles.dimension).mean())
    return np.asarray(number * mean_volume / reach**particles.dimension)
