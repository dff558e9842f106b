"""`foreman backup` and `restore`: one moment of a node at work, whole and checked; nothing is taken on trust."""

import itertools
import os
import shutil
import sqlite3
import subprocess
import threading
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from foreman.localnet.backup import back_up, restore
from foreman.localnet.localnet import build
from foreman.localnet.shipped import fingerprint, shipped
from foreman.money import GEN
from foreman.settings import Settings
from foreman.state.backup import seal
from foreman.state.database import DATABASE, lock_directory
from foreman.state.store import SqliteStore
from tests.cli.conftest import Cli
from tests.faults.callers import Caller, Client, Provider, Sent
from tests.faults.test_disk import filesystem
from tests.faults.test_kill import Life, all_there, check_counts, check_disk, fund, settle

SENDER = bytes.fromhex("f39fd6e51aad88f6f4ce6ab8827279cfffb92266")
BEFORE = 120
"""Acknowledged creations before the backup begins."""


def test_a_backup_of_a_node_under_load_is_one_moment_and_goes_on_elsewhere(tmp_path: Path) -> None:
    """What was acknowledged before it began is in it. The rest is sent again with the same bytes: nothing is lost,
    nothing happens twice, and the wei add up.
    """
    callers: list[Caller] = [Client("client", 0, 1), Provider("provider 0", 0, 2), Provider("provider 1", 1, 2)]
    before, height = backed_up_under_load(tmp_path / "node", tmp_path / "backup.sqlite", callers)
    with closing(sqlite3.connect(tmp_path / "backup.sqlite")) as connection:
        (taken,) = connection.execute("SELECT count(*) FROM transactions WHERE sender != zeroblob(20)").fetchone()
    assert len(before) <= taken < sum(len(caller.sent) for caller in callers)
    (tmp_path / "elsewhere").mkdir()
    carried = (tmp_path / "backup.sqlite").rename(tmp_path / "elsewhere" / "carried.sqlite")
    state = tmp_path / "elsewhere" / "state"
    assert restore(carried, state).height == height > 0
    sent = [one for caller in callers for one in caller.sent]
    for one in sent:
        one.acknowledged = one in before
    again = Life(state, 0.0)
    try:
        all_there(again, callers)
        for one in sent:
            one.acknowledged = False
        found = settle(again, callers)
        check_counts(again, callers, found)
    finally:
        again.kill()
    check_disk(state, found)


def backed_up_under_load(node: Path, file: Path, callers: list[Caller]) -> tuple[list[Sent], int]:
    """Back up a node that is being written to; what was acknowledged before, and the height that was told."""
    life = Life(node, 0.01)
    try:
        fund(life, callers)
        threads = [threading.Thread(target=caller.run, args=(life.wire(),)) for caller in callers]
        for thread in threads:
            thread.start()
        for _ in range(BEFORE):
            assert callers[0].acknowledged.acquire(timeout=20)
        before = [one for caller in callers for one in caller.sent if one.acknowledged]
        told: list[tuple[int, int]] = []
        content = back_up(node, file, progress=lambda done, whole: told.append((done, whole)))
        for _ in range(20):
            assert callers[0].acknowledged.acquire(timeout=20), "the node goes on writing while it is copied"
    finally:
        life.kill()
    for thread in threads:
        thread.join(30)
    assert told[-1][0] == told[-1][1] > 0
    return before, content.height


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state directory whose node has stopped, and a backup of it."""
    folder = tmp_path_factory.mktemp("made")
    node = build(Settings(state_dir=folder / "state", port=0))
    node.start()
    node.stop()
    back_up(folder / "state", folder / "backup.sqlite")
    return folder


@pytest.fixture
def state(made: Path, tmp_path: Path) -> Path:
    """A state directory of the test's own."""
    return Path(shutil.copytree(made / "state", tmp_path / "state"))


@pytest.fixture
def file(made: Path, tmp_path: Path) -> Path:
    """A backup of the test's own."""
    return Path(shutil.copy(made / "backup.sqlite", tmp_path / "backup.sqlite"))


def edit(path: Path, *statements: str, script: Callable[[sqlite3.Connection], None] = lambda _: None) -> None:
    """Change a backup as somebody does who knows how it is sealed."""
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 4096 * 4096)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)
        script(connection)
    seal(path)


