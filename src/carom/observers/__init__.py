"""Look, never touch: a file is one way to look."""

from carom.observers.collision_log import CollisionLog
from carom.observers.fluid_frames import FluidFrames
from carom.observers.heat_conduction import HeatConduction
from carom.observers.impact_speeds import ImpactSpeeds
from carom.observers.intermediate_scattering import IntermediateScattering
from carom.observers.mean_square_displacement import MeanSquareDisplacement
from carom.observers.number_fluctuations import NumberFluctuations
from carom.observers.observer import Observer
from carom.observers.pair_statistics import PairStatistics
from carom.observers.passage_log import PassageLog
from carom.observers.profile import Profile
from carom.observers.record import Call, Record
from carom.observers.solid_clusters import SolidClusters
from carom.observers.structure_factor import StructureFactor
from carom.observers.table import Table
from carom.observers.trajectory import Trajectory
from carom.observers.van_hove import VanHove
from carom.observers.velocity_autocorrelation import VelocityAutocorrelation
from carom.observers.velocity_distribution import VelocityDistribution
from carom.observers.viscosity import Viscosity

__all__ = [
    "Call",
    "CollisionLog",
    "FluidFrames",
    "HeatConduction",
    "ImpactSpeeds",
    "IntermediateScattering",
    "MeanSquareDisplacement",
    "NumberFluctuations",
    "Observer",
    "PairStatistics",
    "PassageLog",
    "Profile",
    "Record",
    "SolidClusters",
    "StructureFactor",
    "Table",
    "Trajectory",
    "VanHove",
    "VelocityAutocorrelation",
    "VelocityDistribution",
    "Viscosity",
]
