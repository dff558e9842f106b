"""Runs a contract in this process, one call at a time, with mocked pages and judges: what the `direct_*` fixtures give.

The names are those of genlayer-test's direct mode (docs/genlayer.md 9.1 to 9.3), so a test file runs under both. Unlike
there, a failed call leaves no trace, value moves between accounts, and only payable methods take any.
"""

import contextlib
import copy
import hashlib
import json
import re
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from foreman import calldata
from foreman.address import Address, checksum
from foreman.errors import WebError
from foreman.execution import Answer, Asking, Block, Call, Code, Emission, Finished, Outcome
from foreman.ports import WebRequest, WebResponse
from foreman.runtime.memory import MemoryState
from foreman.runtime.runtime import ContractRuntime

CHAIN_ID = 1
"""As in genlayer-test's direct mode (docs/genlayer.md 9.3)."""

MAX_BLOCKS = 16
"""Blocks one call may meet before the test is told that it loops."""

Party = bytes | Address | str


class Reverted(Exception):
    """The contract refused with a sentence, `gl.vm.UserError`; printed as that prints itself."""

    def __init__(self, message: str) -> None:
        super().__init__(f"UserError(message={message!r})")
        self.message = message


class Crashed(Exception):
    """The run ended in a VM error, such as an uncaught exception. The text is what the network would say, and why."""


class MockNotFoundError(Exception):
    """A page or prompt that no mock answers."""


@dataclass(slots=True)
class Mock:
    """One mocked page or answer; `used` counts how often it was asked."""

    pattern: re.Pattern[str]
    answer: Any
    method: str = "GET"
    used: int = 0


@dataclass(slots=True)
class Captured:
    """A block that was decided: what a validator would be asked about it."""

    block: Block
    outcome: Outcome


@dataclass
class Mocks:
    """What the world answers: the first mock that matches, in the order of registration. One seat's `SeatIO`."""

    pages: list[Mock] = field(default_factory=list)
    answers: list[Mock] = field(default_factory=list)
    requests: list[WebRequest] = field(default_factory=list)
    """Every page that was asked for, in order."""
    prompts: list[str] = field(default_factory=list)
    """Every prompt that was asked, in order."""

    def mock_web(self, url: str, response: Mapping[str, Any]) -> None:
        """Answer URLs in which a pattern is found: `{"status", "body"}`, or `{"method", "response": {...}}` with
        headers. `{"error": code}` makes the fetch fail, which genlayer-test cannot.
        """
        answer = dict(response.get("response") or response)
        self.pages.append(Mock(re.compile(url), answer, str(response.get("method", "GET")).upper()))

    def mock_llm(self, prompt: str, response: Any) -> None:
        """Answer prompts in which a pattern is found, with text, or with anything else as JSON."""
        self.answers.append(Mock(re.compile(prompt), response))

    def web(self, request: WebRequest) -> WebResponse:
        """A seat's fetch. Raises `MockNotFoundError`, or `WebError` where a mock says so."""
        self.requests.append(request)
        for mock in self.pages:
            if mock.method == request.method and mock.pattern.search(request.url):
                mock.used += 1
                return _response(mock.answer)
        raise MockNotFoundError(f"No web mock for {request.method} {request.url}")

    def ask(self, prompt: str, images: tuple[bytes, ...] = ()) -> str:
        """A seat's question. Raises `MockNotFoundError`."""
        self.prompts.append(prompt)
        for mock in self.answers:
            if mock.pattern.search(prompt):
                mock.used += 1
                return mock.answer if isinstance(mock.answer, str) else json.dumps(mock.answer)
        raise MockNotFoundError(f"No LLM mock for prompt: {prompt[:200]}")

    def unused(self) -> list[Mock]:
        return [mock for mock in (*self.pages, *self.answers) if not mock.used]


