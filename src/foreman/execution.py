"""What is run and what one run produced: messages, outcomes, effects, reads, and the blocks that wait for a jury."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Protocol

from foreman import calldata
from foreman.ports import SeatIO


class Code(IntEnum):
    """How a run ended; the first byte of result bytes (docs/genlayer.md 1.8)."""

    RETURN = 0
    USER_ERROR = 1
    VM_ERROR = 2


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run, or a block, ended. `payload` is calldata after RETURN, else text. Equal bytes: equal outcomes."""

    code: Code
    payload: bytes

    @classmethod
    def returned(cls, value: calldata.Value) -> "Outcome":
        """Raises TypeError if the value is not calldata."""
        return cls(Code.RETURN, calldata.encode(value))

    @classmethod
    def user_error(cls, message: str) -> "Outcome":
        return cls(Code.USER_ERROR, message.encode("utf-8", "replace"))

    @classmethod
    def vm_error(cls, code: str) -> "Outcome":
        return cls(Code.VM_ERROR, code.encode("utf-8", "replace"))

    @property
    def ok(self) -> bool:
        return self.code is Code.RETURN

    @property
    def value(self) -> calldata.Value:
        """The returned value; only after RETURN."""
        return calldata.decode(self.payload)

    @property
    def text(self) -> str:
        """The error's text; empty after RETURN."""
        return "" if self.ok else self.payload.decode("utf-8", "replace")

    def to_bytes(self) -> bytes:
        return bytes([self.code]) + self.payload

    @classmethod
    def from_bytes(cls, raw: bytes) -> "Outcome":
        return cls(Code(raw[0]), raw[1:])


class On(StrEnum):
    """When an emission leaves: with the commit, or when the commit is final."""

    ACCEPTED = "accepted"
    FINALIZED = "finalized"


@dataclass(frozen=True, slots=True)
class Call:
    """One call of one contract. Addresses are 20 bytes, `value` is wei, `at` is microseconds since 1970 (UTC)."""

    contract: bytes
    sender: bytes
    origin: bytes
    value: int
    chain_id: int
    at: int
    calldata: bytes
    code: bytes | None = None
    """The source to deploy; None for a call of a contract that stands."""
    readonly: bool = False
    """A view: every write, emission and non-deterministic block is forbidden."""
    errored: bool = False
    """Call `__on_errored_message__` instead of a method: a message that this contract sent has failed."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """An EVM `emit_transfer`: credits an address, runs no code, cannot fail. Always on finality."""

    to: bytes
    value: int
    data: bytes = b""
    """ABI calldata of an EVM call. There is no EVM here, so nothing runs it (docs/genlayer.md 5.6)."""


@dataclass(frozen=True, slots=True)
class Emission:
    """A message to another contract (or a deployment when `code` is set): it becomes a transaction of its own."""

    to: bytes
    calldata: bytes
    value: int
    on: On
    code: bytes | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """A contract event: topics of 32 bytes, and all its fields as calldata."""

    topics: tuple[bytes, ...]
    blob: bytes


@dataclass(slots=True)
class Effects:
    """What a run would change. Nothing of it holds until the book commits it."""

    writes: dict[bytes, bytes | None] = field(default_factory=dict)
    """Keys of the called contract's own state; None deletes."""
    code: bytes | None = None
    """New source of the called contract, after a deployment."""
    emitted: list[Transfer | Emission] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)


@dataclass(slots=True)
class Reads:
    """What a run has looked at. A key is (contract, key); a range is (contract, low, high), high None for no end."""

    keys: set[tuple[bytes, bytes]] = field(default_factory=set)
    ranges: list[tuple[bytes, bytes, bytes | None]] = field(default_factory=list)
    balances: set[bytes] = field(default_factory=set)
    clock: bool = False
    """It has looked at its time."""

    def touched_by(self, contract: bytes, writes: Mapping[bytes, object]) -> bool:
        """Would these writes to one contract change something that was read here?"""
        keys = self.keys
        if any((contract, key) in keys for key in writes):
            return True
        return any(
            owner == contract and any(low <= key and (high is None or key < high) for key in writes)
            for owner, low, high in self.ranges
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """What a jury agreed on for one block, and the fingerprint of the question it was asked."""

    fingerprint: bytes
    outcome: Outcome


class Block(Protocol):
    """A non-deterministic block, cut loose from the run that met it. Safe to use from several threads at once: every
    `lead` and every `validate` works on its own copy of the functions and what they closed over.
    """

    @property
    def fingerprint(self) -> bytes:
        """SHA-256 over a canonical walk of both functions: equal questions have equal fingerprints."""

    def lead(self, io: SeatIO) -> Outcome:
        """Run `leader_fn`. Python errors become VM_ERROR `exit_code 1`; `SeatFailed` passes through."""

    def validate(self, proposal: Outcome, io: SeatIO) -> bool:
        """Run `validator_fn` on a proposal; only exactly True agrees. `SeatFailed` passes through."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The run came to its end. `answers_used` may be fewer than were offered; the rest is marked on the receipt."""

    outcome: Outcome
    effects: Effects
    reads: Reads
    answers_used: int
    stderr: str = ""
    """Why a VM_ERROR happened, for the contract's author; never part of consensus."""
    stdout: str = ""
    """What the contract printed, for its author; never part of consensus."""


@dataclass(frozen=True, slots=True)
class Asking:
    """The run met a block that has no agreed answer yet, or one (`differs`) whose offered answer belongs to another
    question. What it wrote so far is dropped; `premises` is what it had read.
    """

    index: int
    block: Block
    premises: Reads
    differs: bool = False


Execution = Finished | Asking


class Runtime(Protocol):
    """Runs one contract call and reports what it would change. Writes nothing, knows no network."""

    def run(self, call: Call, view: "StateView", answers: Sequence[Answer] = ()) -> Execution:
        """Run a call on a view of the state. Agreed answers are replayed in order."""

    def schema(self, code: bytes) -> dict[str, object]:
        """The public face of a source (docs/genlayer.md 4.3). Only allowed code is imported; other code is read."""


class StateView(Protocol):
    """The state as one run sees it: ordered keys per contract, code and balances."""

    def get(self, contract: bytes, key: bytes) -> bytes | None: ...

    def scan(self, contract: bytes, low: bytes, high: bytes | None, limit: int) -> list[tuple[bytes, bytes]]:
        """At most `limit` rows with low <= key < high, ascending."""

    def scan_keys(self, contract: bytes, low: bytes, high: bytes | None, limit: int) -> list[bytes]:
        """The same without the values."""

    def code(self, contract: bytes) -> bytes | None:
        """The source of a contract, None when there is none at this address."""

    def balance(self, address: bytes) -> int:
        """Wei."""
