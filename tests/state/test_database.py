"""Opening a state directory: migrated once, taken by one node, and refused with a sentence when it cannot be used."""

import fcntl
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import IO

import pytest

from foreman.errors import StateError
from foreman.state import database
from foreman.state.store import SqliteStore

SRC = str(Path(__file__).parents[2] / "src")
HOLDER = """
import sys
from pathlib import Path
from typing import IO
from foreman.state.store import SqliteStore
store = SqliteStore(Path(sys.argv[1]))
print("open", flush=True)
sys.stdin.read()
"""


def refusal(directory: Path) -> StateError:
    with pytest.raises(StateError) as refused:
        SqliteStore(directory)
    assert refused.value.hint
    return refused.value


def version(directory: Path) -> int:
    with closing(sqlite3.connect(directory / database.DATABASE)) as connection:
        found: int = connection.execute("PRAGMA user_version").fetchone()[0]
        return found


def test_a_new_directory_gets_the_newest_schema(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "deep" / "down").close()
    assert version(tmp_path / "deep" / "down") == len(database.migrations())


def test_opening_again_changes_nothing(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    with store.transaction():
        store.credit(b"\1" * 20, 7)
    store.close()
    before = (tmp_path / database.DATABASE).read_bytes()
    again = SqliteStore(tmp_path)
    assert again.balance(b"\1" * 20) == 7
    again.close()
    assert (tmp_path / database.DATABASE).read_bytes() == before


def test_a_migration_runs_once_and_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    SqliteStore(tmp_path).close()
    scripts = database.migrations()
    good = "CREATE TABLE later (x); INSERT INTO later VALUES (1);"
    monkeypatch.setattr(
        database, "migrations", lambda: [*scripts, "CREATE TABLE half (x); INSERT INTO nowhere VALUES (1);"]
    )
    assert refusal(tmp_path).code == "state_unreadable"
    assert version(tmp_path) == len(scripts)
    monkeypatch.setattr(database, "migrations", lambda: [*scripts, good])
    for _ in range(2):
        SqliteStore(tmp_path).close()
    assert version(tmp_path) == len(scripts) + 1
    with closing(sqlite3.connect(tmp_path / database.DATABASE)) as connection:
        assert connection.execute("SELECT count(*) FROM later").fetchone() == (1,)
        assert connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'half'").fetchone() == (0,)


def test_a_database_of_a_newer_release_is_left_alone(tmp_path: Path) -> None:
    SqliteStore(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / database.DATABASE)) as connection:
        connection.execute("PRAGMA user_version = 999")
    refused = refusal(tmp_path)
    assert (refused.code, "999" in refused.sentence) == ("state_too_new", True)
    assert version(tmp_path) == 999


def garbage(directory: Path) -> Path:
    (directory / database.DATABASE).write_bytes(os.urandom(8192))
    return directory


def a_file(directory: Path) -> Path:
    (directory / "file").write_text("not a directory")
    return directory / "file"


def below_a_file(directory: Path) -> Path:
    return a_file(directory) / "below"


def a_folder_where_the_database_should_be(directory: Path) -> Path:
    (directory / database.DATABASE).mkdir()
    return directory


@pytest.mark.parametrize(
    ("prepare", "code"),
    [
        pytest.param(garbage, "state_unreadable", id="random bytes"),
        pytest.param(a_file, "state_unwritable", id="a file"),
        pytest.param(below_a_file, "state_unwritable", id="below a file"),
        pytest.param(a_folder_where_the_database_should_be, "state_unreadable", id="a folder as database"),
    ],
)
def test_what_cannot_be_used_is_refused_with_a_sentence(
    tmp_path: Path, prepare: Callable[[Path], Path], code: str
) -> None:
    assert refusal(prepare(tmp_path)).code == code


def test_a_refused_directory_is_free_again(tmp_path: Path) -> None:
    """Whoever mends it need not end the process first."""
    SqliteStore(tmp_path).close()
    path = tmp_path / database.DATABASE
    good = path.read_bytes()
    garbage(tmp_path)
    refusal(tmp_path)
    path.write_bytes(good)
    SqliteStore(tmp_path).close()


def test_a_second_node_is_refused_until_the_first_is_gone(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=os.environ | {"PYTHONPATH": SRC}) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        refused = refusal(tmp_path)
        assert (refused.code, str(tmp_path) in refused.sentence) == ("state_locked", True)
        holder.kill()
    SqliteStore(tmp_path).close()


def test_two_nodes_in_one_process_are_refused_too(tmp_path: Path) -> None:
    first = SqliteStore(tmp_path)
    assert refusal(tmp_path).code == "state_locked"
    first.close()
    SqliteStore(tmp_path).close()


def test_a_relative_directory_can_be_read_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store = SqliteStore(Path("state"))
    monkeypatch.chdir(tmp_path.parent)
    with store.reader() as view:
        assert view.height() == 0
    store.close()


@pytest.mark.parametrize("name", ["with space", "a%20b", "what?x=1", "hash#1", "ümläut"])
def test_any_name_of_a_directory_will_do(tmp_path: Path, name: str) -> None:
    store = SqliteStore(tmp_path / name)
    with store.reader() as view:
        assert view.height() == 0
    store.close()
    assert (tmp_path / name / database.DATABASE).is_file()


def test_commits_are_durable_and_readers_do_not_wait(tmp_path: Path) -> None:
    """The pragmas that the promises stand on, as the database itself reports them."""
    connection = database.open_writer(tmp_path / database.DATABASE)
    with closing(connection):
        asked = {name: connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")}
    assert asked == {"journal_mode": "wal", "synchronous": 2}


def test_a_reader_cannot_write(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    connection = database.open_reader(tmp_path / database.DATABASE)
    with closing(connection), pytest.raises(sqlite3.OperationalError, match="readonly"):
        connection.execute("INSERT INTO meta VALUES ('x', 'y')")
    store.close()


def test_a_lock_on_a_file_that_was_taken_away_locks_the_one_that_is_there(tmp_path: Path) -> None:
    """Between the opening of the file and its locking a refused restore may take it away."""
    before = fcntl.flock

    def late(handle: IO[str], how: int) -> None:
        monkeypatch.undo()
        (tmp_path / "lock").unlink()
        before(handle, how)

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(fcntl, "flock", late)
        with closing(database.lock_directory(tmp_path)), pytest.raises(StateError, match="another node is running"):
            database.lock_directory(tmp_path)
