"""Isolation: copies of a block's functions, so that no seat can change what another one, or the run, works on.

Copied are closure cells, mutable defaults and everything mutable below them. Shared is what cannot change. Views of the
state become twins. If the contract's module has mutable globals, its functions are made anew over copies of those.
"""

import copyreg
import sys
import types
from typing import Any

from foreman.runtime.globals import FROZEN
from foreman.runtime.loader import Module
from foreman.runtime.templates import Template
from foreman.runtime.twins import CONTAINERS, extras_of, in_memory, is_storage, twin_of
from foreman.runtime.views.records import copy_record

_QUICK: frozenset[type] = frozenset([type(None), bool, int, float, str, bytes])
_SHARED = (*FROZEN, type, types.MappingProxyType)


def is_foreign(function: types.FunctionType) -> bool:
    """Does a function belong to a module of the interpreter's, such as the standard library?"""
    module = sys.modules.get(function.__module__ or "")
    return module is not None and vars(module) is function.__globals__


class Isolation:
    """One consistent copy: what was the same object before is the same object in the copy."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._made: dict[int, Any] = {}
        self._alive: list[Any] = []
        """Keeps what was copied alive, so that no id in `_made` is given to another object."""

    def copy(self, value: Any) -> Any:
        """A copy of a value. Raises TypeError for what cannot be copied, such as a generator or a lock."""
        kind = type(value)
        if kind in _QUICK or (isinstance(value, _SHARED) and kind is not types.BuiltinFunctionType):
            return value
        found = self._made.get(id(value))
        if found is not None:
            return found
        self._alive.append(value)
        made = self._copy(kind, value)
        self._made[id(value)] = made
        return made

    def _copy(self, kind: type, value: Any) -> Any:
        if kind is types.FunctionType:
            return self._function(value)
        if kind is types.MethodType:
            return types.MethodType(self.copy(value.__func__), self.copy(value.__self__))
        if kind is types.BuiltinFunctionType:
            return self._builtin(value)
        if kind is list or kind is set or kind is dict:
            return self._collection(kind, value)
        if kind is tuple or kind is frozenset:
            return kind(self.copy(item) for item in value)
        if isinstance(value, Template):
            return value.rebuilt(self.copy)
        if is_storage(value):
            return self._storage(value)
        return self._object(value)

    def _collection(self, kind: type, value: Any) -> Any:
        made = self._made[id(value)] = kind()
        if kind is dict:
            for key, item in value.items():
                made[self.copy(key)] = self.copy(item)
        elif kind is list:
            made.extend(map(self.copy, value))
        else:
            made.update(map(self.copy, value))
        return made

    def _function(self, function: types.FunctionType) -> types.FunctionType:
        names, kept = function.__globals__, is_foreign(function)
        if not kept and not (names is self._module.globals and self._module.shared):
            names = self._names(names)
        elif not function.__closure__ and (kept or not (function.__defaults__ or function.__kwdefaults__)):
            return function
        cells = tuple(map(self._cell, function.__closure__ or ()))
        made = types.FunctionType(function.__code__, names, function.__name__, None, cells)
        self._made[id(function)] = made
        made.__defaults__ = self.copy(function.__defaults__)
        made.__kwdefaults__ = self.copy(function.__kwdefaults__)
        made.__qualname__ = function.__qualname__
        made.__module__ = function.__module__
        made.__dict__.update(function.__dict__)
        for cell, new in zip(function.__closure__ or (), cells, strict=True):
            try:
                content = cell.cell_contents
            except ValueError:
                continue  # still empty
            new.cell_contents = self.copy(content)
        return made

    def _names(self, names: dict[str, Any]) -> dict[str, Any]:
        """A copy of the globals of a function, where they may change."""
        made: dict[str, Any] | None = self._made.get(id(names))
        if made is None:
            made = self._made[id(names)] = dict(names)
            self._alive.append(names)
            for name, value in names.items():
                if not name.startswith("__"):
                    made[name] = self.copy(value)
        return made

    def _cell(self, cell: types.CellType) -> types.CellType:
        """The new cell for a cell: functions that shared one still do."""
        made = self._made.get(id(cell))
        if made is None:
            made = self._made[id(cell)] = types.CellType()
            self._alive.append(cell)
        return made

    def _builtin(self, value: types.BuiltinFunctionType) -> Any:
        owner = value.__self__
        if owner is None or isinstance(owner, types.ModuleType | type):
            return value
        return getattr(self.copy(owner), value.__name__)

    def _storage(self, value: Any) -> Any:
        if not in_memory(value):
            made = twin_of(value)
        elif isinstance(value, CONTAINERS):
            made = value._plan.detach(value)
        else:
            made = copy_record(value)
        self._made[id(value)] = made
        if not isinstance(value, CONTAINERS):
            for name, extra in extras_of(value).items():
                made.__dict__[name] = self.copy(extra)
        return made

    def _object(self, value: Any) -> Any:
        """Any other object, taken apart and put together as pickling and copying do."""
        reduce = copyreg.dispatch_table.get(type(value))  # how a compiled pattern, for one, is taken apart
        parts = reduce(value) if reduce is not None else value.__reduce_ex__(4)
        if isinstance(parts, str):
            return value
        make, args, state, items, pairs = (*parts, None, None, None)[:5]
        made = make(*map(self.copy, args))
        self._made[id(value)] = made
        if state is not None:
            self._restore(made, self.copy(state))
        for item in items or ():
            made.append(self.copy(item))
        for key, item in pairs or ():
            made[self.copy(key)] = self.copy(item)
        return made

    def _restore(self, made: Any, state: Any) -> None:
        if hasattr(made, "__setstate__"):
            made.__setstate__(state)
            return
        attributes, slots = state if isinstance(state, tuple) and len(state) == 2 else (state, None)
        if attributes:
            made.__dict__.update(attributes)
        for name, item in (slots or {}).items():
            object.__setattr__(made, name, item)
