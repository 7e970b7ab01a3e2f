"""Looks at a simulation on axes: the particles, the flow under them, and what colours mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize, to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from carom.checks import numbers_in
from carom.particles import Array
from carom.plotting.colouring import Colouring, colouring
from carom.plotting.flow import FlowSample, FlowView, draw_flow, flow_scale, sampled_flow
from carom.plotting.looks import Look
from carom.plotting.painted import Paint, Painted
from carom.plotting.planar import (
    draw_surroundings,
    number_outside,
    paint_disks,
    show_part,
    view,
)
from carom.plotting.slices import slice_through
from carom.plotting.spatial import extent, paint_spheres
from carom.plotting.style import LIGHT, Theme, ThemeName, readable, theme_of

WIDEST_LEGEND = 60  # letters in a row, with four for each mark

Colour = str | Sequence[float] | None
Region = tuple[Sequence[float], Sequence[float]] | None


class Content(NamedTuple):
    """What a picture shows; the scales and corners of a film are the same in all its frames."""

    colour: Colour = None
    groups: Mapping[str, slice] | None = None
    title: str | None = None
    flow: FlowView | None = None
    theme: Theme = LIGHT
    region: tuple[Array, Array] | None = None
    particle_scale: Normalize | None = None
    flow_scale: Normalize | None = None
    corners: tuple[Array, Array] | None = None

    @property
    def meaning(self) -> str | Sequence[float]:
        """What the colours of particles show: if nobody says, their speed, over a flow nothing."""
        if self.colour is not None:
            return self.colour
        return "speed" if self.flow is None else "plain"

    @property
    def is_plain(self) -> bool:
        """Whether the colours of particles show nothing."""
        return isinstance(self.meaning, str) and self.meaning == "plain"

    @property
    def scales(self) -> int:
        """How many colour scales there may be beside the picture."""
        return (self.flow is not None) + (not self.is_plain)

    def colours_of(self, look: Any) -> Colouring:
        """The colours of the particles of a look."""
        return colouring(look, self.meaning, self.groups or {}, self.particle_scale, self.theme)

    def part_of(self, look: Any) -> tuple[Array, Array]:
        """The corners (d,) of what is shown of a look."""
        if self.region is not None:
            return self.region
        return view(look.system, look.particles) if self.corners is None else self.corners


def content_of(
    colour: Colour, groups: Any, title: str | None, flow: Any, theme: ThemeName = None
) -> Content:
    """What a picture is asked to show; what cannot be shown is refused."""
    if not (groups is None or isinstance(groups, Mapping)):
        raise TypeError(
            f"groups must be names with the particles of each, such as {{'large': slice(0, 10)}}, "
            f"not {groups!r}."
        )
    if not (flow is None or isinstance(flow, FlowView)):
        raise TypeError(f"flow must be a carom.plotting.FlowView, not {flow!r}.")
    return Content(colour, groups, title, flow, theme_of(theme))


def checked_region(region: Any, look: Any) -> tuple[Array, Array] | None:
    """The corners (d,) of a region; what is none, or has nothing of the box, is refused."""
    if region is None:
        return None
    dimension, sides = look.system.dimension, look.system.sides
    example = "((0, 0), (5, 5))" if dimension == 2 else "((0, 0, 0), (5, 5, 5))"
    corners = numbers_in("region", region)
    if corners.shape != (2, dimension) or not np.isfinite(corners).all():
        raise ValueError(
            f"region must be two corners of {dimension} numbers each, such as {example}, not "
            f"{region!r}."
        )
    lower, upper = corners
    if not (lower < upper).all():
        raise ValueError(
            f"region must go from its lower corner to its upper one, such as {example}, not "
            f"{region!r}."
        )
    if sides is not None and ((upper <= 0.0) | (lower >= sides)).any():
        raise ValueError(
            f"region {region!r} has nothing of the box, which goes from 0 to {tuple(sides)}."
        )
    return lower, upper


def flow_under(look: Any, content: Content) -> FlowSample | None:
    """The flow that is drawn under a look: its own, or that of the picture, if any."""
    if isinstance(look, Look) and look.flow is not None:
        return look.flow
    if content.flow is None:
        return None
    return sampled_flow(content.flow, look, content.region or content.corners)


class Drawing:
    """A look on axes; another one of the same kind can be shown in its place."""

    def __init__(self, figure: Figure, axes: Any, look: Any, content: Content) -> None:
        self._axes, self._content = axes, content
        self._of_flow: list[Any] = []
        self._sample: FlowSample | None = None  # the flow that they show
        self._particles = Painted(lambda canvas: None)
        axes.add_artist(self._particles)
        self._limit(look)
        chosen, of_flow, label = self._draw(look)
        if of_flow is not None:
            _explain_scale(figure, axes, of_flow, f"fluid {label}", content.theme)
        if chosen.scale is not None:
            label = chosen.label if of_flow is None else f"particle {chosen.label}".rstrip()
            _explain_scale(figure, axes, chosen.scale, label, content.theme)
        if chosen.legend:
            _explain_groups(axes, chosen.legend, content.theme)

    def show(self, look: Any) -> None:
        """Put another look in the place of the one that is shown."""
        self._draw(look)

    @property
    def changing(self) -> list[Any]:
        """The artists that differ from look to look, and those in front of them, from the back."""
        in_front = [*self._axes.lines, self._axes.title]
        return sorted(
            [self._particles, *self._of_flow, *in_front], key=lambda artist: artist.get_zorder()
        )

    def _draw(self, look: Any) -> tuple[Colouring, ScalarMappable | None, str]:
        content = self._content
        sample, chosen = flow_under(look, content), content.colours_of(look)
        explained, label = None, ""
        if sample is not None and not _is_same(sample, self._sample):
            for artist in self._of_flow:
                artist.remove()
            scale = flow_scale([sample]) if content.flow_scale is None else content.flow_scale
            before = set(self._axes.get_children())
            explained, label = draw_flow(self._axes, sample, scale, content.theme), sample.flow.show
            self._of_flow = [one for one in self._axes.get_children() if one not in before]
            self._sample = sample
        self._particles.paint = self._paint(look, sample, chosen.colours)
        self._write_title(look)
        return chosen, explained, label

    def _paint(self, look: Any, sample: FlowSample | None, colours: Array) -> Paint:
        content = self._content
        if look.system.dimension == 3 and sample is None:
            return paint_spheres(look, colours, self._room(look), content.theme)
        # A colour that is nearly that of the flow needs an edge.
        inked = sample is not None and not content.is_plain
        if look.system.dimension == 3 and sample is not None:
            look = slice_through(look, sample.flow.slice)
            colours = colours[look.chosen]
        rims = np.tile(to_rgb(content.theme.ink), (len(colours), 1)) if inked else None
        return paint_disks(look, colours, content.theme, sample is not None, rims)

    def _room(self, look: Any) -> tuple[Array, Array]:
        """The corners (3,) of what is shown of space."""
        content, sides = self._content, look.system.sides
        if sides is None:
            return content.part_of(look)
        whole = np.zeros(3), np.array(sides, dtype=np.float64)
        if content.region is None:
            return whole
        return np.maximum(content.region[0], whole[0]), np.minimum(content.region[1], whole[1])

    def _limit(self, look: Any) -> None:
        """Give the axes their limits, and draw what surrounds the particles, once."""
        axes, content = self._axes, self._content
        flow = content.flow
        if isinstance(look, Look) and look.flow is not None:
            flow = look.flow.flow
        lower, upper = content.part_of(look)
        if look.system.dimension == 3:
            if flow is None:
                room = self._room(look)
                show_part(axes, *extent(look.particles, *room), content.theme)
                axes.set_axis_off()
                return
            kept = flow.slice.kept
            lower, upper = lower[kept], upper[kept]
            for label, axis in zip((axes.set_xlabel, axes.set_ylabel), kept, strict=True):
                label("xyz"[axis], fontsize=9, color=content.theme.ink)
            look = slice_through(look, flow.slice)
        if not axes.lines:
            draw_surroundings(axes, look.system, (lower, upper), content.theme)
        show_part(axes, lower, upper, content.theme)

    def _write_title(self, look: Any) -> None:
        heading = f"t = {look.time:.6g}"
        content = self._content
        if content.region is None:
            far = number_outside(look, *content.part_of(look))
            heading += f", {far:,} farther out" if far else ""
        title = f"{content.title}, {heading}" if content.title else heading
        self._axes.set_title(readable(title), fontsize=10, color=content.theme.ink)


def _is_same(sample: FlowSample, other: FlowSample | None) -> bool:
    """Whether two samples are drawn alike, as those of a steady flow."""
    return other is not None and all(
        np.array_equal(ours, theirs) for ours, theirs in zip(sample[1:], other[1:], strict=True)
    )


def _explain_scale(
    figure: Figure, axes: Any, scale: ScalarMappable, label: str, theme: Theme
) -> None:
    bar = figure.colorbar(scale, ax=axes, fraction=0.04, pad=0.02, aspect=30)
    bar.set_label(label, fontsize=9, color=theme.ink)
    bar.ax.tick_params(labelsize=8, colors=theme.ink, length=2)
    bar.outline.set_visible(False)  # type: ignore[operator]


def _explain_groups(axes: Any, legend: Mapping[str, str], theme: Theme) -> None:
    handles = [
        Line2D([], [], linestyle="", marker="o", color=colour, label=readable(name))
        for name, colour in legend.items()
    ]
    axes.legend(
        handles=handles,
        loc="upper center",
        bbox_to_anchor=(0.5, -0.04),
        ncols=min(len(handles), max(1, WIDEST_LEGEND // (4 + max(map(len, legend))))),
        fontsize=9,
        frameon=False,
        labelcolor=theme.ink,
    )
