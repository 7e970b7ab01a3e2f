"""What all observers share: a schedule of their own, and states for checkpoints."""

from __future__ import annotations

from typing import Any


class Observer:
    """Looks at a simulation every so often; never touches it.

    A subclass defines ``observe(simulation)``. The first look is at the time at which the
    simulation takes the observer; the k-th is exactly ``every`` times k later.
    """

    wants_collisions = False

    def __init__(self, every: float) -> None:
        if not every > 0.0:
            raise ValueError(
                f"{type(self).__name__}: every must be a positive time, not {every!r}."
            )
        self.every = float(every)
        self._start = 0.0
        self._looks = 0

    @property
    def due(self) -> float:
        """The time of the next look."""
        if self._looks == 0:
            return self._start
        exact = self._start + self._looks * self.every
        # 3 × 0.1 is 0.30000000000000004; a run until 0.3 is meant to see the third look.
        tidy = float(f"{exact:.14g}")
        return tidy if abs(tidy - exact) < 1e-3 * self.every else exact

    def begin(self, simulation: Any, state: dict[str, Any] | None) -> None:
        """Begin with a simulation, or go on from the state of a checkpoint."""
        if state is None:
            self._start, self._looks = simulation.time, 0
        else:
            self._start, self._looks = state["start"], state["looks"]

    def look(self, simulation: Any) -> None:
        """Look now, and be due again after ``every``."""
        self.observe(simulation)
        self._looks += 1

    def observe(self, simulation: Any) -> None:
        """Take note of the simulation, whose particles are all at ``simulation.time``."""
        raise NotImplementedError

    def collided(self, columns: dict[str, Any]) -> None:
        """Take columns of collisions; only called when ``wants_collisions``."""

    def state(self) -> dict[str, Any]:
        """What a checkpoint has to keep; values that JSON can hold."""
        return {"start": self._start, "looks": self._looks}
