"""The carrier flow: a file is one fluid."""

from carom.fluids.flow import Place, velocity
from carom.fluids.formulas.abc import ABC
from carom.fluids.formulas.shear import Shear
from carom.fluids.formulas.taylor_green import TaylorGreen
from carom.fluids.formulas.uniform import Uniform
from carom.fluids.gridded.grid_field import GridField
from carom.fluids.random.synthetic_turbulence import SyntheticTurbulence
from carom.fluids.sampling import velocities
from carom.fluids.solved.coupled_stream import Budget, CoupledStream, coupled_stream
from carom.fluids.solved.diffusion_flow import DiffusionFlow
from carom.fluids.solved.forcing import StochasticForcing, TaylorGreenForcing
from carom.fluids.solved.navier_stokes import NavierStokes2D
from carom.fluids.stream import Scales, Stream, scales, stream

__all__ = [
    "ABC",
    "Budget",
    "CoupledStream",
    "DiffusionFlow",
    "GridField",
    "NavierStokes2D",
    "Place",
    "Scales",
    "Shear",
    "StochasticForcing",
    "Stream",
    "SyntheticTurbulence",
    "TaylorGreen",
    "TaylorGreenForcing",
    "Uniform",
    "coupled_stream",
    "scales",
    "stream",
    "velocities",
    "velocity",
]
