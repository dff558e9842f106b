"""The door as one ASGI application. It reads top to bottom as a request passes: admitted, sorted, read, answered.

`POST /api` is the hot path and goes through no middleware. Everything refused before it is a request has the body of
a JSON-RPC error too, so that clients show the sentence instead of "invalid JSON".
"""

import asyncio
import logging
from contextlib import aclosing
from urllib.parse import parse_qs

from starlette.types import Receive, Scope, Send

from foreman.errors import BadInput, ForemanError, Refused
from foreman.node.node import Node
from foreman.rpc.body import Bodies, ClientGone, drain, too_large
from foreman.rpc.dispatch import Dispatcher, failure
from foreman.rpc.door import Door, stopping
from foreman.rpc.front import Front
from foreman.rpc.gate import STATUS, Gate, Headers, Visitor
from foreman.rpc.pages import Pages
from foreman.rpc.stream import PATIENCE, Stream, read_cursor
from foreman.rpc.table import METHODS, NOT_OFFERED

RPC_PATHS = frozenset({"/api", "/"})

_JSON = (b"content-type", b"application/json")
_NEWS = ((b"content-type", b"text/event-stream"), (b"cache-control", b"no-store"), (b"x-accel-buffering", b"no"))


_log = logging.getLogger("foreman.rpc")

PIECE = 64 * 1024
"""Bytes of a reply that are sent at once; also what is kept of one that nobody takes, besides the reply itself."""

ABORT = "foreman.abort"
"""The ASGI extension by which server.py lets a connection be cut."""


NOTHING_BESIDE = Front()


def make_app(node: Node, front: Front = NOTHING_BESIDE) -> "App":
    """The door of a node, with what stands beside it."""
    return App(node, front)


class App:
    """An ASGI application. `close` ends what it holds: streams and threads."""

    def __init__(self, node: Node, front: Front) -> None:
        self._door = Door(node, front.read_evidence)
        self.limits = self._door.settings.limits
        self._gate = Gate(self._door.settings)
        self._dispatcher = Dispatcher(self._door, METHODS, NOT_OFFERED)
        self._stream = Stream(self._door)
        self._pages = Pages(self._door, front, lambda: self._stream.subscribers)
        self._following: set[asyncio.Task[None]] = set()
        self._bodies = Bodies(self.limits.unfinished_bytes)

    def close(self) -> None:
        """Let subscribers and waiting reads go. Call it on the event loop, before the server stops."""
        for task in self._following:
            task.cancel()
        self._door.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": "there is no WebSocket here; see /events"})
        elif scope["type"] == "lifespan":
            await self._lifespan(receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            visitor = self._gate.admit(scope)
        except Refused as error:
            self._shut_out(error)
            await _refuse(scope, receive, send, error, [(b"vary", b"Origin")])
            return
        method = scope["method"]
        try:
            if method == "POST" and scope["path"] in RPC_PATHS:
                await self._rpc(visitor, receive, send)
            elif method == "OPTIONS":
                await _preflight(scope, visitor, send)
            elif method in ("GET", "HEAD"):
                await self._get(scope, visitor, receive, send)
            else:
                raise Refused("method_not_allowed", f"{method} is not answered here", "POST /api, or GET a page")
        except ForemanError as error:
            self._shut_out(error)
            await _refuse(scope, receive, send, error, visitor.cors)
        except ClientGone:
            return
        except asyncio.CancelledError:
            if not self._door.closed:
                raise
            await _tell_the_end(scope, send, visitor.cors)

    def _shut_out(self, error: ForemanError) -> None:
        self._door.meter.shut_out(error.code)
        if _log.isEnabledFor(logging.DEBUG):
            _log.debug("request refused", extra={"fields": {"code": error.code, "sentence": error.sentence}})

    async def _rpc(self, visitor: Visitor, receive: Receive, send: Send) -> None:
        kind = visitor.content_type
        if kind != b"application/json" and kind.split(b";")[0].strip().lower() != b"application/json":
            raise Refused("not_json", "a request is sent as Content-Type: application/json", "set that header")
        limit = self._door.settings.limits.body_bytes
        if visitor.length is not None and visitor.length > limit:
            raise too_large(limit)
        body = await self._bodies.read(receive, limit)
        if len(body) > PIECE:
            with self._bodies.kept(len(body)):
                status, reply = await self._dispatcher.answer(body, visitor.extension)
        else:
            status, reply = await self._dispatcher.answer(body, visitor.extension)
        headers = [_JSON, (b"content-length", b"%d" % len(reply)), *visitor.cors]
        if len(reply) > PIECE:
            await self._send_long(send, status, headers, reply)
            return
        await send({"type": "http.response.start", "status": status, "headers": headers if reply else visitor.cors})
        await send({"type": "http.response.body", "body": reply})

    async def _send_long(self, send: Send, status: int, headers: Headers, reply: bytes) -> None:
        """Piece by piece, each when the one before is taken. Raises `Refused` when too much is not taken yet."""
        unsent = self._dispatcher.unsent
        if unsent.held + len(reply) > unsent.most:
            raise Refused("busy", "too many answers are not taken yet", "read them, or ask again in a moment")
        unsent.held += len(reply)
        try:
            await send({"type": "http.response.start", "status": status, "headers": headers})
            for at in range(0, len(reply), PIECE):
                more = at + PIECE < len(reply)
                await send({"type": "http.response.body", "body": reply[at : at + PIECE], "more_body": more})
        finally:
            unsent.held -= len(reply)

    async def _get(self, scope: Scope, visitor: Visitor, receive: Receive, send: Send) -> None:
        if scope["path"] != "/events":
            await self._pages.answer(scope, receive, send, visitor)
            return
        asked = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True).get("after")
        resumed = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"last-event-id"), None)
        cursor = read_cursor(resumed if resumed is not None else asked[0] if asked else None)
        if scope["method"] == "HEAD":
            await send({"type": "http.response.start", "status": 200, "headers": [*_NEWS, *visitor.cors]})
            await send({"type": "http.response.body", "body": b""})
            return
        task = asyncio.ensure_future(self._follow(cursor, visitor, scope, send))
        self._following.add(task)
        task.add_done_callback(self._following.discard)
        watch = asyncio.ensure_future(_cancel_when_gone(receive, task))
        try:
            await task
        except asyncio.CancelledError:
            if not task.cancelled():
                raise
        finally:
            watch.cancel()

    async def _follow(self, cursor: int | None, visitor: Visitor, scope: Scope, send: Send) -> None:
        """Send news until the subscriber goes, or takes nothing for `PATIENCE` seconds: cut off, it comes back with its
        cursor.
        """
        async with aclosing(self._stream.follow(cursor)) as news:
            text = await anext(news)
            await send({"type": "http.response.start", "status": 200, "headers": [*_NEWS, *visitor.cors]})
            try:
                while True:
                    if text:
                        async with asyncio.timeout(PATIENCE):
                            await send({"type": "http.response.body", "body": text, "more_body": True})
                    text = await anext(news)
            except TimeoutError:
                _cut(scope)
            except (ForemanError, asyncio.CancelledError):
                await _end(scope, send)  # of the node or of the subscriber; sending to one that has gone does nothing

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.shutdown":
                self.close()
                await send({"type": "lifespan.shutdown.complete"})
                return
            await send({"type": "lifespan.startup.complete"})


