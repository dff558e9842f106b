"""`TreeMap`: a sorted map whose every entry is a row of its own (docs/genlayer.md 3.9).

A look-up reads the entry's row and no other; the length is a row that only `len` and new or removed keys touch;
iterating is a range scan that stops where the caller stops.
"""

from collections.abc import Callable, ItemsView, Iterator, Mapping, MutableMapping, ValuesView
from typing import Any, NoReturn, TypeVar

from foreman.runtime.keys import key_codec
from foreman.runtime.kinds import MapKind
from foreman.runtime.lengths import grow, length
from foreman.runtime.paths import ENTRIES, NESTED, end_of
from foreman.runtime.plans import Plan, plan_of
from foreman.runtime.rows import MemorySpace, Row, Space

K = TypeVar("K")
V = TypeVar("V")

_ABSENT: Any = object()


class TreeMap(MutableMapping[K, V]):
    """A view of a sorted map in the state, or in memory when `gl.storage` made it."""

    __slots__ = ("_base", "_entries", "_nested", "_plan", "_space")

    _base: bytes
    _entries: bytes
    _nested: bytes
    _plan: "MapPlan"
    _space: Space

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        # On the network such an object has the type of whichever map came first (docs/genlayer.md 3.9); nothing good
        # comes of it, and a contract that got away with it here would break there.
        raise TypeError("this class can't be instantiated by user; use gl.storage.inmem_allocate")

    def __getitem__(self, key: K) -> V:
        found = self.get(key, _ABSENT)
        if found is _ABSENT:
            raise KeyError(key)
        return found  # type: ignore[no-any-return] # typed by the contract's annotation

    def get(self, key: K, default: Any = None) -> Any:
        plan = self._plan
        try:
            raw = plan.encode(key)
        except (OverflowError, UnicodeEncodeError):
            return default  # such a key cannot have been stored
        row = self._space.row(self._entries + raw, plan.value.codec)
        if row is None:
            return default
        return plan.value.view(self._space, self._nested + raw, row)

    def __contains__(self, key: object) -> bool:
        try:
            raw = self._plan.encode(key)
        except (OverflowError, UnicodeEncodeError):
            return False
        return self._space.row(self._entries + raw, self._plan.value.codec) is not None

    def __setitem__(self, key: K, value: V) -> None:
        raw, plan = self._plan.encode(key), self._plan.value
        prepared = plan.prepare(value)
        row, _ = self._reach(raw)
        plan.write(self._space, self._nested + raw, row, prepared)

    def __delitem__(self, key: K) -> None:
        try:
            raw = self._plan.encode(key)
        except (OverflowError, UnicodeEncodeError):
            raise KeyError("key not found") from None
        if self._space.row(self._entries + raw, self._plan.value.codec) is None:
            raise KeyError("key not found")
        self._remove(raw)

    def __iter__(self) -> Iterator[K]:
        decode, skip = self._plan.decode, len(self._entries)
        for key in self._space.scan_keys(self._entries, end_of(self._entries)):
            yield decode(key[skip:])

    def __len__(self) -> int:
        return length(self._space, self._base)

    def items(self) -> ItemsView[K, V]:
        return _Items(self)

    def values(self) -> ValuesView[V]:
        return _Values(self)

    def pop(self, key: K, default: Any = _ABSENT) -> Any:
        """Remove a key; what is returned is a copy that outlives the entry."""
        found = self.get(key, _ABSENT)
        if found is _ABSENT:
            if default is _ABSENT:
                raise KeyError(key)
            return default
        kept = self._plan.value.detach(found)
        del self[key]
        return kept

    def popitem(self) -> tuple[K, V]:
        """Remove the smallest key."""
        for key in self:
            return key, self.pop(key)
        raise KeyError("popitem(): the map is empty")

    def get_or_insert_default(self, key: K) -> V:
        """The value of a key, a zero being inserted where it has none."""
        raw = self._plan.encode(key)
        row, _ = self._reach(raw)
        return self._plan.value.view(self._space, self._nested + raw, row)  # type: ignore[no-any-return] # typed by the contract's annotation

    def compute_if_absent(self, key: K, supplier: Callable[[], V]) -> V:
        found = self.get(key, _ABSENT)
        if found is not _ABSENT:
            return found  # type: ignore[no-any-return] # typed by the contract's annotation
        raise IndexError("compute_if_absent() of a new key fails on the network (v0.1.8): insert with m[key] = value")

    def clear(self) -> NoReturn:
        while True:
            try:
                self.popitem()
            except KeyError:
                break
        raise Exception("clear() fails on the network (v0.1.8) once the map is empty: use popitem() in a loop")

    def update(self, other: Any = (), /, **named: Any) -> None:
        pairs = other.items() if isinstance(other, Mapping) else other
        for key, value in pairs:
            self[key] = value
        for name, value in named.items():
            self[name] = value  # type: ignore[index] # maps with text keys only

    def __eq__(self, other: object) -> bool:
        if isinstance(other, TreeMap) and other._space is self._space and other._base == self._base:
            return True
        if not isinstance(other, Mapping):
            return NotImplemented
        return dict(self.items()) == dict(other.items())

    __hash__ = None  # type: ignore[assignment] # as every mutable mapping

    def __repr__(self) -> str:
        return "{" + ",".join(f"{key!r}:{value!r}" for key, value in self.items()) + "}"

    def __deepcopy__(self, memo: dict[int, Any]) -> "TreeMap[K, V]":
        return self._plan.detach(self)

    def _rows(self) -> Iterator[tuple[bytes, Row]]:
        skip = len(self._entries)
        for row in self._space.scan(self._entries, end_of(self._entries), self._plan.value.codec):
            yield row.key[skip:], row

    def _reach(self, raw: bytes) -> tuple[Row, bool]:
        """The entry's row, made if there is none, and whether it was made."""
        space, key, codec = self._space, self._entries + raw, self._plan.value.codec
        row = space.row(key, codec)
        if row is not None:
            return row, False
        row = space.put(key, codec, codec.zeros())
        grow(space, self._base, 1)
        return row, True

    def _remove(self, raw: bytes) -> None:
        self._space.drop(self._entries + raw)
        self._plan.value.clear(self._space, self._nested + raw)
        grow(self._space, self._base, -1)


