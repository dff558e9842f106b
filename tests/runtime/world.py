"""A state in memory with contracts on it: deploy, call, read and judge, without a network."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from foreman import calldata
from foreman.errors import WebError
from foreman.execution import Answer, Asking, Call, Execution, Finished, Outcome
from foreman.ports import SeatFailed, WebRequest, WebResponse
from foreman.runtime.memory import MemoryState
from foreman.runtime.runtime import ContractRuntime

CONTRACTS = Path(__file__).parent / "contracts"
HEADER = '# v0.2.16\n# { "Depends": "py-genlayer:test" }\n'
PRELUDE = HEADER + "from dataclasses import dataclass, field\nimport typing\nfrom genlayer import *\n\n"

ALICE, BOB = b"\xa1" * 20, b"\xb0" * 20
NOON = 1_732_603_362_424_242
"""2024-11-26T06:42:42.424242Z, the time of the official test data (docs/genlayer.md 5.2)."""


@dataclass
class World:
    """One runtime on one state. Contracts get the addresses 01.., 02.., and so on."""

    state: MemoryState = field(default_factory=MemoryState)
    runtime: ContractRuntime = field(default_factory=lambda: ContractRuntime(lambda digest: True))
    chain_id: int = 61999
    at: int = NOON

    def __post_init__(self) -> None:
        self.deployed = 0

    def deploy(self, source: str, *args: Any, sender: bytes = ALICE, value: int = 0, **kwargs: Any) -> bytes:
        """Deploy a source (a body gets the usual head) and commit. Returns the address."""
        code = (source if source.startswith("#") else PRELUDE + source).encode()
        self.deployed += 1
        address = bytes([self.deployed]) * 20
        finished = self.finish(self.start(address, None, args, kwargs, sender, value, code=code))
        assert finished.outcome.ok, (finished.outcome, finished.stderr)
        self.commit(address, finished, value)
        return address

    def start(
        self,
        contract: bytes,
        method: str | None,
        args: Sequence[Any] = (),
        kwargs: dict[str, Any] | None = None,
        sender: bytes = ALICE,
        value: int = 0,
        *,
        code: bytes | None = None,
        readonly: bool = False,
        errored: bool = False,
        answers: Sequence[Answer] = (),
        raw: bytes | None = None,
    ) -> Execution:
        """One run, nothing committed."""
        data = calldata.encode_call(method, args, kwargs) if raw is None else raw
        call = Call(contract, sender, sender, value, self.chain_id, self.at, data, code, readonly, errored)
        return self.runtime.run(call, self.state, answers)

    def call(self, contract: bytes, method: str, *args: Any, commit: bool = True, **options: Any) -> Finished:
        """Run a method and commit what it changed, if it returned."""
        finished = self.finish(self.start(contract, method, args, **options))
        if commit and finished.outcome.ok:
            self.commit(contract, finished, options.get("value", 0))
        return finished

    def ok(self, contract: bytes, method: str, *args: Any, **options: Any) -> Any:
        """The value a committed call returned."""
        finished = self.call(contract, method, *args, **options)
        assert finished.outcome.ok, (finished.outcome, finished.stderr)
        return finished.outcome.value

    def error(self, contract: bytes, method: str, *args: Any, **options: Any) -> tuple[str, str]:
        """The outcome's text and the stderr of a call that fails."""
        finished = self.call(contract, method, *args, **options)
        assert not finished.outcome.ok, finished.outcome.value
        return finished.outcome.text, finished.stderr

    def read(self, contract: bytes, method: str, *args: Any, **options: Any) -> Any:
        """The value of a read."""
        return self.ok(contract, method, *args, readonly=True, commit=False, **options)

    def ask(self, contract: bytes, method: str, *args: Any, **options: Any) -> Asking:
        """Run a method up to its first unanswered block."""
        asking = self.start(contract, method, args, **options)
        assert isinstance(asking, Asking), asking
        return asking

    def finish(self, execution: Execution) -> Finished:
        assert isinstance(execution, Finished), execution
        return execution

    def commit(self, contract: bytes, finished: Finished, value: int = 0) -> None:
        self.state.credit(contract, value)
        self.state.apply(contract, finished.effects)

    def judged(self, contract: bytes, method: str, *args: Any, io: Any = None, **options: Any) -> Finished:
        """Run a method, answering each block by its leader, until it finishes; nothing is committed."""
        answers: list[Answer] = []
        for _ in range(10):
            execution = self.start(contract, method, args, answers=answers, **options)
            if isinstance(execution, Finished):
                return execution
            answers.append(Answer(execution.block.fingerprint, execution.block.lead(io or Seat())))
        raise AssertionError("the run asks without end")


@dataclass
class Seat:
    """A seat's I/O from a script: pages by URL, and the answers to prompts in turn or by a function."""

    pages: dict[str, bytes | WebResponse] = field(default_factory=dict)
    answers: list[str] | Callable[[str], str] = field(default_factory=list)
    broken: bool = False

    def __post_init__(self) -> None:
        self.requests: list[WebRequest] = []
        self.prompts: list[str] = []
        self.images: list[tuple[bytes, ...]] = []

    def web(self, request: WebRequest) -> WebResponse:
        self.requests.append(request)
        page = self.pages.get(request.url)
        if page is None:
            raise WebError("unreachable", f"{request.url} cannot be reached")
        return page if isinstance(page, WebResponse) else WebResponse(200, {"content-type": "text/html"}, page)

    def ask(self, prompt: str, images: tuple[bytes, ...] = ()) -> str:
        self.prompts.append(prompt)
        self.images.append(images)
        if self.broken:
            raise SeatFailed("the judge is out")
        return self.answers(prompt) if callable(self.answers) else self.answers.pop(0)


def agreed(asking: Asking, outcome: Outcome) -> Answer:
    """The answer to what was asked."""
    return Answer(asking.block.fingerprint, outcome)
