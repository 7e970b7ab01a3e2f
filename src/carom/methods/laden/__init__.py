"""Particles carried by a given flow, with every collision found (Sigurgeirsson et al. 2001)."""

from carom.methods.laden.coupled import Coupled
from carom.methods.laden.laden import Laden
from carom.methods.laden.relaxation import PowerOfRadius

__all__ = ["Coupled", "Laden", "PowerOfRadius"]
