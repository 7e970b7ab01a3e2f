"""Look, never touch: a file is one way to look."""

from carom.observers.collision_log import CollisionLog
from carom.observers.fluid_frames import FluidFrames
from carom.observers.impact_speeds import ImpactSpeeds
from carom.observers.observer import Observer
from carom.observers.pair_statistics import PairStatistics
from carom.observers.record import Call, Record
from carom.observers.table import Table
from carom.observers.trajectory import Trajectory

__all__ = [
    "Call",
    "CollisionLog",
    "FluidFrames",
    "ImpactSpeeds",
    "Observer",
    "PairStatistics",
    "Record",
    "Table",
    "Trajectory",
]
