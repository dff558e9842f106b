"""The jury's rule as a table: what the seats find, who proposes, and how it ends."""

from queue import SimpleQueue
from threading import Event

import pytest

from foreman.errors import JudgeError, WebError
from foreman.execution import Outcome
from foreman.fetch.replay import Scripted as Pages
from foreman.judges.scripted import HANG, Scripted
from foreman.ledger import Change
from foreman.node.feed import Feed
from foreman.node.jury import Jury
from foreman.node.seats import seat_table
from foreman.ports import SeatIO, WebResponse
from foreman.receipt import Decision, Status, Vote
from tests.node.toy import ToyBlock

HUNG = JudgeError("timeout", "it hung")
HUNG_PAGE = WebError("timeout", "no answer")
DOWN = JudgeError("unavailable", "it is down")
A, D, T, I = Vote.AGREE, Vote.DISAGREE, Vote.TIMEOUT, Vote.IDLE  # noqa: E741  # one letter a seat, so that rows line up


def sit(answers: list[object], prompt: str = "q", pages: Pages | None = None) -> Decision:
    """Seat one scripted judge per answer and decide one block."""
    judges = [Scripted([answer], name=f"judge {seat}") for seat, answer in enumerate(answers)]
    jury = Jury(seat_table(len(answers), judges, [pages or Pages({})]), 3, at_once=4)
    done: SimpleQueue[Decision] = SimpleQueue()
    jury.decide(0, ToyBlock(prompt), 0, lambda *_: None, done.put)
    decision = done.get(timeout=10)
    jury.close()
    return decision


@pytest.mark.parametrize(
    ("answers", "status", "value", "rounds"),
    [
        pytest.param(["y"] * 5, Status.ACCEPTED, "y", [(0, [A] * 5)], id="all agree"),
        pytest.param(
            ["y", "y", "y", "n", "n"], Status.ACCEPTED, "y", [(0, [A, A, A, D, D])],
            id="three of five decide",
        ),
        pytest.param(
            ["n", "y", "y", "y", "y"], Status.ACCEPTED, "y",
            [(0, [A, D, D, D, D]), (1, [D, A, A, A, A])],
            id="a lying leader is voted down and the next one proposes",
        ),
        pytest.param(
            ["a", "b", "c", "d", "e"], Status.UNDETERMINED, None,
            [(0, [A, D, D, D, D]), (1, [D, A, D, D, D]), (2, [D, D, A, D, D]), (3, [D, D, D, A, D])],
            id="five opinions settle nothing",
        ),
        pytest.param(
            ["y", "y", DOWN, DOWN, "y"], Status.ACCEPTED, "y", [(0, [A, A, I, I, A])],
            id="C013 two judges down",
        ),
        pytest.param(["y", "y", HUNG, "y", HUNG], Status.ACCEPTED, "y", [(0, [A, A, T, A, T])], id="two judges hang"),
        pytest.param(
            [HUNG, "y", "y", "y", "y"], Status.ACCEPTED, "y", [(0, None), (1, [T, A, A, A, A])],
            id="a hung leader",
        ),
        pytest.param(
            ["y", "y", DOWN, DOWN, DOWN], Status.UNDETERMINED, None, None,
            id="three judges down settle nothing",
        ),
        pytest.param([HUNG] * 5, Status.LEADER_TIMEOUT, None, None, id="everybody hangs"),
        pytest.param(["crash"] * 5, Status.UNDETERMINED, None, None, id="C001 the same crash is no agreement"),
        pytest.param(["error:no"] * 5, Status.ACCEPTED, None, [(0, [A] * 5)], id="a shared error is agreed upon"),
        pytest.param(["y"], Status.ACCEPTED, "y", [(0, [A])], id="a jury of one"),
        pytest.param(["y", "y", "n", "n"], Status.UNDETERMINED, None, None, id="half is not a majority"),
    ],
)  # fmt: skip
def test_more_than_half_of_all_seats_decide(
    answers: list[object], status: Status, value: str | None, rounds: list[tuple[int, list[Vote] | None]] | None
) -> None:
    decision = sit(answers)
    assert decision.status is status
    assert (decision.outcome is not None) is (status is Status.ACCEPTED)
    if value is not None:
        assert decision.outcome is not None
        assert decision.outcome.value == value
    if rounds is None:
        assert len(decision.rounds) == min(4, len(answers))
        return
    assert [turn.leader for turn in decision.rounds] == [leader for leader, _ in rounds]
    for turn, (_, votes) in zip(decision.rounds, rounds, strict=True):
        got = [ballot.vote for ballot in turn.ballots]
        # A seat whose vote could no longer change the outcome may be shown as idle; it is never shown as agreeing.
        assert votes is None or all(v in (want, Vote.IDLE) for v, want in zip(got, votes, strict=True)), got


