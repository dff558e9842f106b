"""A copy is one moment however much is written meanwhile, and a file that did not become anything is gone."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from foreman.errors import StateError
from foreman.state import backup
from foreman.state.database import DATABASE
from foreman.state.store import SqliteStore

ALICE, BOB = b"a" * 20, b"b" * 20


def test_commits_during_a_copy_are_not_in_it_and_do_not_make_it_begin_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "_PAGES", 1)
    store = SqliteStore(tmp_path / "state")
    with store.transaction():
        store.credit(ALICE, 1000)
        for number in range(300):
            store.credit(number.to_bytes(20), 1)
    seen: list[int] = []

    def write_and_look(done: int, whole: int) -> None:
        seen.append(done)
        with store.transaction():
            store.debit(ALICE, 1)
            store.credit(BOB, 1)

    backup.copy(tmp_path / "state" / DATABASE, tmp_path / "copy", write_and_look)
    assert len(seen) > 10
    assert seen == list(range(1, len(seen) + 1)), "each page once, in order"
    with backup.opened(tmp_path / "copy") as view:
        assert (view.balance(ALICE), view.balance(BOB)) == (1000, 0)
    assert store.balance(BOB) == len(seen), "the writer went on"
    store.close()


def test_a_copy_that_is_broken_off_leaves_nothing(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "state").close()

    def break_off(done: int, whole: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        backup.copy(tmp_path / "state" / DATABASE, tmp_path / "copy", break_off)
    assert [path.name for path in tmp_path.iterdir()] == ["state"]


def test_a_copy_onto_a_disk_without_room_says_so_and_leaves_nothing(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "state").close()
    with pytest.raises(StateError) as error:
        backup.copy(tmp_path / "state" / DATABASE, tmp_path / "no folder" / "copy")
    assert (error.value.code, bool(error.value.hint)) == ("copy_failed", True)


def test_a_copy_needs_no_log_beside_it(tmp_path: Path) -> None:
    """It can be read where nobody may write."""
    SqliteStore(tmp_path / "state").close()
    backup.copy(tmp_path / "state" / DATABASE, tmp_path / "copy")
    with closing(sqlite3.connect(f"{(tmp_path / 'copy').as_uri()}?mode=ro", uri=True)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy", "state"]


def test_where_a_disk_knows_no_second_names_a_file_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError("no links here")

    monkeypatch.setattr(os, "link", refuse)
    (tmp_path / "a").write_bytes(b"content")
    backup.put(tmp_path / "a", tmp_path / "b", replace=False)
    assert ((tmp_path / "b").read_bytes(), (tmp_path / "a").exists()) == (b"content", False)
    (tmp_path / "c").write_bytes(b"other")
    with pytest.raises(FileExistsError):
        backup.put(tmp_path / "c", tmp_path / "b", replace=False)
    assert (tmp_path / "b").read_bytes() == b"content"
