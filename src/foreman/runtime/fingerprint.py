"""The fingerprint of a block: SHA-256 over a canonical walk of its functions and all they can see.

Equal questions have equal fingerprints, in every process. Walked are: the contract's code hash, names, bytecode,
constants, defaults, closure cells, and the module globals that the functions name, and those that these name in turn.
Values count by kind and content. Views of the state count as one fixed token each: a block cannot look into them.
Line numbers and file names do not count.
"""

import copyreg
import dis
import hashlib
import struct
import types
from typing import Any

from foreman import calldata
from foreman.address import Address
from foreman.runtime.isolate import is_foreign
from foreman.runtime.kinds import LAYOUT
from foreman.runtime.loader import Module, Program
from foreman.runtime.templates import Template
from foreman.runtime.twins import extras_of, in_memory, is_storage
from foreman.runtime.views.arrays import Array, DynArray
from foreman.runtime.views.treemap import TreeMap

MAX_DEPTH = 200
"""How deeply values may be nested; deeper ones are refused rather than walked without end."""

MAX_BYTES = 1 << 24
"""How much a walk may write (16 MiB), many times what any block closes over."""

_NAMING = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS")
_PLAIN = (type(None), bool, int, str, bytes, Address)


def fingerprint(module: Module, leader: Any, validator: Any) -> bytes:
    """32 bytes. Raises TypeError if a block has closed over something whose content cannot be told."""
    walk = _Walk(module)
    walk.value(leader)
    walk.value(validator)
    if not module.shared:
        walk.names.update(module.contents.mutable)
    return hashlib.sha256(module.program.hash + walk.out + _globals(module, frozenset(walk.names))).digest()


def _globals(module: Module, names: frozenset[str]) -> bytes:
    """The digests of these globals and of all that they name in turn, in an order that depends on nothing else."""
    known = module.reaches.get(names)
    if known is None:
        out, found, seen = bytearray(), set(names), set[str]()
        while found - seen:
            for name in sorted(found - seen):
                seen.add(name)
                out += _global(module, name, found)
        known = bytes(out)
        if module.shared:
            module.reaches[names] = known
    return known


def _global(module: Module, name: str, names: set[str]) -> bytes:
    """The digest of one module global; the globals that it names are added to `names`."""
    known = module.prints.get(name)
    if known is None:
        walk = _Walk(module)
        walk.tag("global", name)
        try:
            if name in module.globals:
                walk.value(module.globals[name], named=True)
        except TypeError:
            if not module.shared:
                raise
            # Its content cannot be told (a JSON decoder, for one), but it cannot change, and its source is in the hash.
            walk = _Walk(module)
            walk.tag("fixed", name)
        known = (hashlib.sha256(walk.out).digest(), frozenset(walk.names))
        if module.shared:
            module.prints[name] = known
    names.update(known[1])
    return known[0]


