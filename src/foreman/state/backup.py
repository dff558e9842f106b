"""A copy of a database, also of one that is written to, and what is asked of a file before it is taken for one."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path

from foreman.errors import StateError
from foreman.state import database
from foreman.state.reader import SqliteReader

Progress = Callable[[int, int], None]
"""Told pages copied and pages in all."""

_PAGES = 2048
"""Pages in one step of a copy: 8 MiB, a few milliseconds."""

_SEAL = b"\nforeman backup, sha256 of the above: "

_SIDECARS = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database while it is open."""


def copy(source: Path, target: Path, progress: Progress = lambda done, whole: None) -> None:
    """Write what is committed in `source` at this moment into the new file `target`, and have it on disk at the end.

    A reading transaction is held for the whole copy: commits go on meanwhile, into the log, and none of them is in
    the copy. Without it SQLite would begin again at every commit, under load for ever. Raises `StateError`; then
    there is no `target`.
    """
    try:
        with closing(database.open_reader(source.absolute())) as original, closing(sqlite3.connect(target)) as copied:
            original.execute("BEGIN")
            original.execute("SELECT count(*) FROM sqlite_master").fetchone()  # from here on it sees one moment
            original.backup(copied, pages=_PAGES, progress=lambda _, left, whole: progress(whole - left, whole))
            copied.execute("PRAGMA journal_mode = DELETE")  # one file that needs no log beside it
    except sqlite3.Error as error:
        discard(target)
        raise _not_copied(source, error) from error
    except BaseException:
        discard(target)
        raise


def _not_copied(source: Path, error: sqlite3.Error) -> StateError:
    if getattr(error, "sqlite_errorname", "") in ("SQLITE_NOTADB", "SQLITE_CORRUPT"):
        return _foreign(source.name, str(error))
    hint = "look after the disk, its free room, and whether you may read and write there"
    return StateError("copy_failed", f"{source.name} could not be copied: {error}", hint)


def examine(path: Path, name: str) -> int:
    """The schema number of a file, once everything of its form is found right; `name` is what errors call it.

    Its tables, indices and triggers must be those of that schema to the letter: a file from elsewhere could bring a
    trigger that moves money at the next commit. Raises `StateError`.
    """
    try:
        with closing(_open_untrusted(path)) as connection:
            (number,) = connection.execute("PRAGMA user_version").fetchone()
            known = database.migrations()
            if number > len(known):
                sentence = f"{name} has schema {number}, this release knows {len(known)}"
                raise StateError("state_too_new", sentence, "use the newer release")
            if number < 1 or _schema(connection) != _expected(number):
                raise _foreign(name, "its tables are others")
            _check_pages(connection, name)
            return int(number)
    except sqlite3.Error as error:
        raise _foreign(name, str(error)) from error


