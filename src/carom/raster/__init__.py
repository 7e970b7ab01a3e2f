"""Particles as pixels: disks with exact edges in the plane, and in space spheres, transparent
triangles and lines that hide each other; and the lines of a flow among them.

Everything is in pixels, counted from the upper left corner of the image; depth is in pixels, too,
and grows towards the eye. Colours are from 0 to 1.
"""

from carom.raster.disks import Disks, painted_disks
from carom.raster.solids import Lines, Spheres, Triangles, painted_solids
from carom.raster.streamlines import streamlines

__all__ = [
    "Disks",
    "Lines",
    "Spheres",
    "Triangles",
    "painted_disks",
    "painted_solids",
    "streamlines",
]
