"""Threads for reads that run contract code: one read at a time, and a slow one does not hold up the others.

Reads share one interpreter, and SQLite gives it away with every row it looks up. Threads that read at the same time
spend more time handing it to each other than reading (measured: 4 threads took a fifth more processor time than 1, and
half of their answers took three times as long). So whoever reads goes on alone, until it has taken `SLOW` seconds.
"""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from threading import Condition, Thread
from time import monotonic
from typing import Any

SLOW = 0.02
"""Seconds after which a read counts as slow, and the next one begins beside it. A page of 50 orders takes 4 ms."""

Job = tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]


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

    def submit[T](self, work: Callable[..., T], *args: Any) -> "Future[T]":
        """Do it when its turn comes. Raises RuntimeError after `shutdown`."""
        future: Future[T] = Future()
        with self._changed:
            if self._closed:
                raise RuntimeError("the readers are closed")
            self._waiting.append((future, work, args))
            self._call_one()
        return future

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
            future, work, args = job
            if not future.set_running_or_notify_cancel():
                continue
            try:
                found = work(*args)
            except BaseException as error:  # noqa: BLE001  # it is the asker's
                future.set_exception(error)
            else:
                future.set_result(found)
            del future, work, args, job

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
