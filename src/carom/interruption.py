"""Ctrl-C that waits for a good moment."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interrupt:
    """Whether Ctrl-C has been pressed."""

    requested = False


_of_this_thread = threading.local()
_waiting: list[Interrupt] = []  # those of the main thread that wait for a good moment, outer first


def stop_if_asked() -> None:
    """Raise ``KeyboardInterrupt`` if Ctrl-C waits for a good moment: this is one.

    For loops far inside, that can take long and leave nothing behind that cannot be done again.
    """
    if threading.current_thread() is threading.main_thread():
        asked = any(interrupt.requested for interrupt in _waiting)
    else:
        asked = getattr(_of_this_thread, "interrupt", Interrupt()).requested
    if asked:
        raise KeyboardInterrupt


@contextmanager
def heeding(interrupt: Interrupt) -> Iterator[None]:
    """Let the runs of this thread, which gets no signals, stop when another thread asks for it."""
    _of_this_thread.interrupt = interrupt
    try:
        yield
    finally:
        del _of_this_thread.interrupt


@contextmanager
def deferred_interrupt() -> Iterator[Interrupt]:
    """Note Ctrl-C instead of raising at once; a second one raises at once.

    A loop inside looks at ``requested`` where it can stop. Outside the main thread, where Python
    delivers no signals, it is the interrupt that the thread is ``heeding``, if any.
    """
    if threading.current_thread() is not threading.main_thread():
        yield getattr(_of_this_thread, "interrupt", Interrupt())
        return
    interrupt = Interrupt()

    def note(number: int, frame: FrameType | None) -> None:
        if interrupt.requested:
            raise KeyboardInterrupt
        interrupt.requested = True

    before = signal.signal(signal.SIGINT, note)
    _waiting.append(interrupt)
    try:
        yield interrupt
    finally:
        _waiting.pop()
        signal.signal(signal.SIGINT, before)
