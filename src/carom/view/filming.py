"""A film of what is shown, written where Python runs."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from carom.plotting.film import film
from carom.plotting.looks import Look

FRAMES_PER_SECOND = 20
# A film ends by itself with so many frames, or numbers of particles in all of them.
MOST_FRAMES = 2000
MOST_PARTICLES = 20_000_000
KINDS = ("mp4", "gif")


class Filming:
    """Keeps looks at what is shown while it is filmed, and writes them in a thread of its own.

    ``tell`` says how it went. Where nothing here can write an mp4, it becomes a GIF.
    """

    def __init__(self, kind: str, name: str, tell: Callable[[str], None]) -> None:
        self.path = _free_name(name, kind).resolve()
        self._tell = tell
        self._looks: list[Look] = []
        self._particles = 0
        self._last = -1.0
        self._writer: threading.Thread | None = None

    @property
    def is_full(self) -> bool:
        """Whether no more fits into the film."""
        return len(self._looks) >= MOST_FRAMES or self._particles >= MOST_PARTICLES

    def take(self, look: Callable[[], Look]) -> None:
        """Keep a look, if it is time for one."""
        now = perf_counter()
        if self._writer is not None or now - self._last < 1.0 / FRAMES_PER_SECOND:
            return
        self._last = now
        self._looks.append(look())
        self._particles += len(self._looks[-1].particles)

    def write(self, colour: str | None) -> threading.Thread | None:
        """Write what was kept; the thread that does, or None if nothing was."""
        if self._writer is not None:
            return self._writer
        if not self._looks:
            self._tell("The film has no frame: nothing was seen while it was taken.")
            return None
        self._tell(f"Writing {len(self._looks)} frames to {self.path} …")
        # Not a daemon, as the thread of a show in a notebook is: a film is written to its end.
        self._writer = threading.Thread(
            target=self._write, args=(colour,), name="carom film", daemon=False
        )
        self._writer.start()
        return self._writer

    def _write(self, colour: str | None) -> None:
        try:
            try:
                self._film(self.path, colour)
            except ValueError as error:
                if self.path.suffix == ".gif":
                    raise
                self._tell(f"{error} Writing a GIF …")
                self.path = self.path.with_suffix(".gif")
                self._film(self.path, colour)
            self._tell(f"Written: {self.path}")
        except Exception as error:  # whatever it is, the run goes on
            self._tell(f"The film could not be written: {error}")
        finally:
            self._looks = []

    def _film(self, path: Path, colour: str | None) -> None:
        rate = FRAMES_PER_SECOND
        film(path, self._looks, colour=colour, frames_per_second=rate, progress=False)


def _free_name(name: str, kind: str) -> Path:
    """A name that no film has yet."""
    path, number = Path(f"{name}.{kind}"), 1
    while path.exists():
        number += 1
        path = Path(f"{name}-{number}.{kind}")
    return path