class DirectVM:
    """One test's chain: a state in memory, a clock that stands until it is warped, a sender, and mocks."""

    def __init__(self) -> None:
        self.state = MemoryState()
        self.mocks = Mocks()
        self.now = time.time_ns() // 1000
        self.value = 0
        self.minted = 0
        """Wei that `deal` made, and what senders lacked for the value they attached: all there is."""
        self.captured: list[Captured] = []
        self.decide: Callable[[Block], Outcome] = self._lead
        """How a block is decided; by default the leader's own outcome counts, as in genlayer-test."""
        self.strict_mocks = False
        self.check_pickling = False
        self._sender = create_address("default_sender")
        self._origin: bytes | None = None
        self._pranks: list[bytes] = []
        self._snapshots: dict[int, dict[str, Any]] = {}

    # -- who, when, how much

    @property
    def sender(self) -> bytes:
        return self._pranks[-1] if self._pranks else self._sender

    @sender.setter
    def sender(self, who: Party) -> None:
        self._sender = raw_address(who)

    @property
    def origin(self) -> bytes:
        return self._sender if self._origin is None else self._origin

    @origin.setter
    def origin(self, who: Party) -> None:
        self._origin = raw_address(who)

    def startPrank(self, who: Party) -> None:  # the name that tests use
        """Act as somebody else until `stopPrank`; the origin stays."""
        self._pranks.append(raw_address(who))

    def stopPrank(self) -> None:  # the name that tests use
        if not self._pranks:
            raise RuntimeError("no prank to stop")
        self._pranks.pop()

    @contextlib.contextmanager
    def prank(self, who: Party) -> Iterator[None]:
        """Act as somebody else inside the block."""
        self.startPrank(who)
        try:
            yield
        finally:
            self._pranks.pop()

    def warp(self, moment: str) -> None:
        """Set the time, ISO 8601; without an offset it is UTC."""
        read = datetime.fromisoformat(moment)
        aware = read if read.tzinfo else read.replace(tzinfo=UTC)
        self.now = round(aware.timestamp() * 1_000_000)

    def deal(self, who: Party, wei: int) -> None:
        """Set a balance."""
        change = wei - self.balance_of(who)
        self.minted += change
        self.state.credit(raw_address(who), change)

    def balance_of(self, who: Party) -> int:
        """Wei an account or contract holds. genlayer-test has no such thing: tests of balances are marked."""
        return self.state.balance(raw_address(who))

    # -- the world

    def mock_web(self, url: str, response: Mapping[str, Any]) -> None:
        self.mocks.mock_web(url, response)

    def mock_llm(self, prompt: str, response: Any) -> None:
        self.mocks.mock_llm(prompt, response)

    def clear_mocks(self) -> None:
        """Forget every mock. With `strict_mocks`, a RuntimeWarning for each that nobody asked."""
        if self.strict_mocks:
            for mock in self.mocks.unused():
                warnings.warn(f"mock never used: {mock.pattern.pattern}", RuntimeWarning, stacklevel=2)
        self.mocks.pages.clear()
        self.mocks.answers.clear()

    # -- what a test looks at

    @contextlib.contextmanager
    def expect_revert(self, message: str | None = None) -> Iterator[None]:
        """Pass if the block fails, with a text that contains `message`."""
        try:
            yield
        except AssertionError:
            raise
        except Exception as error:  # whatever a contract dies of is a revert
            if message is not None and message not in str(error):
                raise AssertionError(f"reverted with {error}, not with {message!r}") from error
            return
        raise AssertionError("expected a revert, and there was none")

    def run_validator(
        self, *, leader_result: Any = ..., leader_error: object = None, index: int = -1, io: Mocks | None = None
    ) -> bool:
        """Ask the validator of a block that was decided about a proposal: the one that stood, `leader_result`, or a
        failure with the text `leader_error`. It looks at the world through the mocks of now, or through `io`.
        """
        if not self.captured:
            raise RuntimeError("no block has been decided yet")
        seen = self.captured[index]
        proposal = seen.outcome
        if leader_error is not None:
            proposal = Outcome.user_error(str(getattr(leader_error, "message", leader_error)))
        elif leader_result is not ...:
            proposal = Outcome.returned(leader_result)
        return seen.block.validate(proposal, io or self.mocks)

    def clear_validators(self) -> None:
        self.captured.clear()

    def activate(self) -> None:
        """Nothing to do here: the fixture is active from the start."""

    def snapshot(self) -> int:
        """Keep everything as it is now; the number brings it back."""
        number = len(self._snapshots)
        self._snapshots[number] = copy.deepcopy({name: getattr(self, name) for name in _KEPT})
        return number

    def revert(self, number: int) -> None:
        """Bring back a snapshot; later ones are gone."""
        kept = copy.deepcopy(self._snapshots[number])
        self._snapshots = {old: what for old, what in self._snapshots.items() if old <= number}
        for name, value in kept.items():
            setattr(self, name, value)

    # -- running

    def call(self, contract: bytes, data: bytes, *, code: bytes | None = None, readonly: bool = False) -> Any:
        """Run one call to its end and keep what it changed. Raises `Reverted` or `Crashed`: then nothing changed."""
        call = self.message(contract, data, code=code, readonly=readonly)
        return self.commit(call, self.run(call))

    def message(self, contract: bytes, data: bytes, *, code: bytes | None = None, readonly: bool = False) -> Call:
        """A call as it would be sent now: this sender, this value (a read carries none), this time."""
        value = 0 if readonly else self.value
        return Call(contract, self.sender, self.origin, value, CHAIN_ID, self.now, data, code, readonly)

    def run(self, call: Call, answers: Sequence[Answer] = ()) -> Finished:
        """Run a call on the state of now, its blocks decided as they are met. Changes nothing."""
        runtime, answers = shared_runtime(), list(answers)
        while True:
            execution = runtime.run(call, self.state, answers)
            if isinstance(execution, Finished):
                return execution
            assert len(answers) < MAX_BLOCKS, "the call meets block after block"
            answers.append(self._answer(execution))

    def _answer(self, asking: Asking) -> Answer:
        assert not asking.differs, "a block asked another question when it was run again"
        outcome = self.decide(asking.block)
        self.captured.append(Captured(asking.block, outcome))
        return Answer(asking.block.fingerprint, outcome)

    def _lead(self, block: Block) -> Outcome:
        return block.lead(self.mocks)

    def commit(self, call: Call, finished: Finished) -> Any:
        """Keep what a run would change, and give what it returned. Raises `Reverted` or `Crashed`."""
        if finished.outcome.code is Code.USER_ERROR:
            raise Reverted(finished.outcome.text)
        if finished.outcome.code is Code.VM_ERROR:
            raise Crashed(f"{finished.outcome.text}: {finished.stderr}")
        if not call.readonly:
            self._apply(call, finished)
        return finished.outcome.value

    def _apply(self, call: Call, finished: Finished) -> None:
        if (lacking := call.value - self.state.balance(call.sender)) > 0:
            self.minted += lacking  # as Studio does it (docs/genlayer.md 5.3): a shortfall is made, not refused
            self.state.credit(call.sender, lacking)
        self.state.credit(call.sender, -call.value)
        self.state.credit(call.contract, call.value)
        self.state.apply(call.contract, finished.effects)
        for emitted in finished.effects.emitted:
            if isinstance(emitted, Emission):
                self.state.credit(emitted.to, emitted.value)  # messages are dropped here, their value is not


