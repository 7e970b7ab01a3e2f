"""A flow under the particles: its speed or vorticity in colour, with streamlines or arrows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection
from matplotlib.colors import Normalize
from matplotlib.patches import Rectangle

from carom.particles import Array
from carom.plotting.planar import view
from carom.plotting.slices import Slice
from carom.plotting.style import BRIGHTEST_PERCENTILE, Theme, softened
from carom.raster import streamlines
from carom.representation import shown_as_call

# Points at which the flow is looked at, along the longer side.
RESOLUTION = 160
ARROWS = 24  # along the longer side
LINES = 33  # one beside the other along the longer side
SHORTEST, LONGEST = 0.08, 0.4  # of the lines, as shares of the longer side
LINE_WIDTH = 0.6  # points
# Inches, of the shaft that an arrow's head would have, and how often the head is as long as that.
HEAD_WIDTH, HEAD_LENGTH = 0.008, 6.0
SLOW = 0.05  # of the fastest: no line begins where the flow is slower
UNDER, OVER = 0.2, 0.4  # the order of colours and lines; particles come at 1
# Colours step back behind particles by so much of the paper.
PALER = 0.45

VelocityAt = Callable[[Array, float], Array]


@shown_as_call
@dataclass(frozen=True)
class FlowView:
    """How a flow is shown.

    ``velocity_at(points, time)`` gives the velocities (k, d) at points (k, d); left out, it is the
    fluid of the simulation. Colours show its ``"speed"`` or ``"vorticity"``, lines are
    ``"streamlines"``, ``"arrows"`` or ``"none"``. In space a ``Slice`` is drawn, with the vorticity
    about its axis.
    """

    velocity_at: VelocityAt | None = None
    show: Literal["speed", "vorticity"] = "speed"
    lines: Literal["streamlines", "arrows", "none"] = "streamlines"
    slice: Slice = field(default_factory=Slice)

    def __post_init__(self) -> None:
        for name, known in (
            ("show", ("speed", "vorticity")),
            ("lines", ("streamlines", "arrows", "none")),
        ):
            if getattr(self, name) not in known:
                options = ", ".join(map(repr, known))
                raise ValueError(f"{name} must be one of {options}, not {getattr(self, name)!r}.")


class FlowSample(NamedTuple):
    """A flow at one time, on a grid of r rows and c columns."""

    flow: FlowView
    x: Array  # (c,)
    y: Array  # (r,)
    velocity: Array  # (r, c, 2) in the plane of the picture
    values: Array  # (r, c) what the colours show


def sampled_flow(
    flow: FlowView, look: Any, corners: tuple[Array, Array] | None = None
) -> FlowSample:
    """A flow at the time of a look, on a grid over what is between two corners (d,) of the box or
    of open space; left out, over the box or what ``view`` shows."""
    system, time = look.system, look.time
    velocity_at = flow.velocity_at or _own_fluid(look)
    kept = flow.slice.kept if system.dimension == 3 else [0, 1]
    corners = view(system, look.particles) if corners is None else corners
    if system.sides is not None:
        corners = np.maximum(corners[0], 0.0), np.minimum(corners[1], system.sides)
    lower, upper = corners[0][kept], corners[1][kept]
    spacing = float((upper - lower).max()) / RESOLUTION
    number = np.maximum(np.round((upper - lower) / spacing).astype(int), 2)
    step = (upper - lower) / number
    x, y = (lower[k] + step[k] * (np.arange(number[k]) + 0.5) for k in (0, 1))
    flat = np.stack(np.meshgrid(x, y), axis=-1)

    def velocity(shift: Any) -> Array:
        points = (flat + shift).reshape(-1, 2)
        if system.dimension == 3:
            points = flow.slice.in_space(points, system)
        rows = _checked_velocity(velocity_at, points, time)
        return rows.reshape(*flat.shape[:2], system.dimension)

    full = velocity(0.0)
    if flow.show == "speed":
        values = np.sqrt((full**2).sum(axis=-1))
    else:
        # Central differences between the sides of each cell of the grid.
        to_right, upwards = np.array([0.5 * step[0], 0.0]), np.array([0.0, 0.5 * step[1]])
        along_x = (velocity(to_right) - velocity(-to_right))[..., kept[1]] / step[0]
        along_y = (velocity(upwards) - velocity(-upwards))[..., kept[0]] / step[1]
        values = along_x - along_y
        if system.dimension == 3:
            values *= flow.slice.handedness
    return FlowSample(flow, x, y, full[..., kept], values)


def _own_fluid(look: Any) -> VelocityAt:
    fluid = getattr(look, "fluid", None)
    if fluid is None:
        raise ValueError(
            "there is no fluid, or what was kept of a run does not know its fluid: use "
            "FlowView(velocity_at=...), or keep it during the run, Looks(every, FlowView())."
        )
    return fluid.velocity  # type: ignore[no-any-return]


def _checked_velocity(velocity_at: VelocityAt, points: Array, time: float) -> Array:
    velocity = np.asarray(velocity_at(points, time), dtype=np.float64)
    if velocity.shape != points.shape:
        raise ValueError(
            f"velocity_at must give one velocity for each point, shape {points.shape}, not "
            f"{velocity.shape}."
        )
    if not np.isfinite(velocity).all():
        k = int(np.flatnonzero(~np.isfinite(velocity).all(axis=1))[0])
        raise ValueError(f"velocity_at is not finite at {points[k]}: {velocity[k]}.")
    return velocity


def flow_scale(samples: list[FlowSample]) -> Normalize:
    """The scale for all of these: speeds from 0, vorticities with 0 in the middle.

    The fastest few places of a turbulent flow would leave all the others pale.
    """
    sizes = [np.percentile(np.abs(sample.values), BRIGHTEST_PERCENTILE) for sample in samples]
    largest = float(max(sizes)) or 1.0
    lowest = 0.0 if samples[0].flow.show == "speed" else -largest
    return Normalize(lowest, largest, clip=True)


def draw_flow(axes: Any, sample: FlowSample, scale: Normalize, theme: Theme) -> ScalarMappable:
    """Draw a flow; what explains its colours."""
    half_x, half_y = (0.5 * (places[1] - places[0]) for places in (sample.x, sample.y))
    left, right = sample.x[0] - half_x, sample.x[-1] + half_x
    lower, upper = sample.y[0] - half_y, sample.y[-1] + half_y
    image = axes.imshow(
        sample.values,
        cmap=softened(
            theme.values if sample.flow.show == "speed" else theme.signed, theme.paper, PALER
        ),
        norm=scale,
        origin="lower",
        interpolation="bilinear",
        extent=(left, right, lower, upper),
        zorder=UNDER,
    )
    if np.abs(sample.velocity).max() > 0.0:
        if sample.flow.lines == "streamlines":
            _draw_streamlines(axes, sample, theme)
        elif sample.flow.lines == "arrows":
            arrows = _draw_arrows(axes, sample, theme)
            frame = Rectangle((left, lower), right - left, upper - lower)
            arrows.set_clip_path(frame.get_path(), frame.get_transform() + axes.transData)
    return image


def _draw_streamlines(axes: Any, sample: FlowSample, theme: Theme) -> None:
    # Lines begin at the places of the arrows, but not where they would run in the smallest circles.
    some = _some(sample)
    speed = np.sqrt((sample.velocity**2).sum(axis=-1))
    rows, columns = np.indices(speed.shape)
    places = np.stack([columns, rows], axis=-1)[some, some]
    starts = places[speed[some, some] > SLOW * speed.max()]
    corner = np.array([sample.x[0], sample.y[0]])
    cell = np.array([sample.x[1] - sample.x[0], sample.y[1] - sample.y[0]])
    longer = max(speed.shape)
    lengths = SHORTEST * longer, LONGEST * longer
    found = streamlines(sample.velocity / cell, starts, longer / LINES, lengths)
    lines = [corner + cell * line for line in found]
    axes.add_collection(
        LineCollection(lines, colors=theme.line, linewidths=LINE_WIDTH, zorder=OVER),
        autolim=False,
    )
    middle = np.array([line[len(line) // 2] for line in lines]).reshape(-1, 2)
    ahead = np.array([line[len(line) // 2 + 1] for line in lines]).reshape(-1, 2) - middle
    ahead *= HEAD_LENGTH * HEAD_WIDTH / np.sqrt((ahead**2).sum(axis=1, keepdims=True))
    axes.quiver(
        *middle.T,
        *ahead.T,
        units="inches",
        scale=1.0,
        scale_units="inches",
        pivot="mid",
        color=theme.line,
        zorder=OVER,
        width=HEAD_WIDTH,
        # Nothing but heads: a line is their shaft.
        headwidth=HEAD_LENGTH,
        headlength=HEAD_LENGTH,
        headaxislength=HEAD_LENGTH,
    )


def _draw_arrows(axes: Any, sample: FlowSample, theme: Theme) -> Any:
    some = _some(sample)
    velocity = sample.velocity[some, some]
    fastest = float(np.sqrt((sample.velocity**2).sum(axis=-1)).max())
    return axes.quiver(
        sample.x[some],
        sample.y[some],
        velocity[..., 0],
        velocity[..., 1],
        angles="xy",
        scale_units="xy",
        # The fastest reaches to the next arrow.
        scale=fastest / (some.step * (sample.x[1] - sample.x[0])),
        color=theme.line,
        width=0.0022,
        zorder=OVER,
    )


def _some(sample: FlowSample) -> slice:
    """Rows or columns of the grid where arrows and lines begin."""
    every = max(max(len(sample.x), len(sample.y)) // ARROWS, 1)
    return slice(every // 2, None, every)
