"""How a row's values become bytes and come back: functions compiled once per record class, so a row is quick.

A record row is: the number of its scalar fields (2 bytes), the fields of fixed size, the lengths of the others, then
the others. A class that has grown fields at its end reads its older rows: what they lack is zero.
"""

import struct
from functools import lru_cache
from typing import Any

from foreman.errors import StateError
from foreman.runtime.scalars import Scalar, address_of, pack_float, pack_time, unpack_time

_FIXED = "bBhHiIqQ?"
_NAMES = {
    "address_of": address_of,
    "pack_float": pack_float,
    "pack_time": pack_time,
    "unpack_time": unpack_time,
    "read_float": lambda raw: struct.unpack(">d", raw)[0],
    "from_bytes": int.from_bytes,
}

# wire: struct code of the fixed part, its expressions, the expression of the variable part, and how both are read.
# `v` is the value, `r` the raw variable part, `f` (and `g`) what the struct gave back.
_WIRES: dict[str, tuple[str, tuple[str, ...], str, str]] = {
    **{code: (code, ("{v}",), "", "{f}") for code in _FIXED},
    "none": ("", (), "", "None"),
    "float": ("8s", ("pack_float({v})",), "", "read_float({f})"),
    "address": ("20s", ("{v}._raw",), "", "address_of({f})"),
    "time": ("qq", ("*pack_time({v})",), "", "unpack_time({f}, {g})"),
    "text": ("I", (), "{v}.encode()", "str({r}, 'utf-8')"),
    "bytes": ("I", (), "{v}", "{r}"),
    "unsigned": ("B", (), "{v}.to_bytes(({v}.bit_length() + 7) // 8, 'big')", "from_bytes({r}, 'big')"),
    "signed": (
        "B",
        (),
        "{v}.to_bytes({v}.bit_length() // 8 + 1, 'big', signed=True)",
        "from_bytes({r}, 'big', signed=True)",
    ),
    "bigint": (
        "I",
        (),
        "{v}.to_bytes({v}.bit_length() // 8 + 1, 'big', signed=True)",
        "from_bytes({r}, 'big', signed=True)",
    ),
}


class RecordCodec:
    """The codec of rows with these scalar fields, in declaration order."""

    def __init__(self, fields: tuple[Scalar, ...]) -> None:
        self.fields = fields
        self._zeros = [scalar.zero for scalar in fields]
        self.encode, self._decode = _compile(fields)
        self._head = len(fields).to_bytes(2, "big")

    def zeros(self) -> list[Any]:
        return self._zeros.copy()

    def decode(self, raw: bytes) -> list[Any]:
        if raw[:2] == self._head:
            return self._decode(raw)  # type: ignore[no-any-return] # compiled below
        count = int.from_bytes(raw[:2], "big")
        if count > len(self.fields):
            raise StateError(
                "row_too_new",
                f"a stored record has {count} fields, its class only {len(self.fields)}",
                "fields are added at the end of a class and never taken away",
            )
        older: list[Any] = _codec(self.fields[:count]).decode(raw)
        return older + self._zeros[count:]


class ScalarCodec:
    """The codec of an entry that is one scalar."""

    def __init__(self, scalar: Scalar) -> None:
        self.scalar = scalar
        self._zero = scalar.zero
        self.encode, self.decode = _compile_one(scalar)

    def zeros(self) -> list[Any]:
        return [self._zero]


@lru_cache(maxsize=4096)
def _codec(fields: tuple[Scalar, ...]) -> RecordCodec:
    return RecordCodec(fields)


def record_codec(fields: tuple[Scalar, ...]) -> RecordCodec:
    """Codecs are shared: two classes with the same fields have the same one."""
    return _codec(fields)


@lru_cache(maxsize=128)
def scalar_codec(scalar: Scalar) -> ScalarCodec:
    return ScalarCodec(scalar)


def _compile(fields: tuple[Scalar, ...]) -> tuple[Any, Any]:
    values = [f"v{number}" for number in range(len(fields))]
    layout, packed, unpacked, parts, lengths, ends, read = ">H", [], [], [], [], [], []
    for value, scalar in zip(values, fields, strict=True):
        code, given, variable, back = _WIRES[scalar.wire]
        number = value[1:]
        if variable:
            parts.append(f"r{number} = {variable.format(v=value)}")
            lengths.append((code, number))
        else:
            layout += code
            packed += [part.format(v=value) for part in given]
            unpacked += [f"f{number}", f"g{number}"][: len(code.replace("8s", "s").replace("20s", "s"))]
        read.append(
            back.format(r=f"raw[{_start(lengths)}:e{number}]" if variable else "", f=f"f{number}", g=f"g{number}")
        )
    for code, number in lengths:
        layout += code
        packed.append(f"len(r{number})")
        unpacked.append(f"l{number}")
    start = str(struct.calcsize(layout))
    before = start
    for _, number in lengths:
        ends.append(f"e{number} = {before} + l{number}")
        before = f"e{number}"
    tail = "".join(f", r{number}" for _, number in lengths)
    encode = [
        "def encode(values):",
        f"    {', '.join(values)}, = values" if values else "    pass",
        *(f"    {line}" for line in parts),
        f"    return b''.join((pack({', '.join([str(len(fields)), *packed])}){tail},))",
    ]
    decode = [
        "def decode(raw):",
        f"    _, {''.join(name + ', ' for name in unpacked)} = unpack_from(raw)",
        *(f"    {line}" for line in ends),
        f"    return [{', '.join(read).replace('START', start)}]",
    ]
    layout_struct = struct.Struct(layout)
    return _define("\n".join(encode + decode), pack=layout_struct.pack, unpack_from=layout_struct.unpack_from)


def _start(lengths: list[tuple[str, str]]) -> str:
    """Where the variable part that was added last begins: at the end of the one before."""
    return f"e{lengths[-2][1]}" if len(lengths) > 1 else "START"


def _compile_one(scalar: Scalar) -> tuple[Any, Any]:
    code, given, variable, back = _WIRES[scalar.wire]
    if variable:
        source = [f"    return {variable.format(v='v')}", f"    return [{back.format(r='raw')}]"]
    else:
        names = ["f", "g"][: len(code.replace("8s", "s").replace("20s", "s"))]
        unpack = f"    {''.join(name + ', ' for name in names)} = unpack(raw)" if names else "    pass"
        source = [
            f"    return pack({', '.join(part.format(v='v') for part in given)})",
            f"{unpack}\n    return [{back.format(f='f', g='g')}]",
        ]
    layout = struct.Struct(">" + code)
    text = f"def encode(values):\n    v, = values\n{source[0]}\ndef decode(raw):\n{source[1]}"
    return _define(text, pack=layout.pack, unpack=layout.unpack)


def _define(source: str, **names: Any) -> tuple[Any, Any]:
    scope: dict[str, Any] = {**_NAMES, **names}
    exec(compile(source, "<row codec>", "exec"), scope)
    return scope["encode"], scope["decode"]


MARKER = record_codec(())
"""The row of an entry that is a container: it is there, and says no more."""
