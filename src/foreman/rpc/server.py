"""uvicorn as the door needs it: connections have deadlines and limits, and subscribers do not hold up the end.

uvicorn waits for ever for a header that never ends and keeps whatever comes in meanwhile. Here a head has
`HEAD_SECONDS` and `HEAD_BYTES`, trailers are ignored, a request in chunks is the last of its connection, and when all
connections are taken the one that has idled longest makes room. The deadline of a body is the application's own
(app.py).
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
"""The longest head: from where the message before it ended to the end of its blank line."""

CLOSING_SECONDS = 20.0
"""How long a closed connection may take to swallow what was sent to it."""

_SLOW = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


_BLANK = b"\r\n\r\n"


class DoorProtocol(HttpToolsProtocol):
    """One connection. `since` is when it last came to rest; `owes_head` while a head is awaited.

    What arrives is cut where heads and bodies end before it is parsed, so that a head is as long as it is however it
    was sent. Where a body in chunks ends only the parser knows; nothing is taken after one.
    """

    most = 0
    """Connections at once; each server has its own class with its own number."""
    since = 0.0
    owes_head = True
    closing_since: float | None = None
    stuck_since: float | None = None
    """Since when the other side has not taken what was sent to it."""
    _in_head = True
    _head_bytes = 0
    _seam = b""
    """The last bytes of a head that goes on."""
    _body_left: int | None = 0
    """Bytes; None for a body in chunks."""
    _deaf = False
    """Nothing more is taken."""
    _too_large = False

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
        at = 0
        while at < len(data) and not self._deaf and not self.transport.is_closing():
            end = self._head_end(data, at) if self._in_head else self._body_end(data, at)
            if self._head_bytes > HEAD_BYTES:
                self._deaf = self._too_large = True
                self._refuse_in_turn()
            else:
                super().data_received(data[at:end])
            at = end

    def _head_end(self, data: bytes, at: int) -> int:
        """The end of the blank line, which may have begun in what came before, or of the data; counts the bytes."""
        seam = self._seam
        found = (seam + data[at : at + len(_BLANK) - 1]).find(_BLANK)
        found = found - len(seam) + at if found >= 0 else data.find(_BLANK, at)
        end = found + len(_BLANK) if found >= 0 else len(data)
        self._head_bytes += end - at
        self._seam = (seam + data[max(at, end - len(_BLANK) + 1) : end])[1 - len(_BLANK) :]
        return end

    def _body_end(self, data: bytes, at: int) -> int:
        if self._body_left is None:
            return len(data)
        end = min(len(data), at + self._body_left)
        self._body_left -= end - at
        return end

    def _refuse_in_turn(self) -> None:
        """Say so once everything that was asked before is answered."""
        if self.idle:
            self._end(_LARGE)

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if self._deaf:
            return
        self._in_head = False
        self.owes_head = False
        self._body_left = _announced(self.headers)
        scope: Any = self.scope
        scope["extensions"] = {ABORT: {"abort": self.abort}}
        super().on_headers_complete()
        if self._body_left is None:
            self.cycle.keep_alive = False

    def on_body(self, body: bytes) -> None:
        if not self._deaf:
            super().on_body(body)

    def on_message_complete(self) -> None:
        if self._deaf:
            return
        self._in_head = True
        self._head_bytes = 0
        self._seam = b""
        self._deaf = self._body_left is None
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self.since = monotonic()
        super().on_response_complete()
        if self._too_large:
            self._refuse_in_turn()

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


def _announced(headers: list[tuple[bytes, bytes]]) -> int | None:
    """The length of a body, which the parser has checked; None for one in chunks."""
    length = 0
    for name, value in headers:
        if name == b"transfer-encoding":
            return None
        if name == b"content-length":
            length = int(value)
    return length


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
