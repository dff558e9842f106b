"""Rows that a view is about to want, fetched before it asks for each.

Every question to the database costs a view its turn at the interpreter, more than the row itself. A view that looks
into a record gets what lies below it with one question; one that walks from neighbour to neighbour, up or down, as a
page of orders does, gets the next ones along. What is fetched is what is committed, so nothing is seen differently.
"""

from collections.abc import Callable
from typing import Any

from foreman.runtime.paths import end_of

STEP = 16
"""Neighbours fetched at a time, once two in a row were wanted."""

NEAR = 32
"""Rows below a record that are fetched with it. What lies beyond is asked for as it is wanted."""

Scan = Callable[[bytes, bytes | None, int], list[tuple[bytes, bytes]]]
"""Committed rows with low <= key < high, ascending, at most so many."""


class Ahead:
    """One stretch of committed rows, all of those with start <= key < end, and where the walk was last."""

    __slots__ = ("_each", "_end", "_rows", "_start", "last")

    def __init__(self, each: int) -> None:
        """`each` is how many rows one step may have."""
        self._each = each
        self._start = self._end = b""
        self._rows: dict[bytes, bytes] = {}
        self.last = b""
        """Where the walk was; whoever finds what it wants covered sets it."""

    def covers(self, key: bytes) -> bool:
        return self._start <= key < self._end

    def get(self, key: bytes) -> bytes | None:
        """The row at a key that is covered, None when there is none."""
        return self._rows.get(key)

    def walk(self, key: bytes, after: bytes | None, scan: Scan) -> bool:
        """The walk comes to `key`; everything from there to `after` is wanted. Fetch a stretch if `key` is a neighbour
        of where it was last. False when nothing was fetched.
        """
        last, self.last = self.last, key
        step = int.from_bytes(key) - int.from_bytes(last) if len(last) == len(key) else 0
        if step == 1:
            return self._fetch(key, end_of(_moved(key, STEP - 1)), scan, STEP * self._each)
        if step == -1:
            return self._fetch(_moved(key, 1 - STEP), after, scan, STEP * self._each)
        return False

    def fetch(self, low: bytes, high: bytes | None, scan: Scan) -> None:
        """Fetch one step; of more rows than it may have, the first."""
        found = scan(low, high, self._each)
        self._keep(low, high if len(found) < self._each else found[-1][0], found)

    def _fetch(self, low: bytes, high: bytes | None, scan: Scan, limit: int) -> bool:
        found = scan(low, high, limit + 1)
        if len(found) > limit:
            return False  # cut off at an end that is not known to be the far one
        self._keep(low, high, found)
        return True

    def _keep(self, low: bytes, high: bytes | None, found: list[tuple[bytes, Any]]) -> None:
        self._start, self._end, self._rows = low, high or low, dict(found)


def _moved(key: bytes, by: int) -> bytes:
    """The key so many further, no further than keys of this length go."""
    place: int = min(max(int.from_bytes(key) + by, 0), 256 ** len(key) - 1)
    return place.to_bytes(len(key))
