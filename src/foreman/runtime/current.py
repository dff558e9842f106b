"""The current run: what `gl.message`, clocks, storage and emissions look up while contract code is executing.

It hangs on a context variable, so runs and blocks in several threads never see each other.
"""

import os
import random
from collections.abc import Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple

from foreman.address import Address
from foreman.execution import Answer, Block, Call, Effects, Event, Outcome, Reads, StateView
from foreman.ports import SeatIO
from foreman.runtime.signals import BlockMet, Ended, HostFailed

if TYPE_CHECKING:
    from foreman.runtime.loader import Module
    from foreman.runtime.overlay import Overlay
    from foreman.runtime.runtime import ContractRuntime
    from foreman.runtime.watchdog import Lapse

MAX_OUTPUT = 16_384
"""Characters that are kept of what a contract prints."""

MAX_EVENTS = 1024
MAX_EMITTED = 1024
"""More than any honest run needs; the bound keeps a receipt's size in hand."""


class MessageType(NamedTuple):
    """`gl.message` (docs/genlayer.md 5.1)."""

    contract_address: Address
    sender_address: Address
    origin_address: Address
    value: int
    chain_id: int


NO_MESSAGE = MessageType(Address.ZERO, Address.ZERO, Address.ZERO, 0, 0)
"""What a file sees that is imported for its schema only."""


class Run:
    """One run of a contract, nested views included, or of one seat's block. `io` is set for a block."""

    __slots__ = (
        "answers", "asking", "blocks", "call", "effects", "ended", "failure", "io", "lapse", "output", "printed",
        "reads", "runtime", "spent", "used", "view",
    )  # fmt: skip

    def __init__(
        self,
        runtime: "ContractRuntime",
        call: Call,
        lapse: "Lapse",
        view: StateView | None = None,
        answers: Sequence[Answer] = (),
        io: SeatIO | None = None,
    ) -> None:
        self.runtime = runtime
        self.call = call
        self.lapse = lapse
        self.view = view
        self.answers = answers
        self.io = io
        self.reads = Reads()
        self.effects = Effects()
        self.spent = 0
        self.blocks = 0
        self.used = 0
        self.asking: tuple[int, Block, bool] | None = None
        self.ended: Outcome | None = None
        self.failure: BaseException | None = None
        self.output: list[str] = []
        self.printed = 0

    def fail(self, failure: BaseException) -> None:
        """Remember that this run cannot go on. The first failure counts."""
        if self.failure is None:
            self.failure = failure

    def check(self) -> None:
        """Unwind again a contract that swallowed a signal."""
        if self.failure is not None:
            raise self.failure
        if self.asking is not None:
            raise BlockMet
        if self.ended is not None:
            raise Ended(self.ended)

    def print(self, text: str) -> None:
        """Keep what a contract prints, up to a limit."""
        left = MAX_OUTPUT - self.printed
        if left > 0:
            self.output.append(text[:left])
            self.printed += min(len(text), left)


class Frame:
    """One contract's code at work inside a run: the run's own call, a nested view, or a block."""

    __slots__ = ("_module", "entropy", "inside", "main", "message", "overlay", "readonly", "run", "stack")

    def __init__(
        self,
        run: Run,
        message: MessageType,
        overlay: "Overlay | None",
        *,
        module: "Module | None" = None,
        readonly: bool,
        stack: tuple[Address, ...] = (),
        inside: bool = False,
    ) -> None:
        self.run = run
        self.message = message
        self._module = module
        self.overlay = overlay
        self.readonly = readonly
        self.stack = stack
        """The contracts that called this one in nested views, the outermost first."""
        self.main = not stack
        self.inside = inside
        """In a block or a sandbox: no storage, no messages, no calls, no further block."""
        self.entropy: random.Random | None = None

    @property
    def module(self) -> "Module":
        """The contract's module; it comes in once its file has been imported."""
        assert self._module is not None, "asked for before the file was imported"
        return self._module

    @module.setter
    def module(self, module: "Module") -> None:
        self._module = module

    def deterministic(self) -> Run:
        """The run, for what a block must not do. Raises SystemError there."""
        if self.inside or self.overlay is None:
            raise SystemError("6: forbidden")
        self.run.check()
        return self.run

    def writing(self) -> Run:
        """The run, for effects: not in a block, not in a view."""
        run = self.deterministic()
        if self.readonly:
            raise SystemError("6: forbidden")
        return run

    def seat(self) -> SeatIO:
        """The world outside, for a block only. Raises SystemError in deterministic code."""
        self.run.check()
        if self.run.io is None:
            raise SystemError("6: forbidden")
        return self.run.io

    def emit(self, event: Event) -> None:
        events = self.writing().effects.events
        if len(events) >= MAX_EVENTS:
            raise SystemError("1: overflow")
        events.append(event)

    def spend(self, value: int) -> None:
        """Take wei that an emission carries out of what the contract may still emit."""
        run = self.writing()
        if value < 0:
            raise OverflowError("can't convert negative int to unsigned")
        if len(run.effects.emitted) >= MAX_EMITTED:
            raise SystemError("1: overflow")
        if value and value > self.balance():
            raise SystemError("7: inbalance")
        run.spent += value

    def balance(self) -> int:
        """The contract's own wei: with the value of this call, without what this run has emitted."""
        address = self.message.contract_address.as_bytes
        return self.balance_of(address) - (self.run.spent if self.main else 0)

    def balance_of(self, address: bytes) -> int:
        """Wei of any address; the run's own contract has been credited with the value of this call."""
        run = self.deterministic()
        assert run.view is not None
        run.reads.balances.add(address)
        try:
            held = run.view.balance(address)
        except Exception as error:
            run.fail(failure := HostFailed(error))
            raise failure from error
        return held + (run.call.value if address == run.call.contract else 0)

    def random(self) -> random.Random:
        """Constant seed in deterministic code (docs/genlayer.md 5.2: entropy is zeros), real entropy in a block."""
        if self.entropy is None:
            self.entropy = random.Random(bytes(32) if self.run.io is None else os.urandom(32))
        return self.entropy


class Loading:
    """A contract file while it is imported: its globals, its contract classes, and whether it looked at the run."""

    __slots__ = ("contracts", "globals", "volatile")

    def __init__(self, names: dict[str, Any]) -> None:
        self.globals = names
        self.contracts: list[type] = []
        self.volatile = False


CURRENT: ContextVar[Frame | None] = ContextVar("foreman_frame", default=None)
LOADING: ContextVar[Loading | None] = ContextVar("foreman_loading", default=None)


def frame() -> Frame:
    """The frame at work. SystemError where there is none: while a file is imported for its schema."""
    found = CURRENT.get()
    if found is None:
        raise SystemError("6: forbidden")
    if LOADING.get() is not None:
        raise SystemError("6: forbidden")
    return found


def peek() -> Frame | None:
    """The frame, if there is one. A file that looks while it is imported is not the same in the next run."""
    loading = LOADING.get()
    if loading is not None:
        loading.volatile = True
    return CURRENT.get()


def message() -> MessageType:
    found = peek()
    return NO_MESSAGE if found is None else found.message


def microseconds() -> int:
    """The run's time, microseconds since 1970 (UTC); 0 outside of any run."""
    found = peek()
    if found is None:
        return 0
    found.run.reads.clock = True
    return found.run.call.at