class _Walk:
    """One walk. `names` gathers the module globals that were named on the way."""

    def __init__(self, module: Module) -> None:
        self.out = bytearray()
        self.names: set[str] = set()
        self._module = module
        self._met: dict[int, int] = {}
        self._alive: list[Any] = []
        self._depth = 0

    def tag(self, kind: str, *parts: str | bytes) -> None:
        """Write a kind and its parts, each with its length, so that no two walks read alike."""
        for part in (kind, *parts):
            raw = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
            self.out += len(raw).to_bytes(4, "big") + raw

    def value(self, value: Any, named: bool = False) -> None:
        kind = type(value)
        if kind in _PLAIN:
            if kind is str:
                self.tag("str", value)
            else:
                self.tag(kind.__name__, calldata.encode(value))
            return
        if kind is float:
            self.tag("float", struct.pack(">d", value))
            return
        if kind is not tuple and kind is not frozenset:
            # Which immutable values are one object is an accident; which mutable ones are matters, and ends cycles.
            if id(value) in self._met:
                self.tag("met", str(self._met[id(value)]))
                return
            self._met[id(value)] = len(self._met)
            self._alive.append(value)
        self._depth += 1
        if self._depth > MAX_DEPTH or len(self.out) > MAX_BYTES:
            raise TypeError("a block has closed over a value that is too large or nested too deeply")
        self._compound(kind, value, named)
        self._depth -= 1

    def _compound(self, kind: type, value: Any, named: bool) -> None:
        if kind is types.FunctionType:
            self._function(value, named)
        elif kind is types.MethodType:
            self.tag("method")
            self.value(value.__func__)
            self.value(value.__self__)
        elif isinstance(value, type):
            self._class(value)
        elif kind is types.ModuleType or isinstance(value, types.ModuleType):
            self.tag("module", value.__name__)
        elif kind is list or kind is tuple:
            self.tag(kind.__name__, str(len(value)))
            for item in value:
                self.value(item)
        elif isinstance(value, set | frozenset):
            self.tag(kind.__name__, *sorted(self._apart(item) for item in value))
        elif kind is dict or kind is types.MappingProxyType:
            self.tag(kind.__name__, str(len(value)))
            for key, item in value.items():
                self.value(key)
                self.value(item)
        elif is_storage(value):
            self._storage(value)
        elif isinstance(value, Template):
            self.tag("template", kind.__qualname__)
            for part in value.parts():
                self.value(part)
        elif kind is types.BuiltinFunctionType:
            self.tag("builtin", value.__module__ or "", value.__qualname__)
            if not isinstance(value.__self__, types.ModuleType | type(None)):
                self.value(value.__self__)
        else:
            self._object(value)

    def _function(self, function: types.FunctionType, named: bool) -> None:
        ours = function.__globals__ is self._module.globals
        if not ours and is_foreign(function):
            self.tag("foreign", function.__module__ or "", function.__qualname__)
        elif ours and not named and self._module.globals.get(function.__name__) is function:
            # A function of the module is walked once, as the global it is.
            self.tag("named", function.__name__)
            self.names.add(function.__name__)
            return
        else:
            digest, names = _code(self._module.program, function.__code__)
            self.tag("function", function.__qualname__, digest)
            if ours:
                self.names.update(names)
            else:
                self._own_globals(function.__globals__, names)
        self.value(function.__defaults__)
        self.value(function.__kwdefaults__)
        for cell in function.__closure__ or ():
            try:
                content = cell.cell_contents
            except ValueError:
                self.tag("empty")
                continue
            self.value(content)

    def _own_globals(self, known: dict[str, Any], names: frozenset[str]) -> None:
        """The globals that a function made by `exec` or `eval` names."""
        for name in sorted(names & known.keys()):
            self.tag("own", name)
            self.value(known[name])

    def _class(self, cls: type) -> None:
        """By name; the code of a contract's own class stands in the contract's code hash."""
        self.tag("class", cls.__module__, cls.__qualname__)

    def _storage(self, value: Any) -> None:
        if not in_memory(value):
            self.tag("view", type(value).__qualname__)
        elif isinstance(value, TreeMap):
            self.tag("TreeMap", str(len(value)))
            for key, item in value.items():
                self.value(key)
                self.value(item)
        elif isinstance(value, DynArray | Array):
            self.tag(type(value).__name__, str(len(value)))
            for item in value:
                self.value(item)
        else:
            self.tag("record", type(value).__qualname__)
            for field in getattr(value, LAYOUT).fields:
                self.value(getattr(value, field.name))
        if not isinstance(value, TreeMap | DynArray | Array):
            self.value(extras_of(value))

    def _object(self, value: Any) -> None:
        """Any other object, by the parts that pickling would write."""
        reduce = copyreg.dispatch_table.get(type(value))  # how a compiled pattern, for one, is taken apart
        parts = reduce(value) if reduce is not None else value.__reduce_ex__(4)
        if isinstance(parts, str):
            self.tag("name", type(value).__module__, parts)
            return
        make, args, state, items, pairs = (*parts, None, None, None)[:5]
        self.tag("object", type(value).__module__, type(value).__qualname__, getattr(make, "__qualname__", ""))
        self.value(list(args))
        self.value(state)
        self.value(list(items or ()))
        self.value([list(pair) for pair in pairs or ()])

    def _apart(self, item: Any) -> bytes:
        """The digest of one element of a set, whose order means nothing."""
        walk = _Walk(self._module)
        walk.value(item)
        self.names |= walk.names
        return hashlib.sha256(walk.out).digest()


def _code(program: Program, code: types.CodeType) -> tuple[bytes, frozenset[str]]:
    """The digest of a code object, and the globals that it and the functions inside it name."""
    known = program.digests.get(id(code))
    if known is not None:
        return known
    out = bytearray()
    names = {entry.argval for entry in dis.get_instructions(code) if entry.opname in _NAMING}
    for part in (
        code.co_qualname, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, code.co_argcount,
        code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags,
    ):  # fmt: skip
        out += repr(part).encode("utf-8", "surrogatepass") + b"\n"
    for raw in (code.co_code, code.co_exceptiontable):
        out += len(raw).to_bytes(4, "big") + raw
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            digest, inner = _code(program, constant)
            out += b"code" + digest
            names |= inner
        else:
            raw = _constant(constant)
            out += len(raw).to_bytes(4, "big") + raw
    found = (hashlib.sha256(out).digest(), frozenset(names))
    if any(code is ours for ours in program.codes):
        # Only what lives as long as the program: elsewhere an id may be given to another code object.
        program.digests[id(code)] = found
    return found


def _constant(value: Any) -> bytes:
    if isinstance(value, tuple):
        return b"(" + b",".join(map(_constant, value)) + b")"
    if isinstance(value, frozenset):
        return b"{" + b",".join(sorted(map(_constant, value))) + b"}"
    return f"{type(value).__name__} {value!r}".encode("utf-8", "surrogatepass")
