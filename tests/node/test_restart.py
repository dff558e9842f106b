"""Restarts: whatever was on its way goes on where it was, with the place and the time it had, and happens once."""

from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from threading import Event

import pytest

from foreman.execution import Outcome
from foreman.judges.scripted import Scripted
from foreman.money import GEN
from foreman.node import genesis
from foreman.receipt import Record, Status
from foreman.settings import Limits
from tests.node.crash import Held, image, revived
from tests.node.network import ALICE, BOB, CAROL, OTHER, RICH, TOY, Network, StillClock, who
from tests.node.toy import CODE


@pytest.fixture
def held() -> Iterator[Held]:
    judge = Held()
    yield judge
    judge.go.set()


@pytest.fixture
def net(tmp_path: Path, held: Held) -> Iterator[Network]:
    with Network(tmp_path / "first", judges=[held.judge]) as network:
        yield network
        held.go.set()


def place(record: Record | None) -> tuple[int | None, int | None]:
    assert record is not None
    return record.position, record.at


def test_what_waits_in_line_goes_on(tmp_path: Path, net: Network, held: Held) -> None:
    sent = [net.send(ALICE, ["ask", "slow"]), *(net.send(ALICE, ["append", "k", str(n)]) for n in range(3))]
    assert place(net.node.record(sent[1])) == (None, None)
    with revived(net, tmp_path / "second") as again:
        held.go.set()
        again.wait(*sent)
        assert again.state("k") == "012"
        assert again.node.nonce(ALICE.address) == 4
        again.assert_conserved()


def test_what_is_before_the_jury_keeps_its_place_and_its_time_and_is_asked_again(
    tmp_path: Path, net: Network, held: Held
) -> None:
    slow = net.send(ALICE, ["read", "order"], ["ask", "slow"], ["write", "order", "done"], value=GEN)
    before = place(net.node.record(slow))
    assert before[0] is not None
    net.clock.at += 3_600_000_000
    with revived(net, tmp_path / "second") as again:
        assert place(again.node.record(slow)) == before
        late = again.send(BOB, ["append", "order", "+expired"])
        held.go.set()
        again.wait(slow, late)
        assert again.state("order") == "done+expired", "nobody overtakes it after a restart either"
        assert place(again.node.record(slow)) == before
        assert again.node.balance(TOY) == GEN
        again.assert_conserved()


def test_what_waits_for_an_earlier_one_keeps_its_place(tmp_path: Path, net: Network, held: Held) -> None:
    slow = net.send(ALICE, ["read", "order"], ["ask", "slow"], ["write", "order", "done"])
    late = net.send(BOB, ["append", "order", "+expired"])
    before = place(net.node.record(late))
    with revived(net, tmp_path / "second") as again:
        held.go.set()
        again.wait(slow, late)
        assert place(again.node.record(late)) == before
        assert again.state("order") == "done+expired"


def test_value_in_flight_lands_once_after_a_restart(tmp_path: Path) -> None:
    with Network(tmp_path / "first", finality_window=60.0) as net:
        paid = net.do(
            ALICE,
            ["pay", who(CAROL), GEN],
            ["send", who(OTHER), GEN, [["write", "k", "v"]], "finalized"],
            value=2 * GEN,
        )
        assert paid.status is Status.ACCEPTED
        with revived(net, tmp_path / "second", finality_window=60.0) as again:
            assert again.node.books_balance()["in_flight_wei"] == 2 * GEN
            again.node.travel(61).result(20)
            again.wait_final(paid.transaction.hash)
            (child,) = again.wait(*again.node.record(paid.transaction.hash).children)  # type: ignore[union-attr]  # there
            assert child.receipt is not None
            assert child.receipt.ok
            assert again.node.balance(CAROL.address) == RICH + GEN
            assert again.node.balance(OTHER) == GEN
            again.assert_conserved()


def test_finality_is_in_the_order_of_commits_after_a_restart_too(tmp_path: Path, held: Held) -> None:
    """The first to arrive is the last to be decided."""
    with Network(tmp_path / "first", judges=[held.judge], finality_window=60.0) as net:
        slow = net.send(ALICE, ["ask", "slow"])
        quick = net.do(BOB, ["write", "k", "v"]).transaction.hash
        held.go.set()
        net.wait(slow)
        with revived(net, tmp_path / "second", finality_window=60.0) as again:
            again.node.travel(61).result(20)
            for digest in (slow, quick):
                again.wait_final(digest)
            final = [change.hash for change in again.node.changes(0, 1000) if change.status is Status.FINALIZED]
            assert [digest for digest in final if digest in (slow, quick)] == [quick, slow]


def test_a_message_that_was_not_run_yet_is_run(tmp_path: Path, held: Held) -> None:
    with Network(tmp_path / "first", judges=[held.judge]) as net:
        sent = net.do(ALICE, ["send", who(OTHER), GEN, [["ask", "slow"], ["write", "k", "v"]], "accepted"], value=GEN)
        with revived(net, tmp_path / "second") as again:
            held.go.set()
            (child,) = again.wait(*again.node.record(sent.transaction.hash).children)  # type: ignore[union-attr]  # there
            assert child.receipt is not None
            assert child.receipt.ok
            assert again.state("k", OTHER) == "v"
            again.assert_conserved()
        held.go.set()


def test_a_wall_clock_that_was_turned_back_in_between_turns_nothing_back(tmp_path: Path) -> None:
    clock = StillClock()
    with Network(tmp_path, clock=clock) as net:
        first = net.do(ALICE, ["read", "k"])
    clock.at -= 7_200_000_000
    with Network(tmp_path, clock=clock) as net:
        second = net.do(ALICE, ["read", "k"])
        assert (second.at or 0) >= (first.at or 0)
        assert net.node.now() >= (first.at or 0)
        assert second.receipt is not None
        assert first.receipt is not None
        assert second.receipt.decided_at >= first.receipt.decided_at


