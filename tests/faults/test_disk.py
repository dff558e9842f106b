"""The disk is full, read-only or held by another: a sentence, nothing lost that was acknowledged, and back again."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from foreman.errors import StateError
from foreman.money import GEN
from foreman.receipt import Status
from foreman.state.database import DATABASE
from tests.faults import server
from tests.node.crash import Held
from tests.node.network import ALICE, BOB, CAROL, RICH, TOY, Network, who

MUCH = "x" * 200_000


class Room:
    """The database's room, as if the disk had no more; `None` gives it back."""

    def __init__(self, net: Network) -> None:
        self._net = net

    def limit(self, more: int | None) -> None:
        self._net.node._book.ask(lambda: self._set(more), alone=True).result(20)

    def _set(self, more: int | None) -> None:
        connection = self._net.store._connection
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages + more if more is not None else 2**30}")


def refused(net: Network, steps: list[object]) -> StateError:
    """A call that the node cannot write down; the nonce is not spent."""
    error = net.node.submit(net.raw(ALICE, steps, nonce=net.node.nonce(ALICE.address))).exception(20)
    assert isinstance(error, StateError), error
    assert error.sentence
    assert error.hint
    return error


def test_a_full_disk_refuses_with_a_sentence_loses_nothing_and_serves_again(tmp_path: Path) -> None:
    with Network(tmp_path) as net:
        room = Room(net)
        done = net.do(ALICE, ["write", "k", "before"], value=GEN)
        room.limit(2)
        assert refused(net, [["write", "big", MUCH]]).code == "state_unwritable"
        assert "room" in refused(net, [["write", "big", MUCH]]).hint
        assert net.node.health()["status"] == "unwritable"
        assert net.node.record(done.transaction.hash) is not None
        assert (net.state("k"), net.state("big")) == ("before", "")
        assert net.node.balance(ALICE.address) == RICH - GEN
        net.assert_conserved()
        room.limit(None)
        net.nonces.clear()
        assert net.do(ALICE, ["write", "big", MUCH]).status is Status.FINALIZED
        assert net.state("big") == MUCH
        assert net.node.health()["status"] == "ok"
        net.assert_conserved()


def test_what_was_acknowledged_before_the_disk_was_full_is_done_when_there_is_room(tmp_path: Path) -> None:
    """A judgement comes back while nothing can be written: it is asked again later, and happens once."""
    held = Held()
    with Network(tmp_path, judges=[held.judge]) as net:
        room = Room(net)
        slow = net.send(
            ALICE, ["ask", "slow"], ["append", "k", "x"], ["write", "big", MUCH], ["pay", who(CAROL), GEN], value=GEN
        )
        waits = net.send(ALICE, ["append", "k", "y"])
        room.limit(2)
        held.go.set()
        assert refused(net, [["write", "other", MUCH]]).code == "state_unwritable"
        assert net.node.record(slow).status is not Status.FINALIZED  # type: ignore[union-attr]  # it is there
        room.limit(None)
        net.wait(slow, waits)
        assert net.state("k") == "xy"
        assert net.node.balance(CAROL.address) == RICH + GEN
        assert net.node.nonce(ALICE.address) == 2
        net.assert_conserved()


def test_a_node_on_a_full_disk_can_be_stopped_and_started_again(tmp_path: Path) -> None:
    held = Held()
    with Network(tmp_path, judges=[held.judge]) as net:
        slow = net.send(ALICE, ["ask", "slow"], ["write", "big", MUCH])
        Room(net).limit(2)
        held.go.set()
        refused(net, [["write", "big", MUCH]])
    with Network(tmp_path, judges=[held.judge]) as net:
        assert net.wait(slow)[0].status is Status.FINALIZED
        assert net.state("big") == MUCH


def test_a_snapshot_without_room_is_refused_and_the_node_goes_on(tmp_path: Path) -> None:
    with Network(tmp_path) as net:
        (tmp_path / "snapshots").write_text("in the way")
        error = net.node.snapshot().exception(20)
        assert isinstance(error, StateError)
        assert error.code == "snapshot_failed"
        assert net.do(ALICE, ["write", "k", "v"]).status is Status.FINALIZED
        assert net.node.health()["status"] == "ok"


