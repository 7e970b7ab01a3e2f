"""The one question a collision law answers: the coefficient of restitution of a contact."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from carom.checks import is_number
from carom.compiled.components import answer_of, check_component, is_ours, own_method
from carom.compiled.dispatch import dispatch_on


class Contact(NamedTuple):
    """What a law may know of a contact.

    For a wall the reduced mass is the particle's mass, the effective radius its radius, and the
    species of the partner -1.
    """

    approach_speed: float  # > 0, relative speed along the line of centres
    reduced_mass: float  # m_i m_j / (m_i + m_j)
    effective_radius: float  # r_i r_j / (r_i + r_j)
    time_since_last: float  # since the last contact of either partner; infinite for the first
    species: int = 0  # the number of the first particle's
    partner_species: int = 0


@dispatch_on("law")
def restitution(contact: Contact, law: Any) -> float:
    """The coefficient of restitution of this contact, between 0 and 1."""


PROBED_SPEEDS = (1e-9, 1e-6, 1e-3, 0.1, 1.0, 10.0, 1e3)


def check_law(law: Any) -> None:
    """Refuse a law that is not one, or whose parameters cannot be.

    A law that has no ``check`` of its own is tried on contacts of many speeds.
    """
    if type(law) not in restitution.implementations:
        raise TypeError(
            f"law={law!r} is not a collision law. Use carom.Elastic(), "
            "carom.ConstantRestitution(0.9), ..., or write one: a NamedTuple of its parameters and "
            "a function registered with "
            f"@carom.collisions.restitution.register({type(law).__name__})."
        )
    check_component("law", law)
    if not is_ours(type(law)):
        has_check = own_method(law, "check") is not None
        speeds = PROBED_SPEEDS[:1] if has_check else PROBED_SPEEDS
        for speed in speeds:
            for quiet in (0.0, 1.0, math.inf):
                _check_answer(law, Contact(speed, 0.5, 0.25, quiet))


def _check_answer(law: Any, contact: Contact) -> None:
    value = answer_of("law", law, restitution, contact, law)
    if not (is_number(value) and 0.0 <= value <= 1.0):
        raise ValueError(
            f"law={law!r} gives a coefficient of restitution of {value!r} for a contact with "
            f"approach speed {contact.approach_speed}; it must lie between 0 and 1."
        )


def check_coefficient(owner: str, value: float) -> None:
    """Refuse a number that is no coefficient of restitution."""
    if not (is_number(value) and 0.0 <= value <= 1.0):
        raise ValueError(
            f"{owner}: a coefficient of restitution lies between 0 and 1, not {value!r}."
        )
