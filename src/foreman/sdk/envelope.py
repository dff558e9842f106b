"""What a client puts into a transaction: calldata in an RLP envelope in an ABI call (docs/genlayer.md 1.7 and 8.2)."""

from collections.abc import Mapping, Sequence

from foreman import calldata
from foreman.transaction import ADD_TRANSACTION_V6, rlp_list

NO_CONTRACT = bytes(20)
"""The recipient of a deployment."""

SEATS, ROTATIONS = 5, 3
"""What clients ask for (docs/genlayer.md 7.1); a network may seat its own number."""


def call_payload(
    method: str, args: Sequence[calldata.Value], kwargs: Mapping[str, calldata.Value] | None = None
) -> bytes:
    """The envelope of a method call."""
    return rlp_list([calldata.encode_call(method, args, kwargs), b""])


def deploy_payload(source: bytes, args: Sequence[calldata.Value]) -> bytes:
    """The envelope of a deployment."""
    return rlp_list([source, calldata.encode_call(None, args), b""])


def add_transaction(sender: bytes, recipient: bytes, payload: bytes) -> bytes:
    """The data of the Ethereum transaction to the consensus contract: addTransaction with `validUntil` 0."""
    words = [sender.rjust(32, b"\0"), recipient.rjust(32, b"\0")]
    words += [number.to_bytes(32, "big") for number in (SEATS, ROTATIONS, 6 * 32, 0, len(payload))]
    padding = bytes(-len(payload) % 32)
    return ADD_TRANSACTION_V6 + b"".join(words) + payload + padding
