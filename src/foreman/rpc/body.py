"""Request bodies: read within a time and a size, all clients together within a budget."""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

from starlette.types import Message, Receive

from foreman.errors import Refused

BODY_SECONDS = 10.0
"""A body that is not complete by then is given up. On loopback the largest one takes milliseconds."""

LINGER_SECONDS = 2.0
"""How long the rest of a refused body is read and thrown away, so that its sender gets to read the answer."""


class ClientGone(Exception):
    """The connection ended before the body did; there is nobody to answer."""


class Bodies:
    """Reads bodies, and knows how many bytes of long ones are held, all clients together: `most` at once.
    Counted as they come: announcing a body holds nothing.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._held = 0

    async def read(self, receive: Receive, limit: int) -> bytes:
        """The whole body. Raises `Refused` when it is too large or too slow, `ClientGone` when it breaks off. One that
        came together with its head, as almost all do, starts no clock.
        """
        coming: Coroutine[Any, Any, Message] = receive()  # type: ignore[assignment]  # ASGI says awaitable
        first = asyncio.Task(coming, loop=asyncio.get_running_loop(), eager_start=True)
        if first.done() and not first.result().get("more_body"):
            return _whole(first.result(), limit)
        try:
            async with asyncio.timeout(BODY_SECONDS):
                message = await first
                if not message.get("more_body"):
                    return _whole(message, limit)
                return await self._long(message, receive, limit)
        except TimeoutError as error:
            sentence = f"the body was not complete after {BODY_SECONDS:g} seconds"
            raise Refused("too_slow", sentence, "send it at once") from error

    @contextmanager
    def kept(self, size: int) -> Iterator[None]:
        """A long body that is whole stays within the budget until it is answered. Raises `Refused` `busy`."""
        if self._held + size > self._most:
            raise _busy()
        self._held += size
        try:
            yield
        finally:
            self._held -= size

    async def _long(self, message: Message, receive: Receive, limit: int) -> bytes:
        parts: list[bytes] = []
        size = 0
        try:
            while True:
                part = message.get("body", b"")
                parts.append(part)
                size += len(part)
                self._held += len(part)
                if size > limit:
                    raise too_large(limit)
                if self._held > self._most:
                    raise _busy()
                if not message.get("more_body"):
                    return b"".join(parts)
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise ClientGone
        finally:
            self._held -= size


def _whole(message: Message, limit: int) -> bytes:
    if message["type"] == "http.disconnect":
        raise ClientGone
    body: bytes = message.get("body", b"")
    if len(body) > limit:
        raise too_large(limit)
    return body


def _busy() -> Refused:
    return Refused("busy", "too many large requests are under way", "try again in a moment")


async def drain(receive: Receive) -> None:
    """Read on and throw away, for a moment."""
    message: dict[str, Any] | Message = {"more_body": True}
    try:
        async with asyncio.timeout(LINGER_SECONDS):
            while message.get("more_body"):
                message = await receive()
    except TimeoutError:
        pass


def too_large(limit: int) -> Refused:
    """The body is above the limit, in bytes."""
    return Refused("too_large", f"a body has at most {limit} bytes", "send less, or several requests")
