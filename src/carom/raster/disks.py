"""Disks in the plane, each pixel covered by as much as the disk covers it."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from carom.compiled.entry_points import entry_point
from carom.compiled.kernels import inner_kernel
from carom.types import Array

# The share of the image that disks may fill by being enlarged.
MOST_FILLED = 0.2


class Disks(NamedTuple):
    """Disks on an image: middles (n, 2), radii (n,), colours (n, 3) inside, and of rims of so many
    pixels, which are part of the disk."""

    place: Array
    radius: Array
    colour: Array
    rim: Array
    rim_width: float


def painted_disks(disks: Disks, size: tuple[int, int], window: Array, least: float) -> Any:
    """An image (height, width, 4) of 8 bits of disks; nothing is painted outside of a window
    (left, top, right, bottom). What is small is seen: radii are ``least`` or more, but for disks
    that would fill the image then.

    Where disks share a pixel they share it out, as long as there is room: those that touch leave
    no seam. Where they overlap, the later one is on top.
    """
    width, height = size
    sheet = np.zeros((height, width, 4), dtype=np.float32)
    image = np.empty((height, width, 4), dtype=np.uint8)
    number = max(len(disks.radius), 1)
    least = min(least, math.sqrt(MOST_FILLED * width * height / (math.pi * number)))
    _paint(
        sheet,
        np.ascontiguousarray(disks.place, dtype=np.float64),
        np.maximum(disks.radius, least),
        np.ascontiguousarray(disks.colour, dtype=np.float32),
        np.ascontiguousarray(disks.rim, dtype=np.float32),
        float(disks.rim_width),
        np.asarray(window, dtype=np.float64),
    )
    _finish(sheet, image)
    return image


@inner_kernel
def _limited(value: float) -> float:
    return min(max(value, 0.0), 1.0)


@inner_kernel
def _first_pixel(place: float, most: int) -> int:
    """The pixel of a place; limited first, for numbers beyond those of integers."""
    return math.floor(min(max(place, 0.0), float(most)))


@entry_point
def _paint(
    sheet: Any,
    place: Array,
    radius: Array,
    colour: Any,
    rim: Any,
    rim_width: float,
    window: Array,
) -> None:
    height, width = sheet.shape[0], sheet.shape[1]
    for k in range(len(radius)):
        x, y, r = place[k, 0], place[k, 1], radius[k]
        # An edge that fades over a pixel adds π/12 to the area. A disk smaller than a pixel is
        # painted as one of a pixel, but paler.
        painted = math.sqrt(max(r * r - 1.0 / 12.0, 0.25))
        strength = r * r / (painted * painted + 1.0 / 12.0)
        # Rims of small disks would be all that is seen of them.
        edge = rim_width * _limited((painted - 1.5) / 3.0)
        left = _first_pixel(max(x - painted - 0.5, window[0]), width)
        right = _first_pixel(min(x + painted + 0.5, window[2]) + 1.0, width)
        top = _first_pixel(max(y - painted - 0.5, window[1]), height)
        bottom = _first_pixel(min(y + painted + 0.5, window[3]) + 1.0, height)
        for row in range(top, bottom):
            inside_y = _limited(row + 1.0 - window[1]) * _limited(window[3] - row)
            dy = row + 0.5 - y
            for column in range(left, right):
                dx = column + 0.5 - x
                distance = math.sqrt(dx * dx + dy * dy)
                covered = _limited(painted - distance + 0.5) * strength * inside_y
                covered *= _limited(column + 1.0 - window[0]) * _limited(window[2] - column)
                if covered > 0.0:
                    pixel = sheet[row, column]
                    inside = _limited(painted - edge - distance + 0.5)
                    before = pixel[3]
                    after = min(before + covered, 1.0)
                    kept = (after - covered) / before if before > 0.0 else 0.0
                    for c in range(3):
                        shade = rim[k, c] + inside * (colour[k, c] - rim[k, c])
                        pixel[c] = kept * pixel[c] + covered * shade
                    pixel[3] = after


@entry_point
def _finish(sheet: Any, image: Any) -> None:
    """Colours and opacities of 8 bits, from colours that are multiplied with opacities."""
    for row in range(sheet.shape[0]):
        for column in range(sheet.shape[1]):
            opacity = sheet[row, column, 3]
            share = 255.0 / opacity if opacity > 0.0 else 0.0
            for c in range(3):
                image[row, column, c] = np.uint8(min(sheet[row, column, c] * share + 0.5, 255.0))
            image[row, column, 3] = np.uint8(opacity * 255.0 + 0.5)