def test_every_ballot_shows_the_seats_own_answer() -> None:
    decision = sit(["y", "y", "y", "n", "n"])
    own = [ballot.own.value if ballot.own else None for ballot in decision.rounds[-1].ballots]
    assert own == ["y", "y", "y", "n", "n"]
    assert [ballot.judge for ballot in decision.rounds[-1].ballots] == [f"judge {seat}" for seat in range(5)]


def test_a_seat_asks_the_world_once_however_many_rounds_there_are() -> None:
    judges = [Scripted(answer, name=answer) for answer in "abcde"]
    jury = Jury(seat_table(5, judges, [Pages({})]), 3, at_once=1)
    done: SimpleQueue[Decision] = SimpleQueue()
    jury.decide(0, ToyBlock("q"), 0, lambda *_: None, done.put)
    assert done.get(timeout=10).status is Status.UNDETERMINED
    asked = [judge.count for judge in judges]
    assert asked[:4] == [1] * 4, "every seat that has proposed"
    assert asked[4] <= 1, "the fifth may find it decided before it begins"
    jury.close()


def test_a_seat_whose_fetch_failed_tries_again_in_the_next_round() -> None:
    pages = [Pages([b"x"]), *(Pages([HUNG_PAGE, b"y"]) for _ in range(4))]
    judges = [Scripted("unused")]
    jury = Jury(seat_table(5, judges, pages), 3, at_once=1)
    done: SimpleQueue[Decision] = SimpleQueue()
    jury.decide(0, ToyBlock("http://a.example/"), 0, lambda *_: None, done.put)
    decision = done.get(timeout=10)
    assert decision.outcome is not None
    assert decision.outcome.value == b"y"
    asked = [page.count for page in pages]
    assert asked[0] == 1, "a seat that has its page does not fetch again"
    assert asked[1] == 2, "the proposer had failed, so it fetched again"
    assert max(asked) == 2
    jury.close()


def test_late_seats_are_idle_and_do_not_hold_up_the_decision() -> None:
    hold = Event()

    def slow(_: str) -> str:
        assert hold.wait(20)
        return "y"

    judges = [
        Scripted("y"),
        Scripted("y", name="b"),
        Scripted("y", name="c"),
        Scripted(slow, name="d"),
        Scripted(slow, name="e"),
    ]
    jury = Jury(seat_table(5, judges, [Pages({})]), 3, at_once=1)
    done: SimpleQueue[Decision] = SimpleQueue()
    jury.decide(0, ToyBlock("q"), 0, lambda *_: None, done.put)
    decision = done.get(timeout=10)
    hold.set()
    assert decision.status is Status.ACCEPTED
    assert [ballot.vote for ballot in decision.rounds[0].ballots] == [A, A, A, I, I]
    assert decision.rounds[0].ballots[4].note == "late"
    jury.close()


def test_blocks_beyond_the_limit_wait_their_turn() -> None:
    hold = Event()

    def slow(_: str) -> str:
        assert hold.wait(20)
        return "y"

    jury = Jury(seat_table(1, [Scripted(slow)], [Pages({})]), 3, at_once=2)
    done: SimpleQueue[Decision] = SimpleQueue()
    for number in range(5):
        jury.decide(number, ToyBlock("q"), 0, lambda *_: None, done.put)
    assert jury.waiting == 3
    hold.set()
    assert {done.get(timeout=10).block for _ in range(5)} == set(range(5))
    assert jury.waiting == 0
    jury.close()


