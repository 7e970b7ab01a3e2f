"""What the server talks to: somebody who has frames, and pages that wait for them."""

from __future__ import annotations

import asyncio
import math
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter
from typing import Any, NamedTuple

from carom.view.messages import told

Message = str | bytes
# Showing takes this share of the time of a run at most, however many frames are asked for.
SHARE = 0.2
# How long the run lets the server send a frame at once, in seconds. Kernels hold Python for some
# ten milliseconds, and a frame that had to wait for them would come late.
SENDING = 0.003
RESTING = 0.2  # seconds between two looks around while nothing happens
MOST_ERRANDS = 100  # that wait for the run to come to a pause between two pieces


class Waiter(NamedTuple):
    """A page that waits for another frame than the one it knows."""

    known: int
    answer: asyncio.Future[list[Message]]


class Stage:
    """Frames, orders and the pages that wait; the thread that shows is another than the server's.

    Derived classes say with ``greeting``, ``_messages`` and ``_orders`` what is shown and what a
    page may ask for.
    """

    def __init__(self) -> None:
        self.paused = False
        self.frame = 0
        self._waiting: list[Waiter] = []
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self.sent = threading.Event()  # a frame has been sent
        self._errands: deque[Callable[[], None]] = deque()
        self._shown, self._cost = 0.0, 0.0
        self._ended = False
        self._facts_at = -math.inf
        # What is said, numbered: a page that was not listening hears it with the next frame.
        self._notice = self._python = (0, "")
        self.error: Exception | None = None
        self.writer: threading.Thread | None = None  # of a film, which may outlast the show

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
        self._news()
        return refusal

    async def wait_for_frame(self, known: int, loop: asyncio.AbstractEventLoop) -> list[Message]:
        """The messages of a frame that is newer than the known one."""
        waiter = Waiter(known, loop.create_future())
        with self._lock:
            self._waiting.append(waiter)
        if known != self.frame:
            self._wake.set()
        return await waiter.answer

    def _later(self, errand: Callable[[], None]) -> str:
        """Have something done between two pieces of the run; a refusal if too much waits."""
        if len(self._errands) >= MOST_ERRANDS:
            return "Too many orders wait for the run; give this one later."
        self._errands.append(errand)
        return ""

    def _pause(self, value: Any) -> str:
        if not isinstance(value, bool):
            return "paused is true or false."
        self.paused = value
        return ""

    # In the thread that shows

    @property
    def seen(self) -> bool:
        """Whether a page waits for a frame."""
        return any(not waiter.answer.done() for waiter in self._waiting)

    def end(self) -> None:
        """Let the show end, from any thread."""
        self._ended = True
        self._wake.set()

    def _messages(self) -> list[Message]:
        """The messages of the present frame."""
        raise NotImplementedError

    def _tell(self, notice: str) -> None:
        """Let all pages read this."""
        self._notice = (self._notice[0] + 1, notice)
        self._news()

    @property
    def last_words(self) -> str:
        """What was said last."""
        return self._notice[1]

    def _news(self) -> None:
        """What pages know is not the latest any more."""
        self._facts_at = -math.inf
        self.frame += 1
        self._wake.set()

    def _run_errands(self) -> None:
        while self._errands:
            try:
                self._errands.popleft()()
            except Exception as error:  # whatever a page has asked for, the run is worth more
                self._tell(f"That could not be done: {type(error).__name__}: {error}")
            self._news()

    def _show(self, *, at_once: bool = False, only_news: bool = False) -> None:
        """Hand the present frame to the pages that wait; nothing is spent if nobody does."""
        if not self._waiting:
            return
        now = perf_counter()
        if not at_once and now < self._shown + self._cost / SHARE:
            return
        with self._lock:
            waiting = [waiter for waiter in self._waiting if not waiter.answer.done()]
            chosen = [one for one in waiting if not only_news or one.known != self.frame]
            self._waiting = [one for one in waiting if one not in chosen]
        if not chosen:
            return
        messages = self._messages_or_trouble()
        self.sent.clear()
        self._shown, self._cost = now, perf_counter() - now
        for waiter in chosen:
            with suppress(RuntimeError):  # the server has gone
                loop = waiter.answer.get_loop()
                loop.call_soon_threadsafe(_answer, waiter.answer, messages)
        self.sent.wait(SENDING)

    def _messages_or_trouble(self) -> list[Message]:
        try:
            return self._messages()
        except Exception as error:  # whatever it is, the run is worth more than its picture
            self.error = self.error or error
            return [told("trouble", why=f"It cannot be shown: {type(error).__name__}: {error}")]

    def _rest(self) -> None:
        """Wait, while paused, for an order or a new page; now and then for Ctrl-C."""
        not_yet = self._shown + self._cost / SHARE - perf_counter()  # pages may ask without end
        self._show(only_news=True)
        self._wake.wait(min(not_yet, RESTING) if not_yet > 0.0 else RESTING)
        self._wake.clear()


def _answer(future: asyncio.Future[list[Message]], messages: list[Message]) -> None:
    if not future.done():
        future.set_result(messages)
