"""`@allow_storage`: turns a class into one whose instances live in rows, in the contract's state or in memory alike.

Fields become properties over the place an instance knows. An instance made by its constructor has a small space of rows
in memory; one that was read from the state is a view. So both are one class with the same checks.
"""

import dataclasses
import sys
import typing
from collections.abc import Callable
from typing import Any

from foreman.runtime.current import LOADING
from foreman.runtime.kinds import LAYOUT, Field, KindReader, RecordKind, layout_of
from foreman.runtime.paths import ROW
from foreman.runtime.plans import BASE_AT, ROW_AT, SPACE_AT, Plan, RecordPlan, inner_row, plan_of
from foreman.runtime.rows import MemorySpace, Row, Space
from foreman.runtime.scalars import Scalar
from foreman.runtime.views.arrays import Array, DynArray
from foreman.runtime.views.treemap import TreeMap

GENERIC = "__foreman_generic__"
"""On a generic storage class: its annotations, and the concrete classes made of it so far."""


class _LazyRow:
    """The row of a place that may have none yet. Only asked while the instance has not found its row."""

    def __get__(self, record: Any, owner: type) -> Row:
        if record is None:
            raise AttributeError(ROW_AT)
        space: Space = getattr(record, SPACE_AT)
        row = space.optional(getattr(record, BASE_AT) + ROW, getattr(owner, LAYOUT).codec)
        record.__dict__[ROW_AT] = row
        return row


class _LazySpace:
    """The space of an instance that its constructor made: memory."""

    def __get__(self, record: Any, owner: type) -> Space:
        if record is None:
            raise AttributeError(SPACE_AT)
        space = record.__dict__[SPACE_AT] = MemorySpace()
        return space


def allow_storage[C: type](cls: C) -> C:
    """Mark a class as one that may be stored. Annotated fields become stored fields. Raises for what cannot be."""
    if dataclasses.is_dataclass(cls) and "__slots__" in cls.__dict__:
        raise TypeError(f"{cls.__name__} has __slots__: a storage class needs its instance dictionary")
    hints = annotations_of(cls)
    constructor: Any = getattr(cls, "__init__")  # noqa: B009 # mypy distrusts cls.__init__
    if getattr(cls, "__parameters__", ()):
        setattr(cls, GENERIC, (hints, {}))
        setattr(cls, "__init__", _refuse_generic(constructor))  # noqa: B010 # assigning to __init__ is the point
        return cls
    install(cls, hints)
    if not dataclasses.is_dataclass(cls) and constructor is object.__init__:
        setattr(cls, "__init__", _no_constructor)  # noqa: B010
    return cls


def install(cls: type, hints: list[tuple[str, Any]]) -> None:
    """Give a class its layout and one property per field."""
    layout = layout_of(hints, KIND_READER.read)
    setattr(cls, LAYOUT, layout)
    setattr(cls, ROW_AT, _LazyRow())
    setattr(cls, SPACE_AT, _LazySpace())
    setattr(cls, BASE_AT, b"")
    setattr(cls, "__deepcopy__", _deepcopy)  # noqa: B010
    setattr(cls, "__copy__", _copy)  # noqa: B010
    for field in layout.fields:
        setattr(cls, field.name, _scalar_property(field) if field.slot >= 0 else _place_property(field))


def annotations_of(cls: type) -> list[tuple[str, Any]]:
    """The annotations that are fields, those of base classes first. Class variables and init variables are not."""
    loading = LOADING.get()
    module = sys.modules.get(cls.__module__)
    names = loading.globals if loading is not None else (vars(module) if module is not None else {})
    hints = typing.get_type_hints(cls, globalns=names)
    return [
        (name, hint)
        for name, hint in hints.items()
        if typing.get_origin(hint) is not typing.ClassVar
        and hint is not typing.ClassVar
        and not isinstance(hint, dataclasses.InitVar)
    ]


def copy_record(record: Any) -> Any:
    """A copy of a record or a view of one, in memory."""
    return RecordPlan(RecordKind(type(record))).detach(record)


def is_record(value: Any) -> bool:
    return LAYOUT in type(value).__dict__


def _scalar_property(field: Field) -> property:
    assert isinstance(field.kind, Scalar)
    slot, check = field.slot, field.kind.check

    def read(self: Any) -> Any:
        return self._foreman_row.values[slot]

    def write(self: Any, value: Any) -> None:
        value = check(value)
        row = self._foreman_row
        if row.clean:
            row.touch()
        row.values[slot] = value

    return property(read, write)


def _place_property(field: Field) -> property:
    """A record, container or array inside a record: its view is made once per view of the record."""
    plan: Plan = plan_of(field.kind)
    path, kept = field.path, "." + field.name

    def read(self: Any) -> Any:
        found = self.__dict__.get(kept)
        if found is None:
            space, base = self._foreman_space, self._foreman_base
            space.near(base)
            found = self.__dict__[kept] = plan.view(space, base + path, None)
        return found

    def write(self: Any, value: Any) -> None:
        prepared = plan.prepare(value)
        space, place = self._foreman_space, self._foreman_base + path
        plan.write(space, place, inner_row(space, place, plan), prepared)

    return property(read, write)


def _concrete(annotation: Any) -> type | None:
    """The storage class an annotation means: itself, or a generic one made concrete. None when it is none."""
    if isinstance(annotation, type) and LAYOUT in annotation.__dict__:
        params = getattr(annotation, "__dataclass_params__", None)
        if params is not None and params.frozen:
            raise TypeError(f"{annotation.__name__} is frozen: it can be made in memory but not read back from storage")
        return annotation
    origin = typing.get_origin(annotation)
    if not isinstance(origin, type) or GENERIC not in origin.__dict__:
        return None
    hints, made = origin.__dict__[GENERIC]
    args = typing.get_args(annotation)
    if args not in made:
        meaning = dict(zip(origin.__parameters__, args, strict=True))  # type: ignore[attr-defined] # generic: it has them
        name = f"{origin.__name__}[{', '.join(getattr(arg, '__name__', repr(arg)) for arg in args)}]"
        concrete = type(name, (origin,), {"__module__": origin.__module__, "__init__": origin.__init__.__wrapped__})  # type: ignore[misc] # set by _refuse_generic
        install(concrete, [(field, _substitute(hint, meaning)) for field, hint in hints])
        made[args] = concrete
    return made[args]  # type: ignore[no-any-return] # classes, put in above


def concrete_class(annotation: Any) -> type | None:
    """For `inmem_allocate`: the class to construct, frozen ones included."""
    if isinstance(annotation, type) and LAYOUT in annotation.__dict__:
        return annotation
    return _concrete(annotation)


def _substitute(hint: Any, meaning: dict[Any, Any]) -> Any:
    if hint in meaning:
        return meaning[hint]
    params = getattr(hint, "__parameters__", ())
    return hint[tuple(meaning[param] for param in params)] if params else hint


def _refuse_generic(constructor: Callable[..., None]) -> Callable[..., None]:
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        raise TypeError(f"use gl.storage.inmem_allocate({type(self).__name__}[...], ...) to make a generic record")

    __init__.__wrapped__ = constructor  # type: ignore[attr-defined] # found again by _concrete
    return __init__


def _no_constructor(self: Any) -> None:
    raise TypeError(f"{type(self).__name__} has no __init__: give it one, or fill it through a stored view")


def _deepcopy(self: Any, memo: dict[int, Any]) -> Any:
    return copy_record(self)


def _copy(self: Any) -> Any:
    return copy_record(self)


KIND_READER = KindReader(Array, DynArray, TreeMap, _concrete)
