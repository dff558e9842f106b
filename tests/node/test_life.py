"""The life of a transaction on a whole network: the door, the order, premises, finality, messages."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
import rlp  # type: ignore[import-untyped]  # the package ships no types

from foreman import calldata
from foreman.errors import Refused
from foreman.judges.scripted import Scripted
from foreman.money import GEN
from foreman.receipt import Status, Vote
from foreman.sdk.envelope import add_transaction
from foreman.settings import Limits
from foreman.transaction import CONSENSUS_MAIN
from tests.node.crash import Held
from tests.node.network import ALICE, BOB, CAROL, OTHER, RICH, TOY, Network, StillClock, who


@pytest.fixture
def held() -> Iterator[Held]:
    judge = Held()
    yield judge
    judge.go.set()


@pytest.fixture
def net(tmp_path: Path, held: Held) -> Iterator[Network]:
    with Network(tmp_path, judges=[held.judge]) as network:
        yield network
        held.go.set()
        network.assert_conserved()


def test_shipped_contracts_stand_at_their_fixed_addresses(net: Network) -> None:
    assert net.node.code(TOY) == net.node.code(OTHER) == b"# a contract of steps"


def test_a_write_is_committed_and_final_at_once_without_a_window(net: Network) -> None:
    record = net.do(ALICE, ["write", "k", "v"], value=3 * GEN)
    assert (record.status, record.receipt and record.receipt.ok) == (Status.FINALIZED, True)
    assert net.state("k") == "v"
    assert net.node.balance(TOY) == 3 * GEN
    assert net.node.balance(ALICE.address) == RICH - 3 * GEN


def test_a_revert_changes_nothing_and_gives_the_value_back(net: Network) -> None:
    record = net.do(ALICE, ["write", "k", "v"], ["revert", "no, because"], value=3 * GEN)
    assert record.status is Status.FINALIZED
    assert record.receipt is not None
    assert (record.receipt.ok, record.receipt.outcome.text) == (False, "no, because")
    assert net.state("k") == ""
    assert net.node.balance(ALICE.address) == RICH
    assert net.node.nonce(ALICE.address) == 1, "a nonce is spent for good"


def test_a_fault_of_the_runtime_fails_one_transaction_and_not_the_network(net: Network) -> None:
    record = net.do(ALICE, ["bug"], value=GEN)
    assert record.receipt is not None
    assert record.receipt.outcome.text == "internal_error"
    assert net.do(BOB, ["write", "k", "v"]).receipt.ok  # type: ignore[union-attr]  # decided
    assert net.node.balance(ALICE.address) == RICH


def test_the_same_bytes_again_give_the_same_hash_and_happen_once(net: Network) -> None:
    raw = net.raw(ALICE, [["append", "k", "x"]], value=GEN)
    first = net.node.submit(raw).result(20)
    net.wait(first)
    assert net.node.submit(raw).result(20) == first
    assert net.state("k") == "x"
    assert net.node.balance(TOY) == GEN


@pytest.mark.parametrize(
    ("nonce", "code"), [pytest.param(5, "nonce_too_high", id="gap"), pytest.param(0, "nonce_too_low", id="spent")]
)
def test_another_nonce_is_refused_with_the_expected_one(net: Network, nonce: int, code: str) -> None:
    net.do(ALICE, ["read", "k"])
    with pytest.raises(Refused, match=r"the next nonce of 0x[0-9a-fA-F]{40} is 1") as refused:
        net.node.submit(net.raw(ALICE, [["write", "k", "v"]], nonce=nonce)).result(20)
    assert refused.value.code == code
    assert net.node.nonce(ALICE.address) == 1


def test_value_above_the_balance_is_refused_and_nothing_is_spent(net: Network) -> None:
    with pytest.raises(Refused) as refused:
        net.node.submit(net.raw(ALICE, [["read", "k"]], value=RICH + 1)).result(20)
    assert refused.value.code == "insufficient_funds"
    assert net.node.nonce(ALICE.address) == 0


def test_value_of_pending_transactions_is_set_aside(net: Network, held: Held) -> None:
    net.send(ALICE, ["ask", "slow"], value=RICH - 1)
    assert net.node.balance(ALICE.address) == 1
    with pytest.raises(Refused) as refused:
        net.send(ALICE, ["read", "k"], value=2)
    assert refused.value.code == "insufficient_funds"
    net.assert_conserved()


def test_a_sender_has_a_bounded_number_of_pending_transactions(tmp_path: Path, held: Held) -> None:
    with Network(tmp_path, judges=[held.judge], limits=Limits(pending_per_sender=3)) as net:
        sent = [net.send(ALICE, ["ask", "slow"]), *(net.send(ALICE, ["append", "k", "x"]) for _ in range(2))]
        with pytest.raises(Refused) as refused:
            net.send(ALICE, ["read", "k"])
        assert refused.value.code == "too_many_pending"
        held.go.set()
        net.wait(*sent)
        assert net.state("k") == "xx"


def test_leader_only_is_refused_unless_test_doubles_are_allowed(net: Network) -> None:
    payload = bytes(rlp.encode([calldata.encode([]), b"\x01"]))
    raw = ALICE.sign_transaction(61127, 0, CONSENSUS_MAIN, 0, add_transaction(ALICE.address, TOY, payload))
    with pytest.raises(Refused) as refused:
        net.node.submit(raw).result(20)
    assert refused.value.code == "leader_only_refused"


# the order


def test_transactions_of_one_sender_are_decided_in_order(net: Network) -> None:
    sent = [net.send(ALICE, ["append", "log", str(number)]) for number in range(9)]
    net.wait(*sent)
    assert net.state("log") == "012345678"


def test_others_are_decided_while_one_is_judged(net: Network, held: Held) -> None:
    slow = net.send(ALICE, ["read", "order 1"], ["ask", "slow"], ["keep", "order 1"])
    for number in range(20):
        assert net.do(BOB, ["write", f"order {number + 2}", "new"]).status is Status.FINALIZED
    assert net.node.record(slow).status is Status.PROPOSING  # type: ignore[union-attr]  # it is there
    held.go.set()
    net.wait(slow)
    assert net.state("order 1") == "yes"


def test_nobody_overtakes_what_is_being_judged(net: Network, held: Held) -> None:
    """An expiry that would change the order under judgement waits, and then finds it decided."""
    slow = net.send(ALICE, ["read", "order"], ["ask", "slow"], ["write", "order", "completed"])
    late = net.send(BOB, ["append", "order", "+expired"])
    other = net.do(CAROL, ["write", "another order", "v"])
    assert other.status is Status.FINALIZED
    assert net.node.record(late).status is Status.PENDING  # type: ignore[union-attr]  # it is there
    held.go.set()
    net.wait(slow, late)
    assert net.state("order") == "completed+expired"


def test_a_range_that_was_scanned_is_a_premise_too(net: Network, held: Held) -> None:
    slow = net.send(ALICE, ["scan", "a", "c"], ["ask", "slow"])
    late = net.send(BOB, ["write", "b", "v"])
    free = net.do(CAROL, ["write", "c", "v"])
    assert free.status is Status.FINALIZED
    assert net.node.record(late).status is Status.PENDING  # type: ignore[union-attr]  # it is there
    held.go.set()
    net.wait(slow, late)


def test_another_contracts_premises_hold_nobody_up(net: Network, held: Held) -> None:
    slow = net.send(ALICE, ["read", "k"], ["ask", "slow"], target=OTHER)
    assert net.do(BOB, ["write", "k", "v"], target=TOY).status is Status.FINALIZED
    held.go.set()
    net.wait(slow)


def test_the_same_question_is_not_asked_twice_at_once(net: Network, held: Held) -> None:
    first = net.send(ALICE, ["ask", "slow one"], ["append", "k", "a"])
    second = net.send(BOB, ["ask", "slow one"], ["append", "k", "b"])
    net.do(CAROL, ["read", "x"])
    assert held.judge.count <= 5
    assert net.node.health()["waiting_for_another"] == 1, "the second one waits, and it shows"
    held.go.set()
    net.wait(first, second)
    assert net.state("k") == "ab"
    assert net.node.health()["waiting_for_another"] == 0


def test_a_question_is_asked_anew_when_its_ground_has_moved(tmp_path: Path) -> None:
    """B is judged on what A, earlier but slower, then changes: B's answer belongs to another question."""
    go = {"a": Event(), "b": Event()}

    def answer(prompt: str) -> str:
        assert go.get(prompt[:1], go["a"]).wait(20)
        return prompt

    with Network(tmp_path, judges=[Scripted(answer, concurrency=1000)]) as net:
        slow = net.send(ALICE, ["ask", "a"], ["write", "k", "1"])
        later = net.send(BOB, ["ask", "b", "k"], ["keep", "said"])
        go["a"].set()
        net.wait(slow)
        go["b"].set()
        (record,) = net.wait(later)
        assert net.state("said") == "b1"
        assert record.receipt is not None
        assert len(record.receipt.decisions) == 2, "the first decision stays on the receipt"
        net.assert_conserved()


