"""Instantaneous collision laws: a file is one law, registered with ``restitution``."""

from carom.collisions.constant_restitution import ConstantRestitution
from carom.collisions.contact_duration import ContactDuration
from carom.collisions.elastic import Elastic
from carom.collisions.restitution import Contact, check_coefficient, check_law, restitution
from carom.collisions.rough import (
    SMOOTH,
    RoughRestitution,
    makes_spin,
    tangential_restitution,
)
from carom.collisions.viscoelastic import ViscoelasticRestitution
from carom.collisions.walls import law_at_wall

__all__ = [
    "SMOOTH",
    "ConstantRestitution",
    "Contact",
    "ContactDuration",
    "Elastic",
    "RoughRestitution",
    "ViscoelasticRestitution",
    "check_coefficient",
    "check_law",
    "law_at_wall",
    "makes_spin",
    "restitution",
    "tangential_restitution",
]