_KEPT = ("state", "mocks", "now", "value", "minted", "_sender", "_origin", "_pranks")


class Proxy:
    """A deployed contract: its public methods as Python methods, through calldata both ways."""

    def __init__(self, vm: DirectVM, address: bytes, methods: Mapping[str, Any]) -> None:
        self._vm = vm
        self._raw = address
        self._methods = methods

    @property
    def address(self) -> Address:
        return Address(self._raw)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = self._methods.get(name)
        if method is None:
            raise AttributeError(f"the contract has no public method {name}")

        def call(*args: Any, **kwargs: Any) -> Any:
            data = calldata.encode_call(name, args, kwargs)
            return self._vm.call(self._raw, data, readonly=bool(method["readonly"]))

        return call


def deploy(vm: DirectVM, path: str | Path, *args: Any, **kwargs: Any) -> Proxy:
    """Load a contract file and run its constructor. A relative path is looked up here and in `contracts/`."""
    found = _located(Path(path))
    source = found.read_bytes()
    count = len(vm.state.codes)
    address = hashlib.sha256(f"{found.resolve()}#{count}".encode()).digest()[:20]
    vm.call(address, calldata.encode_call(None, args, kwargs), code=source)
    return Proxy(vm, address, _methods_of(source))


def create_address(seed: str) -> bytes:
    """An account that everybody knows by its seed: the first 20 bytes of its SHA-256."""
    return hashlib.sha256(seed.encode()).digest()[:20]


def raw_address(who: Party) -> bytes:
    """20 bytes of an account in any spelling."""
    if isinstance(who, Address):
        return who.as_bytes
    return bytes.fromhex(who.removeprefix("0x")) if isinstance(who, str) else bytes(who)


def spelled(who: Party) -> str:
    """An account as text, with its EIP-55 checksum: what clients pass to contracts."""
    return checksum(raw_address(who))


@lru_cache(maxsize=1)
def shared_runtime() -> ContractRuntime:
    """One runtime for all tests of a process, so that a contract file is compiled once."""
    return ContractRuntime(allowed=lambda digest: True)


@lru_cache(maxsize=64)
def _methods_of(source: bytes) -> Mapping[str, Any]:
    methods: Any = shared_runtime().schema(source)["methods"]
    return methods  # type: ignore[no-any-return] # the shape is docs/genlayer.md 4.3


def _located(path: Path) -> Path:
    for place in (path, Path("contracts") / path, Path("intelligent-contracts") / path):
        if place.is_file():
            return place
    raise FileNotFoundError(f"no contract file {path}, nor in contracts/ or intelligent-contracts/")


def _response(answer: Mapping[str, Any]) -> WebResponse:
    if "error" in answer:
        raise WebError(str(answer["error"]), f"mocked failure: {answer['error']}")
    body = answer.get("body", b"")
    headers = {str(name).lower(): _text(value) for name, value in (answer.get("headers") or {}).items()}
    return WebResponse(int(answer.get("status", 200)), headers, body.encode() if isinstance(body, str) else bytes(body))


def _text(value: object) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)
