"""Whatever happens, the books balance: random lives of a network, crashes included, counted to the wei at each step."""

import logging
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from foreman.address import keccak256
from foreman.errors import JudgeError, Refused
from foreman.execution import Emission, Transfer
from foreman.judges.scripted import Scripted
from foreman.receipt import Record, Status
from foreman.sdk.account import Account
from tests.node.crash import revived
from tests.node.network import ALICE, BOB, CAROL, OTHER, RICH, TOY, Network, StillClock, who

SENDERS = st.sampled_from([ALICE, BOB, CAROL])
KEYS = st.sampled_from(["a", "b", "c"])
PROMPTS = st.builds(
    "{} {}".format,
    st.sampled_from(["yes", "yes", "slow", "slow", "split", "hang", "crash", "error:"]),
    st.integers(0, 2),
)
WEI = st.sampled_from([0, 1, RICH // 7, RICH // 2, RICH])
QUIET = st.one_of(
    st.builds(lambda key: ["read", key], KEYS),
    st.builds(lambda key, value: ["write", key, value], KEYS, KEYS),
    st.builds(lambda key, value: ["append", key, value], KEYS, KEYS),
    st.builds(lambda low, high: ["scan", low, high], KEYS, KEYS),
    st.builds(lambda key: ["keep", key], KEYS),
    st.just(["balance", who(TOY)]),
    st.builds(lambda prompt: ["ask", prompt], PROMPTS),
    st.builds(lambda prompt, key: ["ask", prompt, key], PROMPTS, KEYS),
)
LOUD = st.sampled_from([["revert", "no"], ["bug"], ["moody"]])
STEPS = st.lists(QUIET, max_size=4).flatmap(
    lambda steps: st.one_of(st.just(steps), st.just(steps), LOUD.map(lambda loud: [*steps, loud]))
)
SENDING = st.builds(
    lambda to, wei, steps, on: ["send", who(to), wei, steps, on],
    st.sampled_from([TOY, OTHER]),
    WEI,
    STEPS,
    st.sampled_from(["accepted", "finalized"]),
)

REFUSALS = {"insufficient_funds", "too_many_pending"}
EVENTS = REFUSALS - {"too_many_pending"} | {
    *(
        "FINALIZED",
        "ACCEPTED",
        "UNDETERMINED",
        "CANCELED",
        "LEADER_TIMEOUT",
        "reverted",
        "judged",
        "asked anew",
        "paid",
    ),
    *("message", "told of an error", "in flight", "reserved", "waiting", "transfer", "crashed", "restored"),
    *("cancelled", "too late to cancel"),
}
seen: Counter[str] = Counter()
"""What really happened, over all examples: a property that was never put to the test proves nothing."""


@dataclass
class Sent:
    """An acknowledged transaction, and what only it may leave behind, once."""

    raw: bytes
    sender: Account
    number: int
    paid: int = 0

    @property
    def digest(self) -> bytes:
        return keccak256(self.raw)

    @property
    def mark(self) -> str:
        return f"mark {self.number}"

    @property
    def payee(self) -> bytes:
        return b"payee" + self.number.to_bytes(15, "big")


@dataclass
class Jurors:
    """Five judges that do what the prompt says; `slow` waits until it is let go."""

    go: Event = field(default_factory=Event)

    def judges(self) -> list[Scripted]:
        return [Scripted(self._answers(seat), name=f"judge {seat}", concurrency=1000) for seat in range(5)]

    def _answers(self, seat: int) -> Callable[[str], Any]:
        def answer(prompt: str) -> Any:
            match prompt.split()[0]:
                case "slow":
                    assert self.go.wait(30), "nobody let the judge go"
                    return "yes"
                case "split":
                    return f"opinion {seat}"
                case "hang":
                    return JudgeError("timeout", "it hung")
                case "crash":
                    return "crash"
                case "error:":
                    return "error: agreed"
            return "yes"

        return answer

    def let_go(self) -> None:
        held, self.go = self.go, Event()
        held.set()


class Books(RuleBasedStateMachine):
    """A network with a finality window, and what we know must be true of it."""

    @initialize(window=st.sampled_from([0.0, 60.0]))
    def begin(self, window: float) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="foreman-books-"))
        self.jurors, self.clock = Jurors(), StillClock()
        self.settings: dict[str, Any] = {"finality_window": window}
        self.lives = 1
        self.number = 0
        self.sent: list[Sent] = []
        self.kept: dict[int, list[Sent]] = {}
        self.net = Network(self.folder / "1", judges=self.jurors.judges(), clock=self.clock, **self.settings)
        self.net.node.start()

    def teardown(self) -> None:
        if not hasattr(self, "net"):
            return
        try:
            self.settle()
            self.net.node.travel(120).result(30)
            for one in self.sent:
                self.check(one)
            books = self.net.node.books_balance()
            assert (books["reserved_wei"], books["in_flight_wei"]) == (0, 0), "when all is done nothing is on its way"
            assert books["conserved"], books
            assert not self.net.node._life.lines._by_sender
            assert self.net.node.health()["takes_writes"], "whatever its judges did"
        finally:
            self.jurors.let_go()
            self.net.node.stop()
            shutil.rmtree(self.folder)

    # what happens

    @rule(batch=st.lists(st.tuples(SENDERS, STEPS, WEI, st.booleans(), st.none() | SENDING), min_size=1, max_size=5))
    def send_some(self, batch: list[tuple[Account, list[Any], int, bool, list[Any] | None]]) -> None:
        for asked in batch:
            self.send(*asked)

    @rule(sender=SENDERS, key=KEYS, number=st.integers(0, 2), others=st.permutations([ALICE, BOB, CAROL]))
    def overtake(self, sender: Account, key: str, number: int, others: list[Account]) -> None:
        """A judgement on a key, and others who would change it meanwhile."""
        self.send(sender, [["read", key], ["ask", f"slow {number}", key], ["append", key, "!"]], 1, True, None)
        for other in others:
            self.send(other, [["ask", f"slow {number} too", key]], 2, True, None)
            self.send(other, [["append", key, "?"]], 2, True, None)

    @rule(sender=SENDERS, prompts=st.lists(PROMPTS, min_size=2, max_size=3))
    def judge(self, sender: Account, prompts: list[str]) -> None:
        for prompt in prompts:
            self.send(sender, [["ask", prompt]], 3, True, None)

    @rule(sender=SENDERS, on=st.sampled_from(["accepted", "finalized"]), loud=LOUD)
    def fail(self, sender: Account, on: str, loud: list[Any]) -> None:
        """A message with value that fails, a call that does, and judges that never answer."""
        self.send(sender, [], 4, True, ["send", who(OTHER), 1, [loud], on])
        self.send(sender, [loud], 5, True, None)
        self.send(sender, [["ask", "hang 0"]], 6, True, None)

    def send(self, sender: Account, steps: list[Any], value: int, pays: bool, sending: list[Any] | None) -> None:
        self.number += 1
        one = Sent(b"", sender, self.number)
        whole = [["append", one.mark, "x"], *steps]
        if pays:
            one.paid = value // 2
            whole.insert(0, ["pay", who(one.payee), one.paid])
        if sending:
            whole.insert(0, sending)
        try:
            one.raw = self.net.raw(sender, whole, value, nonce=self.net.node.nonce(sender.address))
            assert self.net.node.submit(one.raw).result(30) == one.digest
        except Refused as refused:
            seen[refused.code] += 1
            return
        self.sent.append(one)

    @rule(sender=SENDERS, value=WEI)
    def transfer(self, sender: Account, value: int) -> None:
        self.number += 1
        one = Sent(b"", sender, self.number, paid=value)
        one.raw = sender.sign_transaction(61127, self.net.node.nonce(sender.address), one.payee, value)
        try:
            assert self.net.node.submit(one.raw).result(30) == one.digest
        except Refused:
            return
        self.sent.append(one)
        seen["transfer"] += 1

    @rule(place=st.integers(0, 200))
    def send_the_same_again(self, place: int) -> None:
        if self.sent:
            one = self.sent[place % len(self.sent)]
            before = self.net.node.nonce(one.sender.address)
            assert self.net.node.submit(one.raw).result(30) == one.digest
            assert self.net.node.nonce(one.sender.address) == before

    @rule(place=st.integers(0, 200))
    def cancel(self, place: int) -> None:
        if self.sent:
            one = self.sent[-1 - place % min(3, len(self.sent))]
            error = self.net.node.cancel(one.digest, one.sender.address).exception(30)
            seen["cancelled" if error is None else "too late to cancel"] += 1

    @rule()
    def let_go(self) -> None:
        self.jurors.let_go()

    @rule(seconds=st.sampled_from([0, 1, 59, 61]))
    def travel(self, seconds: int) -> None:
        self.net.node.travel(seconds).result(30)

    @rule(wei=st.sampled_from([1, RICH]), to=SENDERS)
    def fund(self, wei: int, to: Account) -> None:
        self.net.node.fund(to.address, wei).result(30)

    @rule()
    def snapshot(self) -> None:
        self.kept[self.net.node.snapshot().result(30)] = list(self.sent)

    @rule(place=st.integers(0, 9))
    def restore(self, place: int) -> None:
        if self.kept:
            number = sorted(self.kept)[place % len(self.kept)]
            assert self.net.node.restore(number).result(30) is True
            gone = [one for one in self.sent if one not in self.kept[number]]
            self.sent = list(self.kept[number])
            self.kept = {known: sent for known, sent in self.kept.items() if known <= number}
            for one in gone:
                assert self.net.node.record(one.digest) is None
            seen["restored"] += 1

    @rule(really=st.sampled_from([True, False, False]))
    def crash(self, really: bool) -> None:
        if not really:
            return
        self.lives += 1
        again = revived(self.net, self.folder / str(self.lives), **self.settings)
        old, self.net = self.net, again
        again.node.start()
        old.node._book.stop()
        old.node.stop()
        seen["crashed"] += 1

    # what must be true

    @invariant()
    def the_books_balance(self) -> None:
        if hasattr(self, "net"):
            books = self.net.node.books_balance()
            assert books["conserved"], books
            seen["in flight"] += books["in_flight_wei"] > 0
            seen["reserved"] += books["reserved_wei"] > 0
            lines = self.net.node._life.lines
            seen["waiting"] += any(entry.waiters for entry in list(lines._entries.values()))

    @invariant()
    def a_nonce_is_spent_once_and_what_was_acknowledged_is_there(self) -> None:
        if hasattr(self, "net"):
            mine = Counter(one.sender.address for one in self.sent)
            for account in (ALICE, BOB, CAROL):
                assert self.net.node.nonce(account.address) == mine[account.address]
            for one in self.sent:
                self.record(one)

    def record(self, one: Sent) -> Record:
        record = self.net.node.record(one.digest)
        assert record is not None, "an acknowledged transaction is lost"
        return record

    def settle(self) -> None:
        """Let everybody answer until all is decided, messages of messages too."""
        waiting: Sequence[bytes] = [one.digest for one in self.sent]
        while waiting:
            self.jurors.go.set()
            records = self.net.wait(*waiting)
            self.net.node.travel(61).result(30)
            for record in records:
                self.count(record)
            waiting = [child for record in records for child in self.net.node._store.children(record.transaction.hash)]

    def count(self, record: Record) -> None:
        receipt = record.receipt
        assert receipt is not None
        seen[record.status.name] += 1
        seen["reverted"] += record.status is Status.FINALIZED and not receipt.ok
        seen["asked anew"] += len(receipt.decisions) > len({decision.block for decision in receipt.decisions})
        seen["paid"] += any(isinstance(item, Transfer) and item.value for item in receipt.emitted)
        seen["message"] += any(isinstance(item, Emission) for item in receipt.emitted)
        seen["told of an error"] += record.transaction.errored
        seen["judged"] += bool(receipt.decisions) and receipt.ok

    def check(self, one: Sent) -> None:
        """It happened once and wholly, or not at all."""
        record = self.record(one)
        assert record.receipt is not None
        happened = record.receipt.ok
        assert self.net.node.balance(one.payee) == (one.paid if happened else 0)
        if record.transaction.target == TOY:
            assert self.net.state(one.mark) == ("x" if happened else "")


def test_the_books_balance_whatever_happens() -> None:
    seen.clear()
    logging.disable()  # the faults of contracts are meant here
    profile = hypothesis_settings()
    Books.TestCase.settings = hypothesis_settings(
        max_examples=max(50, profile.max_examples // 10),
        stateful_step_count=25,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    try:
        Books.TestCase("runTest").runTest()
    finally:
        logging.disable(logging.NOTSET)
    assert set(seen) <= EVENTS | REFUSALS, "nothing was refused for another reason"


@pytest.mark.parametrize("event", sorted(EVENTS))
def test_and_it_really_did_happen(event: str) -> None:
    """The pulse of the property above."""
    if not seen:
        test_the_books_balance_whatever_happens()
    assert seen[event], dict(seen)
