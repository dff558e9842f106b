"""The types that fit in one value: what each accepts when it is stored, its zero, its bytes, its order as a map key.

What is accepted and what is refused, and with which exception, is docs/genlayer.md 3.1 and 3.5.
"""

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime as plain_datetime
from datetime import timedelta
from typing import Any

from foreman.address import Address
from foreman.runtime import paths
from foreman.runtime.standins.clock import ClockDatetime as ClockDatetime
from foreman.runtime.standins.clock import ClockTimezone

Check = Callable[[Any], Any]

EPOCH = ClockDatetime(1970, 1, 1)
NAIVE = -(1 << 63)
"""In place of a UTC offset: the time has no time zone."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """One scalar type. `wire` names its encoding in codec.py; `keys` encodes and decodes it as a map key."""

    name: str
    zero: Any = field(compare=False)
    check: Check = field(compare=False, repr=False)
    wire: str = field(compare=False, repr=False)
    keys: tuple[paths.EncodeKey, paths.DecodeKey] | None = field(compare=False, repr=False, default=None)


def sized_int(bits: int, signed: bool) -> Scalar:
    """`u8` to `u256` and `i8` to `i256`. Bounds are checked when a value is stored; nothing wraps around."""
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)

    def check(value: Any) -> int:
        if type(value) is not int:
            value = whole(value)
        if low <= value <= high:
            return value  # type: ignore[no-any-return] # `value` is an int by now
        raise OverflowError("can't convert negative int to unsigned" if value < low == 0 else "int too big to convert")

    code = next((code for size, code in ((8, "b"), (16, "h"), (32, "i"), (64, "q")) if bits <= size), "")
    wire = (code if signed else code.upper()) or ("signed" if signed else "unsigned")
    return Scalar(f"{'i' if signed else 'u'}{bits}", 0, check, wire, paths.int_key(bits, signed))


def whole(value: Any) -> int:
    """Anything that is an int, `True` included. Else the AttributeError that `value.to_bytes` would raise."""
    if isinstance(value, int):
        return int(value)
    raise AttributeError(f"'{type(value).__name__}' object has no attribute 'to_bytes'")


def check_text(value: Any) -> str:
    if type(value) is str:
        if not value.isascii():
            value.encode()  # a lone surrogate is refused now, not when the row is written
        return value
    raw: bytes = value.encode("utf-8")
    return raw.decode("utf-8")


def check_bytes(value: Any) -> bytes:
    return value if type(value) is bytes else bytes(memoryview(value))


def check_float(value: Any) -> float:
    if isinstance(value, int | float):
        return float(value)
    raise TypeError(f"required argument is not a float: {type(value).__name__}")


def check_address(value: Any) -> Address:
    if isinstance(value, Address):
        return value
    raise AttributeError(f"'{type(value).__name__}' object has no attribute 'as_bytes'")


def check_none(value: Any) -> None:
    if value is not None:
        raise AssertionError(f"only None can be stored here, not {type(value).__name__}")


def check_time(value: Any) -> plain_datetime:
    if not isinstance(value, plain_datetime):
        raise TypeError(f"a datetime is stored here, not {type(value).__name__}")
    return unpack_time(*pack_time(value))


def pack_time(value: plain_datetime) -> tuple[int, int]:
    """Microseconds since 1970 in the value's own zone, and its UTC offset in microseconds, or `NAIVE`."""
    offset = value.utcoffset()
    micros = (value.replace(tzinfo=None) - EPOCH) // timedelta(microseconds=1)
    return micros, NAIVE if offset is None else offset // timedelta(microseconds=1)


def unpack_time(micros: int, offset: int) -> plain_datetime:
    moment = EPOCH + timedelta(microseconds=micros)
    if offset == NAIVE:
        return moment
    return moment.replace(tzinfo=ClockTimezone.utc if offset == 0 else ClockTimezone(timedelta(microseconds=offset)))


def address_of(raw: bytes) -> Address:
    """An address of bytes that are known to be 20; the constructor's checks cost more than a row's decoding."""
    address = Address.__new__(Address)
    address._raw = raw
    return address


def pack_float(value: float) -> bytes:
    """Big-endian double; NaN is canonical (docs/genlayer.md 5.2), so that equal values are equal bytes."""
    return b"\x7f\xf8" + bytes(6) if value != value else struct.pack(">d", value)


INTS: dict[str, Scalar] = {
    f"{'i' if signed else 'u'}{bits}": sized_int(bits, signed) for signed in (False, True) for bits in range(8, 257, 8)
}
BIGINT = Scalar("bigint", 0, whole, "bigint", (paths.big_key, paths.read_big_key))
BOOL = Scalar("bool", False, bool, "?", (paths.bool_key, paths.read_bool_key))
TEXT = Scalar("str", "", check_text, "text", (paths.text_key, paths.read_text_key))
BYTES = Scalar("bytes", b"", check_bytes, "bytes", (paths.bytes_key, paths.read_bytes_key))
FLOAT = Scalar("float", 0.0, check_float, "float", (paths.float_key, paths.read_float_key))
NONE = Scalar("None", None, check_none, "none")
ADDRESS = Scalar("Address", Address.ZERO, check_address, "address", (paths.address_key, paths.read_address_key))
TIME = Scalar("datetime", EPOCH, check_time, "time", (paths.time_key, paths.read_time_key))
