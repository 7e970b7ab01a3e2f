"""The TC model: contacts in too quick a succession are elastic.

Luding & McNamara, Granular Matter 1, 113 (1998): a real contact lasts a time t_c, so a particle
that has been in contact less than t_c ago is still in a many-body contact, in which little is
dissipated. This cures the inelastic collapse and leaves well-separated contacts as they are.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from carom.collisions.constant_restitution import ConstantRestitution
from carom.collisions.restitution import Contact, check_law, restitution
from carom.collisions.walls import law_at_wall
from carom.compiled.kernels import kernel
from carom.representation import shown_as_call


@shown_as_call
class ContactDuration(NamedTuple):
    """``law``, but elastic when either partner's last contact is younger than ``duration``."""

    law: Any
    duration: float

    def check(self) -> None:
        """Refuse a negative duration, and what the law inside refuses."""
        if not (math.isfinite(self.duration) and self.duration >= 0):
            raise ValueError(
                f"ContactDuration: duration must be zero or positive, not {self.duration!r}."
            )
        check_law(self.law)


@restitution.register(ContactDuration)
@kernel
def _(contact: Contact, law: ContactDuration) -> float:
    if contact.time_since_last < law.duration:
        return 1.0
    return restitution(contact, law.law)


@law_at_wall.register(ContactDuration)
@kernel
def _(law: ContactDuration, coefficient: float) -> Any:
    return ContactDuration(ConstantRestitution(coefficient), law.duration)