def test_time_travel_survives_a_restart(tmp_path: Path) -> None:
    clock = StillClock()
    with Network(tmp_path, clock=clock) as net:
        there = net.node.travel(86_400).result(20)
    with Network(tmp_path, clock=clock) as net:
        assert net.node.now() == there


def test_an_answer_from_before_a_restore_is_dropped(tmp_path: Path) -> None:
    """What it was asked on belongs to a chain that never was, even when its transaction is there again."""
    go = {prompt: Event() for prompt in ("s", "q x", "q y")}
    says = {"s": " x", "q x": "the past", "q y": "now"}

    def answer(prompt: str) -> str:
        assert go[prompt].wait(20)
        return says[prompt]

    with Network(tmp_path, judges=[Scripted(answer, concurrency=1000)]) as net:
        first = net.send(ALICE, ["ask", "s"], ["keep", "k"])
        judged = net.send(ALICE, ["ask", "q", "k"], ["keep", "said"])
        kept = net.node.snapshot().result(20)
        go["s"].set()
        net.wait(first)
        says["s"] = " y"
        assert net.node.restore(kept).result(20) is True
        net.wait(first)
        heard: SimpleQueue[object] = SimpleQueue()
        hear = net.node._life._hear
        net.node._life._hear = lambda *what: heard.put(hear(*what))  # type: ignore[method-assign]  # to know when
        go["q x"].set()
        heard.get(timeout=20)
        assert net.node.record(judged).status is Status.PROPOSING  # type: ignore[union-attr]  # it is there
        go["q y"].set()
        net.wait(judged)
        assert net.state("said") == "now"


# the shipped contracts


def test_a_deployment_that_was_cut_off_is_finished_and_not_begun_again(tmp_path: Path) -> None:
    """The first start wrote the shipped contracts' deployments down, and died before it ran them."""
    net = Network(tmp_path)
    with net.store.transaction():
        net.store.set_meta("minted", "0")
        for nonce, name in enumerate(("toy", "other")):
            record = genesis.deployment(name, CODE, nonce, net.clock.now())
            net.store.spend_nonce(genesis.NOBODY)
            net.store.save(record)
    net.node.stop()
    again = Network(tmp_path)
    again.runtime.seconds = 0.05  # so that one commit holds one run
    with again:
        assert again.node.code(TOY) == again.node.code(OTHER) == CODE
        assert again.node.health()["status"] == "ok"
        hashes = [record.transaction.hash for record in again.node.history(genesis.NOBODY, 100)]
        assert len(hashes) == len(set(hashes)) == 2
        assert {record.status for record in again.node.history(genesis.NOBODY, 100)} == {Status.FINALIZED}


def test_a_new_release_is_deployed_behind_everything_that_waits(tmp_path: Path) -> None:
    """Each commit takes some twenty milliseconds of runs, and the start is over when the contracts stand."""
    with Network(tmp_path / "first") as net:
        net.runtime.seconds = 0.03
        sent = [
            net.node.submit(net.raw(sender, [["append", "k", "x"]])) for sender in (ALICE, BOB, CAROL) for _ in range(5)
        ]
        for future in sent:
            future.result(20)
        copied = image(net, tmp_path / "second")
    again = Network(copied, shipped={"toy": CODE, "other": CODE, "newer": CODE + b" of another release"})
    again.runtime.seconds = 0.03
    with again:
        assert len(again.node.contracts()) == 3
        for address in again.node.contracts().values():
            assert again.node.code(bytes.fromhex(address[2:])) is not None


def test_a_shipped_contract_that_cannot_be_deployed_fails_the_start_with_its_reason(tmp_path: Path) -> None:
    net = Network(tmp_path)
    net.runtime.deployment = Outcome.vm_error("exit_code 1")
    with pytest.raises(RuntimeError, match="toy does not stand"):
        net.node.start()
    with Network(tmp_path) as again:
        assert again.node.code(TOY) == CODE, "the next start tries again"


# stopping


def test_stopping_does_not_wait_for_a_judge(tmp_path: Path) -> None:
    held = Held()
    with Network(tmp_path, judges=[held.judge]) as net:
        slow = net.send(ALICE, ["ask", "slow"], ["write", "k", "v"])
    held.go.set()
    with Network(tmp_path, judges=[held.judge]) as net:
        net.wait(slow)
        assert net.state("k") == "v"


def test_what_comes_after_the_end_is_told_so(tmp_path: Path) -> None:
    with Network(tmp_path) as net:
        raw = net.raw(ALICE, [["read", "k"]])
    error = net.node.submit(raw).exception(5)
    assert error is not None
    assert getattr(error, "code", "") == "book_stopped"


def test_stopping_twice_is_stopping_once(tmp_path: Path) -> None:
    net = Network(tmp_path)
    net.node.start()
    net.node.stop()
    net.node.stop()


def test_much_pending_work_does_not_hold_up_the_end(tmp_path: Path) -> None:
    """What is recorded is on disk; the next start does it."""
    with Network(tmp_path, limits=Limits(pending_per_sender=1000)) as net:
        net.runtime.seconds = 0.05
        sent = [net.node.submit(net.raw(ALICE, [["append", "k", "x"]])) for _ in range(400)]
        for future in sent:
            future.result(20)
    done = net.runtime.runs
    assert done < 400, "twenty seconds of work would have been done first"
    with Network(tmp_path, limits=Limits(pending_per_sender=1000)) as net:
        net.wait(sent[-1].result())
        assert net.state("k") == "x" * 400
