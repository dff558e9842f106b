"""`health` is honest: it says what is wrong while it is wrong, and nothing when it is over."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import pytest

from foreman.errors import JudgeError, StateError
from foreman.judges.scripted import Scripted
from foreman.ledger import Room
from foreman.node import health
from foreman.receipt import Status
from foreman.settings import Limits
from tests.node.crash import Held
from tests.node.network import ALICE, BOB, Network, StillClock

SECOND = 1_000_000


def told(net: Network) -> tuple[str, list[str]]:
    found = net.node.health()
    assert found["takes_writes"] is (found["status"] in ("ok", "degraded"))
    assert all(sentence for sentence in found["reasons"].values())
    return found["status"], list(found["reasons"])


def test_a_node_that_is_well_gives_no_reason(tmp_path: Path) -> None:
    with Network(tmp_path) as net:
        assert told(net) == ("ok", [])
        assert net.node.alive()


ROOMS = [
    pytest.param(Room(1, 1, health.DISK_LOW, True), ("ok", []), id="enough"),
    pytest.param(Room(1, 1, health.DISK_LOW - 1, True), ("degraded", ["disk_low"]), id="low"),
    pytest.param(Room(1, 1, health.DISK_FULL, True), ("degraded", ["disk_low"]), id="just not full"),
    pytest.param(Room(1, 1, health.DISK_FULL - 1, True), ("unwritable", ["disk_full"]), id="full"),
    pytest.param(Room(1, 1, 1 << 40, False), ("unwritable", ["disk_read_only"]), id="read-only"),
]


@pytest.mark.parametrize(("room", "expected"), ROOMS)
def test_the_disk_is_looked_at_also_when_nobody_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: Room, expected: tuple[str, list[str]]
) -> None:
    with Network(tmp_path) as net:
        monkeypatch.setattr(net.store, "room", lambda: room)
        assert told(net) == expected
        assert net.node.alive(), "a restart makes no room"


def test_a_database_that_refuses_is_told_until_it_takes_a_change_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty commit proves nothing: a full disk takes it."""
    full = Event()

    def refusing[**P](write: Callable[P, None]) -> Callable[P, None]:
        def tried(*args: P.args, **more: P.kwargs) -> None:
            if full.is_set():
                raise StateError("state_unwritable", "the disk is full", "make room")
            write(*args, **more)

        return tried

    with Network(tmp_path) as net:
        for name in ("save", "set_meta"):
            monkeypatch.setattr(net.store, name, refusing(getattr(net.store, name)))
        full.set()
        assert net.node.submit(net.raw(ALICE, [["write", "k", "v"]])).exception(20) is not None
        while net.node.measures.failed_commits < 4:
            assert told(net) == ("unwritable", ["disk_refuses"])
        full.clear()
        while told(net)[0] != "ok":
            pass
        net.nonces.clear()
        assert net.do(ALICE, ["write", "k", "v"]).status is Status.FINALIZED


def test_the_room_that_is_told_is_that_of_the_disk(tmp_path: Path) -> None:
    with Network(tmp_path) as net:
        net.do(ALICE, ["write", "k", "x" * 50_000])
        room = net.node.room()
        assert room.database + room.log >= 50_000
        assert room.free > 0
        assert room.writable


def test_a_judge_that_does_not_answer_is_missed_and_welcomed_back(tmp_path: Path) -> None:
    works = False

    def answer(prompt: str) -> str | JudgeError:
        return "yes" if works else JudgeError("unavailable", "gone")

    judges = [Scripted("yes", name="a"), Scripted("yes", name="b"), Scripted(answer, name="c")]
    with Network(tmp_path, judges=judges, seats=5) as net:
        for number in range(3):
            assert net.do(ALICE, ["ask", f"q{number}"]).status is Status.FINALIZED
        assert told(net) == ("degraded", ["judge_missing"])
        assert net.node.health()["seats_answering"] == 4
        works = True
        net.do(ALICE, ["ask", "again"])
        assert told(net) == ("ok", [])


def test_a_jury_that_cannot_agree_on_anything_is_missing(tmp_path: Path) -> None:
    judges = [Scripted([JudgeError("auth", "no key")], name="broken"), Scripted("yes", name="b")]
    with Network(tmp_path, judges=judges, seats=5) as net:
        assert net.do(ALICE, ["ask", "q"]).status is Status.UNDETERMINED
        assert told(net) == ("degraded", ["jury_missing"])
        assert net.do(BOB, ["write", "k", "v"]).status is Status.FINALIZED, "writes are taken"


