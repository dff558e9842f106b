"""`DynArray` and `Array`: every element is a row of its own (docs/genlayer.md 3.7 and 3.8).

Reading an element reads its row and no other; the length of a `DynArray` is a row that only what needs it touches.
"""

from collections.abc import Iterator, MutableSequence, Sequence
from types import GenericAlias
from typing import Any, NoReturn, TypeVar

from foreman.runtime.kinds import ArrayKind, ListKind
from foreman.runtime.lengths import grow, length
from foreman.runtime.paths import ENTRIES, NESTED, end_of, index_key
from foreman.runtime.plans import SPACE_AT, Plan, plan_of
from foreman.runtime.rows import MemorySpace, Row, Space

T = TypeVar("T")


class DynArray(MutableSequence[T]):
    """A view of a growing array in the state, or in memory when it belongs to a record in memory."""

    __slots__ = ("_base", "_entries", "_nested", "_plan", "_space")

    _base: bytes
    _entries: bytes
    _nested: bytes
    _plan: "ListPlan"
    _space: Space

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise TypeError("this class can't be instantiated by user; assign a list instead")

    def __len__(self) -> int:
        return length(self._space, self._base)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        raw, row = self._find(index)
        return self._plan.item.view(self._space, self._nested + raw, row)

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, slice):
            self._splice(index, value)
            return
        prepared = self._plan.item.prepare(value)
        raw, row = self._find(index)
        self._plan.item.write(self._space, self._nested + raw, row, prepared)

    def __delitem__(self, index: Any) -> None:
        if isinstance(index, slice):
            self._splice(index, ())
            return
        size = len(self)
        at = self._whole(index, size)
        item = self._plan.item
        for later in range(at, size - 1):
            self[later] = item.prepare(self[later + 1])
        self._shrink(size - 1)

    def __iter__(self) -> Iterator[T]:
        # The length is fixed when iteration starts, as it is on the network.
        for at in range(len(self)):
            yield self[at]

    def insert(self, index: int, value: T) -> None:
        """Only before an element that exists."""
        size = len(self)
        at = self._whole(index, size)
        prepared = self._plan.item.detach(self._plan.item.prepare(value))
        self.append(self[size - 1])
        for later in range(size - 1, at, -1):
            self[later] = self[later - 1]
        self[at] = prepared

    def append(self, value: T) -> None:
        item = self._plan.item
        prepared = item.prepare(value)
        raw, row = self._extend()
        item.write(self._space, self._nested + raw, row, prepared)

    def append_new_get(self) -> T:
        """Grow by one zero element and return its view."""
        raw, row = self._extend()
        return self._plan.item.view(self._space, self._nested + raw, row)  # type: ignore[no-any-return] # typed by the contract's annotation

    def pop(self) -> None:  # type: ignore[override] # on the network it takes no index and returns nothing
        size = len(self)
        if size == 0:
            raise Exception("can't pop from empty array")
        self._shrink(size - 1)

    def reverse(self) -> None:
        item, size = self._plan.item, len(self)
        for low in range(size // 2):
            kept = item.detach(self[low])
            self[low] = self[size - 1 - low]
            self[size - 1 - low] = kept

    def clear(self) -> NoReturn:
        if len(self):
            self._space.clear(self._base, end_of(self._base))
        raise Exception("clear() fails on the network (v0.1.8) once the array is empty: assign [] instead")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DynArray) and other._space is self._space and other._base == self._base

    def __hash__(self) -> int:
        return hash((id(self._space), self._base))

    def __repr__(self) -> str:
        return "[" + ",".join(repr(item) for item in self) + "]"

    def __deepcopy__(self, memo: dict[int, Any]) -> "DynArray[T]":
        return self._plan.detach(self)

    def _find(self, index: Any) -> tuple[bytes, Row]:
        """The key and row of an element. An index from the front needs no length: the row is there or it is not."""
        codec = self._plan.item.codec
        if type(index) is int and 0 <= index < 2**32:
            raw = index_key(index)
            row = self._space.row(self._entries + raw, codec)
            if row is not None:
                return raw, row
        raw = index_key(self._whole(index, len(self)))
        row = self._space.row(self._entries + raw, codec)
        assert row is not None, "an array has a row for every element"
        return raw, row

    def _whole(self, index: Any, size: int) -> int:
        at: int = index.__index__()
        if not -size <= at < size:
            raise IndexError(f"index out of range {at} not in 0..<{size}")
        return at % size

    def _extend(self) -> tuple[bytes, Row]:
        codec = self._plan.item.codec
        raw = index_key(grow(self._space, self._base, 1))
        return raw, self._space.put(self._entries + raw, codec, codec.zeros())

    def _shrink(self, last: int) -> None:
        raw = index_key(last)
        self._space.drop(self._entries + raw)
        self._plan.item.clear(self._space, self._nested + raw)
        grow(self._space, self._base, -1)

    def _splice(self, index: slice, values: Any) -> None:
        """Assign to or delete a slice as a list does, by way of a list."""
        items = [self._plan.item.detach(item) for item in self]
        if values == () and index.step not in (None, 1):
            del items[index]
        else:
            items[index] = [self._plan.item.prepare(value) for value in values]
        self._plan.write(self._space, self._base, None, items)


