"""A page and its socket, on this machine and behind a token."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import socket
import threading
from importlib.resources import files
from typing import Any

from carom.errors import ViewError

# What the page is made of; nothing else is ever read from disk.
PAGE = {
    "": ("index.html", "text/html"),
    "page.css": ("page.css", "text/css"),
    **{
        f"{name}.js": (f"{name}.js", "text/javascript")
        for name in ("view", "state", "panel", "hands", "keep", "drawing", "camera", "charts")
    },
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' "
    "blob: data:; media-src blob:; base-uri 'none'; form-action 'none'"
)
LOOPBACK = "127.0.0.1"
MOST_PAGES = 32
LONGEST_MESSAGE = 4096  # bytes of an order
MOST_WAITING = 2  # frames that one page may have asked for
# Strangers who knock are no concern of whoever looks: without a handler Python would print each.
LOG = logging.getLogger("carom.view")
LOG.addHandler(logging.NullHandler())


class Server(threading.Thread):
    """Hands the page to whoever knows the address, and carries orders and frames.

    It listens on the loopback address unless another host is named. ``stage`` is what is shown:
    it greets with ``greeting()``, takes orders with ``order(name, value)`` and gives messages with
    ``wait_for_frame(known, loop)``.
    """

    def __init__(
        self, stage: Any, host: str = LOOPBACK, port: int = 0, framed: bool = False
    ) -> None:
        super().__init__(daemon=True, name="carom view")
        try:
            import websockets  # noqa: F401
        except ImportError as error:
            raise ViewError(
                "to see a simulation in the browser carom needs the package websockets: "
                'pip install "carom[view]".'
            ) from error
        self._stage = stage
        self._host, self._port, self._framed = host, port, framed
        self._token = secrets.token_urlsafe(24)
        self._ready = threading.Event()
        self._trouble: OSError | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ended: asyncio.Event | None = None
        self._pages = 0
        self.start()
        self._ready.wait()
        if self._trouble is not None:
            raise ViewError(f"nothing can be shown at {host}: {self._trouble}.")

    @property
    def url(self) -> str:
        """The address of the page, with the token."""
        return f"http://{self._named}/{self._token}/"

    def stop(self) -> None:
        """Say goodbye to all pages, and end."""
        if self._loop is None or self._ended is None or self._loop.is_closed():
            return
        self._loop.call_soon_threadsafe(self._ended.set)
        self.join(5.0)

    def run(self) -> None:
        """The thread of the server."""
        try:
            asyncio.run(self._serve())
        except OSError as error:
            self._trouble = error
            self._ready.set()

    async def _serve(self) -> None:
        from websockets.asyncio.server import serve

        self._loop, self._ended = asyncio.get_running_loop(), asyncio.Event()
        self._loop.set_exception_handler(lambda _, about: LOG.error("%s", about.get("message")))
        options: dict[str, Any] = {
            "compression": None,
            "max_size": LONGEST_MESSAGE,
            "process_request": self._answer,
            "server_header": None,
            "logger": LOG,
        }
        try:
            server = await serve(self._talk, self._host, self._port, **options)
        except OSError:
            if self._port == 0:
                raise
            server = await serve(self._talk, self._host, 0, **options)  # the port is taken
        self._listening = server
        async with server:
            port = server.sockets[0].getsockname()[1]
            self._named = f"{_spoken(self._host)}:{port}"
            self._ready.set()
            await self._ended.wait()

    def _answer(self, connection: Any, request: Any) -> Any:
        """A part of the page; None lets a socket through; else a refusal."""
        from websockets.datastructures import Headers
        from websockets.http11 import Response

        token, _, name = request.path[1:].partition("/")
        name = name.partition("?")[0]
        known = secrets.compare_digest(token.encode(), self._token.encode())
        # A page from elsewhere that has its name resolved to this machine has another Host.
        hosts, origins = (request.headers.get_all(each) for each in ("Host", "Origin"))
        known &= hosts == [self._named] if self._host == LOOPBACK else len(hosts) == 1
        if name == "socket" and known and origins == [f"http://{hosts[0]}"]:
            return (
                None if self._pages < MOST_PAGES else connection.respond(503, "Too many pages.\n")
            )
        if not known or name not in PAGE:
            return connection.respond(403, "Not allowed.\n")
        file, kind = PAGE[name]
        frames = "" if self._framed else "; frame-ancestors 'none'"
        headers = {
            "Content-Type": f"{kind}; charset=utf-8",
            "Content-Security-Policy": POLICY + frames,
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "no-store",
            "Connection": "close",
        }
        body = files("carom.view").joinpath("page", file).read_bytes()
        return Response(200, "OK", Headers(headers), body)

    async def _talk(self, page: Any) -> None:
        """Describe the scene, then answer every "next" with a frame."""
        from websockets.exceptions import ConnectionClosed

        self._pages += 1
        waiting: set[asyncio.Task[None]] = set()
        try:
            for message in self._stage.greeting():
                await page.send(message)
            async for text in page:
                name, value = _order_in(text)
                if name == "next":
                    if len(waiting) < MOST_WAITING:
                        task = asyncio.create_task(self._send_frame(page, value))
                        waiting.add(task)
                        task.add_done_callback(waiting.discard)
                    continue
                refusal = self._stage.order(name, value)
                if refusal:
                    await page.send(json.dumps({"kind": "refused", "why": refusal}))
        except ConnectionClosed:
            pass
        finally:
            self._pages -= 1
            for task in waiting:
                task.cancel()

    async def _send_frame(self, page: Any, known: Any) -> None:
        from websockets.exceptions import ConnectionClosed

        number = known if isinstance(known, int) and not isinstance(known, bool) else -1
        try:
            for message in await self._stage.wait_for_frame(number, asyncio.get_running_loop()):
                await page.send(message)
        except ConnectionClosed:
            pass
        finally:
            self._stage.sent.set()


def _spoken(host: str) -> str:
    """A host as it stands in an address; one that means all of them is this machine's name."""
    if host in ("", "0.0.0.0", "::"):
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host


def _order_in(text: Any) -> tuple[str, Any]:
    """The name and the value of an order; anything else is an order that nobody knows."""
    try:
        name, value = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return "", None
    return (name, value) if isinstance(name, str) else ("", None)
