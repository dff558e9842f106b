"""One block in front of the jury: every seat finds its own answer, seats propose in turn, more than half decide.

ARCHITECTURE.md, step 4. All seats start at once. The seat whose turn it is proposes what it found; every other
seat checks the proposal against what it found itself. Nobody asks the world again for a second proposal, except a
seat whose own asking had failed.
"""

import logging
from collections.abc import Callable, Sequence
from functools import partial
from threading import Lock

from foreman.execution import Block, Code, Outcome
from foreman.node.alarm import Alarm
from foreman.node.errands import Errands
from foreman.node.floor import Floor, Over
from foreman.node.pool import Pool
from foreman.node.seats import Checking, Leading, Memory, Seat, Stand
from foreman.ports import SeatFailed
from foreman.receipt import Ballot, Decision, Round, Status, Vote

Tell = Callable[[int, int, str, Vote | None], None]
"""Live news: seat, round, stage (`asking`, `answered`, `voted`), vote."""

Voter = tuple[int, int]
"""A seat that may vote, and the turn it votes in."""

_log = logging.getLogger("foreman.jury")

GRACE = 0.1
"""Seconds that late seats get once the outcome stands, so that dissent is seen and not only outvoted."""


class Sitting:
    """The state of one block's jury. Methods run on pool threads; everything shared is behind one lock."""

    def __init__(
        self,
        number: int,
        block: Block,
        seats: Sequence[Seat],
        first: int,
        rotations: int,
        pool: Pool,
        alarm: Alarm,
        errands: Errands,
        floor: Floor,
        tell: Tell,
        done: Callable[[Decision], None],
    ) -> None:
        self._number = number
        self._block = block
        self._seats = seats
        self._order = [(first + turn) % len(seats) for turn in range(min(1 + rotations, len(seats)))]
        self._pool = pool
        self._alarm = alarm
        self._errands = errands
        self._floor = floor
        self._tell = tell
        self._done = done
        self._lock = Lock()
        self._memories = [Memory() for _ in seats]
        self._found: list[Outcome | SeatFailed | None] = [None] * len(seats)
        self._attempt = [0] * len(seats)
        self._turn = 0
        self._proposal: Outcome | None = None
        self._ballots: dict[int, Ballot] = {}
        self._rounds: list[Round] = []
        self._proposers_timed_out = 0
        self._grace = False
        self._over = False

    def start(self) -> None:
        for seat in self._seats:
            self._tell(seat.number, 0, "asking", None)
            self._pool.submit(self._lead, seat.number, 0)

    # on pool threads

    def _lead(self, seat: int, attempt: int) -> None:
        memory = Memory()
        stand = self._stand(
            lambda: self._over or self._attempt[seat] != attempt, partial(self._lost_leading, seat, attempt)
        )
        found: Outcome | SeatFailed
        try:
            found = stand.run(lambda: self._block.lead(Leading(self._seats[seat], memory, stand)))
        except SeatFailed as failure:
            found = failure
        except BaseException:  # noqa: BLE001  # a fault of ours must cost one seat, not the whole sitting
            _log.exception("seat %d failed on a block", seat)
            found = SeatFailed("internal_error: see the node's log")
        self._hear(seat, attempt, memory, found)

    def _hear(self, seat: int, attempt: int, memory: Memory, found: Outcome | SeatFailed) -> None:
        """A seat has come to an end, or is given up; what comes of an attempt after that is not heard."""
        with self._lock:
            if self._over or self._attempt[seat] != attempt:
                return
            self._attempt[seat] += 1
            self._memories[seat], self._found[seat] = memory, found
            self._tell(seat, self._turn, "answered", None)
            voters = self._heard_from(seat)
        self._check(voters)

    def _lost_leading(self, seat: int, attempt: int) -> None:
        """On the alarm's thread, which has no time to vote."""
        self._pool.submit(self._hear, seat, attempt, Memory(), _lost())

    def _lost_voting(self, seat: int, turn: int) -> None:
        self._pool.submit(self._hear_vote, turn, seat, Vote.TIMEOUT, _lost().reason)

    def _check(self, voters: list[Voter]) -> None:
        """Let seats vote: the last one on this thread, the others on threads of their own."""
        for seat, turn in voters[:-1]:
            self._pool.submit(self._vote, seat, turn)
        if voters:
            self._vote(*voters[-1])

    def _vote(self, seat: int, turn: int) -> None:
        with self._lock:
            proposal = self._proposal
            if self._over or self._turn != turn or proposal is None:
                return
        stand = self._stand(
            lambda: self._over or self._turn != turn or seat in self._ballots, partial(self._lost_voting, seat, turn)
        )
        vote, note = Vote.IDLE, ""
        try:
            checking = Checking(self._seats[seat], self._memories[seat], stand)
            agrees = stand.run(lambda: self._block.validate(proposal, checking))
            vote = Vote.AGREE if agrees else Vote.DISAGREE
        except SeatFailed as failure:
            vote, note = Vote.TIMEOUT if failure.timed_out else Vote.IDLE, failure.reason
        except BaseException:  # noqa: BLE001  # as above
            _log.exception("seat %d failed on a proposal", seat)
            note = "internal_error: see the node's log"
        self._hear_vote(turn, seat, vote, note)

    def _hear_vote(self, turn: int, seat: int, vote: Vote, note: str) -> None:
        """A seat votes, once a turn."""
        with self._lock:
            if self._over or self._turn != turn or seat in self._ballots:
                return
            self._cast(self._ballot(seat, vote, note))
            voters = self._count()
        self._check(voters)

    def _stand(self, over: Over, lost: Callable[[], None]) -> Stand:
        return Stand(over, lost, self._errands, self._floor)

    # under the lock

    def _heard_from(self, seat: int) -> list[Voter]:
        """A seat has found its answer: who may vote now?"""
        if self._proposal is not None:
            return self._may_vote([seat])
        if seat == self._order[self._turn]:
            return self._propose()
        return []

    def _propose(self) -> list[Voter]:
        """The seat whose turn it is has found something; a crash is never proposed to anybody."""
        found = self._found[self._order[self._turn]]
        if isinstance(found, SeatFailed):
            self._proposers_timed_out += found.timed_out
            return self._rotate()
        assert found is not None
        if found.code is Code.VM_ERROR:
            return self._rotate()
        self._proposal = found
        return self._may_vote([seat for seat, found in enumerate(self._found) if found is not None])

    def _may_vote(self, seats: list[int]) -> list[Voter]:
        """Of seats that have come to an end: those with an answer may vote, those without are counted out, and one
        whose own run has crashed never agrees.
        """
        voters = []
        for seat in seats:
            found = self._found[seat]
            if isinstance(found, SeatFailed):
                self._cast(self._ballot(seat, Vote.TIMEOUT if found.timed_out else Vote.IDLE, found.reason))
            elif found is not None and found.code is Code.VM_ERROR:
                self._cast(self._ballot(seat, Vote.DISAGREE, f"its own run ended in {found.text}"))
            else:
                voters.append((seat, self._turn))
        return self._count() or voters

    def _cast(self, ballot: Ballot) -> None:
        self._ballots[ballot.seat] = ballot
        self._tell(ballot.seat, self._turn, "voted", ballot.vote)

    def _count(self) -> list[Voter]:
        """Is it decided? More than half of all seats agree, or can no longer."""
        agree = sum(ballot.vote is Vote.AGREE for ballot in self._ballots.values())
        against = len(self._ballots) - agree
        if 2 * agree > len(self._seats):
            if len(self._ballots) == len(self._seats):
                self._finish(Status.ACCEPTED)
            elif not self._grace:
                self._grace = True
                self._alarm.after(GRACE, self._close_late)
            return []
        if 2 * (len(self._seats) - against) <= len(self._seats):
            return self._rotate()
        return []

    def _rotate(self) -> list[Voter]:
        """The next seat proposes; seats whose own I/O failed ask again."""
        self._close_round()
        self._turn += 1
        self._proposal = None
        if self._turn == len(self._order):
            all_timed_out = self._proposers_timed_out == len(self._order)
            self._finish(Status.LEADER_TIMEOUT if all_timed_out else Status.UNDETERMINED)
            return []
        for seat, found in enumerate(self._found):
            if isinstance(found, SeatFailed) or (found is not None and self._memories[seat].web_failed):
                self._found[seat] = None
                self._tell(seat, self._turn, "asking", None)
                self._pool.submit(self._lead, seat, self._attempt[seat])
        return self._propose() if self._found[self._order[self._turn]] is not None else []

    def _close_late(self) -> None:
        with self._lock:
            if not self._over:
                self._finish(Status.ACCEPTED)

    def _close_round(self) -> None:
        everyone = range(len(self._seats))
        ballots = tuple(self._ballots.get(seat) or self._silent(seat) for seat in everyone)
        self._rounds.append(Round(self._order[self._turn], ballots))
        self._ballots = {}

    def _silent(self, seat: int) -> Ballot:
        """A seat that was not heard in this round: late, failed, or with nothing to vote on."""
        found = self._found[seat]
        if isinstance(found, SeatFailed):
            return self._ballot(seat, Vote.TIMEOUT if found.timed_out else Vote.IDLE, found.reason)
        return self._ballot(seat, Vote.IDLE, "" if found else "late")

    def _ballot(self, seat: int, vote: Vote, note: str = "") -> Ballot:
        found = self._found[seat]
        own = found if isinstance(found, Outcome) else None
        return Ballot(seat, self._seats[seat].judge.name, vote, own, note, self._memories[seat].mapped)

    def _finish(self, status: Status) -> None:
        self._over = True
        outcome = self._proposal if status is Status.ACCEPTED else None
        if status is Status.ACCEPTED:
            self._close_round()
        self._done(Decision(self._number, status, outcome, tuple(self._rounds)))


def _lost() -> SeatFailed:
    return SeatFailed("timeout: its question never came back", timed_out=True)
