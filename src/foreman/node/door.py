"""The checks before anything is stored: nonce, value, how many wait already. What passes is recorded and reserved."""

from foreman.address import checksum
from foreman.errors import Refused
from foreman.ledger import Store
from foreman.money import format_gen
from foreman.node.queue import Lines
from foreman.receipt import Record, Status
from foreman.settings import Settings
from foreman.transaction import Kind, Transaction


def admit(asked: Transaction, now: int, store: Store, lines: Lines, settings: Settings) -> Record:
    """Spend the sender's nonce, set its value aside and make the record. Raises `Refused`; then nothing has changed."""
    expected = store.nonce(asked.sender)
    if asked.nonce != expected:
        code, word = ("nonce_too_low", "low") if asked.nonce < expected else ("nonce_too_high", "high")
        raise Refused(
            code,
            f"nonce too {word}: the next nonce of {checksum(asked.sender)} is {expected}, this is {asked.nonce}",
            "ask eth_getTransactionCount again and sign anew",
        )
    if lines.length(asked.sender) >= settings.limits.pending_per_sender:
        raise Refused(
            "too_many_pending",
            f"{checksum(asked.sender)} has {settings.limits.pending_per_sender} undecided transactions",
            "wait until some are decided",
        )
    if lines.bytes + asked.size > settings.limits.undecided_bytes:
        raise Refused(
            "over_budget",
            f"undecided transactions hold {lines.bytes} bytes, at most {settings.limits.undecided_bytes} are kept",
            "try again in a moment",
        )
    balance = store.balance(asked.sender)
    if asked.value > balance:
        raise Refused(
            "insufficient_funds",
            f"insufficient funds: {checksum(asked.sender)} holds {format_gen(balance)} GEN that is not set aside, "
            f"{format_gen(asked.value)} GEN is attached",
            "fund the account or attach less",
        )
    if asked.leader_only and not settings.test_doubles:
        raise Refused(
            "leader_only_refused",
            "leader_only would skip the jury",
            "send it without leader_only; a network started with --test-doubles takes it",
        )
    store.spend_nonce(asked.sender)
    if asked.value:
        store.debit(asked.sender, asked.value)
    return Record(asked, Status.PENDING, recorded_at=now)


def release(asked: Transaction, store: Store) -> bytes:
    """Give the value of a transaction that did not succeed back: to its sender, and a failed message's to the contract
    that sent it. Returns whom it went to.
    """
    owner = asked.target if asked.errored else asked.sender
    if asked.value:
        store.credit(owner, asked.value)
    return owner


def is_plain(asked: Transaction) -> bool:
    """Moves value and calls nothing, unless a contract stands at its target."""
    return asked.kind is Kind.TRANSFER or (asked.kind is Kind.CALL and asked.calldata == b"\x06")