@pytest.mark.parametrize("code", ["bad_answer", "prompt_too_long", "bad_prompt"])
def test_a_question_that_no_judge_can_answer_does_not_make_the_judge_missing(tmp_path: Path, code: str) -> None:
    """Or anybody could have the jury reported missing, by asking nonsense."""
    with Network(tmp_path, judges=[Scripted([JudgeError(code, "no")], name="j")]) as net:
        net.do(ALICE, ["ask", "nonsense"])
        assert told(net) == ("ok", [])


def test_finality_that_lags_is_told(tmp_path: Path) -> None:
    clock = StillClock()
    with Network(tmp_path, clock=clock, finality_window=3600.0) as net:
        record = net.do(ALICE, ["write", "k", "v"])
        with held_up(net):
            clock.at += 3600 * SECOND
            assert told(net) == ("ok", []), "due, and not late"
            clock.at += 6 * SECOND
            assert told(net) == ("degraded", ["finality_late"])
            assert net.node.health()["finality_late_seconds"] == pytest.approx(6.0, abs=0.1)
        net.wait_final(record.transaction.hash)
        assert told(net) == ("ok", [])


def test_a_clock_that_was_put_back_is_told_until_it_has_caught_up(tmp_path: Path) -> None:
    clock = StillClock()
    with Network(tmp_path, clock=clock) as net:
        net.do(ALICE, ["write", "k", "v"])
        clock.at -= 2 * SECOND
        assert told(net) == ("ok", [])
        clock.at -= 1
        assert told(net) == ("degraded", ["clock_behind"])
    with Network(tmp_path, clock=clock) as net:
        assert told(net) == ("degraded", ["clock_behind"]), "also after a restart"
        clock.at += 1
        assert told(net) == ("ok", [])


@contextmanager
def held_up(net: Network) -> Iterator[None]:
    """The book is busy with one commit."""
    begun, go = Event(), Event()

    def work() -> None:
        begun.set()
        assert go.wait(20)

    future = net.node._book.ask(work)
    assert begun.wait(20)
    yield
    go.set()
    future.result(20)


def test_a_full_jury_refuses_and_says_so(tmp_path: Path) -> None:
    held = Held()
    with Network(tmp_path, judges=[held.judge], limits=Limits(judging_at_once=1)) as net:
        sent = [net.send(ALICE, ["ask", "slow 0"])]
        assert told(net) == ("ok", [])
        jury = net.node.jury
        jury._waiting.extend([None] * 4)  # type: ignore[list-item]  # only counted
        assert told(net) == ("busy", ["over_budget"])
        jury._waiting.clear()
        held.go.set()
        net.wait(*sent)


def test_a_used_up_budget_refuses_and_says_so(tmp_path: Path) -> None:
    with Network(tmp_path, limits=Limits(judge_calls_per_hour=5)) as net:
        net.do(ALICE, ["ask", "q"])
        assert told(net) == ("busy", ["over_budget"])


def test_a_book_that_hangs_is_not_alive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Network(tmp_path) as net:
        monkeypatch.setattr(net.node._book, "busy_seconds", lambda: 49.0)
        assert (net.node.alive(), told(net)) == (True, ("ok", []))
        monkeypatch.setattr(net.node._book, "busy_seconds", lambda: 51.0)
        assert (net.node.alive(), told(net)) == (False, ("stalled", ["book_stalled"]))


def test_a_commit_that_is_being_made_is_timed(tmp_path: Path) -> None:
    with Network(tmp_path) as net, held_up(net):
        assert net.node._book.busy_seconds() > 0.0
        assert net.node.health()["status"] == "ok"


def test_a_jury_that_nobody_can_ask_any_more_needs_a_restart(tmp_path: Path) -> None:
    with Network(tmp_path) as net:
        net.node.jury._errands._missing = 255
        assert (net.node.alive(), told(net)) == (True, ("ok", []))
        net.node.jury._errands._missing = 256
        assert (net.node.alive(), told(net)) == (False, ("degraded", ["jury_exhausted"]))
        assert net.do(BOB, ["write", "k", "v"]).status is Status.FINALIZED


def test_a_node_that_has_stopped_is_not_alive(tmp_path: Path) -> None:
    with Network(tmp_path) as net:
        node = net.node
    assert not node.alive()
