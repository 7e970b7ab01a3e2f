"""The questions a soft contact law answers: how strong the spring, how strong the dashpot."""

from __future__ import annotations

from typing import Any, NamedTuple

from carom.compiled.dispatch import dispatch_on


class Touch(NamedTuple):
    """What a law may know of two particles that overlap.

    For a wall the reduced mass is the particle's mass, the effective radius its radius, and the
    species of the partner -1.
    """

    overlap: float  # > 0
    reduced_mass: float  # m_i m_j / (m_i + m_j)
    effective_radius: float  # r_i r_j / (r_i + r_j)
    species: int  # the number of the first particle's
    partner_species: int


@dispatch_on("law")
def spring_force(touch: Touch, law: Any) -> float:
    """The elastic force, positive when it pushes the particles apart."""


@dispatch_on("law")
def damping(touch: Touch, law: Any) -> float:
    """The damping coefficient: force of the dashpot over approach speed."""


@dispatch_on("law")
def elastic_energy(touch: Touch, law: Any) -> float:
    """The energy in the spring."""


@dispatch_on("law")
def at_wall(law: Any, ratio: float) -> Any:
    """The law at a wall that has a damping ratio of its own; NaN stands for the law as it is."""
