"""What undecided transactions stand on: who must wait for them, and whose ground has moved.

A transaction that has met a block keeps what it read before the block: its premises. Whoever comes later and would
write one of them in the same contract waits, so nobody overtakes a delivery that is being judged. Whoever came
earlier does not wait: the later one's ground has then moved, and its question is compared, or asked anew.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from foreman.execution import Reads
from foreman.node.queue import Entry


class Premises:
    """An index from keys to the undecided transactions that have read them. Its cost follows what is in flight."""

    def __init__(self) -> None:
        self._keys: dict[tuple[bytes, bytes], set[Entry]] = defaultdict(set)
        self._ranged: set[Entry] = set()
        self._balances: dict[bytes, set[Entry]] = defaultdict(set)
        self._reads: dict[Entry, Reads] = {}

    def put(self, entry: Entry, reads: Reads) -> None:
        """`entry` stands on `reads` now, and on nothing it stood on before."""
        self.drop(entry)
        self._reads[entry] = reads
        for key in reads.keys:
            self._keys[key].add(entry)
        for address in reads.balances:
            self._balances[address].add(entry)
        if reads.ranges:
            self._ranged.add(entry)

    def drop(self, entry: Entry) -> None:
        """`entry` is decided, or will be run afresh."""
        reads = self._reads.pop(entry, None)
        if reads is None:
            return
        for key in reads.keys:
            self._forget(self._keys, key, entry)
        for address in reads.balances:
            self._forget(self._balances, address, entry)
        self._ranged.discard(entry)

    @staticmethod
    def _forget[K](index: dict[K, set[Entry]], key: K, entry: Entry) -> None:
        index[key].discard(entry)
        if not index[key]:
            del index[key]

    def standing_on(self, contract: bytes, writes: Mapping[bytes, object]) -> set[Entry]:
        """Every undecided transaction that has read something these writes change."""
        if not self._reads:
            return set()
        found: set[Entry] = set()
        for key in writes:
            found |= self._keys.get((contract, key), set())
        for entry in self._ranged:
            if entry not in found and self._reads[entry].touched_by(contract, writes):
                found.add(entry)
        return found

    def watching(self, addresses: Iterable[bytes]) -> set[Entry]:
        """Every undecided transaction that has read one of these balances."""
        found: set[Entry] = set()
        for address in addresses:
            found |= self._balances.get(address, set())
        return found

    def inside(self, contract: bytes) -> set[Entry]:
        """Every undecided transaction that has met a block and stands on a contract's code: because it runs it, or
        because it has looked into its state through it.
        """
        return {
            entry
            for entry, reads in self._reads.items()
            if entry.record.transaction.target == contract
            or any(owner == contract for owner, _ in reads.keys)
            or any(owner == contract for owner, _, _ in reads.ranges)
        }

    def blocker(self, entry: Entry, contract: bytes, writes: Mapping[bytes, object]) -> Entry | None:
        """The latest of the earlier transactions of the same contract that `entry` would overtake, None for a free way.

        Only their own contract's transactions make others wait: a foreign contract that reads this one's state must
        not be able to hold it up.
        """
        earlier = [
            other
            for other in self.standing_on(contract, writes)
            if other.position < entry.position and other.record.transaction.target == contract
        ]
        return max(earlier, key=lambda other: other.position, default=None)
