"""The port to the database: what the node keeps, and how it reads it back."""

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Protocol

from foreman.execution import Reads, StateView
from foreman.receipt import Record, Status


@dataclass(frozen=True, slots=True)
class Change:
    """One line of the journal: a transaction's status has changed, and it is on disk. `seq` is the cursor."""

    seq: int
    hash: bytes
    status: Status
    at: int
    """Microseconds since 1970."""


@dataclass(frozen=True, slots=True)
class Room:
    """How much room the database takes and has, in bytes, and whether its disk is mounted for writing."""

    database: int
    log: int
    free: int
    writable: bool


@dataclass(slots=True)
class Touched:
    """What one commit changes: keys of contracts, and balances. `everything`: code, or the whole chain."""

    keys: set[tuple[bytes, bytes]] = field(default_factory=set)
    balances: set[bytes] = field(default_factory=set)
    everything: bool = False

    def __len__(self) -> int:
        return len(self.keys) + len(self.balances)

    def __bool__(self) -> bool:
        return bool(self.keys or self.balances or self.everything)

    def touches(self, reads: Reads) -> bool:
        """Has something changed that was read?"""
        if self.everything or not self.keys.isdisjoint(reads.keys) or not self.balances.isdisjoint(reads.balances):
            return True
        return any(
            contract == owner and low <= key and (high is None or key < high)
            for owner, low, high in reads.ranges
            for contract, key in self.keys
        )


class Recent(Protocol):
    """The latest changes, for any thread; see state/recent.py."""

    def mark(self) -> int | None: ...

    def since(self, mark: int) -> tuple[int, list[Touched]] | None: ...


class Reader(StateView, Protocol):
    """One consistent view of what is committed. Used by one thread, for one short question, then closed."""

    def nonce(self, address: bytes) -> int:
        """How many transactions the account has had recorded."""

    def record(self, transaction: bytes) -> Record | None: ...

    def children(self, transaction: bytes) -> tuple[bytes, ...]:
        """Transactions that this one's run sent, in order."""

    def history(self, address: bytes, limit: int) -> list[Record]:
        """Transactions from or to an address, newest first."""

    def block_time(self, block: int) -> int | None:
        """When a commit was made; None for none of that number."""

    def block_record(self, block: int) -> Record | None:
        """The transaction whose commit has this number."""

    def event_records(self, contract: bytes | None, first: int, last: int, limit: int) -> list[Record]:
        """Records of commits first..last whose runs emitted events, oldest first."""

    def height(self) -> int:
        """How many commits there are."""

    def changes(self, after: int, limit: int) -> list[Change]: ...

    def last_change(self) -> int: ...

    def open_records(self) -> Iterable[Record]:
        """Records that are pending, or accepted but not final, in order of arrival."""

    def meta(self, name: str) -> str | None: ...

    def total_balance(self) -> int:
        """The sum of all balances, in wei."""


class Store(Reader, Protocol):
    """The database as its one writer sees it, with what it wrote but has not committed yet."""

    @property
    def recent(self) -> Recent:
        """What the latest commits have changed."""

    def transaction(self) -> AbstractContextManager[None]:
        """All or nothing; on disk when it ends. Raises `StateError` when the disk does not take it."""

    def reader(self, long: bool = False) -> AbstractContextManager[Reader]:
        """A view of what is committed, for any thread; `long` when contract code runs in it."""

    def credit(self, address: bytes, wei: int) -> None: ...

    def debit(self, address: bytes, wei: int) -> None:
        """Raises ValueError when the balance is smaller: the book has checked before."""

    def spend_nonce(self, address: bytes) -> None: ...

    def write(self, contract: bytes, writes: Mapping[bytes, bytes | None]) -> None:
        """Change a contract's state; None deletes a key."""

    def install(self, contract: bytes, source: bytes) -> None:
        """Put a contract at an address, or new code under one that stands."""

    def sources(self) -> Iterable[bytes]:
        """Every source this state directory has accepted."""

    def save(self, record: Record) -> None:
        """Insert a record, or update its status, position, time, block and receipt."""

    def log(self, transaction: bytes, status: Status, at: int) -> Change:
        """Write a line of the journal."""

    def last_position(self) -> tuple[int, int]:
        """The last place in the order that was given out, and its time; zeros before the first."""

    def set_meta(self, name: str, value: str) -> None: ...

    def room(self) -> Room:
        """For any thread, at the cost of three questions to the system."""

    def snapshot(self, keep: int) -> int:
        """Keep a copy of everything committed; its number. Of more than `keep` copies the oldest go. Raises
        `StateError` when the disk does not take it.
        """

    def restore(self, snapshot: int) -> bool:
        """Go back to a copy; False when there is none of that number. The journal goes on. Raises `StateError` when
        the copy cannot be used or the disk does not take it; then nothing has changed.
        """

    def close(self) -> None: ...
