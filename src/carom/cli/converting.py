"""``carom convert``: a trajectory in another format, or some of its frames."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np

from carom.checks import check_positive
from carom.cli.summary import say
from carom.errors import UnreadableFile
from carom.files import refuse_unwritable
from carom.progress import own_line
from carom.trajectories import Frame, frames, writer_for
from carom.trajectories.frame import surrounding_cell
from carom.trajectories.frame_files import FrameReader


class Conversion(NamedTuple):
    """What the command line asks for."""

    source: Path
    target: Path
    every: int
    chosen: str
    radius: float | None
    force: bool


def convert(asked: Conversion) -> None:
    """Write frames of a file to another one."""
    try:
        read, writer = frames(asked.source), writer_for(asked.target)
        numbers = chosen_frames(asked.source, asked.chosen, asked.every, len(read))
        refuse_unwritable(asked.target)
        refuse_to_replace(asked.source, asked.target, asked.force)
        _frame(asked, read, numbers[0])  # what is wrong is told before there is a file
        with _writing(asked.target):
            writer.begin(0)
        with own_line(None) as line:
            for k in numbers:
                frame = _frame(asked, read, k)
                with _writing(asked.target):
                    writer.append(frame)
                share = len(writer) / len(numbers)
                line.show(f"frame {k} of {len(read)}", len(writer), share, "frames")
        with _writing(asked.target):
            writer.sync()
    except (ValueError, ImportError) as error:
        raise UnreadableFile(str(error)) from error
    say(f"{len(numbers):,} of {len(read):,} frames are in {asked.target}.")


@contextmanager
def _writing(target: Path) -> Iterator[None]:
    """Say which file cannot be written: the system may name a part of it, or none."""
    try:
        yield
    except OSError as error:
        raise OSError(
            f"{target} cannot be written: {error.strerror or error}; name a file in a folder that "
            "can be written to and has space."
        ) from error


def _frame(asked: Conversion, read: FrameReader, k: int) -> Frame:
    """A frame, with the radius that was asked for."""
    frame: Frame = read[k]
    if asked.radius is None:
        if frame.radius is None:
            raise UnreadableFile(f"{asked.source} says nothing of radii; give one: --radius 0.5.")
        return frame
    check_positive("--radius", asked.radius)
    radius, cell = np.full(len(frame.position), asked.radius), frame.cell
    if cell.is_open:
        cell = surrounding_cell(frame.position, radius, cell.lower + 0.5 * cell.sides)
    return frame._replace(radius=radius, cell=cell)


def chosen_frames(source: Path, chosen: str, every: int, number: int) -> range:
    """The numbers of the frames that are wanted, of so many in a file."""
    first, colon, last = chosen.partition(":")
    try:
        start, stop = (int(word) if word.strip() else None for word in (first, last))
    except ValueError:
        colon = ""
    if not colon:
        raise UnreadableFile(
            f"--frames {chosen!r} should be two numbers, as in 10:20, or 10: or :-5."
        )
    numbers = range(number)[slice(start, stop, every)]
    if not numbers:
        raise UnreadableFile(
            f"{source} has {number} frames, numbered from 0 on; {chosen} is none of them."
        )
    return numbers


def refuse_to_replace(source: Path, target: Path, force: bool) -> None:
    """Refuse to write a file over its source, or over another one if nobody says so."""
    if target.resolve() == source.resolve():
        raise UnreadableFile(f"{target} would be written over itself; name another file.")
    if target.exists() and not force:
        raise UnreadableFile(f"{target} is there already; --force replaces it.")
