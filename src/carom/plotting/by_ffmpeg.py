"""Films as MP4 and WebM, which ffmpeg writes."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable
from tempfile import TemporaryFile
from typing import IO, Any

import numpy as np

OPTIONS = {
    # Every player knows this codec; the index comes first, so that pages play at once.
    ".mp4": "-c:v libx264 -preset veryfast -crf 20 -movflags +faststart -f mp4",
    ".webm": "-c:v libvpx-vp9 -crf 24 -b:v 0 -deadline realtime -cpu-used 7 -row-mt 1 -f webm",
}


def ffmpeg() -> str | None:
    """The program that pip has brought, or that of the system."""
    try:
        from imageio_ffmpeg import get_ffmpeg_exe

        return str(get_ffmpeg_exe())
    except (ImportError, RuntimeError):
        return shutil.which("ffmpeg")


class Video:
    """A film that ffmpeg writes while it is handed the images."""

    def __init__(
        self,
        file: IO[bytes],
        size: tuple[int, int],
        some: Iterable[Any],
        *,
        program: str,
        options: str,
        frames_per_second: int,
    ) -> None:
        width, height = size
        given = f"-f rawvideo -pix_fmt rgb24 -s {width}x{height} -r {frames_per_second} -i pipe:0"
        # What players show has even sides, and colours at half of the resolution.
        even = "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white,scale=out_color_matrix=bt709"
        colours = "-pix_fmt yuv420p -colorspace bt709 -color_primaries bt709 -color_trc bt709"
        self._name = file.name
        self._said = TemporaryFile()  # noqa: SIM115  (a pipe that nobody reads would fill up)
        self._process = subprocess.Popen(
            [
                *(program, "-y", "-v", "error", *given.split(), "-vf", even, *colours.split()),
                *(*options.split(), "-threads", "1", f"file:{file.name}"),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self._said,
            start_new_session=os.name == "posix",  # Ctrl-C is for us
        )

    def append(self, image: Any) -> None:
        """Hand over the next image."""
        try:
            self._pipe.write(np.ascontiguousarray(image).data)
        except (BrokenPipeError, OSError) as error:
            self._process.wait()
            raise OSError(self._complaint()) from error

    def finish(self) -> None:
        """Wait until the file is complete."""
        try:
            self._pipe.close()
        except OSError as error:
            self._process.wait()
            raise OSError(self._complaint()) from error
        if self._process.wait() != 0:
            raise OSError(self._complaint())
        self._said.close()

    def abandon(self) -> None:
        """End the program."""
        self._process.kill()
        self._process.wait()

    @property
    def _pipe(self) -> IO[bytes]:
        assert self._process.stdin is not None
        return self._process.stdin

    def _complaint(self) -> str:
        self._said.seek(0)
        lines = self._said.read().decode(errors="replace").strip().splitlines()
        return f"ffmpeg could not write {self._name}: {lines[-1] if lines else 'it ended'}."
