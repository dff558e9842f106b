"""The news of an embedded network as server-sent events, behind a cursor that can be resumed.

Written once: `scripts/async_facade.py` makes the asynchronous twin of `events` and `watch` from this source.
"""

import json
import time
from collections.abc import Iterator
from typing import Any

import httpx

from foreman.sdk.failures import BadAnswer, Unreachable

FROM_THE_END = 10**17
"""A cursor behind every end: the stream answers at once with `reset` and where it ends, and tells only what is new."""

QUIET = httpx.Timeout(10.0, read=60.0)
"""Seconds; a network shows a sign of life every 15 s (docs/rpc.md), so after four of them nobody is there."""

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
"""Seconds before a lost connection is tried again."""

MOST_TEXT = 1_000_000
"""Bytes of one event; a real one has some hundred."""


class Reader:
    """Bytes in, events out; what is not complete yet is kept, up to `MOST_TEXT` bytes."""

    def __init__(self, place: str) -> None:
        self._place = place
        self._rest = b""
        self._event: dict[str, Any] = {}
        self._data: list[bytes] = []
        self._size = 0

    def feed(self, piece: bytes) -> list[dict[str, Any]]:
        """The events that are complete now. Raises `BadAnswer` for what is none."""
        found = []
        *lines, self._rest = (self._rest + piece).split(b"\n")
        for line in lines:
            event = self._line(line.removesuffix(b"\r"))
            if event is not None:
                found.append(event)
        if len(self._rest) + self._size > MOST_TEXT:
            raise BadAnswer(self._place, "an event that does not end")
        return found

    def _line(self, line: bytes) -> dict[str, Any] | None:
        """A blank line ends an event; a comment keeps the connection alive and says nothing."""
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            self._data.append(value)
            self._size += len(line)
        elif name in (b"event", b"id"):
            self._event[name.decode()] = value.decode("utf-8", "replace")
        elif not line:
            event, data = self._event, self._data
            self._event, self._data, self._size = {}, [], 0
            return {**self._object(b"\n".join(data)), **event} if data else None
        return None

    def _object(self, text: bytes) -> dict[str, Any]:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise BadAnswer(self._place, "an event that is not JSON") from error
        if not isinstance(value, dict):
            raise BadAnswer(self._place, "an event that is not an object")
        return value


def events(http: httpx.Client, url: str, after: int | None) -> Iterator[dict[str, Any]]:
    """One connection as long as it lasts: `open` first, then what comes. `after` None begins now.

    Raises `Unreachable` and `BadAnswer`.
    """
    reader = Reader(url)
    asked = {} if after is None else {"after": str(after)}
    try:
        with http.stream("GET", url, params=asked, timeout=QUIET) as response:
            if response.status_code != 200:
                raise BadAnswer(url, f"HTTP {response.status_code}", response.status_code)
            yield {"event": "open"}
            for piece in response.iter_bytes():
                yield from reader.feed(piece)
    except (httpx.HTTPError, httpx.StreamError) as error:
        raise Unreachable(url, str(error) or type(error).__name__) from error


def watch(http: httpx.Client, url: str, after: int | None, patience: float) -> Iterator[dict[str, Any]]:
    """The same over lost connections: it comes back behind the last cursor, and no change is missed or told twice.

    `open` is told each time it is connected; `reset` says that this is another chain, or that it went back. Raises
    `Unreachable` when the network is away for `patience` seconds, and `BadAnswer`.
    """
    cursor = FROM_THE_END if after is None else after
    lost, pause = 0.0, FIRST_PAUSE
    while True:
        try:
            for event in events(http, url, cursor):
                lost = 0.0
                begins = cursor == FROM_THE_END and event.get("event") == "reset"
                if event.get("event") == "change":
                    pause = FIRST_PAUSE
                cursor = cursor_of(event, cursor)
                if not begins:
                    yield event
        except Unreachable:
            lost = lost or time.monotonic()
            if time.monotonic() - lost + pause > patience:
                raise
        time.sleep(pause)
        pause = min(pause * 2, LONGEST_PAUSE)


def cursor_of(event: dict[str, Any], before: int) -> int:
    """Where to go on after an event: its own place, the end that a `reset` tells, or where one was before."""
    told = event.get("last") if event.get("event") == "reset" else event.get("id")
    text = str(told)
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else before
