"""Frames as text: where each begins is found once, so that any can be read."""

from __future__ import annotations

import math
import os
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np

from carom.errors import UnreadableFile
from carom.trajectories.frame import Frame
from carom.trajectories.frame_files import FrameReader, FrameWriter

EXACT = 2.0**53  # whole numbers below it are read as floats and stay the same


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

    def table(self, number: int, *, or_none: bool = False) -> Table:
        """So many lines, of words in columns."""
        if number == 0 and not or_none:
            raise self.error("this frame has 0 particles; read others, which have one or more")
        if self.left < number:
            self._taken = len(self._lines)
            raise self.error("the file ends in the middle of a frame")
        first = self._taken
        self._taken += number
        return Table(self._path, self._lines[first : self._taken], self._before + first)

    def numbers(self, words: Sequence[str], kind: type = float) -> list[Any]:
        """Words of the line that was taken last as numbers."""
        try:
            return [kind(word) for word in words]
        except ValueError as error:
            wanted = "whole numbers" if kind is int else "numbers"
            raise self.error(f"there should be {wanted}, not {' '.join(words)!r}") from error

    def count(self, word: str) -> int:
        """A word of the line that was taken last as the number of particles."""
        (number,) = self.numbers([word.strip()], int)
        if number < 0:
            raise self.error(f"there should be the number of particles, not {number}")
        return int(number)

    def extent(self, axis: str, low: float, high: float) -> tuple[float, float]:
        """The lower and the upper end of a box along an axis, if they are such."""
        if not -math.inf < low < high < math.inf:
            raise self.error(
                f"the box goes from {low:g} to {high:g} along {axis}; the second number should be "
                "the larger one, and both finite"
            )
        return low, high

    def error(self, complaint: str, back: int = 0) -> UnreadableFile:
        """What is wrong with the line that was taken last, or so many lines ago."""
        number = self._before + self._taken - back
        return UnreadableFile(f"{self._path}, line {number}: {complaint}.")


class Table:
    """Lines of words in columns, some of which are numbers: those are read all at once."""

    def __init__(self, path: Path, rows: list[str], before: int) -> None:
        self._rows = rows
        self._lines = Lines(path, rows, before)
        self._places: list[int] = []
        self._numbers: Any = None

    @property
    def widths(self) -> list[int]:
        """How many words each line has, up to a comment."""
        return [len(row.partition("#")[0].split()) for row in self._rows]

    def error(self, row: int, complaint: str) -> UnreadableFile:
        """What is wrong with a line."""
        return self._lines.error(complaint, -1 - row)

    def read(self, places: Iterable[int]) -> Table:
        """Read the numbers of all columns that will be asked for."""
        self._places = sorted(set(places))
        if not self._rows:
            self._numbers = np.empty((0, len(self._places)))
            return self
        try:
            numbers = np.loadtxt(self._rows, usecols=self._places, comments=None, ndmin=2)
        except ValueError:
            numbers = np.empty((0, 0))
        # A blank line is left out there. The twin tells what is wrong, with its line.
        self._numbers = numbers if len(numbers) == len(self._rows) else self._read_slowly()
        return self

    def _read_slowly(self) -> Any:
        values = []
        for row in self._rows:
            self._lines.take()
            words = row.split()
            if len(words) <= self._places[-1]:
                wanted = self._places[-1] + 1
                raise self._lines.error(
                    f"there are {len(words)} columns instead of {wanted}: {words}"
                )
            values.append(self._lines.numbers([words[k] for k in self._places]))
        return np.array(values)

    def columns(self, places: Iterable[int], kind: type = float) -> Any:
        """Some columns (n, number of them) of those that were read."""
        values = self._numbers[:, [self._places.index(k) for k in places]]
        if kind is float:
            return values
        whole = (np.abs(values) < EXACT) & (values == np.rint(values))
        if not whole.all():
            row = int(np.argmin(whole.all(axis=1)))
            found = " ".join(f"{value:g}" for value in values[row])
            raise self.error(row, f"there should be whole numbers, not {found!r}")
        return values.astype(np.int64)

    def words(self, place: int) -> list[str]:
        """The words of a column."""
        return [row.split()[place] for row in self._rows]


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
        # Frames were counted by these ends; there are others, such as that of a page.
        return Lines(self.path, text.split("\n")[:-1], before)


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
        single += np.reshape(column, (len(column), column.size // max(len(column), 1))).T.tolist()
    # The same number in all lines, such as a mass, is spelled once.
    same = [len(set(column)) == 1 for column in single]
    form = " ".join(
        repr(column[0]) if alike else "%r" for column, alike in zip(single, same, strict=True)
    )
    changing = [column for column, alike in zip(single, same, strict=True) if not alike]
    if not single:
        return ""
    if not changing:
        return f"{form}\n" * len(single[0])
    return "".join(map(f"{form}\n".__mod__, zip(*changing, strict=True)))
