"""An account or contract: 20 bytes, with the spellings that contracts and people use.

The same class is what a contract gets from `from genlayer import Address`; its behaviour is docs/genlayer.md 3.2.
"""

import base64
import re
from functools import lru_cache
from typing import ClassVar

from Crypto.Hash import keccak

from foreman.errors import BadInput

_HEX = re.compile(r"[0-9a-fA-F]{40}")


def keccak256(data: bytes) -> bytes:
    """Keccak-256 as Ethereum uses it (not NIST SHA-3): 32 bytes."""
    return keccak.new(digest_bits=256, data=data).digest()


@lru_cache(maxsize=65536)
def checksum(raw: bytes) -> str:
    """The EIP-55 spelling of 20 bytes."""
    digits = raw.hex()
    marks = keccak256(digits.encode()).hex()
    return "0x" + "".join(c.upper() if int(mark, 16) >= 8 else c for c, mark in zip(digits, marks, strict=False))


def parse_address(text: str) -> bytes:
    """Read `0x` and 40 hex digits in any case. Mixed case must be a right EIP-55 checksum, so a typo never becomes a
    new account. Raises `BadInput`.
    """
    body = text[2:] if text[:2] in ("0x", "0X") else ""
    if not _HEX.fullmatch(body):
        raise BadInput("bad_address", f"{text[:80]!r} is not an address", "write 0x and 40 hex digits")
    raw = bytes.fromhex(body)
    if body not in (body.lower(), body.upper()) and "0x" + body != checksum(raw):
        raise BadInput("bad_checksum", f"{text} has a wrong EIP-55 checksum", f"did you mean {checksum(raw)}?")
    return raw


class Address:
    """20 bytes with the properties contracts use. Immutable, hashable, ordered."""

    __slots__ = ("_raw",)
    SIZE: ClassVar[int] = 20
    ZERO: ClassVar["Address"]

    def __init__(self, value: "str | bytes | bytearray | memoryview | Address") -> None:
        self._raw = _read(value)

    @property
    def as_bytes(self) -> bytes:
        return self._raw

    @property
    def as_hex(self) -> str:
        return checksum(self._raw)

    @property
    def as_b64(self) -> str:
        return base64.b64encode(self._raw).decode()

    @property
    def as_int(self) -> int:
        return int.from_bytes(self._raw, "little")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Address) and self._raw == other._raw

    def __lt__(self, other: object) -> bool:
        return self._raw < _comparable(other)

    def __le__(self, other: object) -> bool:
        return self._raw <= _comparable(other)

    def __gt__(self, other: object) -> bool:
        return self._raw > _comparable(other)

    def __ge__(self, other: object) -> bool:
        return self._raw >= _comparable(other)

    def __hash__(self) -> int:
        return hash(self._raw)

    def __repr__(self) -> str:
        return f'Address("{self.as_hex}")'

    def __str__(self) -> str:
        return self.as_hex

    def __format__(self, spec: str) -> str:
        spellings = {"": repr(self), "s": self.as_hex, "x": self.as_hex, "b64": self.as_b64}
        if spec == "cd":
            return "addr#" + self._raw.hex()
        if spec not in spellings:
            raise TypeError(f"unsupported Address format {spec!r}")
        return spellings[spec]

    def __reduce__(self) -> tuple[object, ...]:
        return (Address, (self._raw,))


def _comparable(other: object) -> bytes:
    if not isinstance(other, Address):
        raise AssertionError("an Address compares with an Address only")  # what the official SDK's assert raises
    return other.as_bytes


def _read(value: object) -> bytes:
    if isinstance(value, str):
        if len(value) == 42 and value.startswith("0x"):
            raw = bytes.fromhex(value[2:])  # which skips spaces, so the length is looked at below
        elif len(value) > 20:
            raw = base64.b64decode(value)
        else:
            raise Exception(f"invalid address {value!r}")
    elif isinstance(value, bytes | bytearray | memoryview):
        raw = bytes(value)
    else:
        # The SDK refuses an Address here (docs/genlayer.md 10.2, trap 4), so a contract that leaned on it breaks there.
        raise TypeError(f"an address is made from a string or 20 bytes, not {type(value).__name__}")
    if len(raw) != Address.SIZE:
        raise Exception(f"invalid address, {len(raw)} bytes instead of {Address.SIZE}")
    return raw


Address.ZERO = Address(bytes(20))
