"""Statistics of particles in a flow, and of any others: functions of arrays, a file per question.

What looks at a simulation every so often with them is in :mod:`carom.observers`.
"""

from carom.statistics.blocks import Blocks, Estimate
from carom.statistics.boxes import RepeatingBox, box_around
from carom.statistics.counting import box_counts, count_dispersion
from carom.statistics.crystals import Crystals, crystals
from carom.statistics.density_waves import (
    WaveVectors,
    density_waves,
    structure_factor,
    wave_vectors,
    waves_near,
)
from carom.statistics.dimension import correlation_dimension, share_of_pairs
from carom.statistics.impacts import ImpactSums, impact_speeds
from carom.statistics.kernel import collision_kernel, kernel_from_contact
from carom.statistics.profiles import LayerSums, layer_sums
from carom.statistics.shells import CONTACT_EDGES, Contact, PairShells, pair_shells
from carom.statistics.van_hove import VanHoveCounts, van_hove_counts
from carom.statistics.velocities import fourth_cumulant
from carom.statistics.voronoi import (
    VARIANCE_OF_RANDOM_POINTS,
    relative_deviation,
    voronoi_volumes,
)

__all__ = [
    "CONTACT_EDGES",
    "VARIANCE_OF_RANDOM_POINTS",
    "Blocks",
    "Contact",
    "Crystals",
    "Estimate",
    "ImpactSums",
    "LayerSums",
    "PairShells",
    "RepeatingBox",
    "VanHoveCounts",
    "WaveVectors",
    "box_around",
    "box_counts",
    "collision_kernel",
    "correlation_dimension",
    "count_dispersion",
    "crystals",
    "density_waves",
    "fourth_cumulant",
    "impact_speeds",
    "kernel_from_contact",
    "layer_sums",
    "pair_shells",
    "relative_deviation",
    "share_of_pairs",
    "structure_factor",
    "van_hove_counts",
    "voronoi_volumes",
    "wave_vectors",
    "waves_near",
]
