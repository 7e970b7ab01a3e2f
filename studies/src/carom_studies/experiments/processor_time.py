"""Processor time of what runs, without that of compilations in between."""

from __future__ import annotations

from time import process_time
from types import TracebackType
from typing import Any

from numba.core import event

COMPILATION = "numba:compile"


class ProcessorTime(event.Listener):  # type: ignore[misc]
    """Measures a block: ``with ProcessorTime() as clock: ...``, then ``clock.seconds``.

    Cells that fill up get longer rows, for which a kernel is compiled in the middle of a run.
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        self._depth = 0  # one compilation asks for others

    def __enter__(self) -> ProcessorTime:
        event.register(COMPILATION, self)
        self.seconds -= process_time()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.seconds += process_time()
        event.unregister(COMPILATION, self)

    def on_start(self, event: Any) -> None:
        """A compilation begins: the clock stops."""
        if self._depth == 0:
            self.seconds += process_time()
        self._depth += 1

    def on_end(self, event: Any) -> None:
        """It is complete: the clock goes on."""
        self._depth -= 1
        if self._depth == 0:
            self.seconds -= process_time()
