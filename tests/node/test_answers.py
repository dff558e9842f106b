"""Kept answers: never one that is not right any more, never one of what is not committed, and a run saved each time."""

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreman import calldata
from foreman.address import Address
from foreman.execution import Answer, Call, Effects, Execution, Finished, Outcome, Reads, StateView
from foreman.ledger import Touched
from foreman.node import answers as kept_answers
from foreman.node.answers import Answers
from foreman.node.node import Answered, Query
from foreman.state import recent
from foreman.state.recent import Recent
from foreman.transaction import Kind
from tests.node import network
from tests.node.network import ALICE, BOB, RICH, TOY, Network
from tests.node.toy import ToyRun, ToyRuntime


class Telling(ToyRuntime):
    """A runtime whose views tell what they have read."""

    def run(self, call: Call, view: StateView, answers: Sequence[Answer] = ()) -> Execution:
        if not call.readonly:
            return super().run(call, view, answers)
        self.runs += 1
        run, told = ToyRun(call.contract, view, answers, self.runs), []
        for step in calldata.decode(call.calldata):
            run.touch(step)
            end = run.end(step)
            if end is not None:
                return end
            match step:
                case ["read", key]:
                    told.append(run.look(key.encode()).decode())
                case ["scan", low, high]:
                    rows = view.scan(call.contract, low.encode(), high.encode(), 100)
                    told.append(" ".join(raw.decode() for _, raw in rows))
                case ["balance", _]:
                    told.append(run.held)
                case ["clock"]:
                    run.reads.clock = True
                    told.append(str(call.at))
        return Finished(Outcome.returned(told), Effects(), run.reads, 0)


@pytest.fixture
def net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Network]:
    monkeypatch.setattr(network, "ToyRuntime", Telling)
    with Network(tmp_path) as found:
        yield found


def asking(*steps: list[Any], readonly: bool = True) -> Query:
    return Query(Kind.CALL, readonly, bytes(20), TOY, 0, calldata.encode(list(steps)))


def ask(net: Network, query: Query) -> Answered:
    return net.node.known(query) or net.node.query(query)


def told(net: Network, *steps: list[Any]) -> Any:
    return ask(net, asking(*steps)).outcome.value


def test_who_asks_again_gets_the_same_without_a_run(net: Network) -> None:
    net.do(ALICE, ["write", "k", "1"])
    runs = net.runtime.runs
    assert net.node.known(asking(["read", "k"])) is None
    assert [told(net, ["read", "k"]) for _ in range(5)] == [["1"]] * 5
    assert net.runtime.runs == runs + 1


CHANGES = [
    pytest.param(["read", "k"], ["write", "k", "2"], ["2"], id="a key"),
    pytest.param(["read", "none"], ["write", "none", "2"], ["2"], id="a key that was not there"),
    pytest.param(["scan", "a", "l"], ["write", "c", "2"], ["2 1"], id="a key that came into a range"),
    pytest.param(["scan", "a", "l"], ["write", "k", "2"], ["2"], id="a key of a range"),
]


@pytest.mark.parametrize(("read", "write", "after"), CHANGES)
def test_what_has_changed_is_seen_at_once(net: Network, read: list[Any], write: list[Any], after: list[str]) -> None:
    net.do(ALICE, ["write", "k", "1"])
    assert told(net, read) != after
    net.do(ALICE, write)
    assert told(net, read) == after


@pytest.mark.parametrize(
    "write", [["write", "other", "2"], ["write", "l", "2"]], ids=["another key", "behind the range"]
)
def test_what_does_not_concern_an_answer_leaves_it_alone(net: Network, write: list[Any]) -> None:
    question = asking(["read", "k"], ["scan", "a", "l"])
    ask(net, question)
    net.do(ALICE, write)
    assert net.node.known(question) is not None


def test_a_balance_that_was_read_is_a_ground_too(net: Network) -> None:
    steps = ["balance", Address(BOB.address)]
    assert told(net, steps) == [f" {RICH}"]
    net.wait(net.transfer(ALICE, BOB.address, 7))
    assert told(net, steps) == [f" {RICH + 7}"]


def test_back_at_a_snapshot_the_old_answer_is_the_right_one(net: Network) -> None:
    net.do(ALICE, ["write", "k", "1"])
    number = net.node.snapshot().result(20)
    net.do(ALICE, ["write", "k", "2"])
    assert told(net, ["read", "k"]) == ["2"]
    assert net.node.restore(number).result(20)
    assert told(net, ["read", "k"]) == ["1"]


@pytest.mark.parametrize(
    "question",
    [
        pytest.param(asking(["clock"]), id="what has looked at the clock"),
        pytest.param(asking(["crash", "out of memory"]), id="what the machinery has ended"),
        pytest.param(asking(["write", "k", "1"], readonly=False), id="a write that was only tried"),
    ],
)
def test_what_may_be_different_the_next_time_is_not_kept(net: Network, question: Query) -> None:
    net.node.query(question)
    assert net.node.known(question) is None


