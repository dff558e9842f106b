"""The book that benchmarks copy together is the book that real transactions would have made, to the byte."""

import sqlite3
from pathlib import Path
from typing import Any

from bench import filled
from bench.stamped import stamp

UNORDERED = {"transactions": {"id", "block"}, "journal": {"seq"}}
"""The order in which deliveries are decided that were sent together is the jury's, and differs each time."""


def tables(folder: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table, sorted."""
    with sqlite3.connect(folder / "chain.sqlite") as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        found = {}
        for name in names:
            known = [column for _, column, *_ in database.execute(f"PRAGMA table_info({name})")]
            columns = ", ".join(column for column in known if column not in UNORDERED.get(name, ()))
            found[name] = sorted(database.execute(f"SELECT {columns} FROM {name}"), key=repr)
    database.close()
    return found


def test_copied_orders_are_what_real_transactions_leave_behind(tmp_path: Path) -> None:
    real, copied, clock = tmp_path / "real", tmp_path / "copied", filled.Still()
    filled.fill(real, 14, pairs=4, seats=1, clock=clock)
    filled.fill(copied, 4, pairs=4, seats=1, clock=clock)
    stamp(copied, 14, pairs=4)
    one, other = tables(real), tables(copied)
    assert len(one["transactions"]) > 3 * 14
    assert one == other
