"""What a commit has changed is entered before it is on disk, whatever it was."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from foreman.errors import StateError
from foreman.ledger import Touched
from foreman.state import recent
from foreman.state.store import SqliteStore
from tests.state.records import ALICE, BOB


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    found = SqliteStore(tmp_path)
    with found.transaction():
        found.install(ALICE, b"# a contract")
        found.credit(ALICE, 100)
    yield found
    found.close()


def news(store: SqliteStore, mark: int | None) -> list[Touched]:
    assert mark is not None
    found = store.recent.since(mark)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(
    ("change", "touched"),
    [
        pytest.param(
            lambda store: store.write(ALICE, {b"k": b"1", b"gone": None}),
            Touched({(ALICE, b"k"), (ALICE, b"gone")}),
            id="keys",
        ),
        pytest.param(lambda store: store.credit(BOB, 5), Touched(balances={BOB}), id="a credit"),
        pytest.param(lambda store: store.debit(ALICE, 5), Touched(balances={ALICE}), id="a debit"),
        pytest.param(lambda store: store.install(BOB, b"# code"), Touched(everything=True), id="code"),
    ],
)
def test_every_change_is_entered(store: SqliteStore, change: Any, touched: Touched) -> None:
    mark = store.recent.mark()
    with store.transaction():
        change(store)
        assert news(store, mark) == []
    assert news(store, mark) == [touched]


def test_while_a_commit_is_on_its_way_there_is_no_mark_and_its_changes_are_known(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark, seen = store.recent.mark(), []
    begin = store.recent.begin

    def begun(touched: Touched) -> None:
        begin(touched)
        seen.append((store.recent.mark(), news(store, mark)))

    monkeypatch.setattr(store.recent, "begin", begun)
    with store.transaction():
        store.credit(BOB, 1)
    assert seen == [(None, [Touched(balances={BOB})])]
    assert store.recent.mark() == (mark or 0) + 1


def test_what_was_taken_back_is_not_entered_and_blocks_nobody(store: SqliteStore) -> None:
    mark = store.recent.mark()

    def too_much() -> None:
        with store.transaction():
            store.credit(BOB, 1)
            store.debit(BOB, 2)

    with pytest.raises(ValueError, match="were to leave"):
        too_much()
    assert news(store, mark) == []
    with store.transaction():
        store.write(ALICE, {b"k": b"1"})
    assert news(store, mark) == [Touched({(ALICE, b"k")})]


def test_a_commit_that_the_disk_refuses_leaves_a_mark_behind_it(store: SqliteStore) -> None:

    def fails() -> None:
        with store.transaction():
            store.credit(BOB, 1)
            store._connection.execute("COMMIT")  # so that the real one fails

    with pytest.raises(StateError):
        fails()
    assert store.recent.mark() is not None


def test_a_snapshot_that_comes_back_changes_everything(store: SqliteStore) -> None:
    number, mark = store.snapshot(3), store.recent.mark()
    assert store.restore(number)
    assert news(store, mark) == [Touched(everything=True)]


def test_old_changes_are_forgotten_and_then_nothing_is_known(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recent, "MOST_KEYS", 20)
    mark = store.recent.mark()
    for number in range(30):
        with store.transaction():
            store.write(ALICE, {b"%d" % number: b"1"})
    assert mark is not None
    assert store.recent.since(mark) is None
    assert store.recent.since(mark + 20) is not None
