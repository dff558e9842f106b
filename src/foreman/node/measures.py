"""What the node counts of itself while it works: plain numbers, cheap to add to, read by whoever wants to know.

Counting costs a fraction of a microsecond and no import; what becomes of the numbers is decided elsewhere (the door's
`/metrics`, `health.py`).
"""

import logging
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from threading import Lock
from time import perf_counter

from foreman.errors import JudgeError, WebError
from foreman.ledger import Change
from foreman.ports import Fetcher, Judge, WebRequest, WebResponse
from foreman.receipt import Decision, Record, Status

FAST = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
"""Upper bounds in seconds for what a disk does."""

SLOW = (0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 60.0, 120.0, 300.0)
"""Upper bounds in seconds for what a model or a page does; a judge's deadline is 120, a fetch's 20."""

SLOW_COMMIT = 1.0
"""Seconds after which a commit is worth a line: a disk takes milliseconds."""

MOST_NAMES = 64
"""Different names that one counter tells apart; the rest is `other`, so that nobody can fill the memory with names."""

GONE = frozenset({"timeout", "unavailable", "auth", "rate_limited", "no_provider", "internal_error"})
"""Failures that say something of the judge and not of the question."""

FAILED_IN_A_ROW = 3
"""After so many failures a judge is counted out, until it answers again."""

_log = logging.getLogger("foreman.life")


class Histogram:
    """How often a number of seconds was at most each bound, and their sum. Added to by one thread."""

    __slots__ = ("bounds", "counts", "sum")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.sum = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(self.bounds, seconds)] += 1
        self.sum += seconds


class Endings:
    """How often something ended in each way, how long that took, and how often in a row it has failed. Any thread."""

    def __init__(self, bounds: tuple[float, ...] = SLOW) -> None:
        self.seconds = Histogram(bounds)
        self.counts: Counter[str] = Counter()
        self._failed_in_a_row = 0
        self._lock = Lock()

    def add(self, ending: str, seconds: float, judge: str = "") -> None:
        """Count one; a `judge` that goes missing, or is there again, is told of in the log."""
        with self._lock:
            if ending not in self.counts and len(self.counts) >= MOST_NAMES:
                ending = "other"
            self.counts[ending] += 1
            self.seconds.add(seconds)
            before = self.missing
            if ending in GONE:
                self._failed_in_a_row += 1
            elif ending == "ok":
                self._failed_in_a_row = 0
            turned = self.missing is not before
        if turned and judge:
            say = "a judge does not answer" if self.missing else "a judge answers again"
            _log.warning(say, extra={"fields": {"judge": judge, "ending": ending}})

    @property
    def missing(self) -> bool:
        """It has failed `FAILED_IN_A_ROW` times, and has not answered since."""
        return self._failed_in_a_row >= FAILED_IN_A_ROW


class CountedJudge:
    """A judge, and how it has answered."""

    def __init__(self, judge: Judge, endings: Endings) -> None:
        self._judge = judge
        self.endings = endings
        self.name = judge.name
        self.concurrency = judge.concurrency
        self.seconds = judge.seconds

    def answer(self, prompt: str, images: tuple[bytes, ...] = ()) -> str:
        """Raises what the judge raises."""
        begun, ending = perf_counter(), "internal_error"
        try:
            answer = self._judge.answer(prompt, images)
            ending = "ok"
            return answer
        except JudgeError as error:
            ending = error.code
            raise
        finally:
            self.endings.add(ending, perf_counter() - begun, self.name)


class CountedFetcher:
    """A fetcher, and how pages came."""

    def __init__(self, fetcher: Fetcher, endings: Endings) -> None:
        self._fetcher = fetcher
        self.endings = endings

    def fetch(self, request: WebRequest) -> WebResponse:
        """Raises what the fetcher raises."""
        begun, ending = perf_counter(), "internal_error"
        try:
            page = self._fetcher.fetch(request)
            ending = "ok"
            return page
        except WebError as error:
            ending = error.code
            raise
        finally:
            self.endings.add(ending, perf_counter() - begun)


class Measures:
    """Transactions and commits. Everything is added on the book's thread, after it is on disk."""

    def __init__(self) -> None:
        self.commits = Histogram(FAST)
        """From the first row that is written down to the moment it is on disk."""
        self.failed_commits = 0
        self.lives = Histogram(SLOW)
        """From recorded to decided."""
        self.decided: Counter[tuple[str, str]] = Counter()
        """By status and by how the run ended."""
        self.changes: Counter[Status] = Counter()
        """Lines of the journal by status; what is accepted and final in one commit is counted as final."""

    def committed(self, seconds: float) -> None:
        """A commit that wrote something is on disk."""
        self.commits.add(seconds)
        if seconds > SLOW_COMMIT:
            _log.warning("a slow commit", extra={"fields": {"seconds": round(seconds, 3)}})

    def tell(self, news: Sequence[Change], closed: Iterable[Record]) -> None:
        """Count what has just been put on disk, and say in the log what was decided."""
        for change in news:
            self.changes[change.status] += 1
        spoken = _log.isEnabledFor(logging.INFO)
        for record in closed:
            receipt = record.receipt
            assert receipt is not None
            ending = (receipt.status.name, receipt.outcome.code.name if receipt.status is Status.ACCEPTED else "")
            seconds = max(0.0, (receipt.decided_at - record.recorded_at) / 1_000_000)
            self.decided[ending] += 1
            self.lives.add(seconds)
            if spoken:
                _log.info("transaction decided", extra={"fields": _told(record, ending, seconds)})


def tell_judged(transaction: bytes, decision: Decision) -> None:
    """Say in the log how a block's jury ended."""
    if _log.isEnabledFor(logging.INFO):
        votes = Counter(str(ballot.vote) for ballot in decision.rounds[-1].ballots) if decision.rounds else Counter()
        fields = {
            "hash": f"0x{transaction.hex()}",
            "question": decision.block,
            "status": decision.status.name,
            "rounds": len(decision.rounds),
        }
        _log.info("block judged", extra={"fields": fields | dict(votes)})


def _told(record: Record, ending: tuple[str, str], seconds: float) -> dict[str, object]:
    asked = record.transaction
    fields: dict[str, object] = {
        "hash": f"0x{asked.hash.hex()}",
        "status": ending[0],
        "seconds": round(seconds, 6),
        "kind": str(asked.kind),
        "from": f"0x{asked.sender.hex()}",
        "to": f"0x{asked.target.hex()}",
        "value_wei": str(asked.value),
    }
    if ending[1]:
        fields |= {"result": ending[1], "block": record.block}
    if record.receipt is not None and ending[1] not in ("", "RETURN"):
        fields["reason"] = record.receipt.outcome.text
    return fields
