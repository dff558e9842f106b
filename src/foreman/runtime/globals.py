"""What a contract file keeps in its module, and whether that may be shared between runs.

The rule. A file that was imported is used again by later runs only as long as nothing of it has changed:

1. A file that rebinds a global (`global x`), or that looked at the run while it was imported, is executed anew per run.
2. If all its globals and class attributes are of kinds that cannot change, every run shares it.
3. If some are lists, dictionaries, sets or byte arrays of such values, a run borrows the module for itself, and it goes
   back only if those still have the content they had after the import. Anything else that can change: as in 1.
4. After every run the names of the module and of its classes must be bound to what they were bound to after the import.
   If not, the module is thrown away.
"""

import ast
import datetime as real_datetime
import decimal
import enum
import fractions
import functools
import ipaddress
import json
import re
import types
import typing
import uuid
from collections.abc import Mapping
from typing import Any

from foreman.address import Address


class _Row(typing.NamedTuple):
    """Tells the type of a named tuple's fields, which has no public name."""

    first: int


# Instances of these cannot change, or what changes in them has no meaning (a decoder's scratch memory).
FROZEN: tuple[type, ...] = (
    type(None), bool, int, float, complex, str, bytes, range, slice, type(Ellipsis), type(NotImplemented), Address,
    re.Pattern, real_datetime.date, real_datetime.time, real_datetime.timedelta, real_datetime.tzinfo, decimal.Decimal,
    fractions.Fraction, types.ModuleType, types.BuiltinFunctionType, types.GenericAlias, types.UnionType,
    ipaddress.IPv4Address, ipaddress.IPv6Address, ipaddress.IPv4Network,
    ipaddress.IPv6Network, json.JSONDecoder, json.JSONEncoder, uuid.UUID,
    types.GetSetDescriptorType, types.MemberDescriptorType, types.WrapperDescriptorType, types.MethodDescriptorType,
    typing.NewType, typing.TypeVar, typing.ForwardRef, type(_Row.first),
)  # fmt: skip
_TYPING = (type(typing.Any), type(typing.List[int]), type(typing.Optional), type(typing.Callable), type(typing.List))  # noqa: UP006
_NOTES = ("__", "_abc_", "_member_", "_value", "_hashable", "_unhashable", "_field_defaults", "_foreman_")
_COPYABLE = (list, dict, set, bytearray)


class Contents:
    """What was found in a module after its import."""

    def __init__(self, names: dict[str, Any]) -> None:
        self.shared = True
        self.volatile = False
        self.mutable: dict[str, Any] = {}
        """Copies of the globals that can change, as they were."""
        self._names = names
        self._module = names["__name__"]
        self._bound = dict(names)
        self._classes: list[tuple[type, dict[str, Any]]] = []
        self._verdicts: dict[int, bool] = {}
        for name, value in names.items():
            if name.startswith("__"):
                continue
            if not self._frozen(value):
                self.shared = False
                if self._plain(value):
                    self.mutable[name] = _copy(value)
                else:
                    self.volatile = True

    def intact(self) -> bool:
        """Is everything as it was after the import?"""
        if self._names != self._bound:
            return False
        if any(vars(cls) != bound for cls, bound in self._classes):
            return False
        return all(_same(self._names[name], value) for name, value in self.mutable.items())

    def _frozen(self, value: Any) -> bool:
        """Can this value, and what it is made of, never change? Classes of the file are noted on the way."""
        if isinstance(value, (*FROZEN, *_TYPING, enum.Enum)):
            return True
        if id(value) in self._verdicts:
            return self._verdicts[id(value)]
        self._verdicts[id(value)] = True  # while it is looked at, for what contains itself
        verdict = self._verdicts[id(value)] = self._frozen_whole(value)
        return verdict

    def _frozen_whole(self, value: Any) -> bool:
        if isinstance(value, tuple | frozenset):
            return all(map(self._frozen, value))
        if isinstance(value, types.MappingProxyType):
            return all(self._frozen(key) and self._frozen(item) for key, item in value.items())
        if isinstance(value, types.FunctionType):
            return self._frozen_function(value)
        if isinstance(value, type):
            return self._frozen_class(value)
        if isinstance(value, functools.partial):
            return self._frozen((value.func, value.args, *value.keywords.values()))
        if isinstance(value, property):
            return all(map(self._frozen, (value.fget, value.fset, value.fdel)))
        if isinstance(value, staticmethod | classmethod):
            return self._frozen(value.__func__)
        return getattr(type(value), "__foreman_frozen__", False) is True

    def _frozen_function(self, function: types.FunctionType) -> bool:
        if function.__globals__ is not self._names:
            return True  # made by another module, such as dataclasses; what it keeps is no state of the contract
        parts: list[Any] = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
        for cell in function.__closure__ or ():
            try:
                parts.append(cell.cell_contents)
            except ValueError:
                return False  # still to be filled
        return all(map(self._frozen, parts))

    def _frozen_class(self, cls: type) -> bool:
        if cls.__module__ != self._module:
            return True
        bound = dict(vars(cls))
        self._classes.append((cls, bound))
        # What Python and this runtime note in a class is theirs; dunder methods are functions all the same.
        return all(
            self._frozen(value)
            for name, value in bound.items()
            if isinstance(value, types.FunctionType) or not name.startswith(_NOTES)
        )

    def _plain(self, value: Any) -> bool:
        """A list, dictionary, set or byte array of frozen values or of further such ones."""
        if type(value) not in _COPYABLE:
            return type(value) is tuple and all(self._frozen(item) or self._plain(item) for item in value)
        if isinstance(value, bytearray):
            return True
        items = [*value.keys(), *value.values()] if isinstance(value, dict) else value
        return all(self._frozen(item) or self._plain(item) for item in items)


def rebinds_globals(tree: ast.Module) -> bool:
    """Does any function say `global`, or set an attribute of a function of the file?"""
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Global):
            return True
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.ctx, ast.Store | ast.Del)
            and isinstance(node.value, ast.Name)
            and node.value.id in functions
        ):
            return True
    return False


def _copy(value: Any) -> Any:
    if type(value) is dict:
        return {key: _copy(item) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(_copy(item) for item in value)
    if type(value) in (set, bytearray):
        return type(value)(value)
    return value


def _same(now: Any, then: Any) -> bool:
    """Equal content of equal types, dictionary order included."""
    if now is then:
        return True
    if type(now) is not type(then):
        return False
    if isinstance(now, Mapping):
        return len(now) == len(then) and all(
            _same(a, b) and _same(now[a], then[b]) for a, b in zip(now, then, strict=True)
        )
    if isinstance(now, list | tuple):
        return len(now) == len(then) and all(_same(a, b) for a, b in zip(now, then, strict=True))
    return bool(now == then)