@contextmanager
def held_by_another_process(folder: Path) -> Iterator[None]:
    """Somebody's tool has begun to write and does not end."""
    program = (
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None);"
        "c.execute('BEGIN IMMEDIATE'); print('held', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", program, str(folder / DATABASE)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        yield
        holder.kill()


def test_a_database_that_another_process_holds_is_waited_for_then_refused_and_used_again(tmp_path: Path) -> None:
    with Network(tmp_path) as net:
        net.do(BOB, ["write", "k", "v"])
        net.node._book.ask(lambda: net.store._connection.execute("PRAGMA busy_timeout = 50"), alone=True).result(20)
        with held_by_another_process(tmp_path):
            error = refused(net, [["write", "k", "w"]])
            assert error.code == "state_unwritable"
            assert "another program" in error.hint
            assert net.state("k") == "v", "reading goes on"
        net.nonces.clear()
        assert net.do(ALICE, ["write", "k", "w"]).status is Status.FINALIZED
        net.assert_conserved()


def test_a_damaged_page_stops_the_node_with_its_reason_and_changes_nothing(tmp_path: Path) -> None:
    """No more than this can be promised of a disk that lies; what was acknowledged is in the backup."""
    with Network(tmp_path) as net:
        net.do(ALICE, ["write", "k", MUCH])
    path = tmp_path / DATABASE
    with path.open("r+b") as file:
        file.write(b"\7" * 100)
    with pytest.raises(StateError) as error:
        Network(tmp_path)
    assert error.value.code == "state_unreadable"


READ_ONLY = """
import os, sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from foreman.errors import StateError
from foreman.state.store import SqliteStore
if os.geteuid() == 0:
    os.setuid(65534)  # root may write everywhere
try:
    SqliteStore(Path(sys.argv[1]))
except StateError as error:
    print(error.code, "|", error)
"""


@pytest.mark.parametrize("empty", [True, False], ids=["an empty directory", "a directory with a database"])
def test_a_directory_that_cannot_be_written_is_refused_with_a_sentence(tmp_path: Path, empty: bool) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    if not empty:
        with Network(folder) as net:
            net.do(ALICE, ["write", "k", "v"], value=GEN)
    for path in (folder, *folder.iterdir()):
        path.chmod(0o555 if path.is_dir() else 0o444)
    for parent in tmp_path.parents:
        if parent.stat().st_uid == os.geteuid() and parent != Path(parent.anchor):
            parent.chmod(parent.stat().st_mode | 0o011)
    tmp_path.chmod(0o755)
    command = [sys.executable, "-c", READ_ONLY, str(folder), str(server.ROOT / "src")]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert told.startswith("state_unwritable |"), told
    folder.chmod(0o755)
    for path in folder.iterdir():
        path.chmod(0o644)
    if not empty:
        with Network(folder) as net:
            assert (net.state("k"), net.node.balance(TOY)) == ("v", GEN)


def filesystem(folder: Path, kib: int) -> bool:
    """A disk of its own, if this machine lets us make one."""
    return (
        os.geteuid() == 0
        and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={kib}k", "tmpfs", str(folder)], capture_output=True, check=False
        ).returncode
        == 0
    )


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    if not filesystem(folder, 2048):
        pytest.skip("only root may make a disk of two megabytes; the same is tried with SQLite's own limit")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_that_is_really_full(small_disk: Path) -> None:
    with Network(small_disk) as net:
        done: list[bytes] = []
        ballast = small_disk / "ballast"
        while True:
            raw = net.raw(ALICE, [["write", f"k{len(done)}", "x" * 50_000]], nonce=len(done))
            error = net.node.submit(raw).exception(20)
            if error is not None:
                break
            done.append(raw)
            if len(done) == 3:
                ballast.write_bytes(bytes(500_000))
        assert isinstance(error, StateError)
        assert net.node.nonce(ALICE.address) == len(done)
        ballast.unlink()
        done.append(raw)
        assert net.node.submit(raw).exception(20) is None
        net.wait(net.node.submit(raw).result(20))
        assert net.state(f"k{len(done) - 1}") == "x" * 50_000
        net.assert_conserved()
    with Network(small_disk) as net:
        assert net.node.nonce(ALICE.address) == len(done)
        assert all(net.state(f"k{number}") for number in range(len(done)))
    with closing(sqlite3.connect(small_disk / DATABASE)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
