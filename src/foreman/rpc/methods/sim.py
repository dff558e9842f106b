"""`sim_`: what only a simulator has. The faucet, time and snapshots belong to development networks."""

from typing import Any

from coincurve import PublicKey

from foreman.address import keccak256
from foreman.errors import BadInput
from foreman.rpc.door import Door
from foreman.rpc.methods.gen import transaction_not_found
from foreman.rpc.transactions import transaction_object
from foreman.rpc.wire import hexed, iso

MAX_TRAVEL = 100 * 366 * 86_400
"""Seconds one `sim_increaseTime` may turn the clock forward: a century."""

MAX_HISTORY = 100
"""Transactions in one `sim_getTransactionsForAddress`, newest first."""

_PREFIX = b"\x19Ethereum Signed Message:\n32"


async def fund_account(door: Door, address: bytes, amount: int) -> str:
    """Mint wei for an account; the hash of the transaction that does it."""
    return hexed(await door.wait(door.node.fund(address, amount)))


async def increase_time(door: Door, seconds: int) -> dict[str, Any]:
    """Turn the network's clock forward."""
    if not 0 < seconds <= MAX_TRAVEL:
        raise BadInput("bad_time", f"seconds: {seconds} is out of range", f"between 1 and {MAX_TRAVEL}")
    return _time(await door.wait(door.node.travel(seconds)))


async def set_time(door: Door, time: int) -> dict[str, Any]:
    """Set the network's clock; it only ever goes forward."""
    return _time(await door.wait(door.node.set_time(time)))


def get_time(door: Door) -> dict[str, Any]:
    """The time contracts would see now."""
    return _time(door.node.now())


def _time(at: int) -> dict[str, Any]:
    return {"effective_datetime": iso(at), "timestamp": at // 1_000_000, "microseconds": at}


async def create_snapshot(door: Door) -> int:
    """Keep the whole state; the number to go back to it with."""
    return await door.wait(door.node.snapshot())


async def restore_snapshot(door: Door, snapshot: int) -> bool:
    """Go back to a snapshot; false when there is none of that number."""
    return await door.wait(door.node.restore(snapshot))


async def cancel_transaction(door: Door, hash: bytes, signature: bytes) -> dict[str, Any]:
    """Take back a transaction that still waits. Its sender signs keccak256("cancel_transaction" + hash)."""
    if door.node.record(hash) is None:
        raise transaction_not_found(hash)
    await door.wait(door.node.cancel(hash, _signer(keccak256(b"cancel_transaction" + hash), signature)))
    return {"transaction_hash": hexed(hash), "status": "CANCELED"}


def _signer(message: bytes, signature: bytes) -> bytes:
    """The account that signed 32 bytes as an Ethereum message (EIP-191). Raises `BadInput`."""
    if len(signature) != 65 or signature[64] not in (0, 1, 27, 28):
        raise BadInput("bad_signature", "signature: this is not a signature", "65 bytes: r, s and v")
    packed = signature[:64] + bytes([signature[64] % 27])
    try:
        key = PublicKey.from_signature_and_message(packed, keccak256(_PREFIX + message), hasher=None)
    except Exception as error:  # coincurve raises bare Exception for a point off the curve
        raise BadInput("bad_signature", "signature: it belongs to no key", "sign again") from error
    return keccak256(key.format(compressed=False)[1:])[12:]


def transactions_for_address(door: Door, address: bytes, filter: str) -> list[dict[str, Any]]:
    """The newest transactions from or to an address; filter is all, from or to."""
    if filter not in ("all", "from", "to"):
        raise BadInput("bad_filter", f"filter: {filter[:40]!r} is not known", "use all, from or to")
    return [
        transaction_object(record)
        for record in door.node.history(address, MAX_HISTORY)
        if filter == "all" or address == (record.transaction.sender if filter == "from" else record.transaction.target)
    ]
