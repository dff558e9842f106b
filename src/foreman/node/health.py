"""How the node is: can it take transactions, can it get them judged, and what is wrong if not."""

from dataclasses import dataclass
from typing import Any

from foreman.ledger import Store
from foreman.node.book import Book
from foreman.node.clock import TurnableClock
from foreman.node.jury import Jury
from foreman.node.life import Life
from foreman.settings import Settings

DISK_LOW, DISK_FULL = 64 << 20, 1 << 20
"""Free bytes below which an operator should look, and below which nothing is promised any more. A commit takes some
kilobytes, the log grows to 32 MiB and more before it is folded back.
"""

FINALITY_LATE = 5.0
"""Seconds beyond the window after which finality lags."""

CLOCK_BEHIND = 2.0
"""Seconds that clocks are put back by without anybody minding."""

REASONS: dict[str, tuple[str, str]] = {
    "stopped": ("stopped", "the node writes nothing any more: restart it; its log says why"),
    "book_stalled": ("stalled", "one commit takes much longer than any may: restart it, and tell us"),
    "disk_refuses": ("unwritable", "the database does not take commits; they are tried four times a second"),
    "disk_read_only": ("unwritable", "the state directory cannot be written"),
    "disk_full": ("unwritable", "there is less than 1 MiB of room for the database"),
    "over_budget": ("busy", "the jury or its budget is used up; transactions are refused for the moment"),
    "disk_low": ("degraded", "there is less than 64 MiB of room for the database"),
    "jury_exhausted": ("degraded", "too many questions to judges never came back; nothing is judged until a restart"),
    "jury_missing": ("degraded", "half of the seats or more have judges that do not answer; nothing can be agreed on"),
    "judge_missing": ("degraded", "a judge does not answer; its seats do not vote"),
    "clock_behind": ("degraded", "the machine's clock is behind the chain's time, which stands until it has caught up"),
    "finality_late": ("degraded", "what is accepted becomes final later than it should"),
}
"""Every reason: the status it makes, and a sentence. The first of several decides."""

TAKES_WRITES = frozenset({"ok", "degraded"})
"""The statuses under which transactions are taken."""


@dataclass(frozen=True, slots=True)
class Health:
    """Looks at the parts of one node. Cheap enough to be asked every second; any thread."""

    settings: Settings
    store: Store
    life: Life
    book: Book
    jury: Jury
    clock: TurnableClock

    def alive(self) -> bool:
        """Would a restart change nothing? False once the book has stopped or hangs, or nobody can be asked any more."""
        return self.book.status != "stopped" and not self._stalled() and not self.jury.exhausted

    def report(self) -> dict[str, Any]:
        """Everything there is to say; `status` is `ok`, or that of the first of `reasons`."""
        room = self.store.room()
        late = self.finality_late()
        gone = self.seats_missing()
        budget = self.settings.limits.judge_calls_per_hour
        wrong = {
            "stopped": self.book.status == "stopped",
            "book_stalled": self._stalled(),
            "disk_refuses": self.book.status == "unwritable",
            "disk_read_only": not room.writable,
            "disk_full": room.free < DISK_FULL,
            "over_budget": self.jury.full or bool(budget and self.jury.calls_last_hour() >= budget),
            "disk_low": DISK_FULL <= room.free < DISK_LOW,
            "jury_exhausted": self.jury.exhausted,
            "jury_missing": 2 * gone >= len(self.jury.seats),
            "judge_missing": 0 < 2 * gone < len(self.jury.seats),
            "clock_behind": self.clock.behind() > CLOCK_BEHIND * 1_000_000,
            "finality_late": late > FINALITY_LATE,
        }
        reasons = [name for name in REASONS if wrong[name]]
        status = REASONS[reasons[0]][0] if reasons else "ok"
        return {
            "status": status,
            "takes_writes": status in TAKES_WRITES,
            "reasons": {name: REASONS[name][1] for name in reasons},
            "undecided": len(self.life.lines),
            "sitting": self.jury.sitting,
            "waiting_for_jury": self.jury.waiting,
            "waiting_for_another": len(self.life.waits),
            "seats_answering": len(self.jury.seats) - gone,
            "finality_late_seconds": round(late, 3),
            "disk_free_bytes": room.free,
        }

    def seats_missing(self) -> int:
        """Seats whose judge does not answer."""
        return sum(seat.judge.endings.missing for seat in self.jury.seats)

    def finality_late(self) -> float:
        """Seconds by which the oldest accepted transaction is beyond its window."""
        return self.life.finality_late() / 1_000_000

    def _stalled(self) -> bool:
        return self.book.busy_seconds() > 2 * self.settings.limits.deterministic_seconds + 30
