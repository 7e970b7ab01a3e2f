"""The carrier flow: a file is one fluid."""

from carom.fluids.abc import ABC
from carom.fluids.coupled import Budget, CoupledStream, coupled_stream, exchange_strengths
from carom.fluids.diffusion_flow import DiffusionFlow
from carom.fluids.flow import Place, check_flow, velocity
from carom.fluids.forcing import StochasticForcing, TaylorGreenForcing
from carom.fluids.grid_field import GridField
from carom.fluids.navier_stokes import NavierStokes2D
from carom.fluids.sampling import velocities
from carom.fluids.shear import Shear
from carom.fluids.stream import Scales, Stream, scales, stream
from carom.fluids.synthetic_turbulence import SyntheticTurbulence
from carom.fluids.taylor_green import TaylorGreen
from carom.fluids.uniform import Uniform

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
    "check_flow",
    "coupled_stream",
    "exchange_strengths",
    "scales",
    "stream",
    "velocities",
    "velocity",
]
