"""What the engine asks of whatever takes the steps of a run in a flow."""

from __future__ import annotations

from typing import Protocol

from carom.methods.event_driven.event_engine import FindsEvents
from carom.methods.event_driven.world import World
from carom.methods.laden.steps import Pace


class TakesSteps(FindsEvents, Protocol):
    """Finds and handles the events of one step after the other.

    A run stands before a step, or inside one; ``pace.stands`` says where. Before a step the engine
    calls ``put_in_order``, and lets the flow go on to the end of the step. Then it calls
    ``advance_steps`` again and again, until that has finished the step and the run stands before
    the next one. Whoever changes velocities in between sets ``pace.stands`` to ``BEFORE`` and has
    everything found anew with ``prepare``: the rest of the step then begins like a step.
    """

    @property
    def pace(self) -> Pace:
        """How long steps are, over how many of them events are looked for at once, and where the
        run stands."""

    def put_in_order(self, world: World) -> None:
        """Before a step: make other cells or lines, and put particles in another order in memory,
        if that is due."""

    def advance_steps(self, world: World, until: float, collisions: int, one: bool) -> int:
        """Go on for a fraction of a second at most; a status of ``carom.errors``.

        ``PAUSED`` at the end of some steps, or of ``one``, where the flow is known for that one
        only; ``REACHED_TIME`` at the time ``until``, which may be inside a step;
        ``REACHED_COLLISIONS`` when there have been so many since the start. When the status tells
        of trouble, or of a full log, the run stands inside the step and can go on.
        """
