"""One thread for everything that happens a little later, so that a thousand sittings do not start a thousand timers."""

import heapq
import logging
import time
from collections.abc import Callable
from itertools import count
from threading import Condition, Thread

_log = logging.getLogger("foreman.alarm")


class Alarm:
    """Calls functions after their time. They run on the alarm's own thread and must be quick."""

    def __init__(self) -> None:
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._number = count()
        self._changed = Condition()
        self._thread: Thread | None = None
        self._closed = False

    def after(self, seconds: float, act: Callable[[], None]) -> None:
        with self._changed:
            mine = (time.monotonic() + seconds, next(self._number), act)
            heapq.heappush(self._due, mine)
            if self._thread is None:
                self._thread = Thread(target=self._ring, name="alarm", daemon=True)
                self._thread.start()
            if self._due[0] is mine:
                self._changed.notify()

    def close(self) -> None:
        """Ring no more."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def _ring(self) -> None:
        while True:
            with self._changed:
                while not self._closed and not (self._due and self._due[0][0] <= time.monotonic()):
                    self._changed.wait(self._due[0][0] - time.monotonic() if self._due else None)
                if self._closed:
                    return
                _, _, act = heapq.heappop(self._due)
            try:
                act()
            except Exception:  # noqa: BLE001  # one that fails must not silence the others
                _log.exception("something that was due has failed")