def _open_untrusted(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    return connection


def _check_pages(connection: sqlite3.Connection, name: str) -> None:
    """Every page is sound, every value of its column's kind (SQLite keeps any), every source what its hash says."""
    (told,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if told != "ok":
        raise damaged(name, str(told).splitlines()[-1])
    for table, wrong in _wrong_kinds(connection).items():
        if connection.execute(f"SELECT 1 FROM {table} WHERE {wrong} LIMIT 1").fetchone() is not None:
            raise damaged(name, f"a value in the table {table} is of another kind")
    if connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
        raise damaged(name, "a contract stands there without its source")
    for digest, source in connection.execute("SELECT hash, source FROM sources"):
        if sha256(source).digest() != digest:
            raise damaged(name, "the source of a contract is not what its hash says")


def _wrong_kinds(connection: sqlite3.Connection) -> dict[str, str]:
    """By table: the condition under which a row holds a value that is not of its column's kind. One scan each."""
    columns = connection.execute(
        "SELECT t.name, c.name, lower(c.type) FROM sqlite_master t, pragma_table_info(t.name) c "
        "WHERE t.type = 'table' AND c.type IN ('TEXT', 'BLOB', 'INTEGER')"
    )
    found: dict[str, list[str]] = {}
    for table, column, kind in columns:
        found.setdefault(table, []).append(f"typeof({column}) NOT IN ('{kind}', 'null')")
    return {table: " OR ".join(wrong) for table, wrong in found.items()}


def _schema(connection: sqlite3.Connection) -> set[tuple[str, ...]]:
    return set(connection.execute("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master"))


def _expected(number: int) -> set[tuple[str, ...]]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for script in database.migrations()[:number]:
            connection.executescript(script)
        return _schema(connection)


def _foreign(name: str, why: str) -> StateError:
    return StateError("not_a_backup", f"{name} is not a database of Foreman: {why}", "name another file")


def damaged(name: str, why: str) -> StateError:
    """The file is a database of Foreman, and what is in it cannot be right."""
    return StateError("backup_damaged", f"{name} is damaged: {why}", "take another backup")


def upgrade(path: Path) -> None:
    """Bring a file that was examined to the newest schema, and leave it one file. Raises `StateError`."""
    with closing(database.open_writer(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")


@contextmanager
def opened(path: Path) -> Iterator[SqliteReader]:
    """One consistent view of a file of the newest schema."""
    with closing(database.open_reader(path.absolute())) as connection:
        connection.execute("BEGIN")
        yield SqliteReader(connection, {})


def discard(path: Path) -> None:
    """Remove a file that did not become anything, with what SQLite left beside it."""
    for each in (path, *sidecars(path)):
        each.unlink(missing_ok=True)


def sidecars(path: Path) -> list[Path]:
    """What SQLite may keep beside a database."""
    return [path.with_name(path.name + end) for end in _SIDECARS]


def put(unfinished: Path, target: Path, replace: bool) -> None:
    """Give a finished file its name, at once or not at all, durably. Raises FileExistsError unless `replace`."""
    if replace:
        unfinished.replace(target)
    else:
        twin(unfinished, target)
        unfinished.unlink()
    sync_folder(target.parent)


def twin(path: Path, second: Path) -> None:
    """A second name for a file, or a copy where the disk knows no second names. Raises FileExistsError."""
    try:
        os.link(path, second)
    except FileExistsError:
        raise
    except OSError:
        _copy_bytes(path, second)


def _copy_bytes(path: Path, second: Path) -> None:
    with path.open("rb") as original, second.open("xb") as copied:
        shutil.copyfileobj(original, copied)
        copied.flush()
        os.fsync(copied.fileno())


def keep_beside(directory: Path) -> Path:
    """Give the database of a state directory a second name in a folder of its own, with a copy of its log, and drop
    the log: what takes its place next must not find the log of another. Returns the folder. The directory is locked.
    """
    path = directory / database.DATABASE
    number = next(n for n in range(1, 1_000_000) if not (directory / f"before-restore-{n}").exists())
    folder = directory / f"before-restore-{number}"
    folder.mkdir()
    twin(path, folder / path.name)
    for each in sidecars(path):
        if each.exists() and not each.name.endswith("-shm"):
            _copy_bytes(each, folder / each.name)
    if (directory / "snapshots").exists():
        (directory / "snapshots").rename(folder / "snapshots")  # of another chain from now on
    sync_folder(folder)
    try:  # so that a power cut from here on leaves the old state whole without its log
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error:
        pass  # it is damaged, which is why it is replaced
    for each in sidecars(path):
        each.unlink(missing_ok=True)
    sync_folder(directory)
    return folder


def seal(path: Path) -> None:
    """Put the hash of a finished file behind its last page, where SQLite does not look: pages carry no sums of their
    own, and a backup may lie for years before it is needed.
    """
    digest = _digest(path, path.stat().st_size)
    with path.open("ab") as file:
        file.write(_SEAL + digest)
        file.flush()
        os.fsync(file.fileno())


def check_seal(path: Path, name: str) -> None:
    """A sealed file must be what was sealed; one without a seal must at least have whole pages. Raises `StateError`."""
    size = path.stat().st_size
    with path.open("rb") as file:
        header = file.read(18)
        file.seek(max(0, size - len(_SEAL) - 32))
        seal, digest = file.read(len(_SEAL)), file.read(32)
    if not header.startswith(b"SQLite format 3\0"):
        raise _foreign(name, "it is not one of SQLite")
    if seal == _SEAL:
        if _digest(path, size - len(_SEAL) - 32) != digest:
            raise damaged(name, "it is not what was written")
    elif size % (int.from_bytes(header[16:18]) or 512) or size % 512:
        raise damaged(name, "its end is missing")


def _digest(path: Path, size: int) -> bytes:
    found = sha256()
    with path.open("rb") as file:
        while size > 0 and (piece := file.read(min(size, 1 << 20))):
            found.update(piece)
            size -= len(piece)
    return found.digest()


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
