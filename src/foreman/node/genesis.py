"""The first things on a chain: money for the known accounts, and the shipped contracts at their fixed addresses."""

from hashlib import sha256

from foreman.address import keccak256
from foreman.calldata import encode_call
from foreman.receipt import Record, Status
from foreman.transaction import Kind, Transaction

NOBODY = bytes(20)
"""The sender of what no account has signed: the zero address, whose key nobody has."""


def shipped_address(name: str, source: bytes) -> bytes:
    """Where a release of a shipped contract stands: the same everywhere, another for every release."""
    return keccak256(b"foreman/" + name.encode() + b"/" + sha256(source).digest())[12:]


def deployment(name: str, source: bytes, nonce: int, now: int) -> Record:
    """The transaction that puts a shipped contract at its address."""
    address = shipped_address(name, source)
    asked = Transaction(
        hash=keccak256(b"foreman/genesis/" + address),
        kind=Kind.DEPLOY,
        sender=NOBODY,
        origin=NOBODY,
        nonce=nonce,
        target=address,
        value=0,
        calldata=encode_call(None),
        code=source,
    )
    return Record(asked, Status.PENDING, recorded_at=now)


def faucet_payment(to: bytes, wei: int, nonce: int, now: int) -> Record:
    """The transaction that pays out money from nowhere; it counts as minted."""
    asked = Transaction(
        hash=keccak256(b"foreman/faucet/" + nonce.to_bytes(8, "big") + now.to_bytes(8, "big") + to),
        kind=Kind.TRANSFER,
        sender=NOBODY,
        origin=NOBODY,
        nonce=nonce,
        target=to,
        value=wei,
        calldata=encode_call(None),
    )
    return Record(asked, Status.PENDING, recorded_at=now)
