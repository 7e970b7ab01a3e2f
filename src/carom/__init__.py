"""carom: many colliding particles, exactly where exactness is possible and fast everywhere."""

from carom import actors, collisions, fluids, forces, observers, packings, statistics, theory
from carom._jit import kernel
from carom._version import __version__ as __version__
from carom.actors import Actor, AndersenThermostat, RandomKicks, RescalingThermostat
from carom.collisions import (
    ConstantRestitution,
    ContactDuration,
    Elastic,
    RoughRestitution,
    ViscoelasticRestitution,
)
from carom.domains import Box, LeesEdwards, Open, Periodic, Plane
from carom.errors import (
    CaromError,
    CaromWarning,
    CheckpointError,
    GrowthInterrupted,
    InelasticCollapse,
    Jammed,
    LawError,
    NeighbourError,
    NothingAhead,
    ReplicaFailed,
    SceneError,
)
from carom.methods import (
    Coupled,
    EventDriven,
    Laden,
    PowerOfRadius,
    SchillerNaumann,
    SoftContacts,
    Stokes,
    TimeStepped,
)
from carom.neighbours.pairs import (
    AllPairs,
    HierarchicalCells,
    LinkedCells,
    LinkedLinearList,
    VerletList,
)
from carom.observers import (
    Call,
    CollisionLog,
    FluidFrames,
    ImpactSpeeds,
    Observer,
    PairStatistics,
    Record,
    Table,
    Trajectory,
)
from carom.particles import Particles
from carom.replicas import ensemble
from carom.simulation import Simulation, load
from carom.system import System

__all__ = [
    "Actor",
    "AllPairs",
    "AndersenThermostat",
    "Box",
    "Call",
    "CaromError",
    "CaromWarning",
    "CheckpointError",
    "CollisionLog",
    "ConstantRestitution",
    "ContactDuration",
    "Coupled",
    "Elastic",
    "EventDriven",
    "FluidFrames",
    "GrowthInterrupted",
    "HierarchicalCells",
    "ImpactSpeeds",
    "InelasticCollapse",
    "Jammed",
    "Laden",
    "LawError",
    "LeesEdwards",
    "LinkedCells",
    "LinkedLinearList",
    "NeighbourError",
    "NothingAhead",
    "Observer",
    "Open",
    "PairStatistics",
    "Particles",
    "Periodic",
    "Plane",
    "PowerOfRadius",
    "RandomKicks",
    "Record",
    "ReplicaFailed",
    "RescalingThermostat",
    "RoughRestitution",
    "SceneError",
    "SchillerNaumann",
    "Simulation",
    "SoftContacts",
    "Stokes",
    "System",
    "Table",
    "TimeStepped",
    "Trajectory",
    "VerletList",
    "ViscoelasticRestitution",
    "actors",
    "collisions",
    "ensemble",
    "fluids",
    "forces",
    "kernel",
    "load",
    "observers",
    "packings",
    "statistics",
    "theory",
]
