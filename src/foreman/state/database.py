"""Open the database: one writer, a lock against a second node, pragmas with their reasons, migrations in name order."""

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import IO

from foreman.errors import StateError

DATABASE = "chain.sqlite"
LOCK = "lock"

_PRAGMAS = (
    "PRAGMA journal_mode = WAL",  # readers never wait for the writer
    "PRAGMA synchronous = FULL",  # a commit is on disk when it returns: an acknowledged transaction is never lost
    "PRAGMA wal_autocheckpoint = 4000",  # 16 MiB of log between checkpoints: fewer stalls; see also `fold`
    "PRAGMA cache_size = -16384",  # 16 MiB of pages; 64 were no faster with 100,000 orders (docs/benchmarks.md)
    "PRAGMA temp_store = MEMORY",  # no second file to fail on
    "PRAGMA busy_timeout = 5000",  # a backup tool may hold the lock for a moment
)


def lock_directory(directory: Path) -> IO[str]:
    """Take the directory for this process; keep the result open. Raises `StateError` when another node has it."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        handle = (directory / LOCK).open("a+")
    except OSError as error:
        raise StateError(
            "state_unwritable",
            f"the state directory {directory} cannot be used: {error.strerror}",
            "choose another with --state",
        ) from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        handle.close()
        raise StateError(
            "state_locked",
            f"another node is running on {directory}",
            "stop it, or choose another directory with --state",
        ) from error
    if not _still_there(handle, directory / LOCK):  # whoever was refused there took it away with what else it had made
        handle.close()
        return lock_directory(directory)
    return handle


def _still_there(handle: IO[str], path: Path) -> bool:
    """Is the open file the one that has this name now? A lock on another one locks nobody out."""
    try:
        return os.path.samestat(os.fstat(handle.fileno()), path.stat())
    except FileNotFoundError:
        return False


def open_writer(path: Path) -> sqlite3.Connection:
    """The one writing connection, migrated to the newest schema. Raises `StateError`."""
    try:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, cached_statements=256)
    except sqlite3.Error as error:
        raise _unusable(path, error) from error
    try:
        for pragma in _PRAGMAS:
            connection.execute(pragma)
        _migrate(connection)
    except sqlite3.Error as error:
        connection.close()
        raise _unusable(path, error) from error
    except BaseException:
        connection.close()
        raise
    return connection


def _unusable(path: Path, error: sqlite3.Error) -> StateError:
    if isinstance(error, sqlite3.OperationalError) and _why(error) in _PASSING:
        return unwritable(error)
    return StateError(
        "state_unreadable",
        f"the database {path.name} cannot be used: {error}",
        "restore a backup, or choose another directory with --state",
    )


def open_reader(path: Path) -> sqlite3.Connection:
    """A connection that cannot write."""
    connection = sqlite3.connect(
        f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None, check_same_thread=False, cached_statements=64
    )
    connection.execute("PRAGMA query_only = ON")
    connection.execute("PRAGMA busy_timeout = 5000")
    return connection


def _migrate(connection: sqlite3.Connection) -> None:
    """Run the `.sql` files that this database has not seen; each all or nothing."""
    (done,) = connection.execute("PRAGMA user_version").fetchone()
    scripts = migrations()
    if done > len(scripts):
        raise StateError(
            "state_too_new",
            f"this database has schema {done}, this release knows {len(scripts)}",
            "run the newer release, or choose another directory with --state",
        )
    for number, script in enumerate(scripts[done:], start=done + 1):
        connection.executescript(f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version = {number};\nCOMMIT;")


def migrations() -> list[str]:
    """The schema scripts, in order."""
    folder = resources.files("foreman.state") / "migrations"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return [(folder / name).read_text("utf-8") for name in names]


def fold(connection: sqlite3.Connection) -> bool:
    """Fold the whole log back and cut it off, waiting a tenth of a second for readers; False when they were slower.

    SQLite does so by itself only at a moment when nobody reads, and with enough readers that moment never comes.
    """
    connection.execute("PRAGMA busy_timeout = 100")
    try:
        (busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.OperationalError:
        return False  # a full disk: the log stays
    finally:
        connection.execute("PRAGMA busy_timeout = 5000")
    return not busy


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All or nothing. A disk that does not take it is a `StateError`; whatever else goes wrong passes through."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("COMMIT")
    except sqlite3.OperationalError as error:
        roll_back(connection)
        raise unwritable(error) from error
    except BaseException:
        roll_back(connection)
        raise


def roll_back(connection: sqlite3.Connection) -> None:
    """Forget what was not committed, if SQLite has not done so already after an error of its own."""
    if connection.in_transaction:
        connection.execute("ROLLBACK")


_PASSING = {
    "SQLITE_FULL": "make room on the disk; nothing of it was applied",
    "SQLITE_BUSY": "another program holds the database: end it; nothing of it was applied",
    "SQLITE_READONLY": "give the node the right to write there; nothing of it was applied",
}


def unwritable(error: sqlite3.Error) -> StateError:
    """The disk or another program is in the way; the hint says which."""
    hint = _PASSING.get(_why(error), "look after the disk; nothing of it was applied")
    return StateError("state_unwritable", f"the database did not take the change: {error}", hint)


def _why(error: sqlite3.Error) -> str:
    """The name of SQLite's result code without its extension: SQLITE_READONLY_DIRECTORY is SQLITE_READONLY."""
    return "_".join(getattr(error, "sqlite_errorname", "").split("_")[:2])
