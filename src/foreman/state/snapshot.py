"""Save and bring back a whole chain: a development network's undo."""

import sqlite3
from pathlib import Path

from foreman.errors import StateError
from foreman.state import database

_TABLES = ("meta", "accounts", "sources", "contracts", "state", "transactions")
"""All but the journal, whose cursor only ever goes forward."""


def take(connection: sqlite3.Connection, directory: Path, keep: int) -> int:
    """Copy everything committed into a file of its own; its number, from 1. Of more than `keep` the oldest go.

    The copy gets its name when it is whole: a crash or a full disk in between leaves no snapshot, not half of one.
    """
    folder = directory / "snapshots"
    unfinished = folder / "unfinished"
    try:
        folder.mkdir(exist_ok=True)
        unfinished.unlink(missing_ok=True)
        connection.execute("VACUUM INTO ?", (str(unfinished),))
        number = max(_numbers(folder), default=0) + 1
        unfinished.rename(folder / f"{number}.sqlite")
        for old in sorted(_numbers(folder))[:-keep]:
            (folder / f"{old}.sqlite").unlink()
    except (sqlite3.Error, OSError) as error:
        _discard(unfinished)
        raise StateError(
            "snapshot_failed", f"the snapshot could not be written: {error}", "make room on the disk"
        ) from error
    return number


def bring_back(connection: sqlite3.Connection, directory: Path, number: int) -> bool:
    """Replace everything by a copy, all or nothing; False when there is none of that number. Later ones go."""
    folder = directory / "snapshots"
    path = folder / f"{number}.sqlite"
    if number < 1 or not path.is_file():
        return False
    try:
        connection.execute("ATTACH ? AS kept", (str(path),))
        try:
            _replace(connection)
        finally:
            database.roll_back(connection)
            connection.execute("DETACH kept")
    except sqlite3.Error as error:
        raise StateError(
            "restore_failed", f"snapshot {number} could not be brought back: {error}", "nothing has changed"
        ) from error
    for later in _numbers(folder):
        if later > number:
            (folder / f"{later}.sqlite").unlink(missing_ok=True)
    return True


def _replace(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    (schema, kept) = (connection.execute(f"PRAGMA {name}.user_version").fetchone() for name in ("main", "kept"))
    if schema != kept:
        raise sqlite3.DatabaseError(f"it has schema {kept[0]}, this release has {schema[0]}")
    for table in reversed(_TABLES):
        connection.execute(f"DELETE FROM main.{table}")
    for table in _TABLES:
        connection.execute(f"INSERT INTO main.{table} SELECT * FROM kept.{table}")
    connection.execute("COMMIT")


def _numbers(folder: Path) -> list[int]:
    return [int(path.stem) for path in folder.glob("*.sqlite") if path.stem.isdigit()]


def _discard(unfinished: Path) -> None:
    try:
        unfinished.unlink(missing_ok=True)
    except OSError:
        pass  # the disk is in trouble; the next snapshot begins by removing it
