"""Which of the pairs of a block touch now."""

from __future__ import annotations

from carom.compiled.kernels import inner_kernel
from carom.methods.stepped.vectors.touching import far_pairs, near_pairs
from carom.methods.stepped.world import AT_WALLS, FAR, FAR_TOUCHING, NEAR, TOUCHING, World


@inner_kernel
def find_contacts(world: World) -> int:
    """Find the pairs that touch now; how many contacts there may be, with those of the walls."""
    inner = world.inner
    inner.number[TOUCHING] = near_pairs(
        inner.sphere, inner.first, inner.second, inner.number[NEAR], 0.0, inner.found
    )
    inner.number[FAR_TOUCHING] = far_pairs(
        inner.sphere,
        inner.far_first,
        inner.far_second,
        inner.far_image,
        world.shift,
        inner.number[FAR],
        0.0,
        inner.far_found,
    )
    return inner.number[TOUCHING] + inner.number[FAR_TOUCHING] + inner.number[AT_WALLS]