def test_mapped_pages_are_shown_on_the_ballot() -> None:
    pages = Pages([WebResponse(200, {}, b"x", mapped="127.0.0.1:8080")])
    decision = sit(["unused"] * 3, prompt="http://a.example/", pages=pages)
    assert {ballot.mapped for ballot in decision.rounds[0].ballots} == {"127.0.0.1:8080"}


class Lenient(ToyBlock):
    """Its validator agrees to everything, whatever the seat found by itself."""

    def validate(self, proposal: Outcome, io: SeatIO) -> bool:
        return True


class Fatal(ToyBlock):
    """Some seats meet an end that is no error of Python's ordinary kind."""

    def lead(self, io: SeatIO) -> Outcome:
        if io.ask(self.prompt) == "exit":
            raise SystemExit
        return Outcome.returned("y")

    def validate(self, proposal: Outcome, io: SeatIO) -> bool:
        if io.ask(self.prompt) == "quit":
            raise KeyboardInterrupt
        return True


def decide(jury: Jury, block: ToyBlock) -> Decision:
    done: SimpleQueue[Decision] = SimpleQueue()
    jury.decide(0, block, 0, lambda *_: None, done.put)
    return done.get(timeout=10)


def test_a_seat_whose_own_run_crashed_never_agrees() -> None:
    judges = [Scripted(answer, name=f"{seat}") for seat, answer in enumerate(["y", "y", "crash", "crash", "crash"])]
    jury = Jury(seat_table(5, judges, [Pages({})]), 3, at_once=1)
    decision = decide(jury, Lenient("q"))
    assert decision.status is Status.UNDETERMINED
    for turn in decision.rounds:
        assert all(ballot.vote is not A for ballot in turn.ballots if ballot.seat > 1)
    jury.close()


def test_a_seat_that_ends_in_no_ordinary_way_costs_only_itself() -> None:
    judges = [Scripted(answer, name=f"{seat}") for seat, answer in enumerate(["exit", "y", "y", "y", "quit"])]
    jury = Jury(seat_table(5, judges, [Pages({})]), 3, at_once=1)
    decision = decide(jury, Fatal("q"))
    assert (decision.status, decision.rounds[-1].leader) == (Status.ACCEPTED, 1)
    assert [ballot.vote for ballot in decision.rounds[-1].ballots][1:4] == [A, A, A]
    jury.close()


def test_a_hung_judge_with_a_queue_does_not_hold_up_the_others() -> None:
    """Seats that wait at its gate go home when their sitting is over; else every thread would end up waiting there."""
    hung = Scripted([HANG], name="hung", concurrency=1)
    judges = [Scripted("y", name="a"), Scripted("y", name="b"), hung]
    jury = Jury(seat_table(3, judges, [Pages({})]), 3, at_once=2)
    threads = 2 * 2 * 3
    for _ in range(2 * threads):
        assert decide(jury, ToyBlock("q")).status is Status.ACCEPTED
    assert hung.count == 1, "the others never got to it"
    hung.release()
    jury.close()


def test_a_listener_that_fails_harms_nobody() -> None:
    def tell(*_: object) -> None:
        raise ZeroDivisionError

    feed = Feed()
    heard: list[object] = []
    feed.subscribe(tell)
    feed.subscribe(heard.extend)
    feed.publish([Change(1, b"", Status.PENDING, 1)])
    assert len(heard) == 1


def test_questions_of_the_last_hour_are_counted_and_older_ones_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr("foreman.node.jury.time.monotonic", lambda: now[0])
    jury = Jury(seat_table(3, [Scripted("y")], [Pages({})]), 3, at_once=2)
    for _ in range(4):
        decide(jury, ToyBlock("q"))
        now[0] += 1300.0
    assert jury.calls_last_hour() == 2 * 3
    decide(jury, ToyBlock("q"))
    assert len(jury._started) == 3, "what nobody asks for is not kept either"
    jury.close()
