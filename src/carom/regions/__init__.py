"""Parts of space, in which particles come in or go out: a file is one shape."""

from carom.regions.ball import Ball
from carom.regions.beyond import Beyond
from carom.regions.block import Block
from carom.regions.region import Region
from carom.regions.tube import Tube

__all__ = ["Ball", "Beyond", "Block", "Region", "Tube"]
