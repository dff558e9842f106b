"""How a record lies in its row, and how an amount of wei does."""

from typing import Any

from foreman.receipt import Record, Status, receipt_from_json, receipt_to_json
from foreman.transaction import Kind, Transaction

COLUMNS = (
    "hash, kind, sender, origin, nonce, target, value, calldata, code, leader_only, parent, errored, depth, "
    "status, recorded_at, position, at, block, receipt"
)
SAVE = (
    f"INSERT INTO transactions ({COLUMNS}) VALUES ({', '.join('?' * 19)}) ON CONFLICT (hash) DO UPDATE SET "
    "status = excluded.status, position = excluded.position, at = excluded.at, block = excluded.block, "
    "receipt = excluded.receipt"
)
SELECT = f"SELECT {COLUMNS} FROM transactions"


def wei_out(wei: int) -> bytes:
    """Raises OverflowError for a negative amount: the last guard against making money."""
    return wei.to_bytes(32, "big")


def wei_in(raw: bytes) -> int:
    return int.from_bytes(raw, "big")


def record_out(record: Record) -> tuple[Any, ...]:
    """A record as the parameters of SAVE."""
    asked = record.transaction
    return (
        asked.hash,
        str(asked.kind),
        asked.sender,
        asked.origin,
        asked.nonce,
        asked.target,
        wei_out(asked.value),
        asked.calldata,
        asked.code,
        int(asked.leader_only),
        asked.parent,
        int(asked.errored),
        asked.depth,
        int(record.status),
        record.recorded_at,
        record.position,
        record.at,
        record.block,
        None if record.receipt is None else receipt_to_json(record.receipt),
    )


def record_in(row: tuple[Any, ...]) -> Record:
    """The record of a row of SELECT."""
    digest, kind, sender, origin, nonce, target, value, data, code, leader_only, parent, errored, depth = row[:13]
    status, recorded_at, position, at, block, receipt = row[13:]
    asked = Transaction(
        hash=digest,
        kind=Kind(kind),
        sender=sender,
        origin=origin,
        nonce=nonce,
        target=target,
        value=wei_in(value),
        calldata=data,
        code=code,
        leader_only=bool(leader_only),
        parent=parent,
        errored=bool(errored),
        depth=depth,
    )
    return Record(
        transaction=asked,
        status=Status(status),
        recorded_at=recorded_at,
        position=position,
        at=at,
        receipt=None if receipt is None else receipt_from_json(receipt),
        block=block,
    )
