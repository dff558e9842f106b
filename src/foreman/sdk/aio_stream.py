"""News of a network for asyncio. Written by scripts/async_facade.py from stream.py; do not edit."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx

from foreman.sdk.failures import BadAnswer, Unreachable
from foreman.sdk.stream import FIRST_PAUSE, FROM_THE_END, LONGEST_PAUSE, QUIET, Reader, cursor_of


async def events(http: httpx.AsyncClient, url: str, after: int | None) -> AsyncIterator[dict[str, Any]]:
    """One connection as long as it lasts: `open` first, then what comes. `after` None begins now.

    Raises `Unreachable` and `BadAnswer`.
    """
    reader = Reader(url)
    asked = {} if after is None else {"after": str(after)}
    try:
        async with http.stream("GET", url, params=asked, timeout=QUIET) as response:
            if response.status_code != 200:
                raise BadAnswer(url, f"HTTP {response.status_code}", response.status_code)
            yield {"event": "open"}
            async for piece in response.aiter_bytes():
                for each in reader.feed(piece):
                    yield each
    except (httpx.HTTPError, httpx.StreamError) as error:
        raise Unreachable(url, str(error) or type(error).__name__) from error


async def watch(http: httpx.AsyncClient, url: str, after: int | None, patience: float) -> AsyncIterator[dict[str, Any]]:
    """The same over lost connections: it comes back behind the last cursor, and no change is missed or told twice.

    `open` is told each time it is connected; `reset` says that this is another chain, or that it went back. Raises
    `Unreachable` when the network is away for `patience` seconds, and `BadAnswer`.
    """
    cursor = FROM_THE_END if after is None else after
    lost, pause = (0.0, FIRST_PAUSE)
    while True:
        try:
            async for event in events(http, url, cursor):
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
        await asyncio.sleep(pause)
        pause = min(pause * 2, LONGEST_PAUSE)
