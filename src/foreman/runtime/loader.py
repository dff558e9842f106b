"""The loader: turns a contract's source into a module, once, if it is allowed to run.

This is the one place where source becomes code, whatever door it came through. A hash that the predicate does not allow
is never executed.
"""

import ast
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

from foreman.runtime.current import LOADING, Loading
from foreman.runtime.dispatch import Methods, methods_of
from foreman.runtime.globals import Contents, rebinds_globals
from foreman.runtime.header import Header, InvalidContract, code_hash, read_source
from foreman.runtime.imports import contract_builtins

MAX_PROGRAMS = 64
"""Sources kept compiled; a localnet has a handful."""

MAX_IDLE = 8
"""Idle copies kept of a module that only one run may use at a time."""


class Program:
    """A source that was allowed and compiled."""

    __slots__ = ("code", "codes", "digests", "hash", "header", "idle", "lock", "rebinds", "shared", "text")

    def __init__(self, digest: bytes, text: str, header: Header) -> None:
        self.hash = digest
        self.text = text
        self.header = header
        tree = ast.parse(text)
        self.rebinds = rebinds_globals(tree)
        self.code = compile(tree, f"<contract {digest.hex()[:12]}>", "exec", dont_inherit=True)
        self.codes = tuple(codes_in(self.code))
        self.digests: dict[int, tuple[bytes, frozenset[str]]] = {}
        """Fingerprints of its code objects, by their id; they live as long as the program."""
        self.shared: Module | None = None
        self.idle: list[Module] = []
        self.lock = threading.RLock()


class Module:
    """A program that was executed: its names, its contract class, and what can be called."""

    __slots__ = ("cls", "contents", "globals", "methods", "prints", "program", "reaches", "volatile")

    def __init__(self, program: Program, names: dict[str, Any], cls: type, methods: Methods, volatile: bool) -> None:
        self.program = program
        self.globals = names
        self.cls = cls
        self.methods = methods
        self.contents = Contents(names)
        self.volatile = volatile or program.rebinds or self.contents.volatile
        self.prints: dict[str, tuple[bytes, frozenset[str]]] = {}
        """Digests of its globals and what they name, kept when they cannot change."""
        self.reaches: dict[frozenset[str], bytes] = {}
        """The same for sets of names, with all that they reach."""

    @property
    def shared(self) -> bool:
        """May several runs use it at once?"""
        return self.contents.shared and not self.volatile


class Loader:
    """Modules by the source they were made of."""

    def __init__(self, allowed: Callable[[bytes], bool]) -> None:
        self._allowed = allowed
        self._programs: OrderedDict[bytes, Program] = OrderedDict()
        self._lock = threading.Lock()

    @contextmanager
    def borrow(self, source: bytes, watch: Callable[[tuple[CodeType, ...]], None]) -> Iterator[Module]:
        """The module of this source, for one run. `watch` is told which code is going to run. Raises `InvalidContract`,
        and whatever the file raises while it is imported.
        """
        program = self.program(source)
        watch(program.codes)
        module = self._take(program)
        try:
            yield module
        finally:
            self._give_back(program, module)

    def program(self, source: bytes) -> Program:
        """The compiled source. Raises `InvalidContract` when it is not allowed, and SyntaxError."""
        with self._lock:
            found = self._programs.get(source)
            if found is not None:
                self._programs.move_to_end(source)
                return found
        digest = code_hash(source)
        text, header = read_source(source)
        if not self._allowed(digest):
            raise InvalidContract(
                "invalid_contract not_allowed",
                f"code {digest.hex()} is not one of the shipped contracts, so it does not run here; "
                "--allow-contracts opens a development network to other contracts",
            )
        if not any(runner.startswith("py-genlayer:") for runner in header.depends):
            raise InvalidContract("runner_actions", "the header does not depend on py-genlayer")
        found = Program(digest, text, header)
        with self._lock:
            self._programs[source] = found
            while len(self._programs) > MAX_PROGRAMS:
                self._programs.popitem(last=False)
        return found

    def _take(self, program: Program) -> Module:
        with program.lock:
            if program.shared is not None:
                return program.shared
            if program.idle:
                return program.idle.pop()
            module = _execute(program)
            if module.shared:
                program.shared = module
            return module

    def _give_back(self, program: Program, module: Module) -> None:
        if module.volatile:
            return
        intact = module.contents.intact()
        if not module.shared:
            if intact and len(program.idle) < MAX_IDLE:
                program.idle.append(module)
        elif not intact:
            with program.lock:
                if program.shared is module:
                    program.shared = None


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """A code object and all that are nested in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes_in(constant)


def _execute(program: Program) -> Module:
    names: dict[str, Any] = {
        "__name__": f"contract_{program.hash.hex()[:16]}",
        "__builtins__": contract_builtins(),
        "__doc__": None,
        "__annotations__": {},
    }
    loading = Loading(names)
    token = LOADING.set(loading)
    try:
        exec(program.code, names)
    finally:
        LOADING.reset(token)
    if len(loading.contracts) != 1:
        raise TypeError(f"a contract file defines exactly one gl.Contract subclass, this one {len(loading.contracts)}")
    cls = loading.contracts[0]
    return Module(program, names, cls, methods_of(cls), loading.volatile)