def test_a_run_that_asks_another_question_each_time_is_a_violation(net: Network) -> None:
    record = net.do(ALICE, ["moody"], value=GEN)
    assert record.status is Status.UNDETERMINED
    assert record.receipt is not None
    last = record.receipt.decisions[-1].rounds[-1]
    assert {ballot.vote for ballot in last.ballots} == {Vote.DETERMINISTIC_VIOLATION}
    assert net.node.balance(ALICE.address) == RICH


def test_undetermined_changes_nothing_and_gives_the_value_back(tmp_path: Path) -> None:
    judges = [Scripted(answer, name=answer) for answer in "abcde"]
    with Network(tmp_path, judges=judges) as net:
        record = net.do(ALICE, ["write", "k", "v"], ["ask", "q"], value=GEN)
        assert record.status is Status.UNDETERMINED
        assert record.block is None
        assert net.state("k") == ""
        assert net.node.balance(ALICE.address) == RICH
        assert net.do(ALICE, ["write", "k", "v"]).status is Status.FINALIZED
        net.assert_conserved()


def test_what_is_not_activated_can_be_cancelled_by_its_sender_only(net: Network, held: Held) -> None:
    slow = net.send(ALICE, ["ask", "slow"])
    waits = net.send(ALICE, ["write", "k", "v"], value=GEN)
    with pytest.raises(Refused, match="did not send"):
        net.node.cancel(waits, BOB.address).result(20)
    with pytest.raises(Refused, match="not waiting"):
        net.node.cancel(slow, ALICE.address).result(20)
    net.node.cancel(waits, ALICE.address).result(20)
    assert net.node.balance(ALICE.address) == RICH
    held.go.set()
    net.wait(slow)
    assert net.wait(waits)[0].status is Status.CANCELED
    assert net.state("k") == ""


