"""Figures that show themselves in the cells of notebooks."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from matplotlib.figure import Figure

from carom.plotting.style import DOTS_PER_INCH

PIXELS_PER_INCH = 96  # of a page; there are more in the picture, for sharp screens


class ShownFigure(Figure):
    """A figure of Matplotlib that cells show, whether or not pyplot has been imported."""

    def _repr_png_(self) -> tuple[bytes, dict[str, Any]]:
        """The picture, and how large it is on a page."""
        file = BytesIO()
        self.savefig(file, format="png", dpi=DOTS_PER_INCH)
        width, height = (round(PIXELS_PER_INCH * float(side)) for side in self.get_size_inches())
        return file.getvalue(), {"width": width, "height": height}
