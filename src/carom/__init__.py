"""carom: many colliding particles, exactly where exactness is possible and fast everywhere.

What a run is made of is here: particles, domains, laws, methods, actors, observers, errors. What
there is much of has a module: ``collisions`` (to write laws), ``drags``, ``fluids``, ``forces``,
``functions``, ``packings``, ``plotting``, ``statistics``, ``sweeps``, ``theory``, ``walls``. A
name has one
home.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from carom import (
    collisions,
    drags,
    fluids,
    forces,
    functions,
    packings,
    regions,
    sizes,
    statistics,
    sweeps,
    theory,
    walls,
)
from carom._version import __version__ as __version__
from carom.actors import (
    Actor,
    AndersenThermostat,
    Inlet,
    Outlet,
    RandomKicks,
    Recirculation,
    RescalingThermostat,
    Traffic,
)
from carom.collisions import (
    ByPair,
    ConstantRestitution,
    ContactDuration,
    Elastic,
    RoughRestitution,
    ViscoelasticRestitution,
)
from carom.compiled.kernels import kernel
from carom.domains import Box, LeesEdwards, Open, Periodic, Plane
from carom.errors import (
    CaromError,
    CaromWarning,
    CheckpointError,
    FlowNotSolved,
    GrowthInterrupted,
    InelasticCollapse,
    Jammed,
    KernelError,
    LawError,
    NeighbourError,
    NothingAhead,
    ReplicaFailed,
    SceneError,
    SweepError,
    TooFast,
    ViewError,
)
from carom.methods import (
    Coupled,
    EventDriven,
    Laden,
    PowerOfRadius,
    SoftContacts,
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
    HeatConduction,
    ImpactSpeeds,
    IntermediateScattering,
    MeanSquareDisplacement,
    NumberFluctuations,
    Observer,
    PairStatistics,
    PassageLog,
    Profile,
    Record,
    SolidClusters,
    StructureFactor,
    Table,
    Trajectory,
    VanHove,
    VelocityAutocorrelation,
    VelocityDistribution,
    Viscosity,
)
from carom.particles import Particles
from carom.simulation import Change, Run, Simulation, load, read_run
from carom.sweeps import ensemble, sweep
from carom.system import System
from carom.trajectories import Frame, frames, read

if TYPE_CHECKING:
    from carom import plotting as plotting

__all__ = [
    "Actor",
    "AllPairs",
    "AndersenThermostat",
    "Box",
    "ByPair",
    "Call",
    "CaromError",
    "CaromWarning",
    "Change",
    "CheckpointError",
    "CollisionLog",
    "ConstantRestitution",
    "ContactDuration",
    "Coupled",
    "Elastic",
    "EventDriven",
    "FlowNotSolved",
    "FluidFrames",
    "Frame",
    "GrowthInterrupted",
    "HeatConduction",
    "HierarchicalCells",
    "ImpactSpeeds",
    "InelasticCollapse",
    "Inlet",
    "IntermediateScattering",
    "Jammed",
    "KernelError",
    "Laden",
    "LawError",
    "LeesEdwards",
    "LinkedCells",
    "LinkedLinearList",
    "MeanSquareDisplacement",
    "NeighbourError",
    "NothingAhead",
    "NumberFluctuations",
    "Observer",
    "Open",
    "Outlet",
    "PairStatistics",
    "Particles",
    "PassageLog",
    "Periodic",
    "Plane",
    "PowerOfRadius",
    "Profile",
    "RandomKicks",
    "Recirculation",
    "Record",
    "ReplicaFailed",
    "RescalingThermostat",
    "RoughRestitution",
    "Run",
    "SceneError",
    "Simulation",
    "SoftContacts",
    "SolidClusters",
    "StructureFactor",
    "SweepError",
    "System",
    "Table",
    "TimeStepped",
    "TooFast",
    "Traffic",
    "Trajectory",
    "VanHove",
    "VelocityAutocorrelation",
    "VelocityDistribution",
    "VerletList",
    "ViewError",
    "ViscoelasticRestitution",
    "Viscosity",
    "collisions",
    "drags",
    "ensemble",
    "fluids",
    "forces",
    "frames",
    "functions",
    "kernel",
    "load",
    "packings",
    "read",
    "read_run",
    "regions",
    "sizes",
    "statistics",
    "sweep",
    "sweeps",
    "theory",
    "walls",
]


# What people may look for here, and where it is.
_ELSEWHERE = dict.fromkeys(("film", "movie", "video", "animation", "animate"), "film") | (
    dict.fromkeys(("picture", "plot"), "picture")
)


def __getattr__(name: str) -> Any:
    """``carom.plotting`` on first use: a run needs no Matplotlib."""
    if name == "plotting":
        return import_module("carom.plotting")
    if name in _ELSEWHERE:
        raise AttributeError(f"carom has no {name!r}; see carom.plotting.{_ELSEWHERE[name]}.")
    raise AttributeError(f"module 'carom' has no attribute {name!r}")


def __dir__() -> list[str]:
    """What is public, and nothing of how it is made."""
    return [*__all__, "plotting", "__version__"]
