"""A run from outside: Simulation, and what it tells."""

from carom.methods import Counts
from carom.observers.quantities import OF_FLUID, tell, tell_counts
from carom.simulation.changing import Change
from carom.simulation.fluid_observables import FluidFrame, FluidObservables
from carom.simulation.loading import load
from carom.simulation.runs import Run, read_run
from carom.simulation.simulation import Simulation

tell(Simulation)
tell(FluidObservables, OF_FLUID)
tell_counts(Counts._fields)

__all__ = [
    "Change",
    "FluidFrame",
    "FluidObservables",
    "Run",
    "Simulation",
    "load",
    "read_run",
]
