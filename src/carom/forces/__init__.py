"""Forces on particles between contacts, for the stepped methods: a file is one force."""

from carom.forces.force import Body, force
from carom.forces.harmonic_trap import HarmonicTrap
from carom.forces.linear_drag import LinearDrag

__all__ = ["Body", "HarmonicTrap", "LinearDrag", "force"]
