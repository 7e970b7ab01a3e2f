"""A small picture of particles: an SVG of a few kilobytes, however many they are."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from carom.types import Array

WIDTH = 220  # pixels of the longer side
MOST_DRAWN = {2: 2000, 3: 1000}  # by dimension: spheres have rims
# Okabe and Ito's colours that stand out from white and from black; species go round them.
COLOURS = ("#3f8fcb", "#e08a1e", "#1fa37a", "#c9699e", "#d0593a", "#8f9ba8")
SIZES = 12  # to which radii are rounded: disks of a size are one line of the file
DEPTHS = 12  # shades from the back to the front
RIM, RIMMED = 0.8, 4.0  # pixels: of a rim, and across the smallest sphere that has one
FARTHEST = 0.25  # opacity
NARROWED = 0.94  # of a diameter: disks that touch stay apart to the eye
# Open space shows what lies within so many widths of the middle half; strays are counted.
STRAY = 4.0


class View(NamedTuple):
    """What is looked at: a box between two corners, which repeats along some axes or has walls."""

    lower: Array
    upper: Array
    periodic: Sequence[bool] | None  # None without a box


def thumbnail(
    position: Array,
    radius: Array,
    species: Any,
    sides: Sequence[float] | None = None,
    periodic: Sequence[bool] | None = None,
) -> str:
    """Disks (n, 2), or spheres (n, 3) seen at an angle, with what is not drawn said below."""
    position, radius = np.asarray(position), np.asarray(radius)
    fine = np.flatnonzero(np.isfinite(position).all(axis=1) & np.isfinite(radius))
    lost = len(position) - len(fine)
    chosen = fine
    most, dimension = MOST_DRAWN[position.shape[1]], position.shape[1]
    if len(fine) > most:
        # The same ones every time; every k-th would draw stripes of a lattice.
        chosen = np.sort(np.random.default_rng(0).choice(fine, most, replace=False))
        # Together they fill as much as all do.
        radius = radius * (len(fine) / most) ** (1.0 / dimension)
    places, sizes, kinds = position[chosen], radius[chosen], np.asarray(species)[chosen]
    if sides is None:
        view, within = _open_view(places, sizes)
        outside = len(places) - int(within.sum())
        places, sizes, kinds = places[within], sizes[within], kinds[within]
    else:
        view, outside = View(np.zeros(len(sides)), np.array(sides, dtype=float), periodic), 0
        places = _in_box(places, view)
    notes = [
        (f"{len(chosen):,} of {len(position):,} drawn, enlarged", len(chosen) < len(fine)),
        (f"{outside:,} farther out", outside > 0),
        (f"{lost:,} nowhere", lost > 0),
    ]
    draw = _plane if dimension == 2 else _space
    caption = "; ".join(text for text, is_true in notes if is_true)
    below = f'<div style="font-size:0.8em;opacity:0.65">{caption}</div>' if caption else ""
    return draw(places, sizes, kinds, view) + below


def _in_box(places: Array, view: View) -> Array:
    """Places that periodic boundaries bring back into the box."""
    sides, repeats = view.upper, np.array(view.periodic)
    return np.where(repeats, np.mod(places, sides), places)


def _open_view(places: Array, sizes: Array) -> tuple[View, Any]:
    """What is shown of open space, and which particles lie within."""
    if len(places) == 0:
        return View(-np.ones(places.shape[1]), np.ones(places.shape[1]), None), np.zeros(0, bool)
    lower, upper, within = crowd(places, sizes)
    return View(lower, upper, None), within


def crowd(places: Array, sizes: Array) -> tuple[Array, Array, Any]:
    """The corners of what is shown of particles in open space: all, but for those far away from the
    middle half. And which these are not."""
    low, middle, high = np.quantile(places, (0.25, 0.5, 0.75), axis=0)
    reach = STRAY * max(float((high - low).max()), 2.0 * float(sizes.max()))
    within = (np.abs(places - middle) <= reach).all(axis=1)
    margin = sizes[within, None]
    lower, upper = (places[within] - margin).min(axis=0), (places[within] + margin).max(axis=0)
    return lower, upper, within


def _plane(places: Array, sizes: Array, kinds: Any, view: View) -> str:
    """Disks to scale in their box."""
    scale = WIDTH / float((view.upper - view.lower).max())
    width, height = (view.upper - view.lower) * scale
    # The y axis of a picture points down.
    x, y = (places[:, 0] - view.lower[0]) * scale, (view.upper[1] - places[:, 1]) * scale
    disks = _dots(np.column_stack([x, y]), 2.0 * sizes * scale, kinds)
    frame = "" if view.periodic is None else _borders(width, height, view.periodic)
    return _svg(width, height, disks + frame)


def _borders(width: float, height: float, periodic: Sequence[bool]) -> str:
    """Walls as full lines, periodic borders as faint broken ones."""
    edges = [
        f"M0 0V{height:.1f}M{width:.1f} 0V{height:.1f}",
        f"M0 0H{width:.1f}M0 {height:.1f}H{width:.1f}",
    ]
    styles = [
        'stroke-width="1" stroke-dasharray="4 3" opacity="0.5"' if repeats else 'stroke-width="2"'
        for repeats in periodic
    ]
    lines = zip(edges, styles, strict=True)
    return "".join(
        f'<path d="{d}" fill="none" stroke="currentColor" {style}/>' for d, style in lines
    )


def _space(places: Array, sizes: Array, kinds: Any, view: View) -> str:
    """Spheres from the side and a little above, the far ones faint."""
    turn, tilt = np.radians(30.0), np.radians(20.0)
    right = np.array([np.cos(turn), np.sin(turn), 0.0])
    ahead = np.array([-np.sin(turn) * np.cos(tilt), np.cos(turn) * np.cos(tilt), -np.sin(tilt)])
    up = np.cross(right, ahead)
    corners = np.array(list(itertools.product(*zip(view.lower, view.upper, strict=True))))
    seen = np.column_stack([corners @ right, -corners @ up])
    origin = seen.min(axis=0)
    scale = (WIDTH - 2.0) / float((seen.max(axis=0) - origin).max())
    width, height = (seen.max(axis=0) - origin) * scale + 2.0
    corner_places = (seen - origin) * scale + 1.0
    flat = (np.column_stack([places @ right, -places @ up]) - origin) * scale + 1.0
    order = np.argsort(-(places @ ahead), kind="stable")
    layers = [part for part in np.array_split(order, DEPTHS) if len(part)]
    drawn = [
        f'<g opacity="{FARTHEST + (1.0 - FARTHEST) * (k + 1) / len(layers):.2f}">'
        f"{_spheres(flat[part], 2.0 * sizes[part] * scale, kinds[part])}</g>"
        for k, part in enumerate(layers)
    ]
    back, front = ("", "") if view.periodic is None else _edges(corner_places, corners @ ahead)
    return _svg(width, height, back + "".join(drawn) + front)


def _edges(places: Array, depth: Array) -> tuple[str, str]:
    """The edges of the box behind the spheres, which meet in its farthest corner, and the rest."""
    pairs = [(a, b) for a in range(8) for b in range(a) if (a ^ b) in (1, 2, 4)]
    farthest = int(np.argmax(depth))
    groups = [[pair for pair in pairs if (farthest in pair) == behind] for behind in (True, False)]
    back, front = (
        "".join("M{:.1f} {:.1f}L{:.1f} {:.1f}".format(*places[a], *places[b]) for a, b in group)
        for group in groups
    )
    style = 'fill="none" stroke="currentColor" stroke-width="1" opacity="0.5"'
    return f'<path d="{back}" {style}/>', f'<path d="{front}" {style}/>'


def _spheres(places: Array, diameters: Array, kinds: Any) -> str:
    """Dots with dark rims, if they are large enough."""
    if len(diameters) == 0 or diameters.min() < RIMMED:
        return _dots(places, diameters, kinds)
    rims = _dots(places, diameters, np.zeros_like(kinds), ("#123",))
    return rims + _dots(places, diameters - 2.0 * RIM, kinds)


def _dots(places: Array, diameters: Array, kinds: Any, colours: Sequence[str] = COLOURS) -> str:
    """Round dots: a path for each colour and size, with a stroke of no length for each dot."""
    if len(places) == 0:
        return ""
    widths = _rounded(np.maximum(diameters * NARROWED, 0.7))
    paths = []
    for width in np.unique(widths)[::-1]:  # small ones over large ones
        for kind in np.unique(kinds):
            some = places[(widths == width) & (kinds == kind)]
            if len(some):
                marks = "".join(f"M{x:.1f} {y:.1f}h0" for x, y in some.tolist())
                paths.append(
                    f'<path d="{marks}" stroke="{colours[int(kind) % len(colours)]}" '
                    f'stroke-width="{width:.2f}" stroke-linecap="round"/>'
                )
    return "".join(paths)


def _rounded(widths: Array) -> Array:
    """Widths as they are, or rounded to some sizes, evenly spread, if they are many."""
    few = np.unique(widths)
    if len(few) <= SIZES:
        return widths
    sizes = np.linspace(few[0], few[-1], SIZES)
    return np.asarray(sizes[np.abs(widths[:, None] - sizes).argmin(axis=1)])


def _svg(width: float, height: float, inside: str) -> str:
    width, height = max(float(width), 8.0), max(float(height), 8.0)
    return (
        f'<svg width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.1f} {height:.1f}" style="max-width:100%;display:block">'
        f"{inside}</svg>"
    )