def test_a_refusal_of_the_contract_is_an_answer(net: Network) -> None:
    question = asking(["read", "k"], ["revert", "unknown order"])
    net.node.query(question)
    known = net.node.known(question)
    assert known is not None
    assert known.outcome.text == "unknown order"


def test_whoever_knows_of_a_commit_reads_it_however_many_read_meanwhile(net: Network) -> None:
    over, wrong = threading.Event(), []

    def read() -> None:
        last = 0
        while not over.is_set():
            now = int(told(net, ["read", "n"])[0] or 0)
            if now < last:
                wrong.append((last, now))
            last = now

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    try:
        for number in range(1, 25):
            net.do(ALICE, ["write", "n", str(number)])
            assert told(net, ["read", "n"]) == [str(number)]
    finally:
        over.set()
        for reader in readers:
            reader.join(20)
    assert wrong == []


# the same, without a network: every order of things

KEYS = [b"a", b"b", b"c"]
HERE = bytes(20)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("ask"), st.integers(0, 2), st.sampled_from(["key", "range"])),
        st.tuples(st.just("view"), st.integers(0, 2), st.none()),
        st.tuples(st.just("answer"), st.integers(0, 2), st.none()),
        st.tuples(st.just("begin"), st.integers(0, 2), st.none()),
        st.tuples(st.sampled_from(["disk", "end"]), st.just(0), st.none()),
    ),
    max_size=60,
)


def reads_of(key: int, kind: str) -> Reads:
    found = Reads()
    if kind == "key":
        found.keys.add((HERE, KEYS[key]))
    else:
        found.ranges.append((HERE, KEYS[key], None))
    return found


def value_of(state: dict[bytes, int], key: int, kind: str) -> tuple[int, ...]:
    keys = [KEYS[key]] if kind == "key" else [found for found in KEYS if found >= KEYS[key]]
    return tuple(state[found] for found in keys)


@given(steps, st.sampled_from([1, 3, recent.MOST_KEYS]))
def test_in_every_order_of_asking_and_committing_an_answer_is_what_is_on_disk(
    order: list[tuple[str, int, str | None]], most: int
) -> None:
    """A question takes its mark, opens its view, is answered; a commit begins, is on disk (or never), ends."""
    whole, recent.MOST_KEYS = recent.MOST_KEYS, most
    try:
        changes = Recent()
        answers: Answers[tuple[int, ...]] = Answers(changes)
        disk, written, count = dict.fromkeys(KEYS, 0), None, 0
        asked: list[list[Any]] = []
        for what, number, kind in order:
            if what == "ask":
                asked.append([number, kind, changes.mark(), None])
            elif what == "view" and number < len(asked) and asked[number][3] is None:
                asked[number][3] = dict(disk)
            elif what == "answer" and number < len(asked) and asked[number][3] is not None:
                key, of, mark, view = asked.pop(number)
                answers.put((key, of), value_of(view, key, of), 10, reads_of(key, of), mark)
            elif what == "begin" and written is None:
                written = number
                changes.begin(Touched({(HERE, KEYS[number])}))
            elif what == "disk" and written is not None:
                count += 1
                disk[KEYS[written]] = count
            elif what == "end" and written is not None:
                written = None
                changes.end()
            for key in range(3):
                for of in ("key", "range"):
                    known = answers.get((key, of))
                    assert known is None or known == value_of(disk, key, of)
    finally:
        recent.MOST_KEYS = whole


def test_an_answer_that_would_take_long_to_compare_is_dropped_and_found_anew() -> None:
    """The door asks on its event loop: what has changed is compared with ranges only as far as that takes no time."""
    news = Recent()
    kept: Answers[str] = Answers(news)
    for ranges, commits, stands in [(1, 10, True), (50, 10, True), (50, 1_000, False), (0, 1_000, True)]:
        reads = Reads(ranges=[(BOB.address, b"z%d" % place, b"z%d~" % place) for place in range(ranges)])
        kept.put(ranges, "the answer", 10, reads, news.mark())
        for number in range(commits):
            news.begin(Touched(keys={(BOB.address, b"k%d" % number)}))
            news.end()
        assert (kept.get(ranges) == "the answer") is stands, (ranges, commits)


def test_what_is_kept_has_a_bound_and_the_longest_unasked_goes_first() -> None:
    answers: Answers[bytes] = Answers(Recent())
    size = kept_answers.MOST_EACH - 1000
    for number in range(40):
        answers.put(number, b"", size, Reads(), 0)
        assert answers.get(0) is not None
    assert sum(answers.get(number) is not None for number in range(40)) == kept_answers.MOST_BYTES // size
    answers.put("large", b"", kept_answers.MOST_EACH + 1, Reads(), 0)
    assert answers.get("large") is None
