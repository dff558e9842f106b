"""What VerdictEscrow's calls look at: reads cost what they return; a ruling waits for its own milestone only."""

from collections.abc import Callable
from typing import Any

import pytest

from foreman import calldata
from foreman.execution import Asking, Call, Reads
from foreman.localnet.direct import CHAIN_ID, DirectVM, raw_address, shared_runtime
from foreman.runtime.ahead import STEP
from tests.direct.agreements import APPROVE, CLAIM, CRITERIA, GEN, GROUNDS, PAGE, STALL, Play, plain

pytestmark = pytest.mark.needs_balances


class Meter:
    """Counts the rows that a call looks at."""

    def __init__(self, vm: DirectVM) -> None:
        self.rows = 0
        state = vm.state
        get, scan, scan_keys = state.get, state.scan, state.scan_keys

        def counted_get(contract: bytes, key: bytes) -> bytes | None:
            self.rows += 1
            return get(contract, key)

        def counted(look: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
            def wrapped(*args: Any) -> list[Any]:
                found = look(*args)
                self.rows += 1 + len(found)
                return found

            return wrapped

        state.get = counted_get  # type: ignore[method-assign]
        state.scan = counted(scan)  # type: ignore[method-assign]
        state.scan_keys = counted(scan_keys)  # type: ignore[method-assign]

    def of(self, call: Callable[..., Any], *args: Any) -> int:
        self.rows = 0
        call(*args)
        return self.rows


def crowd(play: Play, count: int) -> None:
    """More agreements between the same three, each with an active milestone."""
    for _ in range(count):
        play.active()


READS: dict[str, Callable[[Play], Any]] = {
    "get_agreement": lambda p: p.agreement(5),
    "get_agreement_count": lambda p: p.contract.get_agreement_count(),
    "get_milestone": lambda p: p.look(5),
    "get_rulings": lambda p: p.rulings(5),
    "credit_of": lambda p: p.credit(p.payer),
    "config": lambda p: p.contract.config(),
    "get_agreements_page": lambda p: p.contract.get_agreements_page(0, 5),
    "a page far down": lambda p: p.contract.get_agreements_page(p.contract.get_agreement_count() - 5, 5),
    "get_agreements_by_party": lambda p: p.contract.get_agreements_by_party(plain(p.payer), 0, 5),
    "far down in a party's list": lambda p: p.contract.get_agreements_by_party(plain(p.payer), 30, 5),
}


def test_no_read_costs_more_when_there_are_more_agreements(play: Play) -> None:
    crowd(play, 40)
    few = {name: Meter(play.vm).of(look, play) for name, look in READS.items()}
    crowd(play, 160)
    many = {name: Meter(play.vm).of(look, play) for name, look in READS.items()}
    assert many == few


def test_a_page_costs_a_row_per_agreement_and_one_for_the_list(play: Play) -> None:
    crowd(play, 60)
    meter = Meter(play.vm)
    costs = {size: meter.of(play.contract.get_agreements_page, 3, size) for size in (1, 10, 50)}
    assert all(cost <= 2 * (size + STEP) + 10 for size, cost in costs.items())  # neighbours come STEP at a time


def test_no_write_costs_more_when_there_are_more_agreements(play: Play) -> None:
    def life() -> None:
        n = play.ruled(APPROVE)
        play.appeal(n)
        play.rule(n)
        play.accept(n)

    crowd(play, 5)
    life()  # so that everybody has had credit before
    few = Meter(play.vm).of(life)
    crowd(play, 100)
    assert Meter(play.vm).of(life) == few


# What a ruling waits for


def premises(play: Play, n: int, i: int) -> Reads:
    """What `adjudicate` has read when it comes to its question."""
    vm = play.vm
    data = calldata.encode_call("adjudicate", (n, i), {})
    contract, sender = play.contract.address.as_bytes, raw_address(play.stranger)
    asking = shared_runtime().run(Call(contract, sender, sender, 0, CHAIN_ID, vm.now, data), vm.state, ())
    assert isinstance(asking, Asking)
    return asking.premises


def touches(play: Play, reads: Reads, act: Callable[[], Any]) -> bool:
    """Would an undecided ruling with these premises have to wait for this call, or this call for it?"""
    written: dict[bytes, object] = {}
    apply = play.vm.state.apply

    def noting(contract: bytes, effects: Any) -> None:
        written.update(effects.writes)
        apply(contract, effects)

    play.vm.state.apply = noting
    try:
        act()
    finally:
        play.vm.state.apply = apply
    assert written
    return reads.touched_by(play.contract.address.as_bytes, written)


def test_a_ruling_reads_its_own_milestone_and_nothing_that_others_write(play: Play) -> None:
    n = play.active(3)
    other = play.ruled(APPROVE)
    credit = play.ruled(APPROVE)
    play.submit(n, 0)
    reads = premises(play, n, 0)
    acts: list[Callable[[], Any]] = [
        play.draft,
        lambda: play.milestone(play.draft()),
        lambda: play.active(2),
        lambda: play.submit(n, 1),
        lambda: play.rule(n, 1),
        lambda: play.do(play.payer, "appeal", n, 1, GROUNDS, value=GEN),
        lambda: play.appeal(other),
        lambda: play.accept(credit),
        lambda: play.take(play.provider),
        lambda: (play.wait(169), play.do(play.payer, "cancel_overdue", n, 2)),
    ]
    assert [touches(play, reads, act) for act in acts] == [False] * len(acts)


def test_what_would_pull_the_milestone_from_under_a_ruling_waits_for_it(play: Play) -> None:
    n = play.active()
    play.submit(n)
    reads = premises(play, n, 0)
    play.wait(STALL)
    assert touches(play, reads, lambda: play.do(play.provider, "resolve_stalled_review", n, 0))


def test_two_rulings_of_one_agreement_do_not_wait_for_each_other(play: Play) -> None:
    n = play.active(2)
    for i in (0, 1):
        play.submit(n, i)
    reads = premises(play, n, 0)
    assert not touches(play, reads, lambda: play.rule(n, 1))
    assert touches(play, reads, lambda: play.rule(n, 0))


def test_a_ruling_is_asked_the_same_question_while_nothing_of_it_changed(play: Play) -> None:
    """Neighbours may come and go: the fingerprint of the block stays, so an agreed answer is used."""

    def fingerprint() -> bytes:
        data = calldata.encode_call("adjudicate", (n, 0), {})
        contract, sender = play.contract.address.as_bytes, raw_address(play.payer)
        asking = shared_runtime().run(Call(contract, sender, sender, 0, CHAIN_ID, play.vm.now, data), play.vm.state, ())
        assert isinstance(asking, Asking)
        return asking.block.fingerprint

    n = play.active(2)
    play.submit(n)
    first = fingerprint()
    crowd(play, 3)
    play.submit(n, 1)
    play.wait(5)
    assert fingerprint() == first
    other = play.draft()
    play.do(play.payer, "add_milestone", other, "The report", CRITERIA, GEN, play.hour + 9)
    play.fund(other)
    play.do(play.provider, "submit_evidence", other, 0, CLAIM + " Indeed.", [PAGE])
    n = other
    assert fingerprint() != first
