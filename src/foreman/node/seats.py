"""The seats of the jury: each has its own judge, its own fetcher, and keeps what it heard."""

import time
from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import BoundedSemaphore

from foreman.address import keccak256
from foreman.errors import JudgeError, WebError
from foreman.node.errands import Errands
from foreman.node.floor import NO_GATE, Floor, Gate, Over, wait_at
from foreman.node.measures import CountedFetcher, CountedJudge, Endings
from foreman.ports import Fetcher, Judge, SeatFailed, WebRequest, WebResponse

Heard = WebResponse | WebError | str
"""What a seat got for one request: a page, why there is none, or a judge's answer."""

FETCH_SECONDS = 20.0
"""What a fetcher promises (docs/judges.md)."""


class Stand:
    """Where a seat stands during one run: is it still needed, has it the floor, what does it wait for?

    `lost` is called when a question of this run never comes back.
    """

    __slots__ = ("_errands", "_floor", "_lost", "_on", "over")

    def __init__(self, over: Over, lost: Callable[[], None], errands: Errands, floor: Floor) -> None:
        self.over = over
        self._lost = lost
        self._errands = errands
        self._floor = floor
        self._on = False

    def run[T](self, work: Callable[[], T]) -> T:
        """Do what a seat does, on the floor. Raises `SeatFailed` for a seat that nobody waits for any more."""
        self._come()
        try:
            return work()
        finally:
            if self._on:
                self._floor.leave()

    def outside[T](self, question: Callable[[], T], seconds: float, endings: Endings, gate: Gate = NO_GATE) -> T:
        """Ask the world something that promises an answer in so many seconds, behind a gate. The floor is left
        meanwhile. Waiting at the gate does not count. One that never comes back is counted among the endings. Raises
        `SeatFailed` as `run` does, and what the question raises.
        """
        if self._on:
            self._floor.leave()
            self._on = False
        try:
            if self.over() or not wait_at(gate, self.over):
                raise late()
            return self._ask(question, seconds, endings, gate)
        finally:
            self._come()

    def _come(self) -> None:
        self._on = not self.over() and self._floor.take(self.over)
        if not self._on:
            raise late()

    def _ask[T](self, question: Callable[[], T], seconds: float, endings: Endings, gate: Gate) -> T:
        def lost() -> None:
            gate.release()
            endings.add("timeout", seconds)
            self._lost()

        try:
            errand = self._errands.begin(seconds, lost)
        except SeatFailed:
            gate.release()
            raise
        try:
            return question()
        finally:
            if self._errands.end(errand):
                gate.release()


def late() -> SeatFailed:
    return SeatFailed("late: the others have decided")


@dataclass(frozen=True, slots=True, eq=False)
class Seat:
    """One member of the jury. `gate` lets in as many questions as its judge takes at once."""

    number: int
    judge: CountedJudge
    fetcher: CountedFetcher
    gate: BoundedSemaphore
    delay: float = 0.0
    """Seconds before its first fetch of a sitting, so that a small host is not hit by the whole jury at once."""

    @property
    def address(self) -> bytes:
        """A name for its votes in the form of an address; no key belongs to it."""
        return seat_address(self.number)

    def web(self, request: WebRequest, stand: Stand, delay: float = 0.0) -> WebResponse:
        """Raises `WebError`, and `SeatFailed` for a seat that nobody waits for any more."""

        def fetch() -> WebResponse:
            if delay:
                time.sleep(delay)
            return self.fetcher.fetch(request)

        return stand.outside(fetch, FETCH_SECONDS + delay, self.fetcher.endings)

    def ask(self, prompt: str, images: tuple[bytes, ...], stand: Stand) -> str:
        """Raises `SeatFailed`. Waiting at the gate does not count against the judge's deadline. A seat that is not
        needed any more leaves the gate: behind a judge that hangs, every thread would end up waiting.
        """
        judge = self.judge
        try:
            return stand.outside(lambda: judge.answer(prompt, images), judge.seconds, judge.endings, self.gate)
        except JudgeError as error:
            raise SeatFailed(f"{error.code}: {error.sentence}", timed_out=error.code == "timeout") from error


def seat_address(number: int) -> bytes:
    return keccak256(b"foreman seat %d" % number)[12:]


def seat_table(count: int, judges: Sequence[Judge], fetchers: Sequence[Fetcher], spread: float = 0.0) -> list[Seat]:
    """Deal judges and fetchers to the seats in turn; seats that share a judge share its gate. Their first fetches are
    spread over `spread` seconds.
    """
    gates = {judge.name: BoundedSemaphore(judge.concurrency) for judge in judges}
    endings = {judge.name: Endings() for judge in judges}
    panel = [CountedJudge(judge, endings[judge.name]) for judge in judges]
    pages = Endings()
    web = [CountedFetcher(fetcher, pages) for fetcher in fetchers]
    return [
        Seat(number, judge, web[number % len(web)], gates[judge.name], spread * number / count)
        for number in range(count)
        for judge in [panel[number % len(panel)]]
    ]


class Memory:
    """What one seat heard while it led one block: every request with its answer, in order."""

    def __init__(self) -> None:
        self.heard: list[tuple[object, Heard]] = []

    @property
    def web_failed(self) -> bool:
        """Its own fetch failed: worth another try in the next round."""
        return any(isinstance(answer, WebError) for _, answer in self.heard)

    @property
    def mapped(self) -> str:
        """The loopback addresses that pages came from, empty for the open web."""
        found = (answer.mapped for _, answer in self.heard if isinstance(answer, WebResponse))
        return ", ".join(sorted({address for address in found if address}))

    def by_request(self) -> Mapping[object, deque[Heard]]:
        served: dict[object, deque[Heard]] = defaultdict(deque)
        for request, answer in self.heard:
            served[request].append(answer)
        return served


class Leading:
    """A seat's I/O while it runs `leader_fn`: everything is asked live and kept."""

    def __init__(self, seat: Seat, memory: Memory, stand: Stand) -> None:
        self._seat = seat
        self._keep = memory.heard.append
        self._stand = stand
        self._delay = seat.delay

    def web(self, request: WebRequest) -> WebResponse:
        delay, self._delay = self._delay, 0.0
        try:
            page = self._seat.web(request, self._stand, delay)
        except WebError as error:
            self._keep((request.key, error))
            raise
        self._keep((request.key, page))
        return page

    def ask(self, prompt: str, images: tuple[bytes, ...] = ()) -> str:
        answer = self._seat.ask(prompt, images, self._stand)
        self._keep((("ask", prompt, images), answer))
        return answer


class Checking:
    """A seat's I/O while it runs `validator_fn`: its kept answers, each once and in order; the rest is asked live."""

    def __init__(self, seat: Seat, memory: Memory, stand: Stand) -> None:
        self._seat = seat
        self._kept = memory.by_request()
        self._stand = stand

    def web(self, request: WebRequest) -> WebResponse:
        kept = self._kept.get(request.key)
        if not kept:
            return self._seat.web(request, self._stand)
        answer = kept.popleft()
        if isinstance(answer, WebError):
            raise answer
        assert isinstance(answer, WebResponse)
        return answer

    def ask(self, prompt: str, images: tuple[bytes, ...] = ()) -> str:
        kept = self._kept.get(("ask", prompt, images))
        if not kept:
            return self._seat.ask(prompt, images, self._stand)
        answer = kept.popleft()
        assert isinstance(answer, str)
        return answer
