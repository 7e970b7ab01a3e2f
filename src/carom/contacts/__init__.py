"""Soft force laws: a file is one law."""

from carom.contacts.dashpots_by_pair import DashpotsByPair
from carom.contacts.linear_spring_dashpot import (
    LinearSpringDashpot,
    contact_duration,
    ratio_of,
    restitution_of,
)
from carom.contacts.touch import Touch, at_wall, damping, elastic_energy, spring_force

__all__ = [
    "DashpotsByPair",
    "LinearSpringDashpot",
    "Touch",
    "at_wall",
    "contact_duration",
    "damping",
    "elastic_energy",
    "ratio_of",
    "restitution_of",
    "spring_force",
]
