"""Spheres, transparent triangles and lines in space: what is nearer hides what is behind.

Every pixel is an average over samples. For each of them the nearest sphere is found first, then
lit; lines and triangles are laid over it from the back to the front.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from carom.compiled.entry_points import entry_point
from carom.compiled.kernels import inner_kernel
from carom.types import Array, Integers

SAMPLES = 2  # along each side of a pixel
# The least radius in pixels where spheres are many, and the share of the image that they may fill
# by being enlarged.
LEAST, MOST_FILLED = 0.7, 0.1
NOTHING = -np.inf  # the depth of a sample without a sphere
NOBODY = -1
# Towards the light: to the right, upwards, towards the eye. It comes from the upper left.
LIGHT = np.array([-0.45, 0.62, 0.64])
AMBIENT, DIFFUSE, SHINE = 0.42, 0.66, 0.28  # shares of light
FOG = 0.42  # how far the hindmost spheres fade into the paper
# Spheres darken that lie behind others nearby: by so much, where the depth differs from the mean
# around it by so many pixels, as a share of the image's height.
SHADE, SHADE_DEPTH, SHADE_REACH = 0.45, 0.05, 0.012


class Spheres(NamedTuple):
    """Middles (n, 3), radii (n,) and colours (n, 3)."""

    place: Array
    radius: Array
    colour: Array


class Triangles(NamedTuple):
    """Corners (m, 3, 3), a colour and an opacity of each (m, 4); lit from both sides if they say so
    by their colours only."""

    corners: Array
    colour: Array


class Lines(NamedTuple):
    """Ends (m, 2, 3), a colour and an opacity of each (m, 4), and the width of all in pixels."""

    ends: Array
    colour: Array
    width: float


def painted_solids(
    spheres: Spheres,
    size: tuple[int, int],
    paper: Any,
    span: tuple[float, float],
    least: float = LEAST,
    triangles: Triangles | None = None,
    lines: Lines | None = None,
) -> Any:
    """An image (height, width, 4) of 8 bits; spheres fade into the colour (3,) of the paper
    from the first depth of a span to the second. Radii are ``least`` or more, but for spheres that
    would fill the image then.
    """
    width, height = size[0] * SAMPLES, size[1] * SAMPLES
    depth = np.full((height, width), NOTHING, dtype=np.float32)
    owner = np.full((height, width), NOBODY, dtype=np.int32)
    place = np.ascontiguousarray(spheres.place * SAMPLES, dtype=np.float64)
    filling = math.sqrt(MOST_FILLED * size[0] * size[1] / (math.pi * max(len(place), 1)))
    radius = np.maximum(spheres.radius, max(min(least, filling), LEAST)) * SAMPLES
    # From the front to the back: most of what is hidden is never written.
    order = np.argsort(-place[:, 2], kind="stable")
    _find_nearest(depth, owner, place, radius, order)
    sheet = np.zeros((height, width, 4), dtype=np.float32)
    if len(radius):
        nearest, farthest = span[0] * SAMPLES, span[1] * SAMPLES
        shades = _shades(depth)
        _light(
            sheet,
            owner,
            shades,
            place,
            radius,
            np.ascontiguousarray(spheres.colour, dtype=np.float32),
            np.asarray(paper, dtype=np.float32),
            (nearest, FOG / max(nearest - farthest, 1e-9)),
        )
    if lines is not None and len(lines.ends):
        ends = np.ascontiguousarray(lines.ends * SAMPLES, dtype=np.float64)
        _draw_lines(sheet, depth, ends, _rgba(lines.colour), 0.5 * lines.width * SAMPLES)
    if triangles is not None and len(triangles.corners):
        corners = np.ascontiguousarray(triangles.corners * SAMPLES, dtype=np.float64)
        backmost = np.argsort(corners[:, :, 2].mean(axis=1), kind="stable")
        _lay_triangles(sheet, depth, corners, _rgba(triangles.colour), backmost)
    image = np.empty((size[1], size[0], 4), dtype=np.uint8)
    _average(sheet, image)
    return image


def _rgba(colour: Any) -> Any:
    return np.ascontiguousarray(colour, dtype=np.float32)


def _shades(depth: Any) -> Any:
    """How dark each sample is: more, the farther it lies behind what is around it (Luft, Colditz &
    Deussen 2006)."""
    height = depth.shape[0]
    reach = max(int(SHADE_REACH * height), 1)
    background = np.empty_like(depth)
    shades = np.zeros_like(depth)
    _blur_and_compare(depth, background, shades, reach, SHADE_DEPTH * height)
    return shades


@inner_kernel
def _within(place: float, most: int) -> int:
    """A whole number from 0 to most; limited first, for numbers beyond those of integers."""
    return math.ceil(min(max(place, 0.0), float(most)))


@entry_point
def _find_nearest(depth: Any, owner: Any, place: Array, radius: Array, order: Integers) -> None:
    height, width = depth.shape
    for step in range(len(order)):
        k = order[step]
        x, y, z, r = place[k, 0], place[k, 1], place[k, 2], radius[k]
        for row in range(_within(y - r - 0.5, height), _within(y + r + 0.5, height)):
            dy = row + 0.5 - y
            room = r * r - dy * dy
            if room <= 0.0:
                continue
            half = math.sqrt(room)
            for column in range(_within(x - half - 0.5, width), _within(x + half - 0.5, width)):
                dx = column + 0.5 - x
                front = z + math.sqrt(max(room - dx * dx, 0.0))
                if front > depth[row, column]:
                    depth[row, column] = front
                    owner[row, column] = k


@entry_point
def _blur_and_compare(depth: Any, mean: Any, shades: Any, reach: int, scale: float) -> None:
    """Means of depths in squares, along rows and then along columns, over what is in front of a
    sample by no more than the scale; samples of nothing count as far behind."""
    height, width = depth.shape
    floor = np.float32(3.4e38)
    for row in range(height):
        for column in range(width):
            if depth[row, column] != -np.inf:
                floor = min(floor, depth[row, column])
    for row in range(height):
        total = 0.0
        for column in range(-reach, width):
            if column + reach < width:
                total += max(depth[row, column + reach], floor)
            if column - reach - 1 >= 0:
                total -= max(depth[row, column - reach - 1], floor)
            if column >= 0:
                number = min(column + reach, width - 1) - max(column - reach, 0) + 1
                mean[row, column] = total / number
    sums = np.zeros(width)
    for row in range(-reach, height):
        for column in range(width):
            if row + reach < height:
                sums[column] += mean[row + reach, column]
            if row - reach - 1 >= 0:
                sums[column] -= mean[row - reach - 1, column]
        if row >= 0:
            number = min(row + reach, height - 1) - max(row - reach, 0) + 1
            for column in range(width):
                if depth[row, column] != -np.inf:
                    behind = (sums[column] / number - depth[row, column]) / scale
                    shades[row, column] = min(max(behind, 0.0), 1.0)


@entry_point
def _light(
    sheet: Any,
    owner: Any,
    shades: Any,
    place: Array,
    radius: Array,
    colour: Any,
    paper: Any,
    fog: tuple[float, float],
) -> None:
    height, width = owner.shape
    length = math.sqrt(LIGHT[0] ** 2 + LIGHT[1] ** 2 + LIGHT[2] ** 2)
    light = (LIGHT[0] / length, LIGHT[1] / length, LIGHT[2] / length)
    # Halfway between the light and the eye, where spheres shine.
    norm = math.sqrt(light[0] ** 2 + light[1] ** 2 + (light[2] + 1.0) ** 2)
    half = (light[0] / norm, light[1] / norm, (light[2] + 1.0) / norm)
    for row in range(height):
        for column in range(width):
            k = owner[row, column]
            if k < 0:
                continue
            r = radius[k]
            nx, ny = (column + 0.5 - place[k, 0]) / r, (place[k, 1] - row - 0.5) / r
            nz = math.sqrt(max(1.0 - nx * nx - ny * ny, 0.0))
            facing = max(nx * light[0] + ny * light[1] + nz * light[2], 0.0)
            bright = (AMBIENT + DIFFUSE * facing) * (0.7 + 0.3 * min(2.0 * nz, 1.0))
            bright *= 1.0 - SHADE * shades[row, column]
            glint = max(nx * half[0] + ny * half[1] + nz * half[2], 0.0)
            for _ in range(5):
                glint *= glint
            faded = min(max((fog[0] - place[k, 2]) * fog[1], 0.0), 1.0)
            for c in range(3):
                lit = min(colour[k, c] * bright + SHINE * glint, 1.0)
                sheet[row, column, c] = lit + faded * (paper[c] - lit)
            sheet[row, column, 3] = 1.0


@inner_kernel
def _lay(pixel: Any, colour: Any) -> None:
    """Lay a colour with an opacity over a sample."""
    opacity = colour[3]
    for c in range(3):
        pixel[c] += opacity * (colour[c] - pixel[c])
    pixel[3] += opacity * (1.0 - pixel[3])


@entry_point
def _draw_lines(sheet: Any, depth: Any, ends: Array, colour: Any, half_width: float) -> None:
    """Lines with round ends; each sample is laid over once."""
    height, width = depth.shape
    for m in range(len(ends)):
        first, last = ends[m, 0], ends[m, 1]
        along = last - first
        square = along[0] ** 2 + along[1] ** 2
        is_steep = abs(along[1]) > abs(along[0])
        # One row of samples after the other across the line, each near the line only.
        main, other = (1, 0) if is_steep else (0, 1)
        most, most_other = (height, width) if is_steep else (width, height)
        slope = along[other] / along[main] if along[main] != 0.0 else 0.0
        wide = half_width * math.sqrt(1.0 + slope * slope) + 1.0
        low = min(first[main], last[main]) - half_width
        high = max(first[main], last[main]) + half_width
        for i in range(_within(low - 0.5, most), _within(high + 0.5, most)):
            middle = first[other] + slope * (i + 0.5 - first[main])
            for j in range(_within(middle - wide, most_other), _within(middle + wide, most_other)):
                x, y = (j + 0.5, i + 0.5) if is_steep else (i + 0.5, j + 0.5)
                share = 0.0
                if square > 0.0:
                    share = ((x - first[0]) * along[0] + (y - first[1]) * along[1]) / square
                    share = min(max(share, 0.0), 1.0)
                dx, dy = x - first[0] - share * along[0], y - first[1] - share * along[1]
                if dx * dx + dy * dy <= half_width * half_width:
                    row, column = (i, j) if is_steep else (j, i)
                    if first[2] + share * along[2] > depth[row, column]:
                        _lay(sheet[row, column], colour[m])


@entry_point
def _lay_triangles(sheet: Any, depth: Any, corners: Array, colour: Any, order: Integers) -> None:
    """Triangles in this order; a sample on an edge that two of them share belongs to one."""
    height, width = depth.shape
    for step in range(len(order)):
        m = order[step]
        a, b, c = corners[m, 0], corners[m, 1], corners[m, 2]
        area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        if area == 0.0:
            continue
        if area < 0.0:
            b, c, area = c, b, -area
        top, bottom = min(a[1], b[1], c[1]), max(a[1], b[1], c[1])
        left, right = min(a[0], b[0], c[0]), max(a[0], b[0], c[0])
        for row in range(_within(top - 0.5, height), _within(bottom + 0.5, height)):
            for column in range(_within(left - 0.5, width), _within(right + 0.5, width)):
                x, y = column + 0.5, row + 0.5
                u = _side(b, c, x, y)
                v = _side(c, a, x, y)
                w = _side(a, b, x, y)
                if _is_inside(u, b, c) and _is_inside(v, c, a) and _is_inside(w, a, b):
                    z = (u * a[2] + v * b[2] + w * c[2]) / area
                    if z > depth[row, column]:
                        _lay(sheet[row, column], colour[m])


@inner_kernel
def _side(p: Any, q: Any, x: float, y: float) -> float:
    """Twice the area of the triangle of two corners and a point, negative on the outer side.

    It is reckoned from the same end, whichever triangle the edge belongs to: what one gets, the
    other does not.
    """
    if p[0] < q[0] or (p[0] == q[0] and p[1] < q[1]):
        return (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0])
    return -((p[0] - q[0]) * (y - q[1]) - (p[1] - q[1]) * (x - q[0]))


@inner_kernel
def _is_inside(side: float, p: Any, q: Any) -> bool:
    """On the inner side of an edge, or on one that is at the top or on the left."""
    if side != 0.0:
        return side > 0.0
    return q[1] < p[1] or (q[1] == p[1] and q[0] > p[0])


@entry_point
def _average(sheet: Any, image: Any) -> None:
    """Pixels from their samples."""
    for row in range(image.shape[0]):
        for column in range(image.shape[1]):
            opacity, red, green, blue = 0.0, 0.0, 0.0, 0.0
            for i in range(SAMPLES * row, SAMPLES * (row + 1)):
                for j in range(SAMPLES * column, SAMPLES * (column + 1)):
                    sample = sheet[i, j]
                    red += sample[0]
                    green += sample[1]
                    blue += sample[2]
                    opacity += sample[3]
            # Samples hold colours multiplied with opacities.
            scale = 255.0 / opacity if opacity > 0.0 else 0.0
            image[row, column, 0] = np.uint8(min(red * scale + 0.5, 255.0))
            image[row, column, 1] = np.uint8(min(green * scale + 0.5, 255.0))
            image[row, column, 2] = np.uint8(min(blue * scale + 0.5, 255.0))
            image[row, column, 3] = np.uint8(min(opacity * (255.0 / SAMPLES**2) + 0.5, 255.0))
