"""What runs show while they go on: simulated time, collisions or steps, their rate, time left."""

from __future__ import annotations

import math
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from carom.compiled import compile_times

if TYPE_CHECKING:  # to import them takes a tenth of a second, which only a line to draw is worth
    from rich.console import Console
    from rich.progress import Progress as RichProgress

SECONDS_BETWEEN_LINES = 5.0
BAR_WIDTH = 16  # leaves room for the rest in a terminal of 80 columns


class Progress(Protocol):
    """Something that shows how far a run has come."""

    def compiling(self, notice: str) -> None:
        """Say that the engine is being compiled, in the words of the notice."""

    def update(self, simulation: Any, time: tuple[float, float], goal: tuple[int, int]) -> None:
        """Show the state of a run from ``time[0]`` to ``time[1]``, or from ``goal[0]`` to
        ``goal[1]`` collisions when the end of time is infinite."""


class Compilation:
    """Says that something waits for the compiler, and remembers for how long it did."""

    LEAST = 0.5  # seconds; what takes less is one function of many

    def __init__(self, kind: str, say: Callable[[str], None]) -> None:
        self._kind = kind
        self._say = say
        self._before: float | None = None

    def expect(self) -> None:
        """Say it, once."""
        if self._before is None:
            self._before = compile_times.spent()
            self._say(self._notice())

    def _notice(self) -> str:
        seconds = compile_times.last_time(self._kind)
        known = "some 3 to 8 s" if seconds is None else f"the last time it took {seconds:.0f} s"
        return f"Compiling {self._kind} for this kind of system (once; {known}) ..."

    def done(self) -> None:
        """Remember for the next time how long it took."""
        if self._before is not None:
            seconds, self._before = compile_times.spent() - self._before, None
            if seconds > self.LEAST:
                compile_times.remember(self._kind, seconds)


def _share(simulation: Any, time: tuple[float, float], goal: tuple[int, int]) -> float:
    done: float
    whole: float
    if math.isinf(time[1]):
        done, whole = simulation.counts.collisions - goal[0], goal[1] - goal[0]
    else:
        done, whole = simulation.time - time[0], time[1] - time[0]
    return 1.0 if whole <= 0 else min(max(done / whole, 0.0), 1.0)


def progressed(simulation: Any) -> tuple[int, str]:
    """How much has happened so far: steps where there are any, else collisions; and which."""
    if math.isnan(simulation.dt):
        return simulation.counts.collisions, "collisions"
    return simulation.counts.steps, "steps"


class _Rate:
    """Collisions or steps per second and time left, from the last few seconds.

    A gas that cools or a pile that grows makes the speed of the first seconds a bad guide.
    """

    SECONDS = 4.0

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int, float]] = deque()

    def described(self, number: int, share: float, noun: str) -> str:
        now = perf_counter()
        if not self._seen or now - self._seen[-1][0] > 0.1 or share >= 1.0:
            self._seen.append((now, number, share))
        while len(self._seen) > 2 and not noun:
            del self._seen[1]  # pieces of work that are few and long: all of the time counts
        while len(self._seen) > 2 and now - self._seen[1][0] > self.SECONDS:
            self._seen.popleft()
        then, number_then, share_then = self._seen[0]
        seconds, gained = now - then, share - share_then
        rate = (number - number_then) / seconds if seconds > 0.2 else math.nan
        left = seconds * (1.0 - share) / gained if gained > 0.0 and seconds > 0.2 else math.nan
        if not noun:
            return f"{_clock(left)} left"
        return f"{_short(number)} {noun}  {_short(rate)}/s  {_clock(left)} left"


def _short(number: float) -> str:
    if math.isnan(number):
        return "–"
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g} {letter}"
    return f"{number:.3g}"


