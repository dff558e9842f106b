"""Keys: who signs, and what a signature looks like on the wire. Key material never shows in a repr or an error."""

import secrets

from coincurve import PrivateKey

from foreman.address import checksum, keccak256
from foreman.errors import BadInput
from foreman.transaction import rlp_list

GAS_LIMIT = 30_000_000
"""What a transaction names as its limit; GenLayer networks charge no gas (docs/genlayer.md 8.4: gas price 0)."""


class Account:
    """One key. `address` is 20 bytes; `str()` is its checksummed spelling."""

    __slots__ = ("_key", "address")

    def __init__(self, key: bytes) -> None:
        """Take a secret of 32 bytes. Raises `BadInput` when it is not a key of secp256k1."""
        try:
            self._key = PrivateKey(key)
        except ValueError as error:
            raise BadInput(
                "bad_key", "this is not a private key", "a key is 32 bytes, written as 64 hex digits"
            ) from error
        self.address = keccak256(self._key.public_key.format(compressed=False)[1:])[12:]

    @classmethod
    def create(cls) -> "Account":
        """A new random account."""
        return cls(secrets.token_bytes(32))

    @classmethod
    def from_hex(cls, text: str) -> "Account":
        """Read a key from 64 hex digits, with or without 0x. Raises `BadInput`, which never repeats the text."""
        try:
            raw = bytes.fromhex(text.strip().removeprefix("0x"))
        except ValueError:
            raw = b""
        if len(raw) != 32:
            raise BadInput("bad_key", "this is not a private key", "a key is 64 hex digits, with or without 0x")
        return cls(raw)

    @property
    def secret(self) -> bytes:
        """The 32 secret bytes, for a key file."""
        return bytes(self._key.secret)

    def sign_transaction(self, chain_id: int, nonce: int, to: bytes, value: int, data: bytes = b"") -> bytes:
        """The raw bytes of a legacy transaction with replay protection (EIP-155). `value` is wei, `to` 20 bytes."""
        fields: list[int | bytes] = [nonce, 0, GAS_LIMIT, to, value, data]
        signature = self._key.sign_recoverable(keccak256(rlp_list([*fields, chain_id, 0, 0])), hasher=None)
        r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:64], "big")
        return rlp_list([*fields, chain_id * 2 + 35 + signature[64], r, s])

    def sign_digest(self, digest: bytes) -> bytes:
        """Sign 32 bytes: r, s and the recovery id plus 27, 65 bytes, as Ethereum tools expect it."""
        signature = self._key.sign_recoverable(digest, hasher=None)
        return signature[:64] + bytes([signature[64] + 27])

    def __str__(self) -> str:
        return checksum(self.address)

    def __repr__(self) -> str:
        return f"<Account {checksum(self.address)}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Account) and self.address == other.address

    def __hash__(self) -> int:
        return hash(self.address)
