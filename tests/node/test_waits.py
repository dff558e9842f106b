"""Nobody is forgotten: whoever waits for another one goes on, however many, however starved the machine."""

import os
import random
import threading
import time
from pathlib import Path

import pytest

from foreman.address import keccak256
from foreman.errors import Refused
from foreman.execution import Block
from foreman.judges.scripted import Scripted
from foreman.node.queue import Entry
from foreman.node.waits import Waits
from foreman.receipt import Record, Status
from foreman.sdk.account import Account
from foreman.settings import Limits
from foreman.transaction import Kind, Transaction
from tests.node.crash import Held
from tests.node.network import ALICE, BOB, CAROL, TOY, Network
from tests.node.toy import ToyBlock

ROUNDS = int(os.environ.get("FOREMAN_WAIT_ROUNDS", "1"))
SENDERS, EACH = 24, 6
SEED = 20261130

MOST_SECONDS = 60
"""For an acknowledgement; a lost wake-up would wait for ever, and `net.wait` gives up after 20 seconds of silence."""


def entry(position: int, target: bytes = TOY) -> Entry:
    asked = Transaction(bytes([position]) * 32, Kind.CALL, b"", b"", 0, target, 0, b"")
    return Entry(Record(asked, Status.PENDING, 0, position=position))


def asks(waits: Waits, one: Entry, block: Block) -> bool:
    may = waits.ask(one, block)
    if may:
        one.asking = block
    return may


def test_a_later_one_waits_for_the_earlier_ones_equal_question_and_never_the_other_way() -> None:
    waits, question = Waits(), ToyBlock("q")
    early, late, latest = entry(1), entry(2), entry(3)
    assert asks(waits, late, question)
    assert asks(waits, early, question), "the later one does not hold it up"
    assert not asks(waits, latest, question)
    assert (early.waiters, late.waiters, len(waits)) == ([latest], [], 1)
    waits.go(latest)
    assert len(waits) == 0


def test_an_answer_takes_back_nobody_elses_question() -> None:
    """The later one's answer comes first: the earlier one is still asking, and a third must see that."""
    waits, question = Waits(), ToyBlock("q")
    early, late, third = entry(1), entry(2), entry(3)
    assert asks(waits, late, question)
    assert asks(waits, early, question)
    waits.answered(late)
    assert not asks(waits, third, question)
    waits.answered(early)
    early.asking = None
    assert asks(waits, entry(4), question)


def test_contracts_do_not_wait_for_each_others_questions() -> None:
    waits, question = Waits(), ToyBlock("q")
    assert asks(waits, entry(1), question)
    assert asks(waits, entry(2, b"other" * 4), question)


def test_what_waits_behind_judgements_has_a_budget_of_bytes_together(tmp_path: Path) -> None:
    """Many accounts with a judgement each, and large calls behind it, would fill the memory in no time."""
    held = Held()
    with Network(tmp_path, judges=[held.judge], limits=Limits(undecided_bytes=100_000)) as net:
        sent = [net.send(sender, ["ask", f"slow {number}"]) for number, sender in enumerate((ALICE, BOB, CAROL))]
        sent.append(net.send(ALICE, ["append", "k", "x" * 60_000]))
        with pytest.raises(Refused) as refused:
            net.send(BOB, ["append", "k", "x" * 60_000])
        assert refused.value.code == "over_budget"
        sent.append(net.node.submit(net.raw(BOB, [["append", "k", "y"]], nonce=1)).result(20))
        held.go.set()
        net.wait(*sent)
        net.nonces[BOB.address] = 2
        assert net.do(BOB, ["append", "k", "x" * 60_000]).status is Status.FINALIZED, "the room is given back"


def steps(chance: random.Random, sender: int) -> list[list[str]]:
    """A judgement on one's own or on shared ground, or a write that must not overtake one."""
    own, shared = f"own {sender}", f"shared {chance.randrange(3)}"
    return chance.choice(
        [
            [["read", own], ["ask", f"question {chance.randrange(4)}"], ["append", own, "j"]],
            [["read", shared], ["ask", f"slow {chance.randrange(9)}"], ["append", shared, "j"]],
            [["append", shared, "w"]],
            [["append", own, "w"]],
            [["ask", "odd"], ["ask", f"question {chance.randrange(4)}"], ["append", own, "jj"]],
        ]
    )


def starve(stop: threading.Event) -> None:
    """Take the interpreter from the others whenever they let it go."""
    while not stop.is_set():
        sum(range(2_000))


@pytest.mark.timeout(600)
@pytest.mark.parametrize("number", range(ROUNDS))
@pytest.mark.parametrize("starving", [0, 1], ids=["at ease", "starved"])
def test_a_judgement_and_what_follows_it_at_once_are_always_decided(tmp_path: Path, number: int, starving: int) -> None:
    """Many senders, each with a judgement and the next call right behind it, after tiny pauses of any length."""
    chance = random.Random(SEED + number)
    pauses = random.Random(SEED - number)

    def judge(prompt: str) -> str:
        time.sleep(pauses.choice([0.0, 0.0, 0.001, 0.01]))
        return pauses.choice("yn") if prompt.startswith("odd") else "y"

    stop = threading.Event()
    greedy = [threading.Thread(target=starve, args=(stop,), daemon=True) for _ in range(starving)]
    judges = [Scripted(judge, name=f"{seat}", concurrency=3) for seat in range(5)]
    with Network(tmp_path, judges=judges, finality_window=0.0) as net:
        for thread in greedy:
            thread.start()
        accounts = [Account(keccak256(b"waits %d" % sender)) for sender in range(SENDERS)]
        raws = [
            [net.raw(account, steps(chance, sender), nonce=turn) for turn in range(EACH)]
            for sender, account in enumerate(accounts)
        ]

        def send(sender: int) -> None:
            for raw in raws[sender]:
                time.sleep(pauses.random() * 0.004)
                net.node.submit(raw).result(MOST_SECONDS)

        threads = [threading.Thread(target=send, args=(sender,)) for sender in range(SENDERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(MOST_SECONDS)
        ended = {record.status for record in net.wait(*(keccak256(raw) for line in raws for raw in line))}
        stop.set()
        assert ended <= {Status.FINALIZED, Status.UNDETERMINED}
        assert Status.FINALIZED in ended
        assert net.node.health()["waiting_for_another"] == 0
        net.assert_conserved()
