"""From ACCEPTED to FINALIZED, strictly in commit order; value in flight lands here."""

from collections import deque

from foreman.execution import On, Transfer
from foreman.ledger import Store
from foreman.receipt import Record


class Finality:
    """The line of accepted transactions that are not final yet. `window` is microseconds."""

    def __init__(self, window: int) -> None:
        self.window = window
        self._line: deque[Record] = deque()

    def push(self, record: Record) -> None:
        """`record` was committed just now, after everything pushed before it."""
        self._line.append(record)

    def next_at(self) -> int | None:
        """When the head of the line becomes final, in microseconds; None when nobody waits."""
        try:
            receipt = self._line[0].receipt
        except IndexError:  # asked for from another thread, it may go between two looks
            return None
        return None if receipt is None else receipt.decided_at + self.window

    def pop_due(self, now: int) -> Record | None:
        """The head of the line, if its window has passed."""
        at = self.next_at()
        return self._line.popleft() if at is not None and at <= now else None


def land(record: Record, store: Store) -> list[tuple[bytes, int]]:
    """Credit what a finalized run transferred; to whom it went, and how much."""
    assert record.receipt is not None
    landed = [(item.to, item.value) for item in record.receipt.emitted if isinstance(item, Transfer)]
    for address, wei in landed:
        store.credit(address, wei)
    return landed


def in_flight(record: Record) -> int:
    """Wei that an accepted, not yet final run has sent and that is neither credited nor a message yet."""
    if record.receipt is None:
        return 0
    return sum(item.value for item in record.receipt.emitted if isinstance(item, Transfer) or item.on is On.FINALIZED)