def files(folder: Path) -> dict[str, bytes]:
    """Everything below a folder that counts as its state."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "lock" and not path.name.endswith(("-shm", "-wal"))
    }


def test_what_is_backed_up_is_told_and_restores_to_the_same(alone: Cli, state: Path, tmp_path: Path) -> None:
    told = alone("backup", tmp_path / "b", "--state", state, "--json").json
    assert told["ok"] is True
    assert (told["schema"], told["bytes"]) == (1, (tmp_path / "b").stat().st_size)
    again = alone("restore", tmp_path / "b", "--state", tmp_path / "other", "--json").json
    same = ("schema", "height", "journal", "minted_wei")
    assert {name: again[name] for name in same} == {name: told[name] for name in same}
    assert told["minted_wei"] == str(100_000 * GEN)
    node = build(Settings(state_dir=tmp_path / "other", port=0))
    node.start()
    try:
        assert node.balance(SENDER) == 10_000 * GEN
        assert node.height() == told["height"], "nothing is deployed or minted anew"
        assert node.books_balance()["conserved"]
    finally:
        node.stop()
    assert (tmp_path / "b").stat().st_mode & 0o077 == 0, "only its owner reads it"
    assert "books balance" in alone("backup", tmp_path / "c", "--state", state).out


def test_a_node_that_was_killed_is_backed_up_with_its_log(tmp_path: Path) -> None:
    life = Life(tmp_path / "node", 0.0)
    client = Client("client", 0, 1)
    fund(life, [client])
    wire = life.wire()
    client.work(wire)
    wire.close()
    life.kill()
    assert (tmp_path / "node" / f"{DATABASE}-wal").stat().st_size > 0
    back_up(tmp_path / "node", tmp_path / "b")
    with closing(sqlite3.connect(tmp_path / "b")) as connection:
        rows = connection.execute("SELECT count(*) FROM transactions WHERE sender = ?", (client.account.address,))
        assert rows.fetchone() == (1,)


def test_a_file_that_exists_is_not_overwritten_unless_it_is_said(alone: Cli, state: Path, tmp_path: Path) -> None:
    (tmp_path / "b").write_text("precious")
    ended = alone("backup", tmp_path / "b", "--state", state)
    assert (ended.code, "--force" in ended.err) == (1, True)
    assert (tmp_path / "b").read_text() == "precious"
    assert alone("backup", tmp_path / "b", "--state", state, "--force").code == 0
    assert (tmp_path / "b").read_bytes().startswith(b"SQLite format 3")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b", "state"], "nothing unfinished is left"


@pytest.mark.parametrize("name", [DATABASE, "lock", "new.sqlite"])
def test_a_backup_never_lands_in_the_state_directory(alone: Cli, state: Path, name: str) -> None:
    before = files(state)
    ended = alone("backup", state / name, "--state", state, "--force", "--json")
    assert ended.json["error"]["code"] == "backup_in_state"
    assert files(state) == before


def test_a_backup_without_a_state_or_without_room_leaves_nothing(alone: Cli, state: Path, tmp_path: Path) -> None:
    assert alone("backup", tmp_path / "b", "--state", tmp_path / "none", "--json").json["error"]["code"] == "no_state"
    assert alone("backup", tmp_path / "no" / "b", "--state", state, "--json").json["error"]["code"] == "copy_failed"
    assert not (tmp_path / "b").exists()


def test_a_backup_onto_a_disk_that_is_full_says_so_and_leaves_nothing(alone: Cli, state: Path, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if not filesystem(disk, 256):
        pytest.skip("only root may make a disk of 256 KiB")
    try:
        ended = alone("backup", disk / "b", "--state", state, "--json")
        assert ended.json["error"]["code"] == "copy_failed"
        assert list(disk.iterdir()) == []
        before = files(state)
        back_up(state, tmp_path / "b")
        ended = alone("restore", tmp_path / "b", "--state", disk, "--json")
        assert ended.json["error"]["code"] == "copy_failed"
        assert files(disk) == {}
        assert files(state) == before
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def mint(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE accounts SET balance = ? WHERE address = ?", ((10_001 * GEN).to_bytes(32), SENDER))


def smuggle(connection: sqlite3.Connection) -> None:
    """Contract code of somebody else, as a state directory that had accepted it would hold it."""
    source = b'# { "Depends": "py-genlayer:x" }\nimport os\n'
    connection.execute("INSERT INTO sources VALUES (?, ?)", (sha256(source).digest(), source))


TAMPERED = [
    pytest.param(["PRAGMA user_version = 99"], None, "state_too_new", id="newer schema"),
    pytest.param(["PRAGMA user_version = 0"], None, "not_a_backup", id="no schema"),
    pytest.param(["DROP TABLE journal"], None, "not_a_backup", id="a table is missing"),
    pytest.param(
        ["CREATE TRIGGER x AFTER INSERT ON journal BEGIN UPDATE accounts SET nonce = 0; END"],
        None,
        "not_a_backup",
        id="a trigger",
    ),
    pytest.param(["CREATE VIEW x AS SELECT 1"], None, "not_a_backup", id="a view"),
    pytest.param(["DELETE FROM sources"], None, "backup_damaged", id="contracts without source"),
    pytest.param(["UPDATE sources SET source = source || '#'"], None, "backup_damaged", id="another source"),
    pytest.param(["UPDATE meta SET value = 'much' WHERE name = 'minted'"], None, "backup_damaged", id="no number"),
    pytest.param(["UPDATE transactions SET at = 'soon'"], None, "backup_damaged", id="a word for a time"),
    pytest.param([], mint, "backup_damaged", id="one coin more"),
    pytest.param([], smuggle, "foreign_code", id="foreign code"),
]


@pytest.mark.parametrize(("statements", "script", "code"), TAMPERED)
@pytest.mark.parametrize("force", [False, True], ids=["", "force"])
def test_what_was_tampered_with_is_refused_and_nothing_changes(
    alone: Cli,
    file: Path,
    state: Path,
    tmp_path: Path,
    statements: list[str],
    script: Callable[[sqlite3.Connection], None] | None,
    code: str,
    force: bool,
) -> None:
    edit(file, *statements, script=script or (lambda _: None))
    into = state if force else tmp_path / "new"
    before = files(state)
    ended = alone("restore", file, "--state", into, "--json", *(["--force"] if force else []))
    assert (ended.code, ended.json["error"]["code"]) == (1, code), ended.err
    assert ended.json["error"]["hint"]
    assert files(state) == before
    assert files(into) == (before if force else {})


@pytest.mark.parametrize("place", [0, 30, 0.2, 0.5, 0.9, -1], ids=str)
def test_a_file_with_one_bit_flipped_is_refused(alone: Cli, file: Path, tmp_path: Path, place: float) -> None:
    raw = bytearray(file.read_bytes())
    raw[int(place * len(raw)) if isinstance(place, float) else place] ^= 4
    file.write_bytes(raw)
    ended = alone("restore", file, "--state", tmp_path / "new", "--json")
    assert ended.json["error"]["code"] in ("not_a_backup", "backup_damaged"), ended.json
    assert files(tmp_path / "new") == {}


def test_a_database_that_is_not_sealed_is_taken_for_what_it_is(alone: Cli, state: Path, tmp_path: Path) -> None:
    """The state that a restore has kept beside can be restored, too."""
    assert alone("restore", state / DATABASE, "--state", tmp_path / "new").code == 0
    raw = (state / DATABASE).read_bytes()
    (tmp_path / "cut").write_bytes(raw[:-1])
    ended = alone("restore", tmp_path / "cut", "--state", tmp_path / "other", "--json")
    assert ended.json["error"]["code"] == "backup_damaged"


@pytest.mark.parametrize("size", [0, 100, 4096, -4096, -1], ids=str)
def test_a_file_that_was_cut_off_is_refused(alone: Cli, file: Path, tmp_path: Path, size: int) -> None:
    raw = file.read_bytes()
    file.write_bytes(raw[: size % len(raw)])
    ended = alone("restore", file, "--state", tmp_path / "new", "--json")
    assert ended.json["error"]["code"] in ("not_a_backup", "backup_damaged"), ended.json


def test_foreign_code_comes_in_only_when_it_is_asked_for(alone: Cli, file: Path, tmp_path: Path) -> None:
    edit(file, script=smuggle)
    refused = alone("restore", file, "--state", tmp_path / "new")
    assert "--allow-contracts" in refused.err
    assert alone("restore", file, "--state", tmp_path / "new", "--allow-contracts").code == 0
    assert files(tmp_path / "new").keys() == {DATABASE}


def test_shipped_code_with_other_line_ends_is_not_foreign() -> None:
    """A checkout on another system writes the same contracts with other line ends."""
    source = shipped()["foreman"]
    assert fingerprint(source.replace(b"\n", b"\r\n")) == fingerprint(source)


def test_a_running_node_is_not_restored_over(alone: Cli, file: Path, state: Path) -> None:
    before = files(state)
    with lock_directory(state):
        ended = alone("restore", file, "--state", state, "--force", "--json")
    assert ended.json["error"]["code"] == "state_locked"
    assert files(state) == before


def test_a_state_that_is_there_is_kept_beside_and_never_deleted(alone: Cli, file: Path, state: Path) -> None:
    (state / "snapshots").mkdir()
    (state / "snapshots" / "1.sqlite").write_bytes(b"a snapshot")
    before = files(state)
    assert alone("restore", file, "--state", state, "--json").json["error"]["code"] == "state_exists"
    assert files(state) == before
    for number in (1, 2):
        told = alone("restore", file, "--state", state, "--force", "--json").json
        assert told["kept"] == str(state / f"before-restore-{number}")
    assert files(state / "before-restore-1") == before
    assert not (state / "snapshots").exists(), "a snapshot of the old chain does not lie beside the new one"
    node = build(Settings(state_dir=state, port=0))
    node.start()
    node.stop()


class PowerCut(BaseException):
    """The process is gone between two changes of names."""


STEPS = [(os, "link"), (os, "fsync"), (Path, "rename"), (Path, "replace"), (Path, "unlink"), (Path, "mkdir")]


def test_a_restore_that_is_cut_off_anywhere_leaves_the_old_state_or_the_new_one(
    file: Path, state: Path, tmp_path: Path
) -> None:
    """The old state's last commit stands in its log only, as after a kill."""
    early, late = b"e" * 20, b"l" * 20
    for address in (early, late):
        store = SqliteStore(state)
        with store.transaction():
            store.credit(address, 7)
        if address == early:
            store.close()
    killed = shutil.copytree(state, tmp_path / "killed", ignore=shutil.ignore_patterns("lock", "*-shm"))
    store.close()
    assert (killed / f"{DATABASE}-wal").stat().st_size > 0
    found: list[tuple[int, int]] = []
    for last in itertools.count(1):
        with pytest.MonkeyPatch.context() as patch:
            ended = cut_off(patch, last, file, shutil.copytree(killed, tmp_path / f"cut {last}"))
        store = SqliteStore(tmp_path / f"cut {last}")
        found.append((store.balance(early), store.balance(late)))
        store.close()
        if ended:
            break
    assert set(found) == {(7, 7), (0, 0)}, "the old state without its log is neither"
    assert found == sorted(found, reverse=True), "old, and from one step on new"
    assert len(found) > 8
    store = SqliteStore(tmp_path / f"cut {last}" / "before-restore-1")
    assert (store.balance(early), store.balance(late)) == (7, 7), "what is kept beside opens, log and all"
    store.close()


