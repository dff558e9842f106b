"""Twins: what stands in a block for a view of the state: of the right class, but every look at its content fails."""

from collections.abc import Iterator
from typing import Any, NoReturn

from foreman.runtime.plans import BASE_AT, ROW_AT, SPACE_AT
from foreman.runtime.rows import MemorySpace, Row, RowCodec
from foreman.runtime.views.arrays import Array, DynArray
from foreman.runtime.views.records import is_record
from foreman.runtime.views.treemap import TreeMap


def _forbid(*_: Any) -> NoReturn:
    raise SystemError("6: forbidden")


class _ForbiddenRow:
    """A row that nobody may read or write."""

    clean = True
    touch = staticmethod(_forbid)

    @property
    def values(self) -> NoReturn:
        _forbid()


class _ForbiddenSpace:
    """A space that nobody may look into."""

    def row(self, key: bytes, codec: RowCodec) -> Row | None:
        _forbid()

    def optional(self, key: bytes, codec: RowCodec) -> Row:
        _forbid()

    def put(self, key: bytes, codec: RowCodec, values: list[Any]) -> Row:
        _forbid()

    def drop(self, key: bytes) -> None:
        _forbid()

    def clear(self, low: bytes, high: bytes | None) -> None:
        _forbid()

    def scan(self, low: bytes, high: bytes | None, codec: RowCodec) -> Iterator[Row]:
        _forbid()

    def scan_keys(self, low: bytes, high: bytes | None) -> Iterator[bytes]:
        _forbid()

    def written(self, row: Row) -> None:
        _forbid()

    def near(self, base: bytes) -> None:
        """Nothing is fetched; what is read is refused above."""


FORBIDDEN = _ForbiddenSpace()
_ROW = _ForbiddenRow()

CONTAINERS = (TreeMap, DynArray, Array)


def is_storage(value: Any) -> bool:
    """Is this a record or container, stored or in memory?"""
    return isinstance(value, CONTAINERS) or is_record(value)


def in_memory(value: Any) -> bool:
    """Does this record or container live in memory, so that a block may read it?"""
    if isinstance(value, CONTAINERS):
        return isinstance(value._space, MemorySpace)
    return isinstance(value.__dict__.get(SPACE_AT), MemorySpace | None)


def twin_of(value: Any) -> Any:
    """A twin of a view. Attributes of `self` that are not stored are for the caller to copy."""
    if isinstance(value, Array):
        return value._plan.part(FORBIDDEN, value._base, value._first, value._size)
    if isinstance(value, CONTAINERS):
        return value._plan.view(FORBIDDEN, value._base, None)
    twin = object.__new__(type(value))
    twin.__dict__.update({ROW_AT: _ROW, SPACE_AT: FORBIDDEN, BASE_AT: b""})
    return twin


def extras_of(record: Any) -> dict[str, Any]:
    """The attributes that were set on a record without being fields."""
    return {name: value for name, value in vars(record).items() if not name.startswith(("_foreman_", "."))}
