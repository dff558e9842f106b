"""Order-preserving byte strings: the key of every stored row, and the encodings of map keys that sort as Python does.

A contract's state is one flat, ordered map from bytes to bytes. Where a row lives:

    record base B          B 00            the scalar fields of that record (the contract itself has the empty base)
                           B <field>       the base of its nested record, container, or array number `field`
    container C            C 00            its length
                           C 01 <key>      one entry: a scalar, the scalar fields of a record, or an empty marker
                           C 02 <key>      the base of what is nested in that entry

Entries lie side by side and never between them what is nested in them, so reading a page of records is one range scan.
Every encoded key is prefix-free: it ends itself, so the rows under one key never mix with those under another.
"""

import struct
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from foreman.address import Address

ROW = b"\x00"
LENGTH = b"\x00"
ENTRIES = b"\x01"
NESTED = b"\x02"
ROOT = b"\xff"
"""What belongs to the runtime rather than to the contract's class: the upgraders."""

EncodeKey = Callable[[Any], bytes]
DecodeKey = Callable[[bytes], Any]

_EPOCH = datetime(1970, 1, 1)
_MICROSECOND = timedelta(microseconds=1)


def field_path(number: int) -> bytes:
    """The path of field `number` (from 0) below its record: one byte, three when a record has very many fields."""
    if number < 0xEF:
        return bytes([number + 1])
    return b"\xf0" + number.to_bytes(2, "big")


def end_of(prefix: bytes) -> bytes | None:
    """The smallest key after every key that starts with `prefix`; None when there is none."""
    trimmed = prefix.rstrip(b"\xff")
    return trimmed[:-1] + bytes([trimmed[-1] + 1]) if trimmed else None


def text_key(value: Any) -> bytes:
    if type(value) is not str and not isinstance(value, str):
        raise _wrong(value, "str")
    return value.encode().replace(b"\x00", b"\x00\xff") + b"\x00\x01"


def read_text_key(raw: bytes) -> str:
    return raw[:-2].replace(b"\x00\xff", b"\x00").decode()


def bytes_key(value: Any) -> bytes:
    if not isinstance(value, bytes | bytearray | memoryview):
        raise _wrong(value, "bytes")
    return bytes(value).replace(b"\x00", b"\x00\xff") + b"\x00\x01"


def read_bytes_key(raw: bytes) -> bytes:
    return raw[:-2].replace(b"\x00\xff", b"\x00")


def int_key(bits: int, signed: bool) -> tuple[EncodeKey, DecodeKey]:
    """Fixed width, big-endian, shifted so that negative numbers sort first. OverflowError outside the type's range."""
    size, bias = bits // 8, (1 << bits - 1) if signed else 0

    def encode(value: Any) -> bytes:
        if type(value) is not int:
            value = _whole(value)
        return (value + bias).to_bytes(size, "big")  # type: ignore[no-any-return] # `value` is an int by now

    def decode(raw: bytes) -> int:
        return int.from_bytes(raw, "big") - bias

    return encode, decode


def big_key(value: Any) -> bytes:
    """Any integer: a byte that tells sign and size, then the magnitude; the other way round for negative numbers."""
    number = _whole(value)
    size = (abs(number).bit_length() + 7) // 8
    body = abs(number).to_bytes(size, "big")
    head = bytes([0x80 + size]) if size < 120 else b"\xff" + size.to_bytes(4, "big")
    raw = head + body
    if number >= 0:
        return raw
    # Complementing every bit reverses the order and maps the heads 81..ff to 7e..00.
    return bytes(255 - octet for octet in raw)


def read_big_key(raw: bytes) -> int:
    negative = raw[0] < 0x80
    if negative:
        raw = bytes(255 - octet for octet in raw)
    body = raw[5:] if raw[0] == 0xFF else raw[1:]
    number = int.from_bytes(body, "big")
    return -number if negative else number


def bool_key(value: Any) -> bytes:
    number = _whole(value)
    if number not in (0, 1):
        raise OverflowError("int too big to convert")
    return bytes([number])


def read_bool_key(raw: bytes) -> bool:
    return raw == b"\x01"


def float_key(value: Any) -> bytes:
    """The bits of a double, turned so that they sort as numbers do. NaN has no place in an order."""
    if not isinstance(value, int | float):
        raise _wrong(value, "float")
    number = float(value) + 0.0  # -0.0 and 0.0 are one key
    if number != number:
        raise ValueError("NaN has no place in a sorted map")
    bits = int.from_bytes(struct.pack(">d", number), "big")
    return (bits ^ (0xFFFFFFFFFFFFFFFF if bits >> 63 else 1 << 63)).to_bytes(8, "big")


def read_float_key(raw: bytes) -> float:
    bits = int.from_bytes(raw, "big")
    bits ^= (1 << 63) if bits >> 63 else 0xFFFFFFFFFFFFFFFF
    number: float = struct.unpack(">d", bits.to_bytes(8, "big"))[0]
    return number


def address_key(value: Any) -> bytes:
    if not isinstance(value, Address):
        raise AssertionError(f"the key is an Address, not {type(value).__name__}")
    return value.as_bytes


def read_address_key(raw: bytes) -> Address:
    return Address(raw)


def time_key(value: Any) -> bytes:
    """Naive times before aware ones (Python does not compare them); aware ones by their moment, read back as UTC."""
    if not isinstance(value, datetime):
        raise _wrong(value, "datetime")
    aware = value.utcoffset() is not None
    naive = value.astimezone(UTC).replace(tzinfo=None) if aware else value
    micros = (naive - _EPOCH) // _MICROSECOND
    return bytes([aware]) + (micros + (1 << 63)).to_bytes(8, "big")


def read_time_key(raw: bytes) -> datetime:
    moment = _EPOCH + timedelta(microseconds=int.from_bytes(raw[1:], "big") - (1 << 63))
    return moment.replace(tzinfo=UTC) if raw[0] else moment


def index_key(index: int) -> bytes:
    """The key of an array's element."""
    return index.to_bytes(4, "big")


def _whole(value: Any) -> int:
    """What compares equal to an integer is that key, as it is on the network: True is 1, 2.0 is 2."""
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    raise _wrong(value, "int")


def _wrong(value: Any, name: str) -> TypeError:
    return TypeError(f"'<' not supported between instances of '{type(value).__name__}' and '{name}'")
