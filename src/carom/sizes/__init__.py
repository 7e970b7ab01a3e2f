"""Sizes of particles at random: a file is one distribution of radii."""

from carom.sizes.between import Between
from carom.sizes.log_normal import LogNormal
from carom.sizes.normal import Normal
from carom.sizes.sieve_curve import SieveCurve
from carom.sizes.sizes import Sizes

__all__ = ["Between", "LogNormal", "Normal", "SieveCurve", "Sizes"]
