"""GenLayer's argument encoding, both ways (docs/genlayer.md 1; the vectors of 1.2 are its tests)."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import lru_cache
from operator import itemgetter
from typing import Any

from foreman.address import Address

MAX_DEPTH = 128
"""Nesting limit; v0.3 of the official runner has the same number (docs/genlayer.md 1.5)."""

MAX_KEYS, MAX_KEY = 64, 32
"""Maps of more keys than this, or of longer ones on the average, are not kept encoded: what is kept stays small."""

_REPEATED = 1 << 256
"""Larger numbers are not kept encoded, for the same reason."""

_TEXT = {str}

_first = itemgetter(0)
_NULL, _FALSE, _TRUE, _ADDRESS = 0x00, 0x08, 0x10, 0x18
_SPECIAL, _POSITIVE, _NEGATIVE, _BYTES, _STRING, _ARRAY, _MAP = range(7)

Value = Any
"""None, bool, int, str, bytes, Address, a list of values, or a dict of str to value."""


class DecodingError(ValueError):
    """These bytes are not calldata."""


def encode(value: Value) -> bytes:
    """Encode a value. Raises `TypeError` for floats, sets, other objects, keys that are not strings, deep nesting."""
    out = bytearray()
    _put(out, value, 0)
    return bytes(out)


def decode(data: bytes) -> Value:
    """Decode exactly one value. Raises `DecodingError`, also for bytes left over and for keys out of order."""
    value, end = _take(data, 0, 0)
    if end != len(data):
        raise DecodingError(f"{len(data) - end} bytes left over after the value")
    return value


def encode_call(method: str | None, args: Sequence[Value] = (), kwargs: Mapping[str, Value] | None = None) -> bytes:
    """The calldata of a method call; `method=None` is a constructor, and with no arguments a plain transfer."""
    call: dict[str, Value] = {}
    if method is not None:
        call["method"] = method
    if args:
        call["args"] = list(args)
    if kwargs:
        call["kwargs"] = dict(kwargs)
    return encode(call)


def _number(out: bytearray, number: int) -> None:
    """Unsigned LEB128. A long number goes by way of its binary digits, which takes linear time."""
    if number.bit_length() > 1024:
        bits = format(number, "b")
        bits = bits.rjust(len(bits) + -len(bits) % 7, "0")
        groups = [int(bits[at : at + 7], 2) for at in range(len(bits) - 7, -1, -7)]
        out += bytes(group | 0x80 for group in groups[:-1])
        number = groups[-1]
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)


@lru_cache(maxsize=4096)
def _positive(number: int) -> bytes:
    """A whole number from 0 on, encoded. A page of orders repeats its times, its amounts and its sizes."""
    out = bytearray()
    _number(out, number << 3 | _POSITIVE)
    return bytes(out)


@lru_cache(maxsize=1024)
def _layout(keys: tuple[str, ...]) -> tuple[tuple[bytes, str], ...]:
    """The keys of a map in the order in which they are written, each with its bytes; the first has the head of the map
    before it. Records of one kind have the same keys again and again.
    """
    out = bytearray()
    _number(out, len(keys) << 3 | _MAP)
    found = []
    for key in sorted(keys):
        raw = key.encode()
        _number(out, len(raw))
        found.append((bytes(out + raw), key))
        out.clear()
    return tuple(found)


def _may_be_kept(keys: tuple[Any, ...]) -> bool:
    """What is kept is found by equality, so it must not be made of a text class with an equality of its own."""
    return set(map(type, keys)) == _TEXT and sum(map(len, keys)) <= MAX_KEYS * MAX_KEY


def _put(out: bytearray, value: Value, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise TypeError(f"not calldata encodable: nested deeper than {MAX_DEPTH}")
    kind = type(value)
    if kind is str:  # most values are texts
        raw = value.encode()
        size = len(raw) << 3 | _STRING
        if size < 0x80:
            out.append(size)
        else:
            _number(out, size)
        out += raw
    elif kind is int and 0 <= value < _REPEATED:
        out += _positive(value)
    elif kind is dict:
        _put_map(out, value, depth)
    elif value is None:
        out.append(_NULL)
    elif value is True:
        out.append(_TRUE)
    elif value is False:
        out.append(_FALSE)
    elif isinstance(value, int):
        if value >= 0:
            _number(out, value << 3 | _POSITIVE)
        else:
            _number(out, (-value - 1) << 3 | _NEGATIVE)
    elif isinstance(value, str):
        raw = value.encode()
        _number(out, len(raw) << 3 | _STRING)
        out += raw
    elif isinstance(value, bytes | bytearray | memoryview):
        raw = bytes(value)
        _number(out, len(raw) << 3 | _BYTES)
        out += raw
    elif isinstance(value, Address):
        out.append(_ADDRESS)
        out += value.as_bytes
    else:
        _put_whole(out, value, depth)


def _put_whole(out: bytearray, value: Value, depth: int) -> None:
    """Write what has parts: maps, lists, records, and what can turn itself into one of them."""
    if hasattr(value, "__to_calldata__"):
        _put(out, value.__to_calldata__(), depth + 1)
    elif isinstance(value, Mapping):
        _put_map(out, value, depth)
    elif isinstance(value, Sequence):
        _number(out, len(value) << 3 | _ARRAY)
        for item in value:
            _put(out, item, depth + 1)
    elif is_dataclass(value) and not isinstance(value, type):
        _put_map(out, {field.name: getattr(value, field.name) for field in fields(value)}, depth)
    else:
        raise TypeError(f"not calldata encodable {value!r:.80}: {type(value).__name__}")


def _put_map(out: bytearray, value: Mapping[Any, Value], depth: int) -> None:
    keys = tuple(value)
    if type(value) is dict and 0 < len(keys) <= MAX_KEYS and _may_be_kept(keys):
        for raw, key in _layout(keys):
            out += raw
            _put(out, value[key], depth + 1)
        return
    items = list(value.items())
    for key, _ in items:
        if not isinstance(key, str):
            raise TypeError(f"key is not string {key!r:.80}: {type(key).__name__}")
    items.sort(key=_first)
    _number(out, len(items) << 3 | _MAP)
    for key, item in items:
        raw = key.encode()
        _number(out, len(raw))
        out += raw
        _put(out, item, depth + 1)


def _take_number(data: bytes, at: int) -> tuple[int, int]:
    start = at
    while True:
        if at >= len(data):
            raise DecodingError("unexpected end of memory")
        octet = data[at]
        at += 1
        if octet < 0x80:
            break
    if octet == 0 and at - start > 1:
        raise DecodingError("most significant octet can not be zero")
    if at - start <= 8:
        number = 0
        for index in range(at - 1, start - 1, -1):
            number = number << 7 | data[index] & 0x7F
        return number, at
    # A long number: gather the bits as text of base two, which int() reads in linear time.
    bits = "".join(format(data[index] & 0x7F, "07b") for index in range(at - 1, start - 1, -1))
    return int(bits, 2), at


def _take(data: bytes, at: int, depth: int) -> tuple[Value, int]:
    if depth > MAX_DEPTH:
        raise DecodingError(f"nested deeper than {MAX_DEPTH}")
    head, at = _take_number(data, at)
    kind, size = head & 7, head >> 3
    if kind == _POSITIVE:
        return size, at
    if kind == _NEGATIVE:
        return -size - 1, at
    if kind == _SPECIAL:
        return _take_special(data, at, size)
    if kind == _BYTES:
        return _take_bytes(data, at, size)
    if kind == _STRING:
        raw, at = _take_bytes(data, at, size)
        return _text(raw), at
    if kind == _ARRAY:
        items: list[Value] = []
        for _ in range(size):
            item, at = _take(data, at, depth + 1)
            items.append(item)
        return items, at
    if kind == _MAP:
        return _take_map(data, at, size, depth)
    raise DecodingError("type 7 is not calldata")


def _take_special(data: bytes, at: int, which: int) -> tuple[Value, int]:
    if which == 0:
        return None, at
    if which == 1:
        return False, at
    if which == 2:
        return True, at
    if which == 3:
        raw, at = _take_bytes(data, at, Address.SIZE)
        return Address(raw), at
    raise DecodingError(f"unknown special value {which}")


def _take_bytes(data: bytes, at: int, size: int) -> tuple[bytes, int]:
    end = at + size
    if end > len(data):
        raise DecodingError("unexpected end of memory")
    return data[at:end], end


def _text(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise DecodingError(f"a string is not UTF-8: {error.reason}") from error


def _take_map(data: bytes, at: int, size: int, depth: int) -> tuple[Value, int]:
    found: dict[str, Value] = {}
    before: bytes | None = None
    for _ in range(size):
        length, at = _take_number(data, at)
        raw, at = _take_bytes(data, at, length)
        if before is not None and raw <= before:
            raise DecodingError("keys are not in ascending order")
        before = raw
        found[_text(raw)], at = _take(data, at, depth + 1)
    return found, at
