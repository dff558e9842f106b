"""Who waits for whom: transactions that would overtake an earlier one, or ask what an earlier one is asking already.

Waits point backwards only, so nobody waits in a circle.
"""

from foreman.execution import Block
from foreman.node.queue import Entry


class Waits:
    """Equal questions of one contract are asked once at a time; whoever waits runs again when the other is decided."""

    def __init__(self) -> None:
        self._asking: dict[tuple[bytes, bytes], Entry] = {}
        self._held: set[Entry] = set()

    def __len__(self) -> int:
        """Transactions that wait for another one. Any thread."""
        return len(self._held)

    def hold(self, entry: Entry, other: Entry) -> None:
        """`entry` runs again when `other` is decided."""
        self._held.add(entry)
        other.waiters.append(entry)

    def go(self, entry: Entry) -> None:
        """It waits no more."""
        self._held.discard(entry)

    def ask(self, entry: Entry, block: Block) -> bool:
        """May it ask this? False when an earlier one is asking it: then it is held until that one is decided."""
        question = (entry.record.transaction.target, block.fingerprint)
        twin = self._asking.get(question)
        if twin is not None and twin is not entry and twin.position < entry.position:
            self.hold(entry, twin)
            return False
        self._asking[question] = entry
        return True

    def answered(self, entry: Entry) -> None:
        """Its question is with the jury no more; another one that asks the same, asked after it, still is."""
        if entry.asking is not None:
            question = (entry.record.transaction.target, entry.asking.fingerprint)
            if self._asking.get(question) is entry:
                del self._asking[question]