class _Items(ItemsView[K, V]):
    """Pairs, from one scan over the rows instead of a look-up per key."""

    _mapping: TreeMap[K, V]

    def __iter__(self) -> Iterator[tuple[K, V]]:
        found = self._mapping
        plan, space, nested = found._plan, found._space, found._nested
        for raw, row in found._rows():
            yield plan.decode(raw), plan.value.view(space, nested + raw, row)


class _Values(ValuesView[V]):
    """Values, from one scan over the rows."""

    _mapping: TreeMap[Any, V]

    def __iter__(self) -> Iterator[V]:
        found = self._mapping
        plan, space, nested = found._plan.value, found._space, found._nested
        for raw, row in found._rows():
            yield plan.view(space, nested + raw, row)


class MapPlan(Plan):
    """Where a map's rows are, and how its keys become bytes."""

    kind: MapKind

    def __init__(self, kind: MapKind) -> None:
        super().__init__(kind)
        self.encode, self.decode = key_codec(kind.key)
        self.value = plan_of(kind.value)

    def view(self, space: Space, base: bytes, row: Any) -> TreeMap[Any, Any]:
        found: TreeMap[Any, Any] = object.__new__(TreeMap)
        found._space = space
        found._base = base
        found._entries = base + ENTRIES
        found._nested = base + NESTED
        found._plan = self
        return found

    def prepare(self, value: Any) -> TreeMap[Any, Any]:
        fits = isinstance(value, TreeMap) and (value._plan is self or value._plan.kind == self.kind)
        if not fits:
            raise AssertionError(f"Is right the same storage type? `TreeMap` <- `{type(value).__name__}`")
        return value  # type: ignore[no-any-return] # checked above

    def write(self, space: Space, base: bytes, row: Any, prepared: TreeMap[Any, Any]) -> None:
        if prepared._space is space and prepared._base == base:
            return
        target = self.view(space, base, row)
        if len(target):
            space.clear(base, end_of(base))
        for raw, source in prepared._rows():
            value = self.value.view(prepared._space, prepared._nested + raw, source)
            made, _ = target._reach(raw)
            self.value.write(space, target._nested + raw, made, self.value.prepare(value))

    def detach(self, value: Any) -> TreeMap[Any, Any]:
        """A copy that is stored nowhere."""
        space = MemorySpace()
        self.write(space, b"", None, value)
        return self.view(space, b"", None)


Plan.makers[MapKind] = MapPlan
