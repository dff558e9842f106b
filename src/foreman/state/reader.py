"""Questions to the database; the same SQL serves the writer and every reader."""

import sqlite3
from collections.abc import Iterable

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
        self._ids: dict[bytes, tuple[int, bytes] | None] = {}

    def _contract(self, address: bytes) -> tuple[int, bytes] | None:
        """A contract's row number and source hash."""
        if address not in self._ids:
            found = self._connection.execute(
                "SELECT id, source_hash FROM contracts WHERE address = ?", (address,)
            ).fetchone()
            self._ids[address] = found
        return self._ids[address]

    # the state of contracts

    def get(self, contract: bytes, key: bytes) -> bytes | None:
        found = self._contract(contract)
        if found is None:
            return None
        row = self._connection.execute(
            "SELECT value FROM state WHERE contract = ? AND key = ?", (found[0], key)
        ).fetchone()
        return None if row is None else row[0]

    def scan(self, contract: bytes, low: bytes, high: bytes | None, limit: int) -> list[tuple[bytes, bytes]]:
        return self._range("key, value", contract, low, high, limit)

    def scan_keys(self, contract: bytes, low: bytes, high: bytes | None, limit: int) -> list[bytes]:
        return [key for (key,) in self._range("key", contract, low, high, limit)]

    def _range(self, columns: str, contract: bytes, low: bytes, high: bytes | None, limit: int) -> list[tuple]:  # type: ignore[type-arg]  # one or two columns
        found = self._contract(contract)
        if found is None:
            return []
        if high is None:
            return self._connection.execute(f"SELECT {columns} {_RANGE_TO_END}", (found[0], low, limit)).fetchall()
        return self._connection.execute(f"SELECT {columns} {_RANGE}", (found[0], low, high, limit)).fetchall()

    def code(self, contract: bytes) -> bytes | None:
        found = self._contract(contract)
        if found is None:
            return None
        source = self._sources.get(found[1])
        if source is None:
            (source,) = self._connection.execute("SELECT source FROM sources WHERE hash = ?", (found[1],)).fetchone()
            self._sources[found[1]] = source
        return source

    def sources(self) -> list[bytes]:
        return [source for (source,) in self._connection.execute("SELECT source FROM sources")]

    # accounts

    def balance(self, address: bytes) -> int:
        row = self._connection.execute("SELECT balance FROM accounts WHERE address = ?", (address,)).fetchone()
        return 0 if row is None else wei_in(row[0])

    def nonce(self, address: bytes) -> int:
        row = self._connection.execute("SELECT nonce FROM accounts WHERE address = ?", (address,)).fetchone()
        return 0 if row is None else row[0]

    def total_balance(self) -> int:
        return sum(wei_in(raw) for (raw,) in self._connection.execute("SELECT balance FROM accounts"))

    # transactions

    def record(self, transaction: bytes) -> Record | None:
        row = self._connection.execute(f"{SELECT} WHERE hash = ?", (transaction,)).fetchone()
        if row is None:
            return None
        record = record_in(row)
        record.children = self.children(transaction)
        return record

    def children(self, transaction: bytes) -> tuple[bytes, ...]:
        rows = self._connection.execute("SELECT hash FROM transactions WHERE parent = ? ORDER BY id", (transaction,))
        return tuple(digest for (digest,) in rows)

    def history(self, address: bytes, limit: int) -> list[Record]:
        columns = SELECT.removeprefix("SELECT ").split(" FROM ")[0]
        newest = "WHERE {} = ? ORDER BY id DESC LIMIT ?"
        rows = self._connection.execute(
            f"SELECT {columns} FROM (SELECT * FROM (SELECT * FROM transactions {newest.format('sender')}) "
            f"UNION SELECT * FROM (SELECT * FROM transactions {newest.format('target')})) ORDER BY id DESC LIMIT ?",
            (address, limit, address, limit, limit),
        )
        return [record_in(row) for row in rows]

    def height(self) -> int:
        (height,) = self._connection.execute("SELECT coalesce(max(block), 0) FROM transactions").fetchone()
        return int(height)

    def block_time(self, block: int) -> int | None:
        record = self.block_record(block)
        return None if record is None or record.receipt is None else record.receipt.decided_at

    def block_record(self, block: int) -> Record | None:
        row = self._connection.execute(f"{SELECT} WHERE block = ?", (block,)).fetchone()
        return None if row is None else record_in(row)

    def event_records(self, contract: bytes | None, first: int, last: int, limit: int) -> list[Record]:
        where, parameters = "block BETWEEN ? AND ?", [first, last]
        if contract is not None:
            where, parameters = "target = ? AND " + where, [contract, *parameters]  # type: ignore[list-item]  # SQL values
        rows = self._connection.execute(
            f"{SELECT} WHERE {where} AND receipt NOT LIKE '%\"events\":[],%' ORDER BY block LIMIT ?",
            (*parameters, limit),
        )
        return [record_in(row) for row in rows]

    def open_records(self) -> Iterable[Record]:
        rows = self._connection.execute(f"{SELECT} WHERE status IN (1, 5) ORDER BY id").fetchall()
        return [record_in(row) for row in rows]

    def meta(self, name: str) -> str | None:
        row = self._connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return None if row is None else row[0]

    # the journal

    def changes(self, after: int, limit: int) -> list[Change]:
        rows = self._connection.execute(
            "SELECT seq, hash, status, at FROM journal WHERE seq > ? ORDER BY seq LIMIT ?", (after, limit)
        )
        return [Change(seq, digest, Status(status), at) for seq, digest, status, at in rows]

    def last_change(self) -> int:
        (last,) = self._connection.execute("SELECT coalesce(max(seq), 0) FROM journal").fetchone()
        return int(last)