def _clock(seconds: float) -> str:
    if math.isnan(seconds):
        return "–"
    minutes, rest = divmod(math.ceil(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


class Line:
    """One line that shows how far something has come; this one stays invisible."""

    def __init__(self) -> None:
        self._rate = _Rate()

    def compiling(self, notice: str) -> None:
        """Say that the engine is being compiled, in the words of the notice."""

    def update(self, simulation: Any, time: tuple[float, float], goal: tuple[int, int]) -> None:
        """Show the state of a run, see ``Progress``."""
        end = "" if math.isinf(time[1]) else f" of {time[1]:g}"
        what = f"t = {simulation.time:.4g}{end}"
        number, noun = progressed(simulation)
        self.show(what, number, _share(simulation, time, goal), noun)

    def show(self, what: str, number: int, share: float, noun: str = "collisions") -> None:
        """Show what has been reached, and with how many collisions or other things that ``noun``
        names; ``share`` is 1 at the end. Without a noun there is only the time left."""


class _PlainLines(Line):
    """A plain line now and then, for output that goes to a file."""

    def __init__(self, console: Console) -> None:
        super().__init__()
        self._console = console
        self._last = -math.inf

    def compiling(self, notice: str) -> None:
        self._console.print(notice, highlight=False)

    def show(self, what: str, number: int, share: float, noun: str = "collisions") -> None:
        text = f"{what}  {self._rate.described(number, share, noun)}"
        if perf_counter() - self._last > SECONDS_BETWEEN_LINES or share >= 1.0:
            self._last = perf_counter()
            self._console.print(f"{100 * share:3.0f} %  {text}", highlight=False)


class _Bar(Line):
    """A live line on a terminal."""

    def __init__(self, bar: RichProgress) -> None:
        super().__init__()
        self._bar = bar
        self._task = bar.add_task("", total=1.0)

    def compiling(self, notice: str) -> None:
        self._bar.console.print(notice, highlight=False)

    def show(self, what: str, number: int, share: float, noun: str = "collisions") -> None:
        text = f"{what}  {self._rate.described(number, share, noun)}"
        self._bar.update(self._task, completed=share, description=text)


class _NotebookLine(Line):
    """The one line below a cell of a notebook: all runs of a cell write it again and again.

    Runs that are over before anybody could read it do not begin one. What stays is how far the last
    run came, and how long it took.
    """

    SECONDS_BEFORE = 0.5
    SECONDS_BETWEEN = 0.25
    _cell: ClassVar[tuple[int | None, Any]] = (None, None)  # the number of a cell, and its line

    def __init__(self) -> None:
        super().__init__()
        self._start = self._last = perf_counter()
        self._reached: tuple[str, float] | None = None

    def compiling(self, notice: str) -> None:
        self._write(notice)

    def show(self, what: str, number: int, share: float, noun: str = "collisions") -> None:
        text = f"{what}  {self._rate.described(number, share, noun)}"
        self._reached = f"{what}  {_short(number)} {noun}" if noun else what, share
        now = perf_counter()
        if now - self._start > self.SECONDS_BEFORE and now - self._last > self.SECONDS_BETWEEN:
            self._last = now
            self._write(f"{100 * share:3.0f} %  {text}")

    def close(self) -> None:
        """Write what the run came to, where something has been written for this cell."""
        number, line = self._cell
        if self._reached is None or line is None or number != _number_of_cell():
            return
        reached, share = self._reached
        seconds = perf_counter() - self._start
        took = f"{seconds:.1f} s" if seconds < 60.0 else f"{_clock(seconds)} min"
        stopped = "" if share >= 1.0 else f"stopped at {100 * share:.0f} %:  "
        self._write(f"{stopped}{reached}  in {took}")

    def _write(self, text: str) -> None:
        from IPython.display import display

        content, (number, line) = {"text/plain": text}, self._cell
        if line is None or number != _number_of_cell():
            line = display(content, raw=True, display_id=True)
            _NotebookLine._cell = (_number_of_cell(), line)
        else:
            line.update(content, raw=True)


def _shell() -> Any:
    """The IPython that runs this, or None."""
    return getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()


def _in_notebook() -> bool:
    """Whether this runs in a cell of a notebook, and not at a prompt."""
    return hasattr(_shell(), "kernel")


def _number_of_cell() -> int | None:
    """The number in brackets beside the cell that runs."""
    return getattr(_shell(), "execution_count", None)


class ReplicaProgress:
    """How far one of several runs side by side has come; what it finds goes to no line."""

    def __init__(self) -> None:
        self.notice: str | None = None
        self.number = 0
        self.noun = "collisions"
        self.share = 0.0

    def compiling(self, notice: str) -> None:
        """Note that the engine is being compiled."""
        self.notice = notice

    def update(self, simulation: Any, time: tuple[float, float], goal: tuple[int, int]) -> None:
        """Note the state of a run, see ``Progress``."""
        self.number, self.noun = progressed(simulation)
        self.share = _share(simulation, time, goal)


@contextmanager
def progress_line(progress: bool | Progress | None) -> Iterator[Progress]:
    """What shows a run: what was handed over, or a line of our own."""
    if progress is None or isinstance(progress, bool):
        with own_line(progress) as line:
            yield line
    else:
        yield progress


@contextmanager
def own_line(wanted: bool | None) -> Iterator[Line]:
    """The line to draw: none, a live one on a terminal or in a notebook, plain lines elsewhere.

    Unless it is asked for, only the main thread draws one: there is but one terminal.
    """
    if wanted is None:
        is_main = threading.current_thread() is threading.main_thread()
        wanted = is_main and (sys.stderr.isatty() or _in_notebook())
    if not wanted:
        yield Line()
        return
    if _in_notebook():
        line = _NotebookLine()
        try:
            yield line
        finally:
            line.close()
        return
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _PlainLines(console)
        return
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as RichProgress

    columns = (BarColumn(bar_width=BAR_WIDTH), TextColumn("{task.description}"))
    with RichProgress(*columns, console=console) as bar:
        yield _Bar(bar)
