"""The load generator's side of the wire, as lean as it goes: sockets kept open, requests made beforehand, no JSON where
a slice will do. It shares two cores with the node, so what it wastes is missing there.
"""

import asyncio
import json
import socket
from collections.abc import Callable
from typing import Any, cast
from urllib.parse import urlsplit

import uvloop


def run[T](work: Any) -> Any:
    """Run a coroutine on uvloop."""
    return uvloop.run(work)


def request(host: str, method: str, params: list[Any]) -> bytes:
    """The bytes of one JSON-RPC request over HTTP."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    head = (
        f"POST /api HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


class Line(asyncio.Protocol):
    """One connection: a request at a time, its reply's body to whoever asked."""

    def __init__(self) -> None:
        self._got = bytearray()
        self._waiter: asyncio.Future[bytes] | None = None
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._got += data
        head = self._got.find(b"\r\n\r\n")
        if head < 0:
            return
        at = self._got.lower().find(b"content-length:", 0, head)
        end = head + 4 + int(self._got[at + 15 : self._got.index(b"\r\n", at)])
        if len(self._got) >= end and self._waiter is not None:
            body = bytes(self._got[head + 4 : end])
            del self._got[:end]
            waiter, self._waiter = self._waiter, None
            waiter.set_result(body)

    def connection_lost(self, error: Exception | None) -> None:
        if self._waiter is not None:
            self._waiter.set_exception(ConnectionError("the node has closed the connection"))

    def ask(self, raw: bytes) -> "asyncio.Future[bytes]":
        """Send a request made by `request`; the body of the reply."""
        assert self._transport is not None
        assert self._waiter is None
        self._waiter = asyncio.get_running_loop().create_future()
        self._transport.write(raw)
        return self._waiter

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


class Events(asyncio.Protocol):
    """The subscription: calls `tell(hash, status)` for every change, both as the text that stands in the stream."""

    def __init__(self, host: str, tell: Callable[[bytes, bytes], None]) -> None:
        self._host = host
        self._tell = tell
        self._got = b""
        self.open = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(f"GET /events HTTP/1.1\r\nHost: {self._host}\r\n\r\n".encode())

    def data_received(self, data: bytes) -> None:
        if not self.open.done():
            self.open.set_result(None)
        parts = (self._got + data).split(b'"hash":"')
        for place, part in enumerate(parts[1:], start=1):
            at = part.find(b'"status":"', 0, 100)
            if part.find(b"\n\n") < 0 and place == len(parts) - 1:
                self._got = b'"hash":"' + part
                return
            if at > 0:
                self._tell(part[:66], part[at + 10 : part.index(b'"', at + 10)])
        self._got = b"" if len(parts) > 1 else (self._got + data)[-16:]


class Wire:
    """A node as the load generator knows it."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.host, self._port = parts.netloc, parts.port or 80
        self._waiting: dict[bytes, asyncio.Future[bytes]] = {}
        self._early: dict[bytes, bytes] = {}

    async def line(self) -> Line:
        """One more connection."""
        _, line = await asyncio.get_running_loop().create_connection(Line, "127.0.0.1", self._port)
        return line

    async def follow(self) -> Events:
        """Subscribe. Await it before the first transaction is sent."""
        loop = asyncio.get_running_loop()
        _, events = await loop.create_connection(lambda: Events(self.host, self._tell), "127.0.0.1", self._port)
        await events.open
        return events

    def _tell(self, digest: bytes, status: bytes) -> None:
        if status in (b"PENDING", b"ACCEPTED"):
            return
        waiter = self._waiting.pop(digest, None)
        if waiter is None:
            self._early[digest] = status
        elif not waiter.done():
            waiter.set_result(status)

    def decided(self, digest: bytes) -> "asyncio.Future[bytes]":
        """The status a transaction was decided with; `digest` as 0x-hex."""
        waiter: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        early = self._early.pop(digest, None)
        if early is None:
            self._waiting[digest] = waiter
        else:
            waiter.set_result(early)
        return waiter

    async def call(self, line: Line, method: str, params: list[Any]) -> Any:
        """One ordinary request, for what is not measured."""
        reply = json.loads(await line.ask(request(self.host, method, params)))
        if "error" in reply:
            raise RuntimeError(f"{method}: {reply['error']['message']}")
        return reply["result"]


def free_port() -> int:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return int(door.getsockname()[1])
