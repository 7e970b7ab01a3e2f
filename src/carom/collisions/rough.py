"""Rough particles: contacts also act along the surfaces, and particles spin.

With g the relative velocity of the surfaces at the contact, the normal part of g is reversed with
the coefficient ``normal``, the tangential part with ``tangential``: −1 is perfectly smooth, 0 takes
all slip away, 1 is perfectly rough and reverses it without loss (Walton 1993; Huthmann & Zippelius,
Phys. Rev. E 56, R6275, 1997).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from carom.collisions.by_pair import ByPair
from carom.collisions.contact_duration import ContactDuration
from carom.collisions.restitution import Contact, check_coefficient, restitution
from carom.collisions.walls import law_at_wall
from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import kernel
from carom.representation import shown_as_call

SMOOTH = -1.0


@shown_as_call
class RoughRestitution(NamedTuple):
    """Constant coefficients along the line of centres and along the surfaces."""

    normal: float
    tangential: float

    def check(self) -> None:
        """Refuse coefficients that no contact has."""
        check_coefficient("RoughRestitution", self.normal)
        if not -1.0 <= self.tangential <= 1.0:
            raise ValueError(
                "RoughRestitution: tangential lies between -1 (smooth) and 1 (perfectly rough), "
                f"not {self.tangential!r}."
            )


@dispatch_on("law")
def tangential_restitution(contact: Contact, law: Any) -> float:
    """The coefficient along the surfaces of this contact, between −1 and 1."""


@tangential_restitution.otherwise
@kernel
def _(contact: Contact, law: Any) -> float:
    return SMOOTH


@tangential_restitution.register(RoughRestitution)
@kernel
def _(contact: Contact, law: RoughRestitution) -> float:
    return law.tangential


@tangential_restitution.register(ContactDuration)
@kernel
def _(contact: Contact, law: ContactDuration) -> float:
    """Contacts in too quick a succession lose nothing: they are smooth."""
    if contact.time_since_last < law.duration:
        return SMOOTH
    return tangential_restitution(contact, law.law)


@restitution.register(RoughRestitution)
@kernel
def _(contact: Contact, law: RoughRestitution) -> float:
    return law.normal


@law_at_wall.register(RoughRestitution)
@kernel
def _(law: RoughRestitution, coefficient: float) -> Any:
    return RoughRestitution(coefficient, law.tangential)


def makes_spin(law: Any) -> bool:
    """Whether particles spin under a law, or one inside it."""
    if isinstance(law, RoughRestitution):
        return True
    if isinstance(law, ByPair):
        return any(map(makes_spin, law.laws))
    return isinstance(law, ContactDuration) and makes_spin(law.law)
