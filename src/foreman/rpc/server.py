"""uvicorn as the door needs it: connections have deadlines and limits, and subscribers do not hold up the end.

uvicorn waits for ever for a header that never ends and keeps whatever comes in meanwhile. Here a head has
`HEAD_SECONDS` and `HEAD_BYTES`, trailers are ignored, and when all connections are taken the one that has idled
longest makes room. The deadline of a body is the application's own (app.py).
"""

import asyncio
import socket
from time import monotonic
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from foreman.rpc.app import ABORT, App
from foreman.rpc.stream import PATIENCE

HEAD_SECONDS = 10.0
"""Time for a request's headers. On loopback they take microseconds."""

HEAD_BYTES = 32 * 1024
CLOSING_SECONDS = 20.0
"""How long a closed connection may take to swallow what was sent to it."""

_SLOW = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class DoorProtocol(HttpToolsProtocol):
    """One connection. `since` is when it last came to rest; `owes_head` while a head is awaited."""

    most = 0
    """Connections at once; each server has its own class with its own number."""
    since = 0.0
    owes_head = True
    closing_since: float | None = None
    stuck_since: float | None = None
    """Since when the other side has not taken what was sent to it."""
    _in_head = False
    _head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn itself
        if len(self.connections) >= self.most:
            self._make_room()
        self.since = monotonic()
        super().connection_made(transport)

    def _make_room(self) -> None:
        """Let the one go that idles longest, else the one that has taken nothing for longest."""
        known = [one for one in self.connections if isinstance(one, DoorProtocol)]
        idle = min((one for one in known if one.idle), key=lambda one: one.since, default=None)
        stuck = min((one for one in known if one.stuck_since), key=lambda one: one.stuck_since or 0.0, default=None)
        goes = idle or stuck
        if goes is not None:
            goes.transport.abort()

    @property
    def idle(self) -> bool:
        """Is nothing being answered here?"""
        return self.cycle is None or self.cycle.response_complete

    def data_received(self, data: bytes) -> None:
        if not self.owes_head and self.idle:
            self.owes_head = True
            self.since = monotonic()
        super().data_received(data)
        if self._in_head:
            self._head_bytes += len(data)
            if self._head_bytes > HEAD_BYTES:
                self._end(_LARGE)

    def on_message_begin(self) -> None:
        self._in_head = True
        self._head_bytes = 0
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._in_head = False
        self.owes_head = False
        scope: Any = self.scope
        scope["extensions"] = {ABORT: {"abort": self.abort}}
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        self.since = monotonic()
        super().on_response_complete()

    def pause_writing(self) -> None:
        self.stuck_since = monotonic()
        super().pause_writing()

    def resume_writing(self) -> None:
        self.stuck_since = None
        super().resume_writing()

    def abort(self) -> None:
        """Cut the connection: for a subscriber that takes nothing any more."""
        if self.cycle is not None:
            self.cycle.disconnected = True
        self.transport.abort()

    def sweep(self, now: float) -> None:
        """End what is overdue."""
        if self.transport.is_closing():
            self.closing_since = self.closing_since or now
            if now - self.closing_since > CLOSING_SECONDS:
                self.transport.abort()
        elif self.stuck_since is not None and now - self.stuck_since > PATIENCE:
            self.abort()
        elif self.owes_head and now - self.since > HEAD_SECONDS:
            self._end(_SLOW)

    def _end(self, answer: bytes) -> None:
        if not self.transport.is_closing():
            self.transport.write(answer)
            self.transport.close()


class DoorServer(uvicorn.Server):
    """The server: sweeps its connections once a second, and lets subscribers go before it waits for the rest."""

    def __init__(self, app: App) -> None:
        self._app = app
        self.protocol = type("LimitedProtocol", (DoorProtocol,), {"most": app.limits.connections})
        super().__init__(
            uvicorn.Config(
                app,
                http=self.protocol,
                ws="none",
                lifespan="off",
                log_config=None,
                log_level="error",
                access_log=False,
                server_header=False,
                date_header=False,
                proxy_headers=False,
                timeout_keep_alive=30,
                timeout_graceful_shutdown=5,
                backlog=1024,
            )
        )

    async def on_tick(self, counter: int) -> bool:
        if counter % 10 == 0:
            now = monotonic()
            for connection in list(self.server_state.connections):
                if isinstance(connection, DoorProtocol):
                    connection.sweep(now)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._app.close()
        await super().shutdown(sockets)
