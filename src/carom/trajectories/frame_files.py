"""What files of frames of all formats have in common: to be read at random, and to grow."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from carom.trajectories.frame import Frame


class FrameReader(ABC, Sequence[Frame]):
    """The frames of a file, each of which is read when it is asked for."""

    title = ""  # for a sentence: a trajectory of this format

    def __init__(self, path: Path) -> None:
        self.path = path

    def __repr__(self) -> str:
        return f"<{self.path}: {self.title} of {len(self)} frames>"

    def __getitem__(self, k: Any) -> Any:
        number = len(self)
        if isinstance(k, slice):
            return [self.frame(index) for index in range(*k.indices(number))]
        index = k + number if k < 0 else k
        if not 0 <= index < number:
            raise IndexError(
                f"{self.path} has {number} frames, numbered from 0 on; there is no frame {k}."
            )
        return self.frame(index)

    @abstractmethod
    def frame(self, k: int) -> Frame:
        """The frame of this number, from 0 on."""

    def time(self, k: int) -> float:
        """The time of a frame."""
        return self.frame(k).time


class FrameWriter(ABC):
    """A file that grows by frames. A kill leaves all of them but the one that was being written."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @abstractmethod
    def begin(self, frames: int) -> None:
        """Go on after so many frames of the file: what a killed run left behind them goes. With
        none, begin anew."""

    @abstractmethod
    def __len__(self) -> int: ...

    def append(self, frame: Frame) -> None:
        """Write a frame; one without radii is refused."""
        if frame.radius is None:
            raise ValueError(f"there are no radii to write to {self.path}; give them: radius=0.5.")
        self.write(frame)

    @abstractmethod
    def write(self, frame: Frame) -> None:
        """Write a frame that has radii."""

    @abstractmethod
    def sync(self) -> None:
        """See to it that all frames are on the disk."""
