"""A judge or a fetcher that breaks its own deadline: its seat is given up, the sitting ends, nothing is used up."""

import threading
from collections.abc import Iterator
from queue import SimpleQueue
from threading import Event

import pytest

from foreman.errors import JudgeError
from foreman.execution import Outcome
from foreman.fetch.replay import Scripted as Pages
from foreman.judges.scripted import Scripted
from foreman.node import errands
from foreman.node.jury import Jury
from foreman.node.seats import seat_table
from foreman.ports import Judge, SeatIO, WebRequest, WebResponse
from foreman.receipt import Decision, Status, Vote
from tests.node.toy import ToyBlock

GRACE = 0.05


class Deaf:
    """A judge whose deadline is short and which never looks at it."""

    def __init__(self, name: str = "deaf", concurrency: int = 8) -> None:
        self.name = name
        self.concurrency = concurrency
        self.seconds = 0.05
        self.go = Event()
        self.asked = 0

    def answer(self, prompt: str, images: tuple[bytes, ...] = ()) -> str:
        self.asked += 1
        self.go.wait(60)
        return "too late"


@pytest.fixture
def deaf() -> Iterator[Deaf]:
    judge = Deaf()
    yield judge
    judge.go.set()


def jury_of(judges: list[Judge], pages: object = None, **more: int) -> Jury:
    fetcher = pages if pages is not None else Pages({})
    return Jury(seat_table(len(judges), judges, [fetcher]), 3, at_once=4, grace=GRACE, **more)  # type: ignore[list-item]  # any fetcher


def decide(jury: Jury, block: ToyBlock) -> Decision:
    done: SimpleQueue[Decision] = SimpleQueue()
    jury.decide(0, block, 0, lambda *_: None, done.put)
    return done.get(timeout=20)


def votes(decision: Decision) -> list[Vote]:
    return [ballot.vote for ballot in decision.rounds[-1].ballots]


def test_a_leader_that_never_comes_back_is_given_up_and_the_next_one_proposes(deaf: Deaf) -> None:
    jury = jury_of([deaf, *(Scripted("y", name=f"{n}") for n in range(4))])
    decision = decide(jury, ToyBlock("q"))
    assert (decision.status, decision.rounds[-1].leader) == (Status.ACCEPTED, 1)
    assert decision.rounds[0].ballots[0].vote is Vote.TIMEOUT
    assert "never came back" in decision.rounds[0].ballots[0].note
    jury.close()


def test_a_jury_of_judges_that_never_come_back_ends_in_a_timeout(deaf: Deaf) -> None:
    """Two questions fit through the gate; four proposers must fail, so what is given up must free its place."""
    deaf.concurrency = 2
    jury = jury_of([deaf] * 5)
    assert decide(jury, ToyBlock("q")).status is Status.LEADER_TIMEOUT
    assert deaf.asked > deaf.concurrency
    assert jury.seats[0].judge.endings.missing, "and /health says so"
    jury.close()


def test_a_voter_that_never_comes_back_is_counted_out(deaf: Deaf) -> None:
    class Asking(ToyBlock):
        """Its validator asks about the proposal itself."""

        def lead(self, io: SeatIO) -> Outcome:
            return Outcome.returned("y")

        def validate(self, proposal: Outcome, io: SeatIO) -> bool:
            return io.ask("is it the same?") == "y"

    jury = jury_of([Scripted("y", name="a"), deaf, deaf, deaf, deaf])
    decision = decide(jury, Asking("q"))
    assert decision.status is Status.UNDETERMINED
    assert Vote.TIMEOUT in votes(decision)
    jury.close()


def test_a_fetcher_that_never_comes_back_costs_its_seat_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foreman.node.seats.FETCH_SECONDS", 0.05)
    go = Event()

    class Deaf:
        def fetch(self, request: WebRequest) -> WebResponse:
            go.wait(60)
            return WebResponse(200, {}, b"late")

    good = [Pages([b"page"]) for _ in range(2)]
    judges = [Scripted("y")]
    jury = Jury(seat_table(3, judges, [Deaf(), *good]), 3, at_once=4, grace=GRACE)
    decision = decide(jury, ToyBlock("http://a.example/"))
    assert decision.outcome is not None
    assert decision.outcome.value == b"page"
    go.set()
    jury.close()


def test_what_comes_back_after_it_was_given_up_is_not_heard_and_frees_its_thread() -> None:
    late = Deaf()
    jury = jury_of([late, *(Scripted("y", name=f"{n}") for n in range(4))])
    assert decide(jury, ToyBlock("q")).status is Status.ACCEPTED
    assert jury._errands.missing >= 1
    late.go.set()
    while jury._errands.missing:  # the test's own timeout ends it
        threading.Event().wait(0.001)
    assert decide(jury, ToyBlock("r")).status is Status.ACCEPTED
    jury.close()


def test_a_judge_that_swallows_every_question_is_asked_no_more(deaf: Deaf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads that are gone are bounded: beyond the bound a seat fails at once."""
    monkeypatch.setattr(errands, "_MOST_MISSING", 4)
    jury = jury_of([deaf])
    for _ in range(10):
        assert decide(jury, ToyBlock("q")).status is Status.LEADER_TIMEOUT
    assert deaf.asked <= 5
    jury.close()


def test_an_honest_judge_that_waits_long_for_its_gate_is_not_given_up() -> None:
    """Queueing is not counted: only what is out in the world has a deadline."""
    served: list[str] = []

    def slow(prompt: str) -> str:
        served.append(prompt)
        Event().wait(0.08)
        return "y"

    judge = Scripted(slow, concurrency=1, seconds=0.05)
    jury = Jury(seat_table(5, [judge], [Pages({})]), 3, at_once=4, grace=0.2)
    decision = decide(jury, ToyBlock("q"))
    assert decision.status is Status.ACCEPTED
    assert Vote.TIMEOUT not in votes(decision)
    jury.close()


class Busy(ToyBlock):
    """Computes, asks, computes; knows how many did so at once."""

    def __init__(self) -> None:
        super().__init__("q")
        self._lock = threading.Lock()
        self.now = self.most = 0

    def compute(self) -> None:
        with self._lock:
            self.now += 1
            self.most = max(self.most, self.now)
        Event().wait(0.005)
        with self._lock:
            self.now -= 1

    def lead(self, io: SeatIO) -> Outcome:
        self.compute()
        answer = io.ask(self.prompt)
        self.compute()
        return Outcome.returned(answer)

    def validate(self, proposal: Outcome, io: SeatIO) -> bool:
        self.compute()
        return True


def test_no_more_seats_compute_at_once_than_the_floor_holds() -> None:
    together = threading.Barrier(3, timeout=20)

    def answer(_: str) -> str:
        together.wait()  # three are outside at once, or nobody comes back
        return "y"

    block = Busy()
    jury = jury_of([Scripted(answer, name=f"{n}") for n in range(9)], computing=2)
    assert decide(jury, block).status is Status.ACCEPTED
    assert block.most <= 2
    together.abort()
    jury.close()


def test_a_seat_that_fails_on_the_floor_leaves_it() -> None:
    class Failing(ToyBlock):
        def lead(self, io: SeatIO) -> Outcome:
            raise SystemExit if io.ask(self.prompt) == "exit" else JudgeError("unavailable", "down")

    jury = jury_of([Scripted(["exit", "no"], name=f"{n}") for n in range(5)], computing=1)
    for _ in range(6):
        assert decide(jury, Failing("q")).status is Status.UNDETERMINED
    assert decide(jury, ToyBlock("q")).status is Status.ACCEPTED
    jury.close()
