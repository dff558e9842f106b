"""What was asked of a contract, read from the list of transactions that a network keeps by address."""

import base64
import binascii
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from foreman import calldata
from foreman.address import checksum
from foreman.sdk.client import Client
from foreman.sdk.failures import RpcFailed

UNKNOWN_METHOD = -32601
"""The JSON-RPC number of a method that a network does not have."""


@dataclass(frozen=True, slots=True)
class Call:
    """One transaction that calls a contract. `at` is when it was sent, as the network tells it (ISO 8601)."""

    hash: str
    to: str
    method: str
    args: tuple[Any, ...]
    at: str
    raw: Mapping[str, Any] = field(repr=False)

    def is_about(self, contract: bytes, numbers: Sequence[int]) -> bool:
        """Does it call this contract about this order, agreement, or agreement and milestone?"""
        return self.to.lower() == checksum(contract).lower() and list(self.args[: len(numbers)]) == list(numbers)


def read_call(raw: object) -> Call | None:
    """Read a transaction object (docs/genlayer.md 8.6); None for what calls no method."""
    if not isinstance(raw, Mapping):
        return None
    data = raw.get("data")
    call = decoded(data.get("calldata") if isinstance(data, Mapping) else None)
    if not isinstance(call, Mapping) or not isinstance(call.get("method"), str):
        return None
    args = call.get("args")
    to = str(raw.get("to_address") or raw.get("recipient") or "")
    told = tuple(args) if isinstance(args, list) else ()
    return Call(str(raw.get("hash")), to, call["method"], told, str(raw.get("created_at") or ""), raw)


def calls(client: Client, addresses: Iterable[str]) -> list[Call]:
    """The newest calls from or to each address, oldest first; none on a network that keeps no list by address."""
    found: dict[str, Call] = {}
    for address in dict.fromkeys(addresses):
        for raw in _sent(client, address):
            call = read_call(raw)
            if call is not None:
                found.setdefault(call.hash, call)
    return sorted(found.values(), key=lambda call: call.at)


def decoded(text: object, skip: int = 0) -> Any:
    """Calldata in base64 behind `skip` bytes; None for anything else, for this is shown, not relied on."""
    try:
        return calldata.decode(base64.b64decode(str(text or ""), validate=True)[skip:])
    except (binascii.Error, ValueError):
        return None


def _sent(client: Client, address: str) -> list[Any]:
    try:
        told = client.call("sim_getTransactionsForAddress", address)
    except RpcFailed as error:
        if error.number == UNKNOWN_METHOD:
            return []
        raise
    return told if isinstance(told, list) else []
