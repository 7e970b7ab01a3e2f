"""Where walls are, seen from a particle."""

from __future__ import annotations

from typing import Any

from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import part
from carom.domains import NORMAL, height_over


@inner_kernel
def towards(planes: Any, k: int, position: Any) -> Any:
    """The distance of a position from plane k, and the normal towards it."""
    height = height_over(planes, k, position)
    normal = part(planes, k, NORMAL)
    if height < 0.0:
        return -height, (-normal[0], -normal[1], -normal[2])
    return height, normal
