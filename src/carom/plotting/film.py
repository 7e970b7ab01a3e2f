"""Films: looks at a simulation one after the other, with the same scales."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.animation import AbstractMovieWriter, FFMpegWriter, PillowWriter
from matplotlib.colors import Normalize

from carom.checks import is_number, several
from carom.particles import Array
from carom.plotting.colouring import colouring
from carom.plotting.drawing import Colour, Content, content_of, draw_look, flow_under
from carom.plotting.flow import FlowView, flow_scale
from carom.plotting.looks import Look, checked_look
from carom.plotting.picture import figure_of, size_of_particles
from carom.plotting.planar import view
from carom.progress import own_line

DOTS_PER_INCH = 100
# Looks, spread evenly, from which the scales of a film are made.
LOOKS_FOR_SCALES = 16


def film(
    path: str | Path,
    looks: Iterable[Any],
    *,
    colour: Colour = None,
    groups: Mapping[str, slice] | None = None,
    title: str | None = None,
    flow: FlowView | None = None,
    frames_per_second: int = 20,
    progress: bool | None = None,
) -> None:
    """Write looks at a simulation as a film: a ``.gif``, or an ``.mp4`` where ffmpeg is installed.

    Looks are those that the observer ``Looks`` has kept, or ``TrajectoryLooks`` of a file. What is
    shown is chosen as in ``picture``; looks that have kept a flow of their own are drawn with it.
    The old file stays until the new one is complete.
    """
    target = Path(path)
    writer = writer_for(target, frames_per_second)
    frames: Sequence[Any] = looks if isinstance(looks, Sequence) else several("looks", looks)
    if len(frames) == 0:
        raise ValueError("a film needs one look or more; run the simulation first.")
    content = _with_scales(content_of(colour, groups, title, flow), frames)
    partial = target.with_name(f".{target.stem}.part{target.suffix}")
    figure = figure_of(*size_of_particles(frames[0], 5.2, content))
    writer.setup(figure, str(partial), DOTS_PER_INCH)
    try:
        with own_line(progress) as line:
            for k, look in enumerate(frames, start=1):
                figure.clear()
                draw_look(figure, figure.add_subplot(), look, content)
                writer.grab_frame()
                line.show(f"{target.name}:", k, k / len(frames), f"of {len(frames)} frames")
    except BaseException:
        with contextlib.suppress(Exception):
            writer.finish()  # else ffmpeg would wait for ever; without frames it cannot be done
        partial.unlink(missing_ok=True)
        raise
    writer.finish()
    os.replace(partial, target)


def writer_for(path: Path, frames_per_second: int = 20) -> AbstractMovieWriter:
    """What writes films with such a name; names that nothing can write are refused."""
    if not (is_number(frames_per_second) and 1 <= frames_per_second <= 100):
        raise ValueError(f"frames_per_second must be from 1 to 100, not {frames_per_second!r}.")
    if path.suffix.lower() == ".gif":
        return PillowWriter(fps=frames_per_second)
    if path.suffix.lower() != ".mp4":
        raise ValueError(f"a film is a .gif or an .mp4, not {path.name!r}.")
    if not FFMpegWriter.isAvailable():
        raise ValueError(
            f"{path.name} needs ffmpeg, which is not installed; install it, or make a .gif."
        )
    return FFMpegWriter(fps=frames_per_second)


def _with_scales(content: Content, frames: Sequence[Any]) -> Content:
    """The content with scales and corners that suit all frames."""
    first = checked_look(frames[0])
    if isinstance(first, Look) and first.flow is not None:
        content = content._replace(flow=first.flow.flow)
    if first.system.sides is None:
        content = content._replace(corners=_corners(frames))
    chosen = np.unique(np.linspace(0, len(frames) - 1, LOOKS_FOR_SCALES).round().astype(int))
    some = [frames[int(k)] for k in chosen]
    scales = [colouring(look, content.meaning, content.groups or {}).scale for look in some]
    limits: list[Any] = [scale.get_clim() for scale in scales if scale is not None]
    if limits:
        (lowest, _), (_, highest) = np.min(limits, axis=0), np.max(limits, axis=0)
        content = content._replace(particle_scale=Normalize(lowest, highest, clip=True))
    samples = [sample for look in some if (sample := flow_under(look, content)) is not None]
    return content._replace(flow_scale=flow_scale(samples)) if samples else content


def _corners(frames: Sequence[Any]) -> tuple[Array, Array]:
    """The corners of all that is ever seen of open space."""
    lower, upper = zip(*(view(look.system, look.particles) for look in frames), strict=True)
    return np.min(lower, axis=0), np.max(upper, axis=0)
