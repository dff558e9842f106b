"""Plans: how a value of one kind is read from, written to and removed from a place in a space of rows.

A place is a space, a base path, and (but for containers, which have no row of their own) a row. Reading a record or
container gives a live view of its place; writing copies. `prepare` refuses what cannot be stored, before any change.
"""

from collections.abc import Callable
from typing import Any, ClassVar

from foreman.runtime.kinds import Kind, RecordKind, entry_codec, nests
from foreman.runtime.paths import ROW, end_of
from foreman.runtime.rows import MemorySpace, Row, Space
from foreman.runtime.scalars import Scalar

ROW_AT, SPACE_AT, BASE_AT = "_foreman_row", "_foreman_space", "_foreman_base"
"""The attributes by which a view of a record knows its place."""


class Plan:
    """How to handle one kind. Subclasses are registered for the kinds they handle."""

    makers: ClassVar[dict[type, Callable[[Any], "Plan"]]] = {}

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.codec = entry_codec(kind)
        self.nests = nests(kind)

    def view(self, space: Space, base: bytes, row: Any) -> Any:
        """What reading this place gives."""
        raise NotImplementedError

    def prepare(self, value: Any) -> Any:
        """The value as it can be written; raises what the network raises for a value that does not fit."""
        raise NotImplementedError

    def write(self, space: Space, base: bytes, row: Any, prepared: Any) -> None:
        """Copy a prepared value to this place, whatever is there now."""
        raise NotImplementedError

    def detach(self, value: Any) -> Any:
        """A value just read, as it outlives its place: a copy, unless it is a scalar."""
        return value

    def clear(self, space: Space, base: bytes) -> None:
        """Remove what is nested in this place, so that nobody who uses it again sees old content."""
        if self.nests:
            space.clear(base, end_of(base))


def plan_of(kind: Kind) -> Plan:
    """The plan for a kind. Built when a class is defined, not while it is used."""
    return Plan.makers[type(kind)](kind)


class ScalarPlan(Plan):
    """A scalar is its row's only value."""

    kind: Scalar

    def __init__(self, kind: Scalar) -> None:
        super().__init__(kind)
        self.prepare = kind.check  # type: ignore[method-assign, assignment] # one call less on the hottest path

    def view(self, space: Space, base: bytes, row: Any) -> Any:
        return row.values[0]

    def write(self, space: Space, base: bytes, row: Any, prepared: Any) -> None:
        if row.clean:
            row.touch()
        row.values[0] = prepared


class RecordPlan(Plan):
    """A record is a row of scalars, and places below its base for the rest. A row of None is found when needed."""

    kind: RecordKind

    def __init__(self, kind: RecordKind) -> None:
        super().__init__(kind)
        self.cls = kind.cls
        self.inner = [(field.name, field.path, plan_of(field.kind)) for field in kind.layout.nested]

    def view(self, space: Space, base: bytes, row: Any) -> Any:
        found: Any = object.__new__(self.cls)
        place = found.__dict__
        place[SPACE_AT] = space
        place[BASE_AT] = base
        if row is not None:
            place[ROW_AT] = row
        return found

    def prepare(self, value: Any) -> Any:
        if not isinstance(value, self.cls):  # raised, not asserted: a test runner rewrites what an assert says
            raise AssertionError(f"Is right the same storage type? `{self.cls.__name__}` <- `{type(value).__name__}`")
        return value

    def write(self, space: Space, base: bytes, row: Any, prepared: Any) -> None:
        source: Row = getattr(prepared, ROW_AT)
        if source is row:
            return
        values = source.values
        if row.clean:
            row.touch()
        row.values[:] = values
        for name, path, plan in self.inner:
            place = base + path
            # A nested record has a row of its own; containers find their rows themselves and ignore it.
            plan.write(space, place, inner_row(space, place, plan), plan.prepare(getattr(prepared, name)))

    def detach(self, value: Any) -> Any:
        """A copy of a record that is stored nowhere."""
        space = MemorySpace()
        found = self.view(space, b"", None)
        self.write(space, b"", getattr(found, ROW_AT), value)
        return found


def inner_row(space: Space, place: bytes, plan: Plan) -> Row | None:
    """The row of a record field inside a record; None for a container field."""
    return space.optional(place + ROW, plan.codec) if isinstance(plan, RecordPlan) else None


Plan.makers[Scalar] = ScalarPlan
Plan.makers[RecordKind] = RecordPlan
