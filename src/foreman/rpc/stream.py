"""Live news as server-sent events: every change of a status with a cursor that can be resumed, and seats as they speak.

    event: change                          durable; `id` is its place in the journal
    id: 17
    data: {"seq":17,"hash":"0x..","status":"ACCEPTED","at":1767225600000000}

    event: seat                            live only, no id
    data: {"hash":"0x..","block":0,"round":0,"seat":2,"judge":"offline","vote":"agree","stage":"voted"}

    event: reset                           the cursor lies behind the end: this is another chain, or it went back
    data: {"last":9}

News is written once, into a window that all subscribers read. Who falls behind the window goes on from the journal on
disk and misses seats; who takes no bytes for `PATIENCE` seconds is dropped. So a subscriber costs a place in the
window, not a copy of it.
"""

import asyncio
import json
from collections import deque
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from foreman.errors import BadInput, Refused
from foreman.ledger import Change
from foreman.node.feed import News, SeatNews
from foreman.rpc.door import Door
from foreman.rpc.methods.network import change_object
from foreman.rpc.wire import hexed

WINDOW = 8_192
"""Pieces of news in the window: a few seconds at full speed, about a megabyte."""

PIECE = 256
"""News in one write, and changes in one read of the journal."""

HEARTBEAT = 15.0
"""Seconds of silence before a comment line shows that the connection lives."""

PATIENCE = 20.0
"""Seconds a subscriber may leave a write untaken."""

BEAT = b": still here\n\n"
OPENING = b"retry: 1000\n\n"


@dataclass(frozen=True, slots=True)
class _Line:
    """One piece of news, written. `seq` is 0 for what has no cursor."""

    seq: int
    text: bytes


class Stream:
    """The window and who reads it. Lives on the event loop; only `_hear` is called from the node's threads."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._window: deque[_Line] = deque()
        self._first = 0  # the index of the window's first line, counted since the stream began
        self._floor = 0  # changes after this cursor are in the window or still to come
        self._inbox: deque[Sequence[News]] = deque()
        self._called = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._unsubscribe: Callable[[], None] | None = None
        self._news: asyncio.Event = asyncio.Event()
        self._subscribers = 0
        self._replays = asyncio.Semaphore(door.settings.limits.replays_at_once)

    @property
    def subscribers(self) -> int:
        """Who follows now."""
        return self._subscribers

    async def follow(self, after: int | None) -> AsyncGenerator[bytes, None]:
        """Text to send, for ever, sometimes empty. `after` None begins now. Raises `Refused` when too many follow."""
        most = self._door.settings.limits.subscribers
        if self._subscribers >= most:
            raise Refused("busy", f"{most} subscribers follow this node already", "try again later")
        self._subscribers += 1
        try:
            if self._unsubscribe is None:
                self._begin()
            born = self._end_of_window
            last = self._door.node.last_change()
            yield OPENING
            if after is not None and after > last:
                yield _event("reset", {"last": last})
                after = None
            async for text in self._from(last if after is None else after, born):
                yield text
        finally:
            self._subscribers -= 1
            if not self._subscribers:
                self._end()

    async def _from(self, cursor: int, born: int) -> AsyncGenerator[bytes, None]:
        """Changes after `cursor`, from the journal as far as the window does not reach back, then from the window;
        seats only from the index `born` on, because what was said before the subscriber came is over.
        """
        place = 0
        while True:
            while cursor < self._floor:
                async with self._replays:
                    text, last = await self._door.in_thread(self._past, cursor)
                cursor = last or self._floor
                yield text
            place = max(place, self._first)
            if place == self._end_of_window:
                yield await self._silence()
                continue
            end = min(place + PIECE, self._end_of_window)
            lines = [(index, self._window[index - self._first]) for index in range(place, end)]
            yield b"".join(line.text for index, line in lines if (line.seq > cursor if line.seq else index >= born))
            place, cursor = end, max(cursor, *(line.seq for _, line in lines))

    def _past(self, cursor: int) -> tuple[bytes, int]:
        """In a thread: the next piece of the journal, written, and its last cursor, 0 for an empty one."""
        changes = self._door.node.changes(cursor, PIECE)
        return b"".join(map(_change, changes)), changes[-1].seq if changes else 0

    async def _silence(self) -> bytes:
        """Wait for news: nothing once there is some, a heartbeat when there is none for long."""
        try:
            async with asyncio.timeout(HEARTBEAT):
                await self._news.wait()
        except TimeoutError:
            return BEAT
        return b""

    @property
    def _end_of_window(self) -> int:
        return self._first + len(self._window)

    def _begin(self) -> None:
        """Listen first, then look where the journal ends: what comes in between is told twice to us, and once to
        others, because a subscriber takes nothing at or before its cursor.
        """
        self._loop = asyncio.get_running_loop()
        self._unsubscribe = self._door.node.subscribe(self._hear)
        self._floor = self._door.node.last_change()

    def _end(self) -> None:
        if self._unsubscribe is not None:
            self._unsubscribe()
        self._unsubscribe = None
        self._first = self._end_of_window
        self._window.clear()

    def _hear(self, news: Sequence[News]) -> None:
        """In a thread of the node. One wake-up for everything that gathers until the loop looks."""
        self._inbox.append(news)
        if not self._called and self._loop is not None:
            self._called = True
            try:
                self._loop.call_soon_threadsafe(self._write)
            except RuntimeError:  # the loop is closed, and nobody listens any more
                self._inbox.clear()

    def _write(self) -> None:
        self._called = False
        while self._inbox:
            for item in self._inbox.popleft():
                if isinstance(item, SeatNews):
                    self._window.append(_Line(0, _seat(item)))
                else:
                    self._window.append(_Line(item.seq, _change(item)))
        while len(self._window) > WINDOW:
            self._first += 1
            self._floor = max(self._floor, self._window.popleft().seq)
        news, self._news = self._news, asyncio.Event()
        news.set()


def read_cursor(text: str | None) -> int | None:
    """A cursor as it comes in `?after=` or `Last-Event-ID`. Raises `BadInput`."""
    if text is None or text == "":
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 18:
        raise BadInput("bad_cursor", f"{text[:40]!r} is not a cursor", "use the id of the last event you have seen")
    return int(text)


def _event(name: str, data: dict[str, Any], seq: int = 0) -> bytes:
    cursor = f"id: {seq}\n" if seq else ""
    return f"event: {name}\n{cursor}data: {json.dumps(data, separators=(',', ':'))}\n\n".encode("ascii")


def _change(change: Change) -> bytes:
    return _event("change", change_object(change), change.seq)


def _seat(news: SeatNews) -> bytes:
    return _event(
        "seat",
        {
            "hash": hexed(news.hash),
            "block": news.block,
            "round": news.round,
            "seat": news.seat,
            "judge": news.judge,
            "vote": news.vote,
            "stage": news.stage,
        },
    )
