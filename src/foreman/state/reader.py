"""Questions to the database; the same SQL serves the writer and every reader."""

import sqlite3
from collections.abc import Iterable
from typing import Any

from foreman.errors import StateError
from foreman.ledger import Change
from foreman.receipt import Record, Status
from foreman.state.rows import SELECT, record_in, wei_in

_RANGE = "FROM state WHERE contract = ? AND key >= ? AND key < ? ORDER BY key LIMIT ?"
_RANGE_TO_END = "FROM state WHERE contract = ? AND key >= ? ORDER BY key LIMIT ?"


class SqliteReader:
    """A view through one connection. Consistent while that connection is inside a transaction."""

    def __init__(self, connection: sqlite3.Connection, sources: dict[bytes, bytes]) -> None:
        self._connection = connection
        self._sources = sources
        self._ids: dict[bytes, tuple[int, bytes]] = {}
        self._failed: StateError | None = None
        """The database did not answer a question. Whoever asked may not have noticed, so the writer looks here."""

    def _all(self, question: str, parameters: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Every row. Raises `StateError` when the database does not answer."""
        try:
            return self._connection.execute(question, parameters).fetchall()
        except sqlite3.Error as error:
            raise self._unanswered(error) from error

    def _one(self, question: str, parameters: tuple[Any, ...] = ()) -> tuple[Any, ...] | None:
        """The first row, None when there is none. Raises `StateError` as above."""
        try:
            row: tuple[Any, ...] | None = self._connection.execute(question, parameters).fetchone()
        except sqlite3.Error as error:
            raise self._unanswered(error) from error
        return row

    def _unanswered(self, error: sqlite3.Error) -> StateError:
        self._failed = StateError(
            "state_unreadable", f"the database does not answer: {error}", "look after the disk, then restart"
        )
        return self._failed

    def _contract(self, address: bytes) -> tuple[int, bytes] | None:
        """A contract's row number and source hash."""
        known = self._ids.get(address)
        if known is None:
            row = self._one("SELECT id, source_hash FROM contracts WHERE address = ?", (address,))
            if row is None:
                return None
            known = self._ids[address] = (row[0], row[1])
        return known

    # the state of contracts

    def get(self, contract: bytes, key: bytes) -> bytes | None:
        found = self._contract(contract)
        if found is None:
            return None
        row = self._one("SELECT value FROM state WHERE contract = ? AND key = ?", (found[0], key))
        return None if row is None else row[0]

    def scan(self, contract: bytes, low: bytes, high: bytes | None, limit: int) -> list[tuple[bytes, bytes]]:
        return self._range("key, value", contract, low, high, limit)

    def scan_keys(self, contract: bytes, low: bytes, high: bytes | None, limit: int) -> list[bytes]:
        return [key for (key,) in self._range("key", contract, low, high, limit)]

    def _range(
        self, columns: str, contract: bytes, low: bytes, high: bytes | None, limit: int
    ) -> list[tuple[Any, ...]]:
        found = self._contract(contract)
        if found is None:
            return []
        if high is None:
            return self._all(f"SELECT {columns} {_RANGE_TO_END}", (found[0], low, limit))
        return self._all(f"SELECT {columns} {_RANGE}", (found[0], low, high, limit))

    def code(self, contract: bytes) -> bytes | None:
        found = self._contract(contract)
        if found is None:
            return None
        source = self._sources.get(found[1])
        if source is None:
            (source,) = self._all("SELECT source FROM sources WHERE hash = ?", (found[1],))[0]
            self._sources[found[1]] = source
        return source

    def sources(self) -> list[bytes]:
        return [source for (source,) in self._all("SELECT source FROM sources")]

    # accounts

    def balance(self, address: bytes) -> int:
        row = self._one("SELECT balance FROM accounts WHERE address = ?", (address,))
        return 0 if row is None else wei_in(row[0])

    def nonce(self, address: bytes) -> int:
        row = self._one("SELECT nonce FROM accounts WHERE address = ?", (address,))
        return 0 if row is None else row[0]

    def total_balance(self) -> int:
        return sum(wei_in(raw) for (raw,) in self._all("SELECT balance FROM accounts"))

    # transactions

    def record(self, transaction: bytes) -> Record | None:
        row = self._one(f"{SELECT} WHERE hash = ?", (transaction,))
        if row is None:
            return None
        record = record_in(row)
        record.children = self.children(transaction)
        return record

    def children(self, transaction: bytes) -> tuple[bytes, ...]:
        rows = self._all("SELECT hash FROM transactions WHERE parent = ? ORDER BY id", (transaction,))
        return tuple(digest for (digest,) in rows)

    def history(self, address: bytes, limit: int) -> list[Record]:
        columns = SELECT.removeprefix("SELECT ").split(" FROM ")[0]
        newest = "WHERE {} = ? ORDER BY id DESC LIMIT ?"
        rows = self._all(
            f"SELECT {columns} FROM (SELECT * FROM (SELECT * FROM transactions {newest.format('sender')}) "
            f"UNION SELECT * FROM (SELECT * FROM transactions {newest.format('target')})) ORDER BY id DESC LIMIT ?",
            (address, limit, address, limit, limit),
        )
        return [record_in(row) for row in rows]

    def height(self) -> int:
        return int(self._all("SELECT coalesce(max(block), 0) FROM transactions")[0][0])

    def block_time(self, block: int) -> int | None:
        record = self.block_record(block)
        return None if record is None or record.receipt is None else record.receipt.decided_at

    def block_record(self, block: int) -> Record | None:
        row = self._one(f"{SELECT} WHERE block = ?", (block,))
        return None if row is None else record_in(row)

    def event_records(self, contract: bytes | None, first: int, last: int, limit: int) -> list[Record]:
        where, parameters = "block BETWEEN ? AND ?", (first, last)
        if contract is not None:
            where, parameters = "target = ? AND " + where, (contract, *parameters)  # type: ignore[assignment]  # SQL values
        rows = self._all(
            f"{SELECT} WHERE {where} AND receipt NOT LIKE '%\"events\":[],%' ORDER BY block LIMIT ?",
            (*parameters, limit),
        )
        return [record_in(row) for row in rows]

    def open_records(self) -> Iterable[Record]:
        rows = self._all(f"{SELECT} WHERE status IN (1, 5) ORDER BY id")
        return [record_in(row) for row in rows]

    def meta(self, name: str) -> str | None:
        row = self._one("SELECT value FROM meta WHERE name = ?", (name,))
        return None if row is None else row[0]

    # the journal

    def changes(self, after: int, limit: int) -> list[Change]:
        rows = self._all("SELECT seq, hash, status, at FROM journal WHERE seq > ? ORDER BY seq LIMIT ?", (after, limit))
        return [Change(seq, digest, Status(status), at) for seq, digest, status, at in rows]

    def last_change(self) -> int:
        return int(self._all("SELECT coalesce(max(seq), 0) FROM journal")[0][0])
