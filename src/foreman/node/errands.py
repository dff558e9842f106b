"""Questions that are out in the world, and what becomes of those that never come back.

Judges and fetchers promise a hard deadline of their own. One that breaks its promise would hold its seat, and with it
the sitting, for ever: nothing can end a thread from outside. So the seat is given up some seconds after the deadline,
and its thread is left to itself.
"""

import time
from collections.abc import Callable
from threading import Lock

from foreman.node.alarm import Alarm
from foreman.node.pool import Pool
from foreman.ports import SeatFailed

GRACE = 10.0
"""Seconds beyond its own deadline after which a question is given up: a busy machine may be slow to tell of it."""

_ROUND = 1.0
"""Seconds between looks at what is out."""

_MOST_MISSING = 256
"""Questions that were given up and are still out; each holds a thread. Beyond it nobody asks any more."""


class Errand:
    """One question that is out. `lost` is called when it is given up."""

    __slots__ = ("due", "lost")

    def __init__(self, due: float, lost: Callable[[], None]) -> None:
        self.due = due
        self.lost = lost


class Errands:
    """All questions of one jury that are out. Beginning and ending one costs two moves in a set."""

    def __init__(self, alarm: Alarm, pool: Pool, grace: float = GRACE) -> None:
        self._alarm = alarm
        self._pool = pool
        self._grace = grace
        self._out: set[Errand] = set()
        self._lock = Lock()
        self._looking = False
        self._missing = 0

    def begin(self, seconds: float, lost: Callable[[], None]) -> Errand:
        """A question goes out that promises to be back in so many seconds. Raises `SeatFailed` when too many of
        those before it never came back.
        """
        if self.exhausted:
            raise SeatFailed(f"{self._missing} questions never came back", timed_out=True)
        errand = Errand(time.monotonic() + seconds + self._grace, lost)
        with self._lock:
            self._out.add(errand)
            look = not self._looking
            self._looking = True
        if look:
            self._look_later()
        return errand

    def end(self, errand: Errand) -> bool:
        """It is back; False when it had been given up."""
        with self._lock:
            if errand in self._out:
                self._out.discard(errand)
                return True
            self._missing -= 1
        self._pool.found()
        return False

    @property
    def exhausted(self) -> bool:
        """So many never came back that nobody asks any more; only a restart helps."""
        return self._missing >= _MOST_MISSING

    @property
    def missing(self) -> int:
        """Questions that were given up and are still out."""
        return self._missing

    def _look_later(self) -> None:
        self._alarm.after(min(_ROUND, self._grace), self._look)

    def _look(self) -> None:
        now = time.monotonic()
        with self._lock:
            late = [errand for errand in self._out if errand.due < now]
            self._out.difference_update(late)
            self._missing += len(late)
            again = self._looking = bool(self._out)
        if again:
            self._look_later()
        for errand in late:
            self._pool.lost()
            errand.lost()
