"""Films: looks at a simulation one after the other, with the same scales."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from errno import EDQUOT, EFBIG, ENOSPC
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import Normalize

from carom.checks import several
from carom.files import refuse_unwritable, replacing
from carom.particles import Array
from carom.plotting.drawing import (
    Colour,
    Content,
    Drawing,
    Region,
    checked_region,
    content_of,
    flow_under,
)
from carom.plotting.encoders import MEDIA_TYPES, encoder_for
from carom.plotting.flow import FlowView, flow_scale
from carom.plotting.looks import Look, checked_look
from carom.plotting.picture import figure_of, size_of_particles
from carom.plotting.planar import view
from carom.plotting.style import ThemeName
from carom.progress import own_line

DOTS_PER_INCH = 100
FRAMES_PER_SECOND = 20
# Looks, spread evenly, from which the scales of a film are made, and the colours of a GIF.
LOOKS_FOR_SCALES, LOOKS_FOR_PALETTE = 16, 5
NO_ROOM = (ENOSPC, EDQUOT, EFBIG)  # on a disk, for a user, in a file
MOST_SHOWN = 50_000_000  # bytes of a film that a cell of a notebook holds


class Film(NamedTuple):
    """A film that has been made: where it is, and how long. A cell of a notebook plays it."""

    path: Path
    frames: int
    frames_per_second: int

    @property
    def seconds(self) -> float:
        """How long it plays."""
        return self.frames / self.frames_per_second

    @property
    def length(self) -> str:
        """Frames and seconds in words."""
        return f"{self.frames:,} frame{'s'[: self.frames != 1]}, {self.seconds:.3g} s"

    def __repr__(self) -> str:
        return f"<Film {self.path}: {self.length}>"

    def _repr_html_(self) -> str:
        """The film itself, so that the notebook shows it wherever it is opened."""
        told = escape(f"{self.path.name}: {self.length}")
        if not self.path.exists():
            return f"<p>{told}; the file is gone.</p>"
        if self.path.stat().st_size > MOST_SHOWN:
            return f"<p>{told}; too large for a cell: it is in {escape(str(self.path))}.</p>"
        kind = MEDIA_TYPES[self.path.suffix.lower()]
        data = f"data:{kind};base64,{b64encode(self.path.read_bytes()).decode()}"
        if kind.startswith("image"):
            return f'<img src="{data}" alt="{told}" style="max-width:100%">'
        return (
            f'<video src="{data}" title="{told}" controls autoplay loop muted playsinline '
            'style="max-width:100%"></video>'
        )


def film(
    path: str | Path,
    looks: Iterable[Any],
    *,
    colour: Colour = None,
    groups: Mapping[str, slice] | None = None,
    title: str | None = None,
    flow: FlowView | None = None,
    region: Region = None,
    theme: ThemeName = None,
    frames_per_second: int = FRAMES_PER_SECOND,
    progress: bool | None = None,
) -> Film:
    """Write looks at a simulation as a film (an animation, a movie, a video), which the cell of a
    notebook plays: a ``.gif``, or a ``.mp4`` or ``.webm`` with ``pip install "carom[film]"``.

    Looks are those that the observer ``Looks`` has kept, or ``TrajectoryLooks`` of a file. What is
    shown is chosen as in ``picture``; looks that have kept a flow of their own are drawn with it.
    The old file stays until the new one is complete.
    """
    target = Path(path)
    begin = encoder_for(target, frames_per_second)
    refuse_unwritable(target)
    frames: Sequence[Any] = looks if isinstance(looks, Sequence) else several("looks", looks)
    if len(frames) == 0:
        raise ValueError("a film needs one look or more; run the simulation first.")
    content = content_of(colour, groups, title, flow, theme)
    content = content._replace(region=checked_region(region, checked_look(frames[0])))
    reel = _Reel(frames, _with_scales(content, frames))
    with _named(target), replacing(target) as file, own_line(progress) as line:
        encoder = begin(file, reel.size, reel.images(_spread(len(frames), LOOKS_FOR_PALETTE)))
        try:
            for k, image in enumerate(reel.images(range(len(frames))), start=1):
                encoder.append(image)
                line.show(f"{target.name}:", k, k / len(frames), "frames")
            encoder.finish()
        except BaseException:
            encoder.abandon()
            raise
    return Film(target, len(frames), frames_per_second)


@contextmanager
def _named(target: Path) -> Iterator[None]:
    """Say of which film the file cannot be written: the system names a part of it, or none."""
    try:
        yield
    except OSError as error:
        is_ours = Path(str(error.filename)).name.endswith(".part")
        if not (is_ours or error.errno in NO_ROOM):
            raise
        raise OSError(
            f"{target} cannot be written: {error.strerror}; name a file in a folder that can be "
            "written to and has space."
        ) from error


def _look(looks: Sequence[Any], k: int, first: int) -> Any:
    """One of the looks; what is not in as many dimensions as the first one is refused."""
    look = checked_look(looks[k])
    if look.system.dimension != first:
        raise ValueError(
            f"look {k} is in {look.system.dimension} dimensions and the first one in {first}; a "
            "film shows looks of one kind."
        )
    return look


class _Reel:
    """Looks as images; what is the same in all of them is drawn once."""

    def __init__(self, looks: Sequence[Any], content: Content) -> None:
        first = looks[0]
        self._looks, self._dimension = looks, first.system.dimension
        figure = figure_of(*size_of_particles(first, 5.2, content), content.theme)
        figure.set_dpi(DOTS_PER_INCH)
        self._canvas = FigureCanvasAgg(figure)
        self._axes = figure.add_subplot()
        self._drawing = Drawing(figure, self._axes, first, content)
        figure.draw_without_rendering()  # finds the places of everything
        figure.set_layout_engine("none")
        for artist in self._drawing.changing:
            artist.set_animated(True)
        self._canvas.draw()  # type: ignore[no-untyped-call]
        self._still = self._canvas.copy_from_bbox(figure.bbox)  # type: ignore[no-untyped-call]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self._canvas.get_width_height(physical=True)

    def images(self, numbers: Iterable[int]) -> Iterator[Any]:
        """An image (height, width, 3) of 8 bits of each of these looks."""
        for k in numbers:
            self._drawing.show(_look(self._looks, k, self._dimension))
            self._canvas.restore_region(self._still)  # type: ignore[no-untyped-call]
            for artist in self._drawing.changing:
                self._axes.draw_artist(artist)
            pixels = self._canvas.buffer_rgba()  # type: ignore[no-untyped-call]
            yield np.asarray(pixels)[..., :3]


def _spread(number: int, most: int) -> list[int]:
    """Up to so many of the numbers from 0 on, evenly spread."""
    return [int(k) for k in np.unique(np.linspace(0, number - 1, most).round())]


def _with_scales(content: Content, frames: Sequence[Any]) -> Content:
    """The content with scales and corners that suit all frames."""
    first = checked_look(frames[0])
    if isinstance(first, Look) and first.flow is not None:
        content = content._replace(flow=first.flow.flow)
    if first.system.sides is None and content.region is None:
        content = content._replace(corners=_corners(frames, first.system.dimension))
    some = [
        _look(frames, k, first.system.dimension) for k in _spread(len(frames), LOOKS_FOR_SCALES)
    ]
    scales = [content.colours_of(look).scale for look in some]
    limits: list[Any] = [scale.get_clim() for scale in scales if scale is not None]
    if limits:
        (lowest, _), (_, highest) = np.min(limits, axis=0), np.max(limits, axis=0)
        content = content._replace(particle_scale=Normalize(lowest, highest, clip=True))
    samples = [sample for look in some if (sample := flow_under(look, content)) is not None]
    return content._replace(flow_scale=flow_scale(samples)) if samples else content


def _corners(frames: Sequence[Any], dimension: int) -> tuple[Array, Array]:
    """The corners of all that is ever seen of open space."""
    looks = (_look(frames, k, dimension) for k in range(len(frames)))
    lower, upper = zip(*(view(look.system, look.particles) for look in looks), strict=True)
    return np.min(lower, axis=0), np.max(upper, axis=0)
