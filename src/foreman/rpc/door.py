"""What every method has at hand: the node, its settings, threads for slow reads, and a way to wait for the node."""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any

from foreman.errors import Refused
from foreman.node.node import Node
from foreman.settings import Settings

READERS = 4
"""Threads for reads that run contract code. They share one interpreter with the book, so more would only queue
elsewhere.
"""

MAX_WAITING = 256
"""Reads that may wait for those threads; beyond it callers are told that the node is busy."""


class Door:
    """One network's door, as methods see it."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.settings: Settings = node.settings
        self._wakeups = Wakeups()
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="foreman-read")
        self._reading = 0

    def wait[T](self, future: "Future[T]") -> "asyncio.Future[T]":
        """Wait for what the node promised."""
        return self._wakeups.wait(future)

    async def in_thread[T](self, work: Callable[..., T], *args: Any) -> T:
        """Run what may take milliseconds in a thread. Raises `Refused` `busy` when too many wait already."""
        if self._reading >= MAX_WAITING:
            raise Refused("busy", f"{MAX_WAITING} reads are waiting already", "try again in a moment")
        self._reading += 1
        try:
            return await self._wakeups.wait(self._readers.submit(work, *args))
        finally:
            self._reading -= 1

    def close(self) -> None:
        """End the threads; reads that wait are dropped."""
        self._readers.shutdown(wait=False, cancel_futures=True)


class Wakeups:
    """Waits for futures that other threads complete. All that complete together wake the event loop once: one system
    call for a whole group commit, where `asyncio.wrap_future` makes one for each.
    """

    def __init__(self) -> None:
        self._completed: deque[tuple[asyncio.Future[Any], Future[Any]]] = deque()
        self._scheduled = False

    def wait[T](self, future: "Future[T]") -> "asyncio.Future[T]":
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[T] = loop.create_future()
        if future.done():
            _settle(waiter, future)
        else:
            future.add_done_callback(partial(self._complete, loop, waiter))
        return waiter

    def _complete(self, loop: asyncio.AbstractEventLoop, waiter: "asyncio.Future[Any]", future: "Future[Any]") -> None:
        """In the other thread. Appending before looking at the flag is what makes a missed wake-up impossible."""
        self._completed.append((waiter, future))
        if not self._scheduled:
            self._scheduled = True
            try:
                loop.call_soon_threadsafe(self._drain)
            except RuntimeError:  # the loop is closed: the door has gone, and with it everybody who waited
                self._completed.clear()

    def _drain(self) -> None:
        self._scheduled = False
        while self._completed:
            _settle(*self._completed.popleft())


def _settle(waiter: "asyncio.Future[Any]", future: "Future[Any]") -> None:
    if waiter.done():
        return
    if future.cancelled():
        waiter.cancel()
    elif (error := future.exception()) is not None:
        waiter.set_exception(error)
    else:
        waiter.set_result(future.result())
