"""The call that an activated transaction makes: what its contract is told of it."""

from foreman.execution import Call
from foreman.receipt import Record
from foreman.transaction import Kind


def call_of(record: Record, chain_id: int, at: int | None = None) -> Call:
    """Of a record that has its time. Equal records make equal calls, restarts included. `at` is another time, which a
    test brought along.
    """
    asked = record.transaction
    assert record.at is not None
    return Call(
        contract=asked.target,
        sender=asked.sender,
        origin=asked.origin,
        value=asked.value,
        chain_id=chain_id,
        at=record.at if at is None else at,
        calldata=asked.calldata,
        code=asked.code if asked.kind is Kind.DEPLOY else None,
        errored=asked.errored,
    )