def cut_off(patch: pytest.MonkeyPatch, last: int, file: Path, state: Path) -> bool:
    """Restore, and cut it off at its step number `last`; True when it came to its end before."""
    steps = itertools.count(1)

    def step[**P, T](real: Callable[P, T]) -> Callable[P, T]:
        def tried(*args: P.args, **more: P.kwargs) -> T:
            if next(steps) >= last:
                raise PowerCut
            return real(*args, **more)

        return tried

    for owner, name in STEPS:
        patch.setattr(owner, name, step(getattr(owner, name)))
    try:
        restore(file, state, force=True)
    except PowerCut:
        return False
    return True


def test_a_damaged_state_is_kept_as_it_lies(alone: Cli, file: Path, state: Path) -> None:
    (state / DATABASE).write_bytes(b"\7" * 5000)
    (state / f"{DATABASE}-wal").write_bytes(b"a log")
    assert alone("restore", file, "--state", state, "--force").code == 0
    kept = state / "before-restore-1"
    assert (kept / DATABASE).read_bytes() == b"\7" * 5000
    assert (kept / f"{DATABASE}-wal").read_bytes() == b"a log"
    assert not (state / f"{DATABASE}-wal").exists(), "the log of another database"
    with closing(sqlite3.connect(state / DATABASE)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
