"""A run from outside: Simulation, what it tells, and ensembles of runs."""

from carom.simulation.ensemble import ensemble
from carom.simulation.loading import load
from carom.simulation.simulation import Simulation

__all__ = ["Simulation", "ensemble", "load"]
