"""`gen_`: reading Intelligent Contracts, their schemas and the status of transactions (docs/genlayer.md 8.7, 8.8)."""

from dataclasses import dataclass, replace
from typing import Any

from foreman.errors import BadInput, NotFound, Refused
from foreman.execution import Code
from foreman.node.node import Answered, Query
from foreman.rpc import arguments
from foreman.rpc.dispatch import Reverted
from foreman.rpc.door import Door
from foreman.rpc.doubles import read_doubles
from foreman.rpc.methods.eth import not_a_contract
from foreman.rpc.transactions import execution_receipt, reason_of
from foreman.rpc.wire import b64, hexed
from foreman.transaction import Kind, read_envelope

MAX_MESSAGE = 2_000
"""Characters of a contract's own error text in a message; the whole text stands in the receipt."""

_ZERO = bytes(20)
_VARIANTS = {"latest-nonfinal": False, "latest-final": True}


@dataclass(frozen=True, slots=True)
class CallObject:
    """The object of `gen_call` and `sim_call`, read: what to ask the node, and the calldata as the receipt shows it."""

    query: Query
    sim_config: Any = None
    """What a test brings along, not read yet."""


def call_object(value: Any) -> CallObject:
    """Read type, to, from, data, value, transaction_hash_variant, and keep sim_config. Raises `BadInput`."""
    given = arguments.fields(value)
    kind = given.get("type", "read")
    if kind not in ("read", "write", "deploy"):
        raise BadInput("bad_call", f"type {str(kind)[:40]!r} is not known", "use read, write or deploy")
    variant = given.get("transaction_hash_variant")
    if variant is None:
        variant = "latest-nonfinal"
    if not isinstance(variant, str) or variant not in _VARIANTS:
        raise BadInput("bad_call", "transaction_hash_variant is not known", f"use {' or '.join(_VARIANTS)}")
    code, calldata = _envelope(_field(given, "data", arguments.data), kind)
    return CallObject(
        Query(
            kind=Kind.DEPLOY if kind == "deploy" else Kind.CALL,
            readonly=kind == "read",
            sender=_field(given, "from", arguments.address, _ZERO),
            target=_field(given, "to", arguments.address, _ZERO if kind == "deploy" else None),
            value=_field(given, "value", arguments.amount, 0),
            calldata=calldata,
            code=code,
            final=_VARIANTS[variant],
        ),
        given.get("sim_config"),
    )


def _field(given: dict[str, Any], name: str, read: Any, default: Any = None) -> Any:
    value = given.get(name)
    if value is None:
        if default is None:
            raise BadInput("bad_call", f"the call has no {name!r}", "see docs/rpc.md, gen_call")
        return default
    try:
        return read(value)
    except BadInput as error:
        raise BadInput(error.code, f"{name}: {error.sentence}", error.hint) from error


def _envelope(raw: bytes, kind: str) -> tuple[bytes | None, bytes]:
    """The code (of a deployment) and the calldata in an envelope of docs/genlayer.md 1.7."""
    try:
        parts = read_envelope(raw)
    except Refused as error:
        raise BadInput("bad_call", "data: this is not an encoded call", "encode it with a GenLayer client") from error
    if (len(parts) == 3) != (kind == "deploy"):
        raise BadInput("bad_call", f"data: this is not an encoded {kind}", "a deployment carries code, a call does not")
    return (parts[0] if len(parts) == 3 else None), parts[-2]


def gen_call(door: Door, call: CallObject) -> str:
    """Read a contract, or try a write or a deployment without keeping it. The returned calldata as hex without 0x;
    what the contract refuses is an error with its text.
    """
    return _told(call, _ask(door, call))


def known_call(door: Door, call: CallObject) -> str | None:
    """The same without running anything: None when it is not known. Takes microseconds, so it needs no thread."""
    answered = None if call.sim_config else door.node.known(call.query)
    return None if answered is None else _told(call, answered)


def _told(call: CallObject, answered: Answered) -> str:
    if answered.outcome.ok:
        return answered.outcome.payload.hex()
    raise _reverted(call, answered)


def sim_call(door: Door, call: CallObject) -> dict[str, Any]:
    """The same, answered with a receipt, whether it returned or reverted. `reached_block`: it stopped at its first
    non-deterministic block, which only a jury could answer.
    """
    answered = _ask(door, call)
    return _receipt(call, answered) | {"reached_block": answered.reached_block}


def _ask(door: Door, call: CallObject) -> Answered:
    return door.node.query(replace(call.query, at=read_doubles(call.sim_config, door.settings).at))


def _receipt(call: CallObject, answered: Answered) -> dict[str, Any]:
    emitted = answered.effects.emitted if answered.effects is not None else ()
    return execution_receipt(answered.outcome, call.query.calldata, answered.stderr, emitted)


def _reverted(call: CallObject, answered: Answered) -> Reverted:
    outcome = answered.outcome
    said = reason_of(outcome, answered.stderr)[:MAX_MESSAGE]
    sentence = said if outcome.code is Code.USER_ERROR else f"the contract failed: {said}"
    return Reverted(f"execution reverted: {sentence}", _receipt(call, answered))


def contract_schema(door: Door, address: bytes) -> dict[str, Any]:
    """The methods of a contract and their parameters."""
    if door.node.code(address) is None:
        raise not_a_contract(address)
    return door.node.schema(address)


def contract_schema_for_code(door: Door, code: bytes) -> dict[str, Any]:
    """The same for a source that is not deployed. It is read, not run, unless this network allows it to run."""
    return door.node.schema_of(code)


def contract_code(door: Door, address: bytes) -> str:
    """The source of a contract as base64."""
    code = door.node.code(address)
    if code is None:
        raise not_a_contract(address)
    return b64(code)


def contract_nonce(door: Door, address: bytes) -> int:
    """The next nonce of an address, as a number."""
    return door.node.nonce(address)


def transaction_status(door: Door, hash: bytes) -> dict[str, Any] | None:
    """The status of a transaction by name and number; null for an unknown hash."""
    record = door.node.record(hash)
    return None if record is None else {"status": record.status.name, "statusCode": int(record.status)}


def transaction_not_found(hash: bytes) -> NotFound:
    """There is no transaction with this hash."""
    return NotFound("transaction_not_found", f"transaction not found: {hexed(hash)}", "check the hash and the network")
