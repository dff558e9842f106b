"""Threads for reads that run contract code: one read at a time, and a slow one does not hold up the others.

Reads share one interpreter, and SQLite gives it away with every row it looks up. Threads that read at the same time
spend more time handing it to each other than reading (measured: 4 threads took a fifth more processor time than 1, and
half of their answers took three times as long). So whoever reads goes on alone, until it has taken `SLOW` seconds.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from threading import Condition, Thread
from time import monotonic
from typing import Any, Protocol

SLOW = 0.02
"""Seconds after which a read counts as slow, and the next one begins beside it. A page of 50 orders takes 4 ms."""


class Promise(Protocol):
    """What a job has to do with whoever asked for it: the part of `concurrent.futures.Future` that is needed."""

    def set_running_or_notify_cancel(self) -> bool: ...

    def set_result(self, result: Any, /) -> None: ...

    def set_exception(self, exception: BaseException, /) -> None: ...

    def cancel(self) -> bool: ...


Job = tuple[Promise, Callable[..., Any], tuple[Any, ...]]


class Mail:
    """Brings results from threads to an event loop, with one wake-up for everything that gathers until it looks."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._post: deque[tuple[asyncio.Future[Any], Any, BaseException | None]] = deque()
        self._called = False

    def send(self, future: "asyncio.Future[Any]", result: Any, error: BaseException | None) -> None:
        """From any thread."""
        self._post.append((future, result, error))
        if not self._called:
            self._called = True
            try:
                self.loop.call_soon_threadsafe(self._deliver)
            except RuntimeError:  # the loop is closed, and nobody waits any more
                self._post.clear()

    def _deliver(self) -> None:
        self._called = False
        while self._post:
            future, result, error = self._post.popleft()
            if future.done():
                continue
            if error is None:
                future.set_result(result)
            elif isinstance(error, asyncio.CancelledError):
                future.cancel()
            else:
                future.set_exception(error)


class Parcel:
    """A promise to somebody who waits on an event loop. A tenth of what a future of both worlds costs."""

    __slots__ = ("_mail", "future")

    def __init__(self, future: "asyncio.Future[Any]", mail: Mail) -> None:
        self.future = future
        self._mail = mail

    def set_running_or_notify_cancel(self) -> bool:
        return not self.future.cancelled()

    def set_result(self, result: Any, /) -> None:
        self._mail.send(self.future, result, None)

    def set_exception(self, exception: BaseException, /) -> None:
        if isinstance(exception, StopIteration):  # no future of a loop takes it
            exception = RuntimeError("a read raised StopIteration")
        self._mail.send(self.future, None, exception)

    def cancel(self) -> bool:
        self._mail.send(self.future, None, asyncio.CancelledError())
        return True

    def take(self, promised: "Future[Any]") -> None:
        """What another promise has become."""
        if promised.cancelled():
            self.cancel()
        elif (error := promised.exception()) is not None:
            self.set_exception(error)
        else:
            self.set_result(promised.result())


class Readers:
    """At most `threads` reads at once, of which at most one is not slow. Threads begin when they are needed."""

    def __init__(self, threads: int, name: str) -> None:
        self._most = threads
        self._name = name
        self._threads = 0
        self._waiting: deque[Job] = deque()
        self._begun: dict[int, float] = {}
        self._changed = Condition()
        self._idle = 0
        self._watched = False
        self._closed = False

    def put(self, promise: Promise, work: Callable[..., Any], args: tuple[Any, ...]) -> None:
        """Do it when its turn comes, and keep the promise. Raises RuntimeError after `shutdown`."""
        with self._changed:
            if self._closed:
                raise RuntimeError("the readers are closed")
            self._waiting.append((promise, work, args))
            self._call_one()

    def shutdown(self, wait: bool = False, cancel_futures: bool = True) -> None:
        """Take no more; what waits is cancelled, what runs is left to its own deadline. Named as an executor's."""
        with self._changed:
            self._closed = True
            while self._waiting:
                self._waiting.popleft()[0].cancel()
            self._changed.notify_all()

    def _call_one(self) -> None:
        """Something waits: have somebody take it, or keep watch over who reads."""
        if self._idle:
            if not (self._watched and self._begun):
                self._changed.notify()
        elif self._threads < self._most:
            self._threads += 1
            name = f"{self._name}_{self._threads}"
            Thread(target=self._read, args=(self._threads,), name=name, daemon=True).start()

    # on the threads

    def _read(self, me: int) -> None:
        while (job := self._next(me)) is not None:
            promise, work, args = job
            if not promise.set_running_or_notify_cancel():
                continue
            try:
                found = work(*args)
            except BaseException as error:  # noqa: BLE001  # it is the asker's
                promise.set_exception(error)
            else:
                promise.set_result(found)
                del found
            del promise, work, args, job

    def _next(self, me: int) -> Job | None:
        """Wait for a turn. While somebody reads and others wait, one thread keeps watch: it takes over when the read
        turns out to be slow.
        """
        with self._changed:
            self._begun.pop(me, None)
            while not self._closed:
                patience = self._patience()
                if self._waiting and patience <= 0:
                    self._begun[me] = monotonic()
                    job = self._waiting.popleft()
                    if self._waiting:
                        self._call_one()
                    return job
                watching = bool(self._waiting) and not self._watched
                self._watched |= watching
                self._idle += 1
                self._changed.wait(patience if watching else None)
                self._idle -= 1
                if watching:
                    self._watched = False
            return None

    def _patience(self) -> float:
        """Seconds until the youngest read counts as slow; 0 when nobody reads, or all who do are slow."""
        return max((begun + SLOW - monotonic() for begun in self._begun.values()), default=0.0)