async def _end(scope: Scope, send: Send) -> None:
    """Finish a stream in good order if its reader takes that, else cut it off."""
    try:
        async with asyncio.timeout(1.0):
            await send({"type": "http.response.body", "body": b""})
    except TimeoutError:
        _cut(scope)


async def _tell_the_end(scope: Scope, send: Send, cors: Headers) -> None:
    """Answer whom the end of the node finds waiting; an answer that has begun is cut off."""
    try:
        async with asyncio.timeout(1.0):
            await _refuse(scope, None, send, stopping(), cors)
    except (TimeoutError, RuntimeError):  # a server's word for an answer that has begun
        _cut(scope)


def _cut(scope: Scope) -> None:
    extension = scope.get("extensions", {}).get(ABORT)
    if extension is not None:
        extension["abort"]()


async def _cancel_when_gone(receive: Receive, task: "asyncio.Task[None]") -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    task.cancel()


async def _preflight(scope: Scope, visitor: Visitor, send: Send) -> None:
    """Tell a browser that the page it asks for may send JSON. Refused origins never get here."""
    headers: Headers = [
        *visitor.cors,
        (b"access-control-allow-methods", b"POST, GET, OPTIONS"),
        (b"access-control-allow-headers", b"content-type, last-event-id"),
        (b"access-control-max-age", b"600"),
    ]
    if any(name == b"access-control-request-private-network" for name, _ in scope["headers"]):
        headers.append((b"access-control-allow-private-network", b"true"))
    await send({"type": "http.response.start", "status": 204, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


async def _refuse(scope: Scope, receive: Receive | None, send: Send, error: ForemanError, cors: Headers) -> None:
    """Answer what is not let in, and close. The rest of a body that nobody asked for is thrown away for a moment:
    closed at once, the connection would be reset before its sender has read why. Without `receive` there is no moment.
    """
    body = failure(error)
    status = STATUS.get(error.code, 400 if isinstance(error, BadInput) else 500)
    headers = [_JSON, (b"content-length", b"%d" % len(body)), (b"connection", b"close"), *cors]
    if status == 405:
        headers.append((b"allow", b"POST, GET, HEAD, OPTIONS"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    if scope["method"] == "HEAD":
        body = b""
    await send({"type": "http.response.body", "body": body, "more_body": True})
    if receive is not None and scope["method"] not in ("GET", "HEAD", "OPTIONS"):
        await drain(receive)
    await send({"type": "http.response.body", "body": b""})
