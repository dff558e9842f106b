"""What the node needs from the outside world, on one page. One conformance suite in `tests/ports/` per port."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class WebRequest:
    """One HTTP request of one seat. Headers are text; `body` is bytes or None."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """What makes two requests the same one, when a seat is served the answer it kept."""
        return ("web", self.method, self.url, tuple(sorted(self.headers.items())), self.body)


@dataclass(frozen=True, slots=True)
class WebResponse:
    """What came back. `headers` have lower-case names. `body` is decompressed and at most the fetcher's byte limit."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    truncated: bool = False
    """The body was longer than the byte limit and reading stopped there."""
    mapped: str = ""
    """`host:port` the host map sent this request to, empty for the open web. Shown wherever evidence is shown."""


class SeatFailed(BaseException):
    """A seat cannot go on: its judge did not answer, or time ran out. Not an `Exception`, so no contract can turn the
    failure of one seat into an answer. `timed_out` tells a hung seat from a broken one.
    """

    def __init__(self, reason: str, timed_out: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.timed_out = timed_out


class SeatIO(Protocol):
    """What a block may ask of the world, through the seat that runs it."""

    def web(self, request: WebRequest) -> WebResponse:
        """Fetch. Raises `WebError`, which the contract sees as `gl.nondet.NondetException`."""

    def ask(self, prompt: str, images: tuple[bytes, ...] = ()) -> str:
        """Ask this seat's judge. Raises `SeatFailed`."""


class Fetcher(Protocol):
    """The web, behind a guard."""

    def fetch(self, request: WebRequest) -> WebResponse:
        """Fetch within the hard total deadline (20 s). Raises `WebError` with a stable code."""


class Judge(Protocol):
    """Answers a prompt. One file per provider in `judges/`."""

    @property
    def name(self) -> str:
        """As it is written in `--judge`, for example `ollama:qwen3`; never holds a key."""

    @property
    def concurrency(self) -> int:
        """How many questions it takes at once; the rest queue, and queueing does not count against the deadline."""

    @property
    def seconds(self) -> float:
        """Its hard total deadline. A seat whose question is ten seconds later than that is given up."""

    def answer(self, prompt: str, images: tuple[bytes, ...] = ()) -> str:
        """Answer within the hard total deadline (`seconds`). Raises `JudgeError`; code `timeout` when time ran out."""


class Clock(Protocol):
    """Wall time, which a development network may turn forward."""

    def now(self) -> int:
        """Microseconds since 1970 (UTC)."""
