"""Particles in Matplotlib's figures: painted at the size that a figure has when it is drawn."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from matplotlib.artist import Artist

from carom.types import Array


class Canvas(NamedTuple):
    """An image that axes ask for: its width and height in pixels, and how points become pixels."""

    size: tuple[int, int]
    origin: Array  # (2,) in pixels, of the point (0, 0)
    scale: float  # pixels for a unit
    pixels_per_point: float

    def pixels(self, points: Array) -> Array:
        """Points (n, 2) in the coordinates of the axes, in pixels from the upper left corner."""
        return np.asarray(self.origin + points * np.array([self.scale, -self.scale]))


Paint = Callable[[Canvas], Any]


class Painted(Artist):
    """An image that fills axes with equal scales along both axes; ``paint`` makes it."""

    def __init__(self, paint: Paint) -> None:
        super().__init__()
        self.paint = paint
        self.set_zorder(1)
        self.set_in_layout(False)

    def draw(self, renderer: Any) -> None:
        """Paint for what draws the figure now, whatever its resolution."""
        if not self.get_visible():
            return
        axes: Any = self.axes
        # Files of lines, such as PDF, hold images of more pixels than they have units.
        magnified = renderer.get_image_magnification()
        box = axes.bbox
        left, bottom = math.floor(box.x0), math.floor(box.y0)
        width = max(math.ceil((box.x1 - left) * magnified), 1)
        height = max(math.ceil((box.y1 - bottom) * magnified), 1)
        zero, one = axes.transData.transform([(0.0, 0.0), (1.0, 0.0)])
        origin = (zero - (left, bottom)) * magnified
        origin[1] = height - origin[1]
        scale = (one[0] - zero[0]) * magnified
        points = renderer.points_to_pixels(1.0) * magnified
        canvas = Canvas((width, height), origin, scale, points)
        image = self.paint(canvas)
        gc = renderer.new_gc()
        gc.set_clip_rectangle(box)
        renderer.draw_image(gc, left, bottom, image[::-1])
        gc.restore()
        self.stale = False
