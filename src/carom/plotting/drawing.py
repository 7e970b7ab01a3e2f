"""One look at a simulation on axes: the particles, the flow under them, and what colours mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from carom.particles import Array
from carom.plotting.colouring import colouring
from carom.plotting.flow import FlowSample, FlowView, draw_flow, flow_scale, sampled_flow
from carom.plotting.looks import Look
from carom.plotting.planar import draw_disks
from carom.plotting.slices import slice_through
from carom.plotting.spatial import draw_spheres
from carom.plotting.style import INK, readable

Colour = str | Sequence[float] | None


class Content(NamedTuple):
    """What a picture shows; the scales and corners of a film are the same in all its frames."""

    colour: Colour = None
    groups: Mapping[str, slice] | None = None
    title: str | None = None
    flow: FlowView | None = None
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


def content_of(colour: Colour, groups: Any, title: str | None, flow: Any) -> Content:
    """What a picture is asked to show; what cannot be shown is refused."""
    if not (groups is None or isinstance(groups, Mapping)):
        raise TypeError(
            f"groups must be names with the particles of each, such as {{'large': slice(0, 10)}}, "
            f"not {groups!r}."
        )
    if not (flow is None or isinstance(flow, FlowView)):
        raise TypeError(f"flow must be a carom.plotting.FlowView, not {flow!r}.")
    return Content(colour, groups, title, flow)


def flow_under(look: Any, content: Content) -> FlowSample | None:
    """The flow that is drawn under a look: its own, or that of the picture, if any."""
    if isinstance(look, Look) and look.flow is not None:
        return look.flow
    return None if content.flow is None else sampled_flow(content.flow, look, content.corners)


def draw_look(figure: Figure, axes: Any, look: Any, content: Content) -> None:
    """Draw the particles of a simulation, or of a look at one, with the flow under them if any."""
    sample = flow_under(look, content)
    chosen = colouring(look, content.meaning, content.groups or {}, content.particle_scale)
    if sample is not None:
        scale = flow_scale([sample]) if content.flow_scale is None else content.flow_scale
        _explain_scale(figure, axes, draw_flow(axes, sample, scale), f"fluid {sample.flow.show}")
    # A colour that is nearly that of the flow needs an edge.
    edges = "none" if sample is None or content.is_plain else INK
    if look.system.dimension == 2:
        draw_disks(axes, look, chosen.colours, content.corners, edges)
    elif sample is None:
        draw_spheres(axes, look, chosen.colours, content.corners)
    else:
        planar = slice_through(look, sample.flow.slice)
        draw_disks(axes, planar, chosen.colours[planar.chosen], None, edges)
        across, upwards = ("xyz"[axis] for axis in sample.flow.slice.kept)
        axes.set_xlabel(across, fontsize=9, color=INK)
        axes.set_ylabel(upwards, fontsize=9, color=INK)
    if chosen.scale is not None:
        label = chosen.label if sample is None else f"particle {chosen.label}".rstrip()
        _explain_scale(figure, axes, chosen.scale, label)
    if chosen.legend:
        _explain_groups(axes, chosen.legend)
    heading = f"t = {look.time:.6g}"
    title = f"{content.title}, {heading}" if content.title else heading
    axes.set_title(readable(title), fontsize=10, color=INK)


def _explain_scale(figure: Figure, axes: Any, scale: ScalarMappable, label: str) -> None:
    bar = figure.colorbar(scale, ax=axes, fraction=0.04, pad=0.02, aspect=30)
    bar.set_label(label, fontsize=9, color=INK)
    bar.ax.tick_params(labelsize=8, colors=INK, length=2)
    bar.outline.set_visible(False)  # type: ignore[operator]


def _explain_groups(axes: Any, legend: Mapping[str, str]) -> None:
    handles = [
        Line2D([], [], linestyle="", marker="o", color=colour, label=readable(name))
        for name, colour in legend.items()
    ]
    axes.legend(
        handles=handles,
        loc="upper center",
        bbox_to_anchor=(0.5, -0.04),
        ncols=len(handles),
        fontsize=9,
        frameon=False,
    )
