"""Frames as text: where each begins is found once, so that any can be read."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np

from carom.errors import UnreadableFile
from carom.trajectories.frame import Frame
from carom.trajectories.frame_files import FrameReader, FrameWriter

Rows = list[list[str]]


class Lines:
    """Some lines of a file, one after the other; what is wrong is told with their numbers."""

    def __init__(self, path: Path, lines: list[str], before: int = 0) -> None:
        self._path = path
        self._lines = lines
        self._before = before
        self._taken = 0

    @property
    def left(self) -> int:
        """How many lines have not been taken."""
        return len(self._lines) - self._taken

    def take(self) -> str:
        """The next line."""
        if self.left == 0:
            raise self.error("the file ends in the middle of a frame")
        self._taken += 1
        return self._lines[self._taken - 1]

    def table(self, number: int, columns: int) -> Rows:
        """So many lines, each of at least so many words."""
        rows = []
        for _ in range(number):
            words = self.take().split()
            if len(words) < columns:
                raise self.error(f"there are {len(words)} columns instead of {columns}: {words}")
            rows.append(words)
        return rows

    def numbers(self, words: Sequence[str], kind: type = float) -> list[Any]:
        """Words of the line that was taken last as numbers."""
        try:
            return [kind(word) for word in words]
        except ValueError as error:
            wanted = "whole numbers" if kind is int else "numbers"
            raise self.error(f"there should be {wanted}, not {' '.join(words)!r}") from error

    def columns(self, rows: Rows, places: Sequence[int], kind: type = float) -> Any:
        """Some columns (n, number of them) of the table that was taken last."""
        self._taken -= len(rows)
        values = []
        for row in rows:
            self._taken += 1
            values.append(self.numbers([row[k] for k in places], kind))
        return np.array(values, dtype=kind).reshape(len(rows), len(places))

    def error(self, complaint: str, back: int = 0) -> UnreadableFile:
        """What is wrong with the line that was taken last, or so many lines ago."""
        number = self._before + self._taken - back
        return UnreadableFile(f"{self._path}, line {number}: {complaint}.")


class TextReader(FrameReader):
    """The frames of a text file. What a kill has left of a last one is no frame."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        with path.open("rb") as file:
            # Where frames begin and end, in bytes and in lines.
            self._places = [(0, 0), *self._ends(file)]

    def _ends(self, file: IO[bytes]) -> Iterator[tuple[int, int]]:
        """After how many bytes and lines of the file each complete frame ends."""
        taken = 0

        def take() -> Lines:
            nonlocal taken
            line = file.readline()
            if not line.endswith(b"\n"):
                raise EOFError
            taken += 1
            return Lines(self.path, [line.decode(errors="replace")], taken - 1)

        try:
            while True:
                for _ in range(self.lines_after_head(take)):
                    if not file.readline().endswith(b"\n"):
                        return
                    taken += 1
                yield file.tell(), taken
        except EOFError:
            return

    @abstractmethod
    def lines_after_head(self, take: Callable[[], Lines]) -> int:
        """Take the lines of the head of a frame, and say how many follow."""

    def __len__(self) -> int:
        return len(self._places) - 1

    def end_of(self, frames: int) -> int:
        """After how many bytes so many frames end."""
        return self._places[frames][0]

    def lines(self, k: int) -> Lines:
        """The lines of a frame."""
        (start, before), (end, _) = self._places[k : k + 2]
        with self.path.open("rb") as file:
            file.seek(start)
            text = file.read(end - start).decode(errors="replace")
        return Lines(self.path, text.splitlines(), before)


class TextWriter(FrameWriter):
    """A text file that grows by frames."""

    reader: type[TextReader]

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._frames = 0
        self._end = 0
        self._file: Any = None

    def begin(self, frames: int) -> None:
        """Begin anew, or cut off what is behind so many frames."""
        self._frames = frames
        self._end = self.reader(self.path).end_of(frames) if frames > 0 else 0
        self._file = self.path.open("r+b" if frames > 0 else "w+b")
        self._file.truncate(self._end)

    def __len__(self) -> int:
        return self._frames

    def write(self, frame: Frame) -> None:
        """Write a frame after the last complete one."""
        text = self.text_of(frame).encode()
        # An interrupt or a full disk may have left a piece of a frame.
        self._file.seek(self._end)
        self._file.truncate()
        self._file.write(text)
        self._file.flush()
        self._frames, self._end = self._frames + 1, self._end + len(text)

    @abstractmethod
    def text_of(self, frame: Frame) -> str:
        """A frame as text, with the end of its last line."""

    def sync(self) -> None:
        """See to it that all frames are on the disk."""
        os.fsync(self._file.fileno())


def text_table(columns: Iterable[Any]) -> str:
    """Columns, of one number or several for each particle, as lines; floats keep all digits."""
    single: list[list[Any]] = []
    for column in columns:
        rows = column.reshape(len(column), -1) if isinstance(column, np.ndarray) else None
        single += [column] if rows is None else rows.T.tolist()
    return "".join(" ".join(map(str, row)) + "\n" for row in zip(*single, strict=True))
