"""Save and bring back a whole chain: a development network's undo."""

import sqlite3
from pathlib import Path

_TABLES = ("meta", "accounts", "sources", "contracts", "state", "transactions")
"""All but the journal, whose cursor only ever goes forward."""


def take(connection: sqlite3.Connection, directory: Path) -> int:
    """Copy everything committed into a file of its own; its number, from 1."""
    folder = directory / "snapshots"
    folder.mkdir(exist_ok=True)
    number = 1 + max((int(path.stem) for path in folder.glob("*.sqlite")), default=0)
    connection.execute("VACUUM INTO ?", (str(folder / f"{number}.sqlite"),))
    return number


def bring_back(connection: sqlite3.Connection, directory: Path, number: int) -> bool:
    """Replace everything by a copy, all or nothing; False when there is none of that number. Later ones go."""
    folder = directory / "snapshots"
    path = folder / f"{number}.sqlite"
    if number < 1 or not path.is_file():
        return False
    connection.execute("ATTACH ? AS kept", (str(path),))
    try:
        connection.execute("BEGIN IMMEDIATE")
        for table in reversed(_TABLES):
            connection.execute(f"DELETE FROM main.{table}")
        for table in _TABLES:
            connection.execute(f"INSERT INTO main.{table} SELECT * FROM kept.{table}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    finally:
        connection.execute("DETACH kept")
    for later in folder.glob("*.sqlite"):
        if int(later.stem) > number:
            later.unlink()
    return True