# money that moves


def test_value_emitted_by_a_run_is_in_flight_until_final(tmp_path: Path) -> None:
    clock = StillClock()
    with Network(tmp_path, clock=clock, finality_window=60.0) as net:
        record = net.do(ALICE, ["pay", who(CAROL), 2 * GEN], value=5 * GEN)
        assert record.status is Status.ACCEPTED
        assert net.node.balance(TOY) == 3 * GEN
        assert net.node.balance(CAROL.address) == RICH
        assert net.node.books_balance()["in_flight_wei"] == 2 * GEN
        net.assert_conserved()
        net.node.travel(61).result(20)
        assert net.wait_final(record.transaction.hash).status is Status.FINALIZED
        assert net.node.balance(CAROL.address) == RICH + 2 * GEN
        net.assert_conserved()


def test_finality_is_strictly_in_commit_order(tmp_path: Path) -> None:
    with Network(tmp_path, finality_window=60.0) as net:
        sent = [net.do(sender, ["write", "k", "v"]).transaction.hash for sender in (ALICE, BOB, CAROL)]
        net.node.travel(61).result(20)
        for digest in sent:
            net.wait_final(digest)
        final = [change.hash for change in net.node.changes(0, 1000) if change.status is Status.FINALIZED]
        assert [digest for digest in final if digest in sent] == sent


def test_a_message_runs_as_a_transaction_of_its_own(net: Network) -> None:
    record = net.do(ALICE, ["send", who(OTHER), GEN, [["write", "k", "from a contract"]], "finalized"], value=GEN)
    (child,) = net.wait(*net.node.record(record.transaction.hash).children)  # type: ignore[union-attr]  # it is there
    assert child.transaction.sender == TOY
    assert child.transaction.origin == ALICE.address
    assert net.state("k", OTHER) == "from a contract"
    assert net.node.balance(OTHER) == GEN


