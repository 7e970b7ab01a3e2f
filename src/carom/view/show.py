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
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from carom.checks import is_number
from carom.errors import CaromWarning, ViewError
from carom.interruption import Interrupt, heeding
from carom.types import Array, Plain
from carom.view import colours
from carom.view.live import LiveStage, watchable_rate
from carom.view.played import PlayedStage
from carom.view.server import LOOPBACK, Server
from carom.view.spelled import checked_camera
from carom.view.where import elsewhere, has_screen

FRAME_HEIGHT = 640  # pixels in a notebook
# Who is being shown: two shows would run one simulation at the same time.
_on_stage: WeakKeyDictionary[Any, Show] = WeakKeyDictionary()


class Show:
    """A simulation or a trajectory in the browser; what ``sim.view()`` gives in a notebook.

    ``url`` is the address of the page, ``stop()`` ends the show. A run that an error has stopped
    has it as ``error``.
    """

    def __init__(self, stage: Any, server: Server) -> None:
        self._stage = stage
        self._server = server
        self._thread: threading.Thread | None = None
        self.is_over = False
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
            self.is_over = True
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
        self.is_over = True
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
    chosen: Mapping[str, Any] | None = None,
    camera: Mapping[str, Any] | None = None,
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
    other = _on_stage.get(simulation)
    if other is not None and not other.is_over:
        raise RuntimeError(
            f"view: the simulation is shown already, at {other.url}. Look there, or end that show "
            "first, with stop()."
        )
    refusal = "" if camera is None else checked_camera(dict(camera))
    if refusal:
        raise ValueError(f"view: camera={camera!r} cannot be: {refusal}")
    pace = watchable_rate(simulation) if rate is None else float(rate)
    seen = None if camera is None else dict(camera)
    stage = LiveStage(simulation, float(until), colours.SPEED, pace, own, seen)
    _choose(stage, {"colour": colour} | dict(chosen or {}))
    stage.paused = bool(paused)
    return _shown(stage, host, port, browser, say, simulation)


def _choose(stage: LiveStage, chosen: Plain) -> None:
    """Let a show begin with these choices; what is not offered is refused."""
    lists = {"colour": "colours", "flow": "flows", "plots": "plots"}
    for name, value in chosen.items():
        refusal = stage.order(name, value)
        if refusal:
            offered = ", ".join(stage.choices.offered.get(lists.get(name, ""), []))
            there_are = f" There are: {offered}." if offered else ""
            raise ValueError(f"view: {name}={value!r} cannot be shown. {refusal}{there_are}")


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
    stage: Any,
    host: str,
    port: int,
    browser: bool,
    say: Callable[[str], None] | None,
    simulation: Any = None,
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
    place = elsewhere() if host == LOOPBACK else ""
    if in_notebook and place and port == 0:
        raise ViewError(
            f"the kernel of this notebook runs in {place}, and the page of a view can be opened "
            "on the machine of the kernel alone. carom.plotting.picture and film show themselves "
            "in a cell anywhere. If a port is forwarded to your machine, as with `ssh -L "
            "8765:127.0.0.1:8765`, say which: view(port=8765)."
        )
    shown = Show(stage, Server(stage, host, port, framed=in_notebook))
    if simulation is not None:
        _on_stage[simulation] = shown
    if in_notebook:
        shown.play_aside()
        return shown
    tell = say or print
    try:
        # Once the address can be read, Ctrl-C is how a show ends.
        with suppress(KeyboardInterrupt):
            tell(f"Look at {shown.url}  (Ctrl-C ends)")
            if place:
                number = urlsplit(shown.url).port
                tell(f"That is on {place}: forward it with  ssh -L {number}:127.0.0.1:{number} …")
            sys.stdout.flush()  # somebody may read it through a pipe
            if browser and has_screen():
                webbrowser.open(shown.url)
            shown.play()
    finally:
        if not shown.is_over:
            shown.stop()
    if stage.writer is not None and stage.writer.is_alive():
        tell("Writing the film …")
        stage.writer.join()
        tell(stage.last_words)
    return shown
