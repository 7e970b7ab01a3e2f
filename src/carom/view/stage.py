"""What the server talks to: somebody who has frames, and pages that wait for them."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from time import perf_counter
from typing import Any

from carom.checks import is_number

Message = str | bytes
# Showing takes this share of the time of a run at most, however many frames are asked for.
SHARE = 0.2
FASTEST, SLOWEST = 1e9, 1e-9  # simulated time per second


class Stage:
    """Frames, orders and the pages that wait; the thread that shows is another than the server's.

    Derived classes say with ``greeting``, ``_messages`` and ``_orders`` what is shown and what a
    page may ask for.
    """

    def __init__(self) -> None:
        self.paused = False
        self.frame = 0
        self._latest: list[Message] = []
        self._waiting: list[asyncio.Future[list[Message]]] = []
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._errands: deque[Callable[[], None]] = deque()
        self._shown, self._cost = 0.0, 0.0
        self._ended = False

    # In the server's thread

    def greeting(self) -> list[Message]:
        """What a page has to know before the first frame."""
        raise NotImplementedError

    def _orders(self) -> dict[str, Callable[[Any], str]]:
        """What a page may ask for: each takes a value and gives a refusal, or nothing."""
        return {"paused": self._pause}

    def order(self, name: str, value: Any) -> str:
        """Carry out one of the orders, and say why not if so."""
        carry_out = self._orders().get(name)
        if carry_out is None:
            return f"There is no order {name[:40]!r}."
        refusal = carry_out(value)
        self.frame += 1  # what is known to a page is not the latest any more
        self._wake.set()
        return refusal

    async def wait_for_frame(self, known: int, loop: asyncio.AbstractEventLoop) -> list[Message]:
        """The messages of a frame that is newer than the known one."""
        future: asyncio.Future[list[Message]] = loop.create_future()
        with self._lock:
            self._waiting.append(future)
        if known != self.frame:
            self._wake.set()
        return await future

    def _pause(self, value: Any) -> str:
        if not isinstance(value, bool):
            return "paused is true or false."
        self.paused = value
        return ""

    # In the thread that shows

    @property
    def seen(self) -> bool:
        """Whether a page waits for a frame."""
        return bool(self._waiting)

    def end(self) -> None:
        """Let the show end, from any thread."""
        self._ended = True
        self._wake.set()

    def _messages(self) -> list[Message]:
        """The messages of the present frame."""
        raise NotImplementedError

    def _run_errands(self) -> None:
        while self._errands:
            self._errands.popleft()()

    def _show(self, *, at_once: bool = False) -> None:
        """Hand the present frame to the pages that wait; nothing is spent if nobody does."""
        if not self._waiting:
            return
        now = perf_counter()
        if not at_once and now < self._shown + self._cost / SHARE:
            return
        messages = self._messages()
        self._shown, self._cost = now, perf_counter() - now
        with self._lock:
            waiting, self._waiting = self._waiting, []
        for future in waiting:
            future.get_loop().call_soon_threadsafe(_answer, future, messages)

    def _rest(self) -> None:
        """Wait, while paused, for an order or a new page; now and then for Ctrl-C."""
        self._show(at_once=True)
        self._wake.wait(0.2)
        self._wake.clear()


def _answer(future: asyncio.Future[list[Message]], messages: list[Message]) -> None:
    if not future.done():
        future.set_result(messages)


def wrong_rate(value: Any) -> str:
    """Why a value cannot be a rate; nothing if it can."""
    fits = is_number(value) and SLOWEST <= value <= FASTEST
    return "" if fits else f"A rate is a number between {SLOWEST:g} and {FASTEST:g}."
