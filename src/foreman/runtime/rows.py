"""Rows: the decoded content of one stored key, and a space in memory for the rows of what no contract holds."""

from bisect import bisect_left
from collections.abc import Iterator
from typing import Any, Protocol

MISSING: Any = object()


class RowCodec(Protocol):
    """How the values of one row become bytes."""

    def encode(self, values: list[Any]) -> bytes: ...

    def decode(self, raw: bytes) -> list[Any]: ...

    def zeros(self) -> list[Any]: ...


class Row:
    """The values of one row. Views hold a row, so two views of one place see each other's changes.

    `clean` rows have not been written in this run. A row that was deleted stays readable for a view that still holds
    it, and what is written to it goes nowhere.
    """

    __slots__ = ("clean", "codec", "key", "raw", "space", "values")

    def __init__(self, space: Any, key: bytes, codec: RowCodec, values: list[Any], raw: bytes | None) -> None:
        self.space = space
        self.key = key
        self.codec = codec
        self.values = values
        self.raw = raw
        self.clean = True

    def touch(self) -> None:
        """Say, before the first change, that this row is about to change. SystemError where writing is forbidden."""
        self.space.written(self)
        self.clean = False


class Space(Protocol):
    """Where rows live: the overlay of a contract, or memory."""

    def row(self, key: bytes, codec: RowCodec) -> Row | None: ...

    def optional(self, key: bytes, codec: RowCodec) -> Row: ...

    def put(self, key: bytes, codec: RowCodec, values: list[Any]) -> Row: ...

    def drop(self, key: bytes) -> None: ...

    def clear(self, low: bytes, high: bytes | None) -> None: ...

    def scan(self, low: bytes, high: bytes | None, codec: RowCodec) -> Iterator[Row]: ...

    def scan_keys(self, low: bytes, high: bytes | None) -> Iterator[bytes]: ...

    def written(self, row: Row) -> None: ...

    def near(self, base: bytes) -> None:
        """What lies below `base` is about to be read."""


class MemorySpace:
    """The rows of one record or container that is not stored anywhere. Small, so keys are sorted when asked for."""

    __slots__ = ("rows",)

    def __init__(self) -> None:
        self.rows: dict[bytes, Row] = {}

    def row(self, key: bytes, codec: RowCodec) -> Row | None:
        return self.rows.get(key)

    def optional(self, key: bytes, codec: RowCodec) -> Row:
        return self.rows.get(key) or self.put(key, codec, codec.zeros())

    def put(self, key: bytes, codec: RowCodec, values: list[Any]) -> Row:
        row = self.rows[key] = Row(self, key, codec, values, None)
        row.clean = False
        return row

    def drop(self, key: bytes) -> None:
        self.rows.pop(key, None)

    def clear(self, low: bytes, high: bytes | None) -> None:
        for key in [key for key in self.rows if low <= key and (high is None or key < high)]:
            del self.rows[key]

    def scan(self, low: bytes, high: bytes | None, codec: RowCodec) -> Iterator[Row]:
        for key in self.scan_keys(low, high):
            row = self.rows.get(key)
            if row is not None:
                yield row

    def scan_keys(self, low: bytes, high: bytes | None) -> Iterator[bytes]:
        keys = sorted(self.rows)
        for key in keys[bisect_left(keys, low) :]:
            if high is not None and key >= high:
                return
            if key in self.rows:
                yield key

    def written(self, row: Row) -> None:
        """Memory may always be written."""

    def near(self, base: bytes) -> None:
        """Everything is at hand already."""