class Array(Sequence[T]):
    """A view of an array of fixed size, or of a part of one."""

    __slots__ = ("_base", "_first", "_plan", "_size", "_space")

    _base: bytes
    _first: int
    _plan: "ArrayPlan"
    _size: int
    _space: Space

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise TypeError("this class can't be instantiated by user; assign a list instead")

    def __class_getitem__(cls, types: Any) -> Any:
        return GenericAlias(cls, types)

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            start, stop, step = index.indices(self._size)
            if step != 1:
                raise KeyError("only slices of step 1")
            return self._plan.part(self._space, self._base, self._first + start, max(0, stop - start))
        base, row = self._find(index)
        return self._plan.item.view(self._space, base, row)

    def __setitem__(self, index: int, value: T) -> None:
        prepared = self._plan.item.prepare(value)
        base, row = self._find(index)
        self._plan.item.write(self._space, base, row, prepared)

    def __iter__(self) -> Iterator[T]:
        for at in range(self._size):
            yield self[at]

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Array[T]":
        return self._plan.detach(self)

    def _find(self, index: Any) -> tuple[bytes, Row]:
        at: int = index.__index__()
        if not -self._size <= at < self._size:
            raise IndexError(f"index out of range {at} not in 0..<{self._size}")
        raw = index_key(self._first + at % self._size)
        row = self._space.optional(self._base + ENTRIES + raw, self._plan.item.codec)
        return self._base + NESTED + raw, row


class ListPlan(Plan):
    """Where a `DynArray`'s rows are."""

    kind: ListKind

    def __init__(self, kind: ListKind) -> None:
        super().__init__(kind)
        self.item = plan_of(kind.item)

    def view(self, space: Space, base: bytes, row: Any) -> DynArray[Any]:
        found: DynArray[Any] = object.__new__(DynArray)
        found._space = space
        found._base = base
        found._entries = base + ENTRIES
        found._nested = base + NESTED
        found._plan = self
        return found

    def prepare(self, value: Any) -> Any:
        """Anything with a length and indexes; its items are checked before the array changes."""
        if isinstance(value, DynArray):
            if value._plan is not self and value._plan.kind != self.kind:
                raise TypeError("incompatible vector type")
            return value
        return [self.item.prepare(value[at]) for at in range(len(value))]

    def write(self, space: Space, base: bytes, row: Any, prepared: Any) -> None:
        if isinstance(prepared, DynArray) and prepared._space is space and prepared._base == base:
            return
        target, item = self.view(space, base, None), self.item
        if len(target):
            # What is assigned may be made of views of what is about to be removed.
            prepared = [item.detach(value) if _is_view_in(value, space) else value for value in prepared]
            space.clear(base, end_of(base))
        for value in prepared:
            target.append(value)

    def detach(self, value: Any) -> DynArray[Any]:
        space = MemorySpace()
        self.write(space, b"", None, value)
        return self.view(space, b"", None)


class ArrayPlan(Plan):
    """Where an `Array`'s rows are. Its elements are zero until they are written."""

    kind: ArrayKind

    def __init__(self, kind: ArrayKind) -> None:
        super().__init__(kind)
        self.item = plan_of(kind.item)

    def view(self, space: Space, base: bytes, row: Any) -> Array[Any]:
        return self.part(space, base, 0, self.kind.size)

    def part(self, space: Space, base: bytes, first: int, size: int) -> Array[Any]:
        found: Array[Any] = object.__new__(Array)
        found._space = space
        found._base = base
        found._first = first
        found._size = size
        found._plan = self
        return found

    def prepare(self, value: Any) -> Any:
        if not isinstance(value, list | Array):
            raise AttributeError(f"an Array is assigned from a list, not {type(value).__name__}")
        if len(value) != self.kind.size:
            raise AssertionError(f"an Array of {self.kind.size} cannot hold {len(value)} values")
        return [self.item.prepare(item) for item in value]

    def write(self, space: Space, base: bytes, row: Any, prepared: Any) -> None:
        values = [self.item.detach(value) if _is_view_in(value, space) else value for value in prepared]
        target = self.view(space, base, None)
        for at, value in enumerate(values):
            target[at] = value

    def detach(self, value: Any) -> Array[Any]:
        space = MemorySpace()
        self.write(space, b"", None, value)
        return self.view(space, b"", None)


def _is_view_in(value: Any, space: Space) -> bool:
    """Is this a view of something in this very space?"""
    return getattr(value, SPACE_AT, None) is space or getattr(value, "_space", None) is space


Plan.makers[ListKind] = ListPlan
Plan.makers[ArrayKind] = ArrayPlan
