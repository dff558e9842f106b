"""Records to keep, made of a few numbers."""

from foreman.address import keccak256
from foreman.execution import Event, Outcome
from foreman.receipt import Receipt, Record, Status
from foreman.transaction import Kind, Transaction

ALICE, BOB, CAROL = (bytes([number]) * 20 for number in (0xA1, 0xB0, 0xC4))


def asked(
    number: int, sender: bytes = ALICE, target: bytes = BOB, value: int = 0, parent: bytes | None = None
) -> Transaction:
    """The transaction with this nonce; its hash is a hash of everything."""
    digest = keccak256(b"%d %s %s %s" % (number, sender, target, parent or b""))
    return Transaction(digest, Kind.CALL, sender, sender, number, target, value, b"\x06", parent=parent)


def pending(number: int, **more: object) -> Record:
    return Record(asked(number, **more), Status.PENDING, recorded_at=1_000 + number)  # type: ignore[arg-type]  # as asked


def decided(number: int, block: int, status: Status = Status.FINALIZED, events: int = 0, **more: object) -> Record:
    record = pending(number, **more)
    receipt = Receipt(
        Status.ACCEPTED,
        Outcome.returned(number),
        events=tuple(Event((bytes([place]) * 32,), b"\x06") for place in range(events)),
        decided_at=5_000 + block,
    )
    record.status, record.receipt, record.block = status, receipt, block
    record.position, record.at = block, 4_000 + block
    return record
