"""Answers to views that are still right: kept while nothing has changed that their run had read.

A view is a function of its call and of what it reads. So its answer stands until one of those keys, ranges or balances
is written, and whoever asks again gets it without a run. Never kept: what has looked at the clock, what failed in the
machinery, and what was asked while a commit was on its way.
"""

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from threading import Lock

from foreman.execution import Reads
from foreman.ledger import Recent, Touched

MOST_BYTES = 16 * 1024 * 1024
"""What is kept altogether, roughly. A page of 50 orders takes about 130 KB, a single order 5."""

MOST_EACH = MOST_BYTES // 16
_READ_BYTES = 150
"""What one remembered key takes, with its place in a set."""


MOST_COMPARED = 5_000
"""Changed keys times ranges that are compared for one answer: half a millisecond. The door asks on its event loop, and
beyond this a run in a thread is the better way (with 50 ranges behind a busy minute it had taken 100 ms).
"""


@dataclass(slots=True)
class _Kept[T]:
    answer: T
    reads: Reads
    mark: int
    size: int


class Answers[T]:
    """Answers by question; the ones longest unasked go first. For any thread."""

    def __init__(self, recent: Recent) -> None:
        self.recent = recent
        self._kept: OrderedDict[Hashable, _Kept[T]] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get(self, question: Hashable) -> T | None:
        """The answer, if it is there and nothing it stands on was changed, not even by a commit on its way."""
        with self._lock:
            kept = self._kept.get(question)
            if kept is None:
                return None
            news = self.recent.since(kept.mark)
            if news is None or not _stands(kept.reads, news[1]):
                self._drop(question)
                return None
            kept.mark = news[0]
            self._kept.move_to_end(question)
            return kept.answer

    def put(self, question: Hashable, answer: T, size: int, reads: Reads, mark: int | None) -> None:
        """Keep an answer of `size` bytes. `mark` was taken before the view was opened in which it was found."""
        size += _READ_BYTES * (len(reads.keys) + len(reads.ranges) + len(reads.balances))
        if mark is None or reads.clock or size > MOST_EACH:
            return
        with self._lock:
            self._drop(question)
            self._kept[question] = _Kept(answer, reads, mark, size)
            self._bytes += size
            while self._bytes > MOST_BYTES:
                self._drop(next(iter(self._kept)))

    def _drop(self, question: Hashable) -> None:
        kept = self._kept.pop(question, None)
        if kept is not None:
            self._bytes -= kept.size


def _stands(reads: Reads, changes: list[Touched]) -> bool:
    """Is nothing changed of what was read, as far as that can be told at once?"""
    if reads.ranges and len(reads.ranges) * sum(map(len, changes)) > MOST_COMPARED:
        return False
    return not any(touched.touches(reads) for touched in changes)
