"""Test doubles of one transaction: answers, pages and a date that its sender brought along. They come in `sim_config`
(docs/genlayer.md 9.4), and only a network started with `--test-doubles` takes them.

They are not kept on disk: what still waits when a node is started again is judged by the network's own seats.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import BoundedSemaphore
from typing import Any

from foreman.errors import JudgeError, WebError
from foreman.node.measures import CountedFetcher, CountedJudge, Endings
from foreman.node.seats import Seat
from foreman.ports import WebRequest, WebResponse

COMPARATIVE = "Two validators did the same work on their own."
ACCEPTABLE = "Somebody performed the task on the input."
"""How the questions of `gl.eq_principle` begin; a test asks the runtime's own."""


@dataclass(frozen=True, slots=True)
class DoubledJudge:
    """Answers with what is written for the first key that stands in the prompt."""

    answers: Mapping[str, Any]
    comparative: Mapping[str, Any]
    """Principles, and whether answers are equivalent under them."""
    acceptable: Mapping[str, Any]
    """Tasks or criteria, and whether a text satisfies them."""
    name: str = "double"
    concurrency: int = 64
    seconds: float = 10.0

    def answer(self, prompt: str, images: tuple[bytes, ...] = ()) -> str:
        """Raises `JudgeError` `no_provider` when no key stands in the prompt."""
        text = prompt.replace("\n| ", "\n")  # as it was before the fence
        about = self.comparative if COMPARATIVE in text else self.acceptable if ACCEPTABLE in text else None
        for key, value in (self.answers if about is None else about).items():
            if key in text:
                value = value if about is None else {"result": value}
                return value if isinstance(value, str) else json.dumps(value)
        raise JudgeError("no_provider", "no mock of this validator answers the prompt")


@dataclass(frozen=True, slots=True)
class DoubledWeb:
    """Serves the pages that are written down: address to method, status and body."""

    pages: Mapping[str, WebResponse]
    methods: Mapping[str, str]

    def fetch(self, request: WebRequest) -> WebResponse:
        """Raises `WebError` `dns_failed` for any other address or method."""
        if self.methods.get(request.url) != request.method.upper():
            raise WebError("dns_failed", "no mock of this validator has the page")
        return self.pages[request.url]


@dataclass(frozen=True, slots=True)
class Double:
    """One validator; what it does not bring along is the network's own."""

    judge: DoubledJudge | None = None
    web: DoubledWeb | None = None


@dataclass(frozen=True, slots=True)
class Doubles:
    """What one transaction brought along. `at` is the time its contract sees, in microseconds since 1970."""

    validators: tuple[Double, ...] = ()
    at: int | None = None

    def jury(self, own: Sequence[Seat]) -> Sequence[Seat]:
        """One seat per validator, on the network's own seats in turn; without validators these themselves."""
        return [_seat(number, double, own[number % len(own)]) for number, double in enumerate(self.validators)] or own


NO_DOUBLES = Doubles()


def _seat(number: int, double: Double, own: Seat) -> Seat:
    judge, gate = own.judge, own.gate
    if double.judge is not None:
        judge, gate = CountedJudge(double.judge, Endings()), BoundedSemaphore(double.judge.concurrency)
    web = own.fetcher if double.web is None else CountedFetcher(double.web, Endings())
    return Seat(number, judge, web, gate, own.delay)
