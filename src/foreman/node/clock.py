"""Wall time, which a development network may turn forward."""

import time
from threading import Lock

from foreman.ports import Clock


class WallClock:
    """The machine's clock."""

    def now(self) -> int:
        return time.time_ns() // 1000


class TurnableClock:
    """Another clock, plus what it was turned by. Never shows less than it has shown: a wall clock may jump back."""

    def __init__(self, wall: Clock) -> None:
        self._wall = wall
        self._latest = 0
        self._lock = Lock()  # views look at the clock too, and none may put an older time back
        self.offset = 0
        """Microseconds."""

    def now(self) -> int:
        with self._lock:
            self._latest = max(self._latest, self._wall.now() + self.offset)
            return self._latest

    def behind(self) -> int:
        """By how many microseconds the wall clock is behind what was shown already: so long time stands."""
        with self._lock:
            return max(0, self._latest - self._wall.now() - self.offset)

    def begin(self, offset: int, latest: int) -> None:
        """Show what a chain shows that was turned by `offset` and whose latest time is `latest`, all microseconds."""
        self.offset = offset
        self._latest = latest

    def turn(self, microseconds: int) -> None:
        self.offset += microseconds
