"""Films as GIF, which need no other program."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO, Any

import numpy as np
from PIL import GifImagePlugin, Image
from scipy.spatial import cKDTree

# Browsers show frames that last shorter for ten times as long.
SHORTEST = 0.02  # seconds
MOST_COLOURS = 255  # one more stands for what has not changed
BITS = 6  # of red, green and blue, by which the nearest colour is looked up


class Gif:
    """A film of one palette; only what changes from image to image is written."""

    def __init__(
        self,
        file: IO[bytes],
        size: tuple[int, int],
        some: Iterable[Any],
        *,
        frames_per_second: int,
    ) -> None:
        self._file, self._frames_per_second = file, frames_per_second
        self._palette = palette_of(some)
        self._nearest = _nearest(self._palette)
        self._number = 0
        self._last: Any = None
        flat = np.zeros((256, 3), dtype=np.uint8)
        flat[: len(self._palette)] = self._palette
        # 256 colours for all images; then the extension that lets the film begin again for ever.
        screen = b"".join(side.to_bytes(2, "little") for side in size) + b"\xf7\x00\x00"
        loop = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
        file.write(b"GIF89a" + screen + flat.tobytes() + loop)

    def append(self, image: Any) -> None:
        """Write what is new in an image."""
        part = np.asarray(image, dtype=np.int32) >> (8 - BITS)
        colours = self._nearest[(part[..., 0] << 2 * BITS) | (part[..., 1] << BITS) | part[..., 2]]
        shown, (top, left) = colours, (0, 0)
        if self._last is not None:
            is_new = colours != self._last
            rows, columns = np.flatnonzero(is_new.any(axis=1)), np.flatnonzero(is_new.any(axis=0))
            top, bottom = (rows[0], rows[-1] + 1) if len(rows) else (0, 1)
            left, right = (columns[0], columns[-1] + 1) if len(columns) else (0, 1)
            area = slice(top, bottom), slice(left, right)
            shown = np.where(is_new[area], colours[area], MOST_COLOURS).astype(np.uint8)
        self._last = colours
        hundredths = [
            round(100 * k / self._frames_per_second) for k in (self._number, self._number + 1)
        ]
        for piece in GifImagePlugin.getdata(
            Image.fromarray(shown, "P"),
            (int(left), int(top)),
            duration=10 * (hundredths[1] - hundredths[0]),
            transparency=MOST_COLOURS,
            disposal=1,
            interlace=False,
            include_color_table=False,
        ):
            self._file.write(piece)
        self._number += 1

    def finish(self) -> None:
        """Write the end."""
        self._file.write(b";")

    def abandon(self) -> None:
        """Nothing is open."""


def palette_of(images: Iterable[Any]) -> Any:
    """Up to 255 colours (k, 3) of 8 bits for all that is in some images.

    A colour counts by the square root of its pixels: paper fills most of a picture, and would
    take the place of shades that one sees.
    """
    seen = np.zeros(1 << 3 * BITS)
    for image in images:
        part = np.asarray(image, dtype=np.int64).reshape(-1, 3) >> (8 - BITS)
        places = (part[:, 0] << 2 * BITS) | (part[:, 1] << BITS) | part[:, 2]
        seen += np.bincount(places, minlength=len(seen))
    places = np.flatnonzero(seen)
    colours = _colours(places)
    if len(places) > MOST_COLOURS:
        weight = np.ceil(np.sqrt(seen[places])).astype(int)
        rows = Image.fromarray(colours.repeat(weight, axis=0)[None])
        found = rows.quantize(MOST_COLOURS, Image.Quantize.MEDIANCUT, kmeans=2).getpalette()
        colours = np.array(found, dtype=np.uint8).reshape(-1, 3)[:MOST_COLOURS]
    return colours


def _colours(places: Any) -> Any:
    """The colours of 8 bits for numbers of fewer; the darkest is black and the brightest white."""
    most = (1 << BITS) - 1
    parts = np.stack([places >> 2 * BITS, places >> BITS, places], axis=1) & most
    return (parts * 255 // most).astype(np.uint8)


def _nearest(palette: Any) -> Any:
    """The number of the nearest colour of a palette, for all colours of few bits."""
    everything = _colours(np.arange(1 << 3 * BITS))
    return cKDTree(palette).query(everything)[1].astype(np.uint8)
