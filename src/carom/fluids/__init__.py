"""The carrier flow: a file is one fluid."""

from carom.fluids.abc import ABC
from carom.fluids.flow import Place, check_flow, velocity
from carom.fluids.grid_field import GridField
from carom.fluids.sampling import velocities
from carom.fluids.shear import Shear
from carom.fluids.stream import Scales, Stream, scales, stream
from carom.fluids.synthetic_turbulence import SyntheticTurbulence
from carom.fluids.taylor_green import TaylorGreen
from carom.fluids.uniform import Uniform

__all__ = [
    "ABC",
    "GridField",
    "Place",
    "Scales",
    "Shear",
    "Stream",
    "SyntheticTurbulence",
    "TaylorGreen",
    "Uniform",
    "check_flow",
    "scales",
    "stream",
    "velocities",
    "velocity",
]
