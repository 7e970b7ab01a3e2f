"""The carrier flow: a file is one fluid."""

from carom.fluids.abc import ABC
from carom.fluids.flow import Place, check_flow, velocity
from carom.fluids.shear import Shear
from carom.fluids.stream import Scales, Stream, scales, stream
from carom.fluids.taylor_green import TaylorGreen
from carom.fluids.uniform import Uniform

__all__ = [
    "ABC",
    "Place",
    "Scales",
    "Shear",
    "Stream",
    "TaylorGreen",
    "Uniform",
    "check_flow",
    "scales",
    "stream",
    "velocity",
]
