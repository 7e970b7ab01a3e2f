"""``sim.view()``: a page in the browser, and the run that it shows."""

from __future__ import annotations

import html
import math
import sys
import threading
import warnings
import webbrowser
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from carom.checks import is_number
from carom.errors import CaromWarning
from carom.interruption import Interrupt, heeding
from carom.types import Array
from carom.view import colours
from carom.view.live import LiveStage, watchable_rate
from carom.view.played import PlayedStage
from carom.view.server import LOOPBACK, Server

FRAME_HEIGHT = 640  # pixels in a notebook


class Show:
    """A simulation or a trajectory in the browser; what ``sim.view()`` gives in a notebook.

    ``url`` is the address of the page, ``stop()`` ends the show. A run that an error has stopped
    has it as ``error``.
    """

    def __init__(self, stage: Any, server: Server) -> None:
        self._stage = stage
        self._server = server
        self._thread: threading.Thread | None = None
        self._interrupt = Interrupt()

    @property
    def url(self) -> str:
        """The address of the page: whoever knows it may look and give orders."""
        return self._server.url

    @property
    def error(self) -> Exception | None:
        """What stopped the run, if anything did."""
        return self._stage.error  # type: ignore[no-any-return]

    def play(self) -> None:
        """Run and show in this thread, until the end of the show or Ctrl-C."""
        try:
            self._stage.play()
        finally:
            self._server.stop()

    def play_aside(self) -> None:
        """Run and show in a thread of its own."""
        self._thread = threading.Thread(target=self._play_heeding, daemon=True, name="carom show")
        self._thread.start()

    def _play_heeding(self) -> None:
        with heeding(self._interrupt):
            try:
                self.play()
            except KeyboardInterrupt:
                return

    def stop(self) -> None:
        """End the show; the simulation stays at the time that it has reached."""
        self._interrupt.requested = True
        self._stage.end()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        self._server.stop()

    def __repr__(self) -> str:
        return f"<Show at {self.url}>"

    def _repr_html_(self) -> str:
        """The page within a cell. The kernel and the browser must be on one machine."""
        url = html.escape(self.url)
        return (
            f'<iframe src="{url}" title="carom" allow="clipboard-write" '
            f'style="width:100%;height:{FRAME_HEIGHT}px;border:1px solid #8884"></iframe>'
            f'<div style="font-size:85%">Nothing to see? The page is at <a href="{url}">{url}</a>, '
            "on the machine on which Python runs.</div>"
        )


def show(
    simulation: Any,
    *,
    until: float = math.inf,
    colour: str = colours.SPEED,
    rate: float | None = None,
    paused: bool = False,
    own_colours: Mapping[str, Callable[[Any], Array]] | None = None,
    host: str = LOOPBACK,
    port: int = 0,
    browser: bool = True,
    say: Callable[[str], None] | None = None,
) -> Show:
    """See ``Simulation.view``."""
    own = dict(own_colours or {})
    for name, function in own.items():
        if not callable(function):
            raise TypeError(f"view: colours[{name!r}] must be a function of the simulation.")
    if rate is not None and not (is_number(rate) and rate > 0.0):
        raise ValueError(f"view: rate must be a positive time per second, not {rate!r}.")
    if not is_number(until) or math.isnan(until) or until < simulation.time:
        raise ValueError(f"view: until={until!r} must be a time from {simulation.time:g} on.")
    pace = watchable_rate(simulation) if rate is None else float(rate)
    stage = LiveStage(simulation, float(until), colour, pace, own)
    refusal = stage.order("colour", colour)
    if refusal:
        offered = ", ".join(stage._offered()["colours"])
        raise ValueError(f"view: {refusal} There are: {offered}.")
    stage.paused = bool(paused)
    return _shown(stage, host, port, browser, say)


def play(
    path: str | Path,
    *,
    host: str = LOOPBACK,
    port: int = 0,
    browser: bool = True,
    say: Callable[[str], None] | None = None,
) -> Show:
    """Show a trajectory in the browser: see ``show``."""
    return _shown(PlayedStage(path), host, port, browser, say)


def _shown(
    stage: Any, host: str, port: int, browser: bool, say: Callable[[str], None] | None
) -> Show:
    if host != LOOPBACK:
        warnings.warn(
            f"the page at {host} can be seen, and the run be changed, by everybody who learns its "
            "address; what is sent is not encrypted. Without host= only this machine sees it.",
            CaromWarning,
            stacklevel=4,
        )
    in_notebook = hasattr(
        getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)(), "kernel"
    )
    shown = Show(stage, Server(stage, host, port, framed=in_notebook))
    if in_notebook:
        shown.play_aside()
        return shown
    (say or print)(f"Look at {shown.url}  (Ctrl-C ends)")
    sys.stdout.flush()  # somebody may read it through a pipe
    if browser:
        webbrowser.open(shown.url)
    with suppress(KeyboardInterrupt):
        shown.play()
    return shown
