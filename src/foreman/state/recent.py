"""What the latest commits have changed, so that an answer kept in memory is known to be still right.

A commit is entered before it is made and closed after it: whoever has seen what it wrote finds it here. An answer is
kept only if no commit was on its way when its view was opened; then the view is at least as new as its mark says.
"""

from collections import deque
from threading import Lock

from foreman.ledger import Touched

MOST_KEYS = 50_000
"""Changed keys and balances that are remembered, about five megabytes: some seconds at full speed."""


class Recent:
    """The changes of the latest commits, numbered. Written by the book, read by any thread."""

    def __init__(self) -> None:
        self._changes: deque[Touched] = deque()
        self._begun = 0
        self._ended = 0
        self._held = 0
        self._lock = Lock()

    def begin(self, touched: Touched) -> None:
        """A commit is about to be made."""
        with self._lock:
            self._begun += 1
            self._changes.append(touched)
            self._held += len(touched)
            while self._held > MOST_KEYS and len(self._changes) > 1:
                self._held -= len(self._changes.popleft())

    def end(self) -> None:
        """It is on disk, or it has failed and nothing has changed."""
        with self._lock:
            self._ended = self._begun

    def mark(self) -> int | None:
        """The number of the latest commit; None while one is on its way."""
        with self._lock:
            return self._begun if self._begun == self._ended else None

    def since(self, mark: int) -> tuple[int, list[Touched]] | None:
        """The latest number, one on its way included, and what changed after `mark`; None when that is forgotten."""
        with self._lock:
            new = self._begun - mark
            if not new:
                return mark, []
            if new > len(self._changes):
                return None
            return self._begun, [self._changes[-place] for place in range(1, new + 1)]
