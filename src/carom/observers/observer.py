"""What all observers share: a schedule of their own, and states for checkpoints."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from carom.representation import shortened
from carom.schedule import Schedule, checked_interval
from carom.types import Columns, Plain


class Observer:
    """Looks at a simulation every so often; never touches it.

    A subclass defines ``observe(simulation)``. The first look is at the time at which the
    simulation takes the observer; the k-th is exactly ``every`` times k later. An observer belongs
    to one simulation.
    """

    wants_collisions = False
    wants_passages = False  # particles that come and go
    # Whether it can follow a number of particles that changes; if not, why.
    needs_the_same: str = ""
    # Whether it has files, or sums in checkpoints, with which a continued run goes on.
    keeps = False
    is_taken = False  # whether a simulation has it

    def __init__(self, every: float) -> None:
        # An observer that never looks a second time may still take collisions.
        self._schedule = Schedule(checked_interval(self, every, endless=True))

    def __repr__(self) -> str:
        settings = (f"{name}={shortened(value)}" for name, value in self.settings().items())
        return f"<{type(self).__name__}: {', '.join(settings)}, {self.looks} looks>"

    @property
    def every(self) -> float:
        """The time between two looks."""
        return self._schedule.every

    @property
    def due(self) -> float:
        """The time of the next look."""
        return self._schedule.due

    def refuse_too_many_looks(self, end: float) -> None:
        """Refuse a run until a time that would look so often that it never comes to an end."""
        self._schedule.refuse_too_many(end)

    def refuse_too_many_looks_within(self, flight: float) -> None:
        """Refuse to look so often in a time in which next to nothing happens."""
        self._schedule.refuse_too_many_within(flight)

    @property
    def looks(self) -> int:
        """How often it has looked."""
        return self._schedule.past

    def settings(self) -> Plain:
        """By what it is known again, beside its type, when a run is continued; values that JSON
        can hold."""
        return {"every": self.every}

    def check(self, simulation: Any, state: Plain | None) -> None:
        """Refuse what cannot be observed, or continued, before any file is touched."""

    def begin(self, simulation: Any, state: Plain | None) -> None:
        """Begin with a simulation, or go on from the state of a checkpoint."""
        if state is None:
            self._schedule = Schedule(self.every, simulation.time)
        else:
            self._schedule = Schedule(self.every, state["start"], state["past"])

    def look(self, simulation: Any) -> None:
        """Look now, and be due again after ``every``."""
        self.observe(simulation)
        self._schedule.advance()

    def observe(self, simulation: Any) -> None:
        """Take note of the simulation, whose particles are all at ``simulation.time``."""
        raise NotImplementedError(f"{type(self).__name__} must define observe(simulation).")

    def collided(self, columns: Columns) -> None:
        """Take columns of collisions; only called when ``wants_collisions``."""

    def passed(self, time: float, passages: list[Plain]) -> None:
        """Take those who have come or gone at a time; only called when ``wants_passages``."""

    def refuse_changing_number(self) -> None:
        """Refuse a run in which particles come and go, if it cannot follow them."""
        if self.needs_the_same:
            raise ValueError(
                f"{type(self).__name__} cannot look at a run in which particles come and go: "
                f"{self.needs_the_same}. Leave it out, or look at a run of a fixed number."
            )

    def state(self) -> Plain:
        """What a checkpoint has to keep; values that JSON can hold."""
        return self._schedule.state()


def refuse_shared_files(observers: Iterable[Observer]) -> None:
    """Refuse two observers that would write into one file."""
    writers: dict[Path, Observer] = {}
    for observer in observers:
        path = getattr(observer, "path", None)
        if isinstance(path, Path) and path.resolve() in writers:
            raise ValueError(
                f"{observer!r} and {writers[path.resolve()]!r} would write over each other in "
                f"{path}; give each a file of its own."
            )
        if isinstance(path, Path):
            writers[path.resolve()] = observer
