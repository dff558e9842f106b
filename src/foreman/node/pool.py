"""The jury's threads. They are daemons: a judge that thinks for two minutes must not keep a process from ending, as the
threads of `concurrent.futures` would. What they were doing is on disk as undecided and is asked again.
"""

import logging
from collections.abc import Callable
from functools import partial
from queue import Empty, SimpleQueue
from threading import Lock, Thread

_log = logging.getLogger("foreman.jury")


class Pool:
    """At most so many threads, started when nobody is idle, kept for the next work."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._work: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._lock = Lock()
        self._count = 0
        self._idle = 0
        self._closed = False

    def submit[**P](self, run: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        """Do it on a thread; nothing once the pool is closed."""
        with self._lock:
            if self._closed:
                return
            self._work.put(partial(run, *args, **kwargs))
            if self._idle:
                self._idle -= 1
            elif self._count < self._most:
                self._start()

    def lost(self) -> None:
        """One of the threads is not expected home any more; another may be started in its place."""
        with self._lock:
            self._most += 1
            if not self._idle and not self._work.empty() and not self._closed:
                self._start()

    def found(self) -> None:
        """A thread that was lost is back."""
        with self._lock:
            self._most -= 1

    def _start(self) -> None:
        self._count += 1
        Thread(target=self._serve, name=f"jury-{self._count}", daemon=True).start()

    def close(self) -> None:
        """Take no more work and forget what waits; threads end when they come home."""
        with self._lock:
            self._closed = True
            try:
                while True:
                    self._work.get_nowait()
            except Empty:
                pass
            for _ in range(self._count):
                self._work.put(None)

    def _serve(self) -> None:
        while (work := self._work.get()) is not None:
            try:
                work()
            except BaseException:  # noqa: BLE001  # the thread is needed for the next one
                _log.exception("a juror's work has failed")
            with self._lock:
                self._idle += 1
