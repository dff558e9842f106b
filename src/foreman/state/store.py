"""The writer: the one object that changes the database."""

import os
import queue
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from foreman.ledger import Change, Room, Touched
from foreman.receipt import Record, Status
from foreman.state import database, snapshot
from foreman.state.reader import SqliteReader
from foreman.state.recent import Recent
from foreman.state.rows import SAVE, record_out, wei_out

_IDLE_READERS = 16
"""Reading connections kept open between questions."""

_LOG_LARGE, _LOG_HUGE = 32 << 20, 128 << 20
"""Bytes of log from which on it is folded back with patience, and from which on long views wait until it is."""

_FOLD_PAUSE = 0.25
"""Seconds between attempts to fold the log back, which hold the writer up."""

_LONG_VIEW = 12.0
"""Seconds after which every view has ended: the watchdog's ten, and some."""


class SqliteStore(SqliteReader):
    """The database of one state directory. Everything but `reader` belongs to one thread."""

    def __init__(self, directory: Path) -> None:
        """Open or create the directory. Raises `StateError`."""
        self._directory = directory = directory.absolute()
        self._lock = database.lock_directory(directory)
        self._path = directory / database.DATABASE
        try:
            writer = database.open_writer(self._path)
        except BaseException:
            self._lock.close()
            raise
        super().__init__(writer, {})
        self._idle: queue.SimpleQueue[sqlite3.Connection] = queue.SimpleQueue()
        self._closed = False
        self.recent = Recent()
        self._touched = Touched()
        self._log = self._path.with_name(database.DATABASE + "-wal")
        self._fold_after = 0.0
        self._log_is_small = threading.Event()
        self._log_is_small.set()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        try:
            with database.transaction(self._connection):
                yield
                if self._failed is not None:
                    raise self._failed
                if self._touched:
                    self.recent.begin(self._touched)
        except BaseException:
            self._ids.clear()  # it may know contracts that were never committed
            self._failed = None
            raise
        finally:
            self._touched = Touched()
            self.recent.end()
        self._fold_back()

    def _fold_back(self) -> None:
        """Keep the log bounded however many read."""
        size = self._log.stat().st_size
        if size < _LOG_LARGE or time.monotonic() < self._fold_after:
            return
        if size > _LOG_HUGE:
            self._log_is_small.clear()
        if database.fold(self._connection):
            self._log_is_small.set()
        else:
            self._fold_after = time.monotonic() + _FOLD_PAUSE

    @contextmanager
    def reader(self, long: bool = False) -> Iterator[SqliteReader]:
        """A consistent view. While it is open the log cannot be folded back, so `long` ones (contract code runs in
        them) wait when the log has become huge.
        """
        if long and not self._log_is_small.wait(_LONG_VIEW):
            self._log_is_small.set()
        try:
            connection = self._idle.get_nowait()
        except queue.Empty:
            connection = database.open_reader(self._path)
        try:
            connection.execute("BEGIN")
            yield SqliteReader(connection, self._sources)
        finally:
            database.roll_back(connection)
            if self._idle.qsize() < _IDLE_READERS and not self._closed:
                self._idle.put(connection)
            else:
                connection.close()

    # accounts

    def credit(self, address: bytes, wei: int) -> None:
        self._set_balance(address, self.balance(address) + wei)

    def debit(self, address: bytes, wei: int) -> None:
        balance = self.balance(address)
        if balance < wei:
            raise ValueError(f"0x{address.hex()} holds {balance} wei, {wei} were to leave it")
        self._set_balance(address, balance - wei)

    def _set_balance(self, address: bytes, wei: int) -> None:
        self._touched.balances.add(address)
        self._connection.execute(
            "INSERT INTO accounts (address, balance, nonce) VALUES (?, ?, 0) "
            "ON CONFLICT (address) DO UPDATE SET balance = excluded.balance",
            (address, wei_out(wei)),
        )

    def spend_nonce(self, address: bytes) -> None:
        self._connection.execute(
            "INSERT INTO accounts (address, balance, nonce) VALUES (?, ?, 1) "
            "ON CONFLICT (address) DO UPDATE SET nonce = nonce + 1",
            (address, wei_out(0)),
        )

    # contracts

    def write(self, contract: bytes, writes: Mapping[bytes, bytes | None]) -> None:
        found = self._contract(contract)
        if found is None:
            raise ValueError(f"no contract at 0x{contract.hex()} to write to")
        number = found[0]
        self._touched.keys.update((contract, key) for key in writes)
        kept = [(number, key, value) for key, value in writes.items() if value is not None]
        gone = [(number, key) for key, value in writes.items() if value is None]
        if kept:
            self._connection.executemany("INSERT OR REPLACE INTO state (contract, key, value) VALUES (?, ?, ?)", kept)
        if gone:
            self._connection.executemany("DELETE FROM state WHERE contract = ? AND key = ?", gone)

    def install(self, contract: bytes, source: bytes) -> None:
        digest = sha256(source).digest()
        self._connection.execute("INSERT OR IGNORE INTO sources (hash, source) VALUES (?, ?)", (digest, source))
        self._connection.execute(
            "INSERT INTO contracts (address, source_hash) VALUES (?, ?) "
            "ON CONFLICT (address) DO UPDATE SET source_hash = excluded.source_hash",
            (contract, digest),
        )
        self._ids.pop(contract, None)
        self._touched.everything = True

    # transactions

    def save(self, record: Record) -> None:
        self._connection.execute(SAVE, record_out(record))

    def log(self, transaction: bytes, status: Status, at: int) -> Change:
        cursor = self._connection.execute(
            "INSERT INTO journal (hash, status, at) VALUES (?, ?, ?)", (transaction, int(status), at)
        )
        assert cursor.lastrowid is not None
        return Change(cursor.lastrowid, transaction, status, at)

    def last_position(self) -> tuple[int, int]:
        row = self._one(
            "SELECT position, at FROM transactions WHERE position IS NOT NULL ORDER BY position DESC LIMIT 1"
        )
        return (0, 0) if row is None else (row[0], row[1])

    # what does not fit elsewhere

    def set_meta(self, name: str, value: str) -> None:
        self._connection.execute(
            "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            (name, value),
        )

    def room(self) -> Room:
        disk = os.statvfs(self._directory)
        return Room(
            _size(self._path),
            _size(self._log),
            disk.f_bavail * disk.f_frsize,
            not disk.f_flag & os.ST_RDONLY and os.access(self._directory, os.W_OK),
        )

    def snapshot(self, keep: int) -> int:
        return snapshot.take(self._connection, self._directory, keep)

    def restore(self, number: int) -> bool:
        self._ids.clear()
        self.recent.begin(Touched(everything=True))
        try:
            return snapshot.bring_back(self._connection, self._directory, number)
        finally:
            self.recent.end()

    def close(self) -> None:
        """Fold the log back and let the directory go; a view that is still open closes its connection itself."""
        if self._closed:
            return
        self._closed = True
        while True:
            try:
                self._idle.get_nowait().close()
            except queue.Empty:
                break
        database.fold(self._connection)  # or the next start reads the log
        self._connection.close()
        self._lock.close()


def _size(path: Path) -> int:
    """0 for a file that is not there: a folded log may go."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
