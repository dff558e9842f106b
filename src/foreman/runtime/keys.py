"""How the keys of a map become bytes: scalars by their own encoding, records by their fields' one after another."""

from typing import Any

from foreman.runtime.kinds import RecordKind
from foreman.runtime.paths import DecodeKey, EncodeKey
from foreman.runtime.scalars import Scalar

_SIZES = {"?": 1, "float": 8, "address": 20, "time": 9}


def key_codec(kind: Scalar | RecordKind) -> tuple[EncodeKey, DecodeKey]:
    """Encode and decode keys of this kind. Encodings sort as the keys do, and each ends itself."""
    if isinstance(kind, Scalar):
        assert kind.keys is not None, "checked when the annotation was read"
        return kind.keys
    fields = [(field.name, field.kind) for field in kind.layout.fields if isinstance(field.kind, Scalar)]
    cls = kind.cls

    def encode(value: Any) -> bytes:
        if not isinstance(value, cls):
            raise AssertionError(f"the key is a {cls.__name__}, not {type(value).__name__}")
        return b"".join(scalar.keys[0](getattr(value, name)) for name, scalar in fields if scalar.keys)

    def decode(raw: bytes) -> Any:
        found: Any = object.__new__(cls)
        at = 0
        for name, scalar in fields:
            end = at + _size(scalar, raw[at:])
            assert scalar.keys is not None
            setattr(found, name, scalar.keys[1](raw[at:end]))
            at = end
        return found

    return encode, decode


def _size(scalar: Scalar, raw: bytes) -> int:
    """How many bytes of `raw` the first key takes."""
    if scalar.wire in ("text", "bytes"):
        at = 0
        while raw[at : at + 2] != b"\x00\x01":
            at += 2 if raw[at] == 0 else 1
        return at + 2
    if scalar.wire == "bigint":
        head = raw[0] if raw[0] >= 0x80 else 255 - raw[0]
        if head < 0xFF:
            return 1 + head - 0x80
        size = raw[1:5] if raw[0] >= 0x80 else bytes(255 - octet for octet in raw[1:5])
        return 5 + int.from_bytes(size, "big")
    return _SIZES.get(scalar.wire) or int(scalar.name[1:]) // 8
