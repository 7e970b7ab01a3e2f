"""When something that happens every so often is due."""

from __future__ import annotations

import math
from typing import Any

from carom.checks import is_number

# Ten billion looks or acts would take days.
MOST_TIMES = 1e10


class Schedule:
    """Equally spaced times, kept by counting them: the k-th is exactly k times ``every`` after the
    start, however many have passed."""

    def __init__(self, every: float, start: float = 0.0, past: int = 0) -> None:
        self.every = every
        self.start = start
        self.past = past

    @property
    def due(self) -> float:
        """The first time that has not passed."""
        if self.past == 0:
            return self.start
        exact = self.start + self.past * self.every
        # 3 × 0.1 is 0.30000000000000004; a run until 0.3 is meant to see the third time.
        tidy = float(f"{exact:.14g}")
        return tidy if abs(tidy - exact) < 1e-3 * self.every else exact

    def advance(self) -> None:
        """Be due at the next time."""
        before = self.due
        self.past += 1
        if self.due <= before:
            raise ValueError(
                f"times every={self.every:g} cannot be told apart at time {before:.12g}; use at "
                f"least every={2.0 * math.ulp(before):.2g}."
            )

    def refuse_too_many(self, end: float) -> None:
        """Refuse to be due so often until a time that nobody would see the end of it."""
        times = (end - self.due) / self.every
        if times > MOST_TIMES:
            raise ValueError(
                f"every={self.every:g} is due {times:.2g} times until {end:g}; use every="
                f"{(end - self.due) / MOST_TIMES:.2g} or more, or an earlier end."
            )

    def refuse_too_many_within(self, flight: float) -> None:
        """Refuse to be due so often while a particle flies its radius that nothing ever happens."""
        times = flight / self.every
        if times > MOST_TIMES:
            raise ValueError(
                f"every={self.every:g} is due {times:.2g} times while any particle flies as far as "
                f"its radius, in {flight:.3g}; use every={flight / MOST_TIMES:.2g} or more."
            )

    def state(self) -> dict[str, Any]:
        """What a checkpoint has to keep, beside ``every``."""
        return {"start": self.start, "past": self.past}


def checked_interval(owner: object, every: float, *, endless: bool) -> float:
    """The time between two looks or acts, if it can be one."""
    if not (is_number(every) and every > 0.0 and (endless or math.isfinite(every))):
        raise ValueError(f"{type(owner).__name__}: every must be a positive time, not {every!r}.")
    return float(every)
