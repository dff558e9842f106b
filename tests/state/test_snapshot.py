"""Snapshots: everything comes back as it was, the journal goes on, and a failed one leaves nothing behind."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from foreman.errors import StateError
from foreman.receipt import Status
from foreman.state.store import SqliteStore
from tests.state.records import ALICE, BOB, decided, pending


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    found = SqliteStore(tmp_path)
    yield found
    found.close()


def fill(store: SqliteStore, number: int) -> None:
    with store.transaction():
        store.credit(ALICE, number)
        store.spend_nonce(ALICE)
        store.install(BOB, b"# code %d" % number)
        store.write(BOB, {b"k": b"%d" % number, b"only %d" % number: b"v"})
        record = decided(number, number) if number % 2 else pending(number)
        store.save(record)
        store.log(record.transaction.hash, Status.PENDING, number)
        store.set_meta("minted", str(number))


def everything(store: SqliteStore) -> object:
    return (
        store.balance(ALICE),
        store.nonce(ALICE),
        store.code(BOB),
        store.scan(BOB, b"", None, 100),
        store.history(ALICE, 100),
        list(store.open_records()),
        store.height(),
        store.last_position(),
        store.meta("minted"),
        sorted(store.sources()),
    )


def test_everything_comes_back_as_it_was(store: SqliteStore) -> None:
    fill(store, 1)
    before = everything(store)
    number = store.snapshot(9)
    fill(store, 2)
    fill(store, 3)
    assert everything(store) != before
    assert store.restore(number) is True
    assert everything(store) == before
    with store.reader() as view:
        assert view.balance(ALICE) == 1
    fill(store, 2)
    assert store.get(BOB, b"k") == b"2"


def test_the_journal_goes_on(store: SqliteStore) -> None:
    fill(store, 1)
    number = store.snapshot(9)
    fill(store, 2)
    store.restore(number)
    assert [change.seq for change in store.changes(0, 10)] == [1, 2]
    fill(store, 2)
    assert store.last_change() == 3


def test_it_can_be_brought_back_again_but_later_ones_are_gone(store: SqliteStore) -> None:
    fill(store, 1)
    first = store.snapshot(9)
    fill(store, 2)
    second = store.snapshot(9)
    assert second == first + 1
    for _ in range(2):
        assert store.restore(first) is True
        assert store.meta("minted") == "1"
    assert store.restore(second) is False


def test_snapshots_outlive_a_restart(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    fill(store, 1)
    number = store.snapshot(9)
    fill(store, 2)
    store.close()
    store = SqliteStore(tmp_path)
    assert store.restore(number) is True
    assert store.meta("minted") == "1"
    store.close()


@pytest.mark.parametrize("number", [0, -1, 7, 10**30])
def test_there_is_no_snapshot_of_another_number(store: SqliteStore, number: int) -> None:
    fill(store, 1)
    assert store.restore(number) is False
    assert store.meta("minted") == "1"


def test_of_too_many_the_oldest_go(store: SqliteStore) -> None:
    fill(store, 1)
    numbers = [store.snapshot(3) for _ in range(5)]
    assert numbers == [1, 2, 3, 4, 5]
    assert len(list((store._directory / "snapshots").iterdir())) == 3
    assert store.restore(2) is False
    assert store.restore(3) is True


def test_a_copy_that_was_cut_off_is_no_snapshot(store: SqliteStore) -> None:
    """A process that dies while it writes leaves an unfinished file, and the next one writes over it."""
    fill(store, 1)
    folder = store._directory / "snapshots"
    folder.mkdir()
    (folder / "unfinished").write_bytes(b"half a copy")
    assert store.snapshot(9) == 1
    assert [path.name for path in folder.iterdir()] == ["1.sqlite"]


def test_a_snapshot_that_cannot_be_written_is_refused_with_a_sentence(store: SqliteStore) -> None:
    fill(store, 1)
    (store._directory / "snapshots").write_text("a file where the folder should be")
    with pytest.raises(StateError) as refused:
        store.snapshot(9)
    assert refused.value.code == "snapshot_failed"
    fill(store, 2)


def damage(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + b"\7" * 5000)


def forget_a_table(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE meta")


def another_schema(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 999")


@pytest.mark.parametrize("harm", [damage, forget_a_table, another_schema])
def test_a_copy_that_cannot_be_used_is_refused_and_nothing_changes(store: SqliteStore, harm: object) -> None:
    fill(store, 1)
    number = store.snapshot(9)
    assert callable(harm)
    harm(store._directory / "snapshots" / f"{number}.sqlite")
    fill(store, 2)
    before = everything(store)
    with pytest.raises(StateError) as refused:
        store.restore(number)
    assert refused.value.code == "restore_failed"
    assert everything(store) == before
    fill(store, 3)
    store.snapshot(9)