def test_a_failed_messages_value_returns_to_the_contract_which_is_told(net: Network) -> None:
    record = net.do(ALICE, ["send", who(OTHER), GEN, [["revert", "no"]], "accepted"], value=GEN)
    (child,) = net.wait(*net.node.record(record.transaction.hash).children)  # type: ignore[union-attr]  # it is there
    net.wait(*net.node.record(child.transaction.hash).children)  # type: ignore[union-attr]  # it is there
    assert net.node.balance(OTHER) == 0
    assert net.node.balance(TOY) == GEN
    assert net.state("errored") == str(GEN)


def test_a_chain_of_messages_ends(tmp_path: Path) -> None:
    with Network(tmp_path, limits=replace(Limits(), message_depth=4)) as net:
        steps: list[object] = [["append", "k", "x"]]
        for _ in range(8):
            steps = [["append", "k", "x"], ["send", who(TOY), 0, steps, "accepted"]]
        digest = net.do(ALICE, *steps).transaction.hash  # type: ignore[arg-type]  # nested steps
        depth = 0
        while children := net.node.record(digest).children:  # type: ignore[union-attr]  # it is there
            (child,) = net.wait(*children)
            digest, depth = child.transaction.hash, depth + 1
        assert depth == 5
        assert net.state("k") == "xxxxx"
        net.assert_conserved()


def test_plain_transfers_move_value_and_concurrent_ones_never_overdraw(net: Network) -> None:
    """C016: sixty transfers of two GEN at once from an account of a hundred."""
    sent = [net.node.submit(ALICE.sign_transaction(61127, n, bytes([9] * 19 + [n]), 2 * GEN)) for n in range(60)]
    refused = [error for future in sent if (error := future.exception(20))]
    assert len(refused) == 10
    assert {error.code for error in refused if isinstance(error, Refused)} <= {"insufficient_funds", "nonce_too_high"}
    assert sum(net.node.balance(bytes([9] * 19 + [number])) for number in range(60)) == RICH


# a development network


def test_time_goes_forward_only_and_contracts_see_it(net: Network) -> None:
    before = net.do(ALICE, ["read", "k"]).at
    net.node.travel(3600).result(20)
    after = net.do(ALICE, ["read", "k"]).at
    assert before is not None
    assert after is not None
    assert after - before == 3600 * 1_000_000
    net.clock.at -= 7200 * 1_000_000
    assert net.do(ALICE, ["read", "k"]).at == after, "a wall clock that jumps back turns nothing back"


def test_a_snapshot_brings_everything_back_and_answers_of_before_are_dropped(net: Network, held: Held) -> None:
    net.do(ALICE, ["write", "k", "before"], value=GEN)
    kept = net.node.snapshot().result(20)
    net.do(ALICE, ["write", "k", "after"], value=GEN)
    slow = net.send(BOB, ["ask", "slow"], ["write", "k", "from the past"])
    assert net.node.restore(kept).result(20) is True
    held.go.set()
    assert net.node.record(slow) is None
    assert net.state("k") == "before"
    assert net.node.balance(ALICE.address) == RICH - GEN
    net.nonces.clear()
    assert net.do(ALICE, ["append", "k", "!"]).status is Status.FINALIZED
    assert net.state("k") == "before!"
    assert net.node.restore(99).result(20) is False


def test_the_faucet_counts_what_it_mints(net: Network) -> None:
    minted = net.node.books_balance()["minted_wei"]
    net.wait(net.node.fund(b"\x07" * 20, 5).result(20))
    assert net.node.balance(b"\x07" * 20) == 5
    assert net.node.books_balance()["minted_wei"] == minted + 5


def test_a_network_for_others_has_none_of_these_powers(tmp_path: Path) -> None:
    with Network(tmp_path, dev=False) as net:
        for act in (lambda: net.node.fund(ALICE.address, 1), lambda: net.node.travel(1), net.node.snapshot):
            with pytest.raises(Refused) as refused:
                act().result(20)
            assert refused.value.code == "not_a_development_network"
