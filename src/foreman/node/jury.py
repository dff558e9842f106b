"""The jury: takes blocks, seats its members, and says what they agreed on. The only place with a thread pool."""

import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from threading import Lock

from foreman.execution import Block
from foreman.node.alarm import Alarm
from foreman.node.errands import GRACE, Errands
from foreman.node.floor import Floor
from foreman.node.measures import Endings
from foreman.node.pool import Pool
from foreman.node.seats import Seat
from foreman.node.sitting import Sitting, Tell
from foreman.receipt import Decision

_HOUR = 3600.0


class Jury:
    """Decides blocks; a bounded number of them at once, the rest in order of arrival."""

    def __init__(
        self, seats: list[Seat], rotations: int, at_once: int, computing: int = 4, grace: float = GRACE
    ) -> None:
        """`computing` seats have the floor at once. A question that is `grace` seconds late is given up."""
        self.seats = seats
        self._rotations = rotations
        self._at_once = at_once
        # Two threads a seat: one may still be hanging in a fetch of a round that is over.
        self._pool = Pool(min(1024, 2 * at_once * len(seats)))
        self._alarm = Alarm()
        self._errands = Errands(self._alarm, self._pool, grace)
        self._floor = Floor(computing)
        self._lock = Lock()
        self._sitting = 0
        self._waiting: deque[Sitting] = deque()
        self._started: deque[float] = deque()
        self.sittings = Endings()
        """How sittings ended, by the status they gave, and how long they took, waiting included."""

    def decide(
        self,
        number: int,
        block: Block,
        first: int,
        tell: Tell,
        done: Callable[[Decision], None],
        seats: Sequence[Seat] = (),
    ) -> None:
        """Seat a jury for one block; `done` is called once, from one of the jury's threads.

        `number` is the block's place in its run, `first` the seat that proposes first, `seats` who sits; else all do.
        """
        finished = partial(self._finish, done, time.monotonic())
        sitting = Sitting(
            number,
            block,
            seats or self.seats,
            first,
            self._rotations,
            self._pool,
            self._alarm,
            self._errands,
            self._floor,
            tell,
            finished,
        )
        with self._lock:
            self._forget_old()
            self._started.append(time.monotonic())
            if self._sitting >= self._at_once:
                self._waiting.append(sitting)
                return
            self._sitting += 1
        sitting.start()

    def _finish(self, done: Callable[[Decision], None], begun: float, decision: Decision) -> None:
        done(decision)
        self._next()
        self.sittings.add(decision.status.name, time.monotonic() - begun)

    def _next(self) -> None:
        with self._lock:
            if not self._waiting:
                self._sitting -= 1
                return
            sitting = self._waiting.popleft()
        self._pool.submit(sitting.start)

    @property
    def full(self) -> bool:
        """So many blocks wait that no more transactions should be taken."""
        return len(self._waiting) >= 4 * self._at_once

    @property
    def lost(self) -> int:
        """Questions that were given up and are still out."""
        return self._errands.missing

    @property
    def exhausted(self) -> bool:
        """So many questions never came back that nobody asks any more."""
        return self._errands.exhausted

    @property
    def sitting(self) -> int:
        """Blocks that are being judged."""
        return self._sitting

    @property
    def waiting(self) -> int:
        """Blocks that wait for their turn."""
        return len(self._waiting)

    def calls_last_hour(self) -> int:
        """Questions put to judges in the last hour, at least one a seat and block."""
        with self._lock:
            self._forget_old()
            return len(self._started) * len(self.seats)

    def _forget_old(self) -> None:
        hour_ago = time.monotonic() - _HOUR
        while self._started and self._started[0] < hour_ago:
            self._started.popleft()

    def close(self) -> None:
        """Stop taking work; what hangs is left to its own deadline."""
        self._alarm.close()
        self._pool.close()
