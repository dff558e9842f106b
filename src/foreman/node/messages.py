"""Transactions that contracts send: made at commit or at finality, activated on their own."""

from foreman.execution import Effects, Emission, On, Transfer
from foreman.receipt import Record, Status
from foreman.transaction import Kind, Transaction, message_hash

_ERRORED = 2**32 - 1
"""The index of the message that tells a contract that one of its own has failed; no run sends that many."""


def emitted_value(effects: Effects) -> int:
    """Wei that leaves the contract with this run."""
    return sum(item.value for item in effects.emitted)


def payable(effects: Effects, held: int) -> bool:
    """Can a contract that holds so much wei send what its run has emitted?"""
    return all(item.value >= 0 for item in effects.emitted) and emitted_value(effects) <= held


def of(parent: Record, emitted: tuple[Transfer | Emission, ...], on: On, now: int) -> list[Record]:
    """The transactions that a run's emissions become at this point (`on`). Their value is in flight already."""
    return [
        _message(parent.transaction, index, item, now)
        for index, item in enumerate(emitted)
        if isinstance(item, Emission) and item.on is on
    ]


def errored(failed: Transaction, now: int) -> Record:
    """Tell the contract that sent `failed`, with the value that comes back."""
    asked = Transaction(
        hash=message_hash(failed.hash, 0, _ERRORED),
        kind=Kind.CALL,
        sender=failed.target,
        origin=failed.origin,
        nonce=0,
        target=failed.sender,
        value=failed.value,
        calldata=b"\x06",
        parent=failed.hash,
        errored=True,
        depth=failed.depth + 1,
    )
    return Record(asked, Status.PENDING, recorded_at=now)


def _message(parent: Transaction, index: int, item: Emission, now: int) -> Record:
    name = message_hash(parent.hash, 0, index)
    asked = Transaction(
        hash=name,
        kind=Kind.CALL if item.code is None else Kind.DEPLOY,
        sender=parent.target,
        origin=parent.origin,
        nonce=0,
        target=item.to or name[12:],  # a deployment without a salt: its address follows from its hash
        value=item.value,
        calldata=item.calldata,
        code=item.code,
        parent=parent.hash,
        depth=parent.depth + 1,
    )
    return Record(asked, Status.PENDING, recorded_at=now)
