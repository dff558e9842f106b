"""What a stored field may be: annotations, read once when a class is defined, as kinds (docs/genlayer.md 3.3)."""

import datetime as real_datetime
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from foreman.address import Address
from foreman.runtime import paths, scalars
from foreman.runtime.codec import MARKER, record_codec, scalar_codec
from foreman.runtime.rows import RowCodec
from foreman.runtime.scalars import Scalar

LAYOUT = "__foreman_layout__"
"""The attribute of a storage class that holds its `Layout`."""


@dataclass(frozen=True, slots=True)
class RecordKind:
    """A record: an instance of this `@allow_storage` class."""

    cls: type

    @property
    def layout(self) -> "Layout":
        return getattr(self.cls, LAYOUT)  # type: ignore[no-any-return] # set by records.py on every storage class


@dataclass(frozen=True, slots=True)
class ArrayKind:
    """`Array[T, Literal[n]]`."""

    item: "Kind"
    size: int


@dataclass(frozen=True, slots=True)
class ListKind:
    """`DynArray[T]`."""

    item: "Kind"


@dataclass(frozen=True, slots=True)
class MapKind:
    """`TreeMap[K, V]`."""

    key: "Scalar | RecordKind"
    value: "Kind"


Kind = Scalar | RecordKind | ArrayKind | ListKind | MapKind


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a record. `slot` is its place in the record's row (scalars), `path` its place below (the others)."""

    name: str
    kind: Kind
    slot: int
    path: bytes


@dataclass(frozen=True, slots=True)
class Layout:
    """How a storage class lies in rows."""

    fields: tuple[Field, ...]
    codec: RowCodec
    nested: tuple[Field, ...]
    """The fields that are not in the record's own row."""


_PLAIN: dict[Any, Scalar] = {
    bool: scalars.BOOL,
    str: scalars.TEXT,
    bytes: scalars.BYTES,
    float: scalars.FLOAT,
    None: scalars.NONE,
    type(None): scalars.NONE,
    Address: scalars.ADDRESS,
    real_datetime.datetime: scalars.TIME,
    scalars.ClockDatetime: scalars.TIME,
}


def layout_of(hints: list[tuple[str, Any]], read: Callable[[Any], Kind]) -> Layout:
    """The layout of a class with these annotations, in declaration order."""
    fields: list[Field] = []
    row: list[Scalar] = []
    for number, (name, annotation) in enumerate(hints):
        kind = read(annotation)
        slot = -1
        if isinstance(kind, Scalar):
            slot = len(row)
            row.append(kind)
        fields.append(Field(name, kind, slot, paths.field_path(number)))
    nested = tuple(field for field in fields if field.slot < 0)
    return Layout(tuple(fields), record_codec(tuple(row)), nested)


def entry_codec(kind: Kind) -> RowCodec:
    """The codec of a container's entries of this kind."""
    if isinstance(kind, Scalar):
        return scalar_codec(kind)
    return kind.layout.codec if isinstance(kind, RecordKind) else MARKER


def nests(kind: Kind) -> bool:
    """Does an entry of this kind keep rows of its own beside its entry row?"""
    if isinstance(kind, Scalar):
        return False
    return bool(kind.layout.nested) if isinstance(kind, RecordKind) else True


class KindReader:
    """Reads annotations. The containers and the way to make a generic record concrete are handed in, so that the
    vocabulary of types does not depend on the views.
    """

    def __init__(self, array: type, dyn_array: type, tree_map: type, concrete: Callable[[Any], type | None]) -> None:
        self._array = array
        self._dyn_array = dyn_array
        self._tree_map = tree_map
        self._concrete = concrete

    def read(self, annotation: Any) -> Kind:
        """Raises the exceptions of docs/genlayer.md 3.3 for what cannot be stored."""
        try:
            plain = _PLAIN.get(annotation)
        except TypeError:
            plain = None
        if plain is not None:
            return plain
        if isinstance(annotation, typing.NewType):
            found = scalars.INTS.get(annotation.__name__) or (
                scalars.BIGINT if annotation.__name__ == "bigint" else None
            )
            if found is not None:
                return found
        origin = typing.get_origin(annotation)
        if origin in (self._array, self._dyn_array, self._tree_map):
            return self._read_container(origin, typing.get_args(annotation))
        return self._read_other(annotation, origin)

    def _read_container(self, origin: Any, args: tuple[Any, ...]) -> Kind:
        if origin is self._dyn_array:
            return ListKind(self.read(args[0]))
        if origin is self._tree_map:
            return MapKind(self._read_key(args[0]), self.read(args[1]))
        item, size = args
        if typing.get_origin(size) is not typing.Literal:
            raise TypeError(f"the size of an Array is written typing.Literal[n], not {size!r}")
        number = typing.get_args(size)[0]
        if type(number) is not int or number < 0:
            raise TypeError(f"the size of an Array is a whole number, not {number!r}")
        return ArrayKind(self.read(item), number)

    def _read_key(self, annotation: Any) -> Scalar | RecordKind:
        kind = self.read(annotation)
        if isinstance(kind, Scalar) and kind.keys is not None:
            return kind
        if isinstance(kind, RecordKind) and not kind.layout.nested:
            params = getattr(kind.cls, "__dataclass_params__", None)
            if params is not None and params.order and all(f.kind.keys for f in kind.layout.fields):  # type: ignore[union-attr] # scalars only: nothing is nested
                return kind
            raise TypeError(
                f"{kind.cls.__name__} as a map key needs @dataclass(order=True) and fields that have an order"
            )
        raise TypeError(f"{annotation!r} cannot be the key of a TreeMap: it has no order")

    def _read_other(self, annotation: Any, origin: Any) -> Kind:
        if annotation is int:
            raise TypeError("int cannot be stored: use bigint or a sized integer such as u256")
        if origin is list or annotation is list:
            if origin is not None:
                raise AssertionError("list[...] cannot be stored: use DynArray[...]")
            raise TypeError("list cannot be stored: use DynArray[...]")
        if origin is dict or annotation is dict:
            if origin is not None:
                raise AssertionError("dict[...] cannot be stored: use TreeMap[...]")
            raise TypeError("dict cannot be stored: use TreeMap[...]")
        if annotation in (self._array, self._dyn_array, self._tree_map):
            raise TypeError(f"{annotation.__name__} needs its types, for example {annotation.__name__}[...]")
        concrete = self._concrete(annotation)
        if concrete is not None:
            return RecordKind(concrete)
        if origin in (typing.Union, types.UnionType, tuple, set, frozenset):
            raise Exception(f"{annotation!r} cannot be stored: invalid number of generic arguments")
        name = getattr(annotation, "__name__", repr(annotation))
        raise TypeError(f"class {name} is not marked for usage within storage: is @allow_storage missing?")
