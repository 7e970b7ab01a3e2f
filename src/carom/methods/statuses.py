"""What the statuses of kernels come to: something to be done, or an error that names the remedy."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from carom.domains import Plane
from carom.errors import (
    COLLAPSED,
    FORCE_IS_WRONG,
    LAW_IS_WRONG,
    PAUSED,
    InelasticCollapse,
    LawError,
)
from carom.system import System
from carom.types import Records


def served(status: int, due: Mapping[int, Callable[[], object]]) -> int:
    """Do what a kernel came back for, and go on; a status that is for others is handed on."""
    if status in due:
        due[status]()
        return PAUSED
    return int(status)


def refuse_trouble(
    status: int,
    system: System,
    tally: Records,
    time: float,
    *,
    rests: bool = False,
    dt: float = 0.0,
) -> None:
    """Raise what a status says that no run can go on with.

    ``tally`` is a row that names those involved. Remedies depend on whether the method lets
    particles rest on walls, and on its step.
    """
    if status == COLLAPSED:
        raise _collapse(system, tally, time, rests)
    if status == LAW_IS_WRONG:
        raise _wrong_law(system, tally, time)
    if status == FORCE_IS_WRONG:
        raise _wrong_force(system, tally, time, dt)


def _collapse(system: System, tally: Records, time: float, rests: bool) -> InelasticCollapse:
    """Collisions of a pair leave no time between them."""
    i, partner = int(tally.first_in_trouble), int(tally.second_in_trouble)
    remedies = [
        "law=carom.ContactDuration(law, duration)",
        "a restitution that tends to 1 for slow contacts (carom.ViscoelasticRestitution)",
    ]
    if system.gravity is not None and system.has_walls:
        if not (rests or system.shapes):
            remedies.append(
                "method=carom.EventDriven(resting=True) to hold particles at rest on walls"
            )
        # Of those that lie on each other none of the above carries the weight in finite time.
        remedies.append("method=carom.SoftContacts(stiffness) for particles that pile up")
    return InelasticCollapse(
        f"inelastic collapse at time {time:.12g}: particle {i} and "
        f"{_partner_name(system, partner)} collide again and again without time advancing. "
        f"Remedies: {'; or '.join(remedies)}.",
        (i, partner) if partner >= 0 else (i,),
        time,
    )


def _wrong_law(system: System, tally: Records, time: float) -> LawError:
    """A coefficient of restitution is none."""
    return LawError(
        f"the law {system.law!r} gave a coefficient of restitution of {float(tally.coefficient)} "
        f"for particle {int(tally.first_in_trouble)} and "
        f"{_partner_name(system, int(tally.second_in_trouble))} at time {time:.12g}; it must lie "
        "between 0 and 1."
    )


def _wrong_force(system: System, tally: Records, time: float, dt: float) -> LawError:
    """A force is infinite, or no number."""
    return LawError(
        f"force={system.force!r} is not finite for particle {int(tally.first_in_trouble)} at time "
        f"{time:.12g}. If it should be, it drives the particle faster and faster from step to "
        f"step, and needs a shorter one than dt={dt:g}."
    )


def _partner_name(system: System, partner: int) -> str:
    if partner >= 0:
        return f"particle {partner}"
    wall = system.numbered_walls[-1 - partner]
    if isinstance(wall, Plane):
        return f"the wall through {wall.point} with normal {wall.normal}"
    return wall.described
