"""Premises: who stands on what, who must wait for whom, and whose ground has moved."""

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreman.execution import Reads
from foreman.judges.scripted import Scripted
from foreman.money import GEN
from foreman.node.premises import Premises
from foreman.node.queue import Entry
from foreman.receipt import Record, Status
from foreman.transaction import Kind, Transaction
from tests.node.crash import Held
from tests.node.network import ALICE, BOB, CAROL, RICH, Network, who

HERE, THERE = b"\1" * 20, b"\2" * 20


def entry(position: int, contract: bytes = HERE) -> Entry:
    asked = Transaction(bytes([position]) * 32, Kind.CALL, HERE, HERE, position, contract, 0, b"\x06")
    return Entry(Record(asked, Status.PENDING, recorded_at=0, position=position))


def reads(*keys: bytes, ranges: tuple[tuple[bytes, bytes | None], ...] = (), of: bytes = HERE) -> Reads:
    return Reads({(of, key) for key in keys}, [(of, low, high) for low, high in ranges])


@pytest.mark.parametrize(
    ("premise", "writes", "touched"),
    [
        pytest.param(reads(b"k"), [b"k"], True, id="the key itself"),
        pytest.param(reads(b"k"), [b"kk", b"j", b""], False, id="other keys"),
        pytest.param(reads(b"k", of=THERE), [b"k"], False, id="the same key of another contract"),
        pytest.param(reads(ranges=((b"a", b"c"),)), [b"a"], True, id="the lower end belongs to a range"),
        pytest.param(reads(ranges=((b"a", b"c"),)), [b"bzz"], True, id="inside a range"),
        pytest.param(reads(ranges=((b"a", b"c"),)), [b"c"], False, id="the upper end does not"),
        pytest.param(reads(ranges=((b"a", b"a"),)), [b"a"], False, id="an empty range"),
        pytest.param(reads(ranges=((b"x", None),)), [b"\xff" * 9], True, id="a range to the end"),
        pytest.param(reads(ranges=((b"a", b"c"),), of=THERE), [b"b"], False, id="a range of another contract"),
        pytest.param(reads(b"k"), [], False, id="no writes"),
        pytest.param(reads(), [b"k"], False, id="nothing read"),
    ],
)
def test_writes_touch_what_was_read(premise: Reads, writes: list[bytes], touched: bool) -> None:
    premises, first = Premises(), entry(1)
    premises.put(first, premise)
    assert (premises.standing_on(HERE, dict.fromkeys(writes)) == {first}) is touched
    assert (premises.blocker(entry(2), HERE, dict.fromkeys(writes)) is first) is touched
    assert premise.touched_by(HERE, dict.fromkeys(writes)) is touched


def test_the_latest_of_the_earlier_ones_is_waited_for_and_a_later_one_never() -> None:
    premises, entries = Premises(), [entry(number) for number in range(1, 6)]
    for number in (5, 1, 3):
        premises.put(entries[number - 1], reads(b"k"))
    assert premises.blocker(entries[3], HERE, {b"k": None}) is entries[2]
    assert premises.blocker(entries[1], HERE, {b"k": None}) is entries[0]
    assert premises.blocker(entries[0], HERE, {b"k": None}) is None


def test_nobody_waits_for_himself_nor_for_readers_of_another_contract() -> None:
    premises, own, foreign = Premises(), entry(2), entry(1, THERE)
    premises.put(own, reads(b"k"))
    premises.put(foreign, reads(b"k"))
    assert premises.blocker(own, HERE, {b"k": None}) is None
    assert premises.standing_on(HERE, {b"k": None}) == {own, foreign}, "but its ground moves"


def test_new_premises_replace_the_old_ones_and_dropped_ones_are_gone() -> None:
    premises, first = Premises(), entry(1)
    premises.put(first, Reads({(HERE, b"old")}, [(HERE, b"p", b"q")], {THERE}))
    premises.put(first, reads(b"new"))
    assert premises.standing_on(HERE, {b"old": None, b"p": None}) == premises.watching([THERE]) == set()
    assert premises.standing_on(HERE, {b"new": None}) == {first}
    premises.drop(first)
    premises.drop(first)
    assert premises.standing_on(HERE, {b"new": None}) == premises.inside(HERE) == set()
    assert not premises._keys
    assert not premises._balances
    assert not premises._reads


def test_who_stands_on_code_is_who_runs_it_and_who_has_looked_into_its_state() -> None:
    premises, runs, looks, neither = Premises(), entry(1), entry(2, THERE), entry(3, THERE)
    premises.put(runs, reads())
    premises.put(looks, reads(b"k"))
    premises.put(neither, reads(b"k", of=THERE))
    assert premises.inside(HERE) == {runs, looks}


