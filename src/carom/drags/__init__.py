"""How a flow drags particles, ``Laden(drag=...)``: a file is one law of drag."""

from carom.drags.drag import resistance
from carom.drags.schiller_naumann import SchillerNaumann
from carom.drags.stokes import Stokes

__all__ = ["SchillerNaumann", "Stokes", "resistance"]
