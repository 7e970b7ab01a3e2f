"""What writes images one after the other as a film: the end of the file's name chooses."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import IO, Any, Protocol

from carom.checks import is_number
from carom.plotting.by_ffmpeg import OPTIONS, Video, ffmpeg
from carom.plotting.gif import SHORTEST, Gif

MOST_FRAMES_PER_SECOND = 100
# How browsers call them.
MEDIA_TYPES = {".gif": "image/gif", ".mp4": "video/mp4", ".webm": "video/webm"}


class Encoder(Protocol):
    """Writes images (height, width, 3) of 8 bits into a file."""

    def append(self, image: Any) -> None:
        """Write the next one."""

    def finish(self) -> None:
        """Complete the file."""

    def abandon(self) -> None:
        """Stop at once; what has been written is of no use."""


def encoder_for(
    path: Path, frames_per_second: int
) -> Callable[[IO[bytes], tuple[int, int], Iterable[Any]], Encoder]:
    """What begins a film with such a name in a file, for images of some width and height, a few of
    which are given; names that nothing can write are refused."""
    if not (is_number(frames_per_second) and 1 <= frames_per_second <= MOST_FRAMES_PER_SECOND):
        raise ValueError(
            f"frames_per_second must be from 1 to {MOST_FRAMES_PER_SECOND}, not "
            f"{frames_per_second!r}."
        )
    suffix = path.suffix.lower()
    if suffix not in MEDIA_TYPES:
        raise ValueError(f"a film is a .gif, .mp4 or .webm, not {path.name!r}.")
    if suffix == ".gif":
        if frames_per_second * SHORTEST > 1.0:
            raise ValueError(
                f"a .gif shows at most {1.0 / SHORTEST:.0f} frames per second, not "
                f"{frames_per_second}; make a .mp4 or .webm."
            )
        return partial(Gif, frames_per_second=frames_per_second)
    program = ffmpeg()
    if program is None:
        raise ValueError(
            f'{path.name} needs ffmpeg, which pip brings: pip install "carom[film]"; or make a '
            ".gif."
        )
    return partial(
        Video, program=program, options=OPTIONS[suffix], frames_per_second=frames_per_second
    )
