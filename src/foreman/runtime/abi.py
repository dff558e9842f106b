"""The EVM's argument encoding, for the types that contracts can name (docs/genlayer.md 5.6)."""

import typing
from collections.abc import Sequence
from typing import Any

from foreman.address import Address, keccak256

_SIMPLE = {str: "string", bytes: "bytes", bool: "bool", Address: "address"}


def type_name(kind: Any) -> str:
    """The ABI name of an annotation. Raises TypeError."""
    if isinstance(kind, type) and kind in _SIMPLE:
        return _SIMPLE[kind]
    if isinstance(kind, typing.NewType):
        name = kind.__name__
        if name.startswith("bytes"):
            return name
        if name[0] in "ui" and name[1:].isdigit():
            return f"{'uint' if name[0] == 'u' else 'int'}{name[1:]}"
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is list:
        return type_name(args[0]) + "[]"
    if origin is tuple:
        return "(" + ",".join(map(type_name, args)) + ")"
    raise TypeError(f"{kind!r} has no place in an EVM signature")


def selector(name: str, kinds: Sequence[Any]) -> bytes:
    """The first four bytes of the signature's hash."""
    return keccak256(f"{name}({','.join(map(type_name, kinds))})".encode())[:4]


def encode_arguments(kinds: Sequence[Any], values: Sequence[Any]) -> bytes:
    """The values as a tuple of these types. Raises TypeError, ValueError or OverflowError for what does not fit."""
    if len(kinds) != len(values):
        raise TypeError(f"{len(kinds)} arguments are expected, {len(values)} given")
    heads: list[bytes | None] = []
    tails: list[bytes] = []
    for kind, value in zip(kinds, values, strict=True):
        raw = _encode(kind, value)
        dynamic = _is_dynamic(kind)
        heads.append(None if dynamic else raw)
        tails.append(raw if dynamic else b"")
    at = sum(32 if head is None else len(head) for head in heads)
    out = []
    for head, tail in zip(heads, tails, strict=True):
        out.append(at.to_bytes(32, "big") if head is None else head)
        at += len(tail)
    return b"".join(out + tails)


def _is_dynamic(kind: Any) -> bool:
    origin = typing.get_origin(kind)
    return kind in (str, bytes) or origin is list or (origin is tuple and any(map(_is_dynamic, typing.get_args(kind))))


def _encode(kind: Any, value: Any) -> bytes:
    name = type_name(kind)
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is list:
        return len(value).to_bytes(32, "big") + encode_arguments([args[0]] * len(value), value)
    if origin is tuple:
        return encode_arguments(args, value)
    if kind is str or kind is bytes:
        raw = value.encode() if kind is str else bytes(memoryview(value))
        return len(raw).to_bytes(32, "big") + _padded(raw)
    if kind is bool:
        return int(bool(value)).to_bytes(32, "big")
    if kind is Address:
        return bytes(12) + value.as_bytes  # type: ignore[no-any-return] # an Address, or AttributeError
    if name.startswith("bytes"):
        size = int(name[5:])
        raw = bytes(memoryview(value))
        if len(raw) != size:
            raise ValueError(f"{name} takes {size} bytes, not {len(raw)}")
        return _padded(raw)
    return _whole(name, value)


def _whole(name: str, value: int) -> bytes:
    signed = name.startswith("int")
    bits = int(name[3:] if signed else name[4:])
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    if not low <= value <= high:
        raise OverflowError(f"{value} does not fit {name}")
    return value.to_bytes(32, "big", signed=signed)


def _padded(raw: bytes) -> bytes:
    return raw + bytes(-len(raw) % 32)
