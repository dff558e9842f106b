"""One nonce-ordered line per sender, and the entries that stand in them."""

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from foreman.execution import Answer, Block
from foreman.node.doubles import NO_DOUBLES, Doubles
from foreman.node.seats import Seat
from foreman.receipt import Decision, Record


@dataclass(slots=True, eq=False)
class Entry:
    """An undecided transaction on its way through the house."""

    record: Record
    doubles: Doubles = NO_DOUBLES
    """What it brought along to be judged with."""
    answers: list[Answer] = field(default_factory=list)
    """What the jury has agreed on so far, in order of the run's blocks."""
    decisions: list[Decision] = field(default_factory=list)
    asking: Block | None = None
    """The block that is in front of the jury."""
    moved: bool = False
    """Something it read before its block has changed since."""
    asked_anew: int = 0
    waiters: list["Entry"] = field(default_factory=list)
    """Entries that run again when this one is decided."""

    @property
    def position(self) -> int:
        """Its place in the order; only after activation."""
        assert self.record.position is not None
        return self.record.position

    def jury(self, own: Sequence[Seat]) -> Sequence[Seat]:
        """Who judges it: the network's own seats, but for what tests bring along."""
        seats = self.doubles.jury(own)
        return seats[:1] if self.record.transaction.leader_only else seats


class Lines:
    """Who is undecided, by hash and by sender. The head of a line is activated, the rest waits for it."""

    def __init__(self) -> None:
        self._entries: dict[bytes, Entry] = {}
        self._by_sender: dict[bytes, deque[Entry]] = defaultdict(deque)
        self.bytes = 0
        """Calldata and code of all of them."""

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, transaction: bytes) -> Entry | None:
        return self._entries.get(transaction)

    def length(self, sender: bytes) -> int:
        return len(self._by_sender.get(sender, ()))

    def join(self, entry: Entry) -> bool:
        """Add an entry at the end of its sender's line; True when it is the head. A message never waits."""
        asked = entry.record.transaction
        self._entries[asked.hash] = entry
        self.bytes += asked.size
        if asked.parent is not None:
            return True
        line = self._by_sender[asked.sender]
        line.append(entry)
        return len(line) == 1

    def leave(self, entry: Entry) -> Entry | None:
        """Take an entry out; the one that is the head now, when the head has changed."""
        asked = entry.record.transaction
        del self._entries[asked.hash]
        self.bytes -= asked.size
        if asked.parent is not None:
            return None
        line = self._by_sender[asked.sender]
        was_head = line[0] is entry
        line.remove(entry)
        if not line:
            del self._by_sender[asked.sender]
            return None
        return line[0] if was_head else None