KEYS = st.binary(max_size=2)
READS = st.builds(
    lambda keys, ranges: Reads({(HERE, key) for key in keys}, [(HERE, low, high) for low, high in ranges]),
    st.sets(KEYS, max_size=4),
    st.lists(st.tuples(KEYS, st.none() | KEYS), max_size=2),
)


@given(st.lists(st.tuples(st.integers(0, 5), st.none() | READS), max_size=25), st.sets(KEYS, max_size=4))
def test_the_index_finds_exactly_whom_a_search_of_everybody_finds(
    steps: list[tuple[int, Reads | None]], written: set[bytes]
) -> None:
    premises, entries = Premises(), [entry(number + 1) for number in range(6)]
    model: dict[int, Reads] = {}
    for number, what in steps:
        if what is None:
            premises.drop(entries[number])
            model.pop(number, None)
        else:
            premises.put(entries[number], what)
            model[number] = what
    writes = dict.fromkeys(written)
    expected = {entries[number] for number, what in model.items() if what.touched_by(HERE, writes)}
    assert premises.standing_on(HERE, writes) == expected
    earlier = [found for found in expected if found.position < 4]
    assert premises.blocker(entries[3], HERE, writes) is max(earlier, key=lambda e: e.position, default=None)


# on a whole network


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


def status(net: Network, digest: bytes) -> Status:
    record = net.node.record(digest)
    assert record is not None
    return record.status


def test_a_delivery_that_waits_for_the_same_question_is_not_overtaken_either(net: Network, held: Held) -> None:
    """Two deliveries ask the same thing, the second waits for the first; an expiry of the second's order waits too."""
    first = net.send(ALICE, ["read", "order 1"], ["ask", "slow"], ["append", "order 1", "done"])
    second = net.send(BOB, ["read", "order 2"], ["ask", "slow"], ["append", "order 2", "done"])
    late = net.send(CAROL, ["append", "order 2", "+expired"])
    held.go.set()
    net.wait(first, second, late)
    assert net.state("order 2") == "done+expired"


def test_a_chain_of_waits_ends_in_order(net: Network, held: Held) -> None:
    sent = [
        net.send(ALICE, ["read", "a"], ["ask", "slow"], ["append", "a", "1"]),
        net.send(BOB, ["append", "a", "2"], ["read", "b"], ["ask", "slow too"], ["append", "b", "1"]),
        net.send(CAROL, ["append", "b", "2"]),
    ]
    held.go.set()
    net.wait(*sent)
    assert (net.state("a"), net.state("b")) == ("12", "12")


def test_whoever_waits_for_an_undetermined_one_goes_on(tmp_path: Path) -> None:
    go = Event()

    def answers(letter: str) -> Callable[[str], str]:
        def answer(prompt: str) -> str:
            assert go.wait(20)
            return letter

        return answer

    judges = [Scripted(answers(letter), name=letter) for letter in "abcde"]
    with Network(tmp_path, judges=judges) as net:
        slow = net.send(ALICE, ["read", "k"], ["ask", "?"], ["write", "k", "judged"], value=GEN)
        twin = net.send(BOB, ["read", "k"], ["ask", "?"], ["write", "k", "judged"])
        late = net.send(CAROL, ["append", "k", "late"])
        go.set()
        records = net.wait(slow, twin, late)
        assert [record.status for record in records] == [Status.UNDETERMINED, Status.UNDETERMINED, Status.FINALIZED]
        assert net.state("k") == "late"
        assert net.node.balance(ALICE.address) == RICH


@pytest.mark.parametrize("moved_by", ["a payment that lands", "value set aside", "value given back", "the faucet"])
def test_a_balance_that_was_read_is_ground_that_moves(net: Network, held: Held, moved_by: str) -> None:
    """Its question has changed because money moved, which is nobody's violation: it is asked anew."""
    net.do(BOB, ["read", "k"], value=5 * GEN)
    watched = {"a payment that lands": BOB.address, "value set aside": BOB.address, "value given back": BOB.address}
    waiting = [net.send(BOB, ["ask", "slow other"]), net.send(BOB, ["read", "k"], value=GEN)]
    judged = net.send(ALICE, ["balance", who(watched.get(moved_by, b"\7" * 20))], ["ask", "slow"], ["write", "k", "v"])
    if moved_by == "a payment that lands":
        net.do(CAROL, ["pay", who(BOB), GEN])
    elif moved_by == "value set aside":
        waiting.append(net.send(BOB, ["read", "k"], value=GEN))
    elif moved_by == "value given back":
        net.node.cancel(waiting[-1], BOB.address).result(20)
    else:
        net.wait(net.node.fund(b"\7" * 20, 1).result(20))
    held.go.set()
    (record,) = net.wait(judged)
    assert record.status is Status.FINALIZED, record.receipt and record.receipt.decisions
    assert record.receipt is not None
    assert len(record.receipt.decisions) > 1
    net.wait(*waiting)
