"""How far a show goes on before the next frame."""

from __future__ import annotations

import math
from time import perf_counter, sleep

FRAMES_PER_SECOND = 30.0
# Nobody looks: orders are asked for so often, in seconds.
UNSEEN = 0.25
FASTEST_GROWTH = 2.0


class Pace:
    """As much simulated time as shall pass until the next frame.

    A rate is simulated time per second by the clock; infinite: as fast as it can be. A show that
    cannot keep its rate goes as fast as it can, and does not catch up.
    """

    def __init__(self, first: float = 1e-3) -> None:
        self._piece = first  # simulated time that can be run between two frames
        self._seconds = 1.0 / FRAMES_PER_SECOND
        self._began = perf_counter()

    def begin(self, *, seen: bool) -> None:
        """Look at the clock: the time until the next frame begins."""
        self._began = perf_counter()
        self._seconds = 1.0 / FRAMES_PER_SECOND if seen else UNSEEN

    def piece(self, rate: float) -> float:
        """The simulated time to run until the next frame."""
        return min(self._piece * self._seconds * FRAMES_PER_SECOND, rate * self._seconds)

    def learn(self, simulated: float) -> None:
        """Take note of how long the piece has taken."""
        seconds = max(perf_counter() - self._began, 1e-6)
        possible = simulated / (seconds * FRAMES_PER_SECOND)
        if possible > 0.0:
            self._piece = min(max(possible, self._piece / 2.0), self._piece * FASTEST_GROWTH)

    def wait(self, rate: float) -> None:
        """Wait until it is time for the next frame, if there is a rate to keep."""
        left = self._seconds - (perf_counter() - self._began)
        if left > 0.0 and not math.isinf(rate):
            sleep(left)
