"""The schema of a source that may not be executed, read from its syntax tree alone.

Annotations are looked up in a closed vocabulary and handed to the same function that reads real ones, so a source has
the same schema both ways.
"""

import ast
import collections.abc
import dataclasses
import inspect
import typing
from typing import Any

from foreman.address import Address
from foreman.runtime.dispatch import Method
from foreman.runtime.inspect import Schema, method_schema, no_schema, params_schema
from foreman.runtime.views.ints import INT_TYPES

_BUILTINS: dict[str, Any] = {
    "int": int, "str": str, "bool": bool, "bytes": bytes, "bytearray": bytearray, "float": float, "list": list,
    "dict": dict, "tuple": tuple, "set": set, "object": object, "Address": Address, **INT_TYPES,
}  # fmt: skip
_TYPING: dict[str, Any] = {
    name: getattr(typing, name)
    for name in ("Any", "List", "Dict", "Tuple", "Sequence", "Mapping", "Optional", "Union", "Literal", "Annotated")
}
_ABC: dict[str, Any] = {name: getattr(collections.abc, name) for name in ("Sequence", "Mapping", "MutableMapping")}


def schema_of(text: str) -> Schema:
    """The schema of a contract's text. Raises `BadInput` where the imported contract would have none."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise no_schema(f"the source cannot be read: {error}") from error
    return _Source(tree).schema()


class _Source:
    """The classes and names of one file."""

    def __init__(self, tree: ast.Module) -> None:
        self._classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
        self._names: dict[str, Any] = dict(_BUILTINS)
        self._typing: set[str] = set()
        self._abc: set[str] = set()
        self._dataclasses: dict[str, Any] = {}
        for node in tree.body:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    if alias.name == "typing":
                        self._typing.add(alias.asname or alias.name)
            elif isinstance(node, ast.ImportFrom):
                vocabulary = {"typing": _TYPING, "collections.abc": _ABC}.get(node.module or "", {})
                for alias in node.names:
                    if alias.name in vocabulary:
                        self._names[alias.asname or alias.name] = vocabulary[alias.name]
                    if node.module == "collections" and alias.name == "abc":
                        self._abc.add(alias.asname or alias.name)

    def schema(self) -> Schema:
        contracts = [node for node in self._classes.values() if any(map(_is_contract, node.bases))]
        if len(contracts) != 1:
            raise no_schema(f"a contract file defines exactly one gl.Contract subclass, this one {len(contracts)}")
        functions = self._functions(contracts[0])
        if "__init__" not in functions:
            raise no_schema(f"{contracts[0].name} has no __init__")
        methods = {}
        for name, node in sorted(functions.items()):
            marks = _marks(node)
            if marks is not None:
                methods[name] = method_schema(name, marks, self._signature(node))
        constructor = list(self._signature(functions["__init__"]).parameters.values())[1:]
        return {"ctor": params_schema("__init__", constructor), "methods": methods}

    def _functions(self, node: ast.ClassDef) -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
        """The functions of a class, those of its bases in this file included."""
        found: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = {}
        for base in reversed(node.bases):
            if isinstance(base, ast.Name) and base.id in self._classes and self._classes[base.id] is not node:
                found.update(self._functions(self._classes[base.id]))
        found.update(
            (part.name, part) for part in node.body if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)
        )
        return found

    def _signature(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> inspect.Signature:
        kinds = inspect.Parameter
        args = node.args
        groups = [
            (kinds.POSITIONAL_ONLY, args.posonlyargs),
            (kinds.POSITIONAL_OR_KEYWORD, args.args),
            (kinds.VAR_POSITIONAL, [args.vararg] if args.vararg else []),
            (kinds.KEYWORD_ONLY, args.kwonlyargs),
            (kinds.VAR_KEYWORD, [args.kwarg] if args.kwarg else []),
        ]
        params = [
            inspect.Parameter(arg.arg, kind, annotation=self._annotation(arg.annotation))
            for kind, group in groups
            for arg in group
        ]
        return inspect.Signature(params, return_annotation=self._annotation(node.returns))

    def _annotation(self, node: ast.expr | None) -> Any:
        if node is None:
            return inspect.Parameter.empty
        try:
            return self._value(node)
        except (TypeError, RecursionError) as error:
            raise no_schema(f"{ast.unparse(node)[:80]} is not an annotation: {error}") from error

    def _value(self, node: ast.expr) -> Any:
        """An annotation as the object it stands for, from the closed vocabulary."""
        if isinstance(node, ast.Constant):
            if node.value is None or node.value is Ellipsis:
                return node.value
            raise no_schema(f"the annotation {node.value!r:.80} is a constant")
        if isinstance(node, ast.Name):
            if node.id in self._names:
                return self._names[node.id]
            if node.id in self._classes:
                return self._record(node.id)
        if isinstance(node, ast.Attribute):
            found = self._attribute(node)
            if found is not None:
                return found
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return typing.Union[self._value(node.left), self._value(node.right)]  # noqa: UP007 # built from values
        if isinstance(node, ast.Subscript):
            base = self._value(node.value)
            if base is typing.Literal:
                return typing.Literal["any"]
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            args = tuple(self._value(part) for part in parts)
            return base[args if len(args) > 1 else args[0]]
        raise no_schema(f"{ast.unparse(node)[:80]} has no place in a public signature")

    def _attribute(self, node: ast.Attribute) -> Any:
        owner = ast.unparse(node.value)
        if owner in self._typing:
            return _TYPING.get(node.attr)
        if owner == "gl":
            return INT_TYPES.get(node.attr) or (Address if node.attr == "Address" else None)
        if owner in self._abc or owner == "collections.abc":
            return _ABC.get(node.attr)
        return None

    def _record(self, name: str) -> Any:
        """A dataclass of the file, as a stand-in dataclass with the same fields."""
        if name not in self._dataclasses:
            node = self._classes[name]
            if not any("dataclass" in ast.unparse(mark) for mark in node.decorator_list):
                raise no_schema(f"{name} is not a dataclass")
            fields = {
                part.target.id: self._value(part.annotation)
                for part in node.body
                if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
            }
            self._dataclasses[name] = dataclasses.make_dataclass(name, fields.items())
        return self._dataclasses[name]


def _is_contract(base: ast.expr) -> bool:
    return ast.unparse(base) in ("gl.Contract", "genlayer.gl.Contract", "Contract")


def _marks(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Method | None:
    """What the decorators of a method say; None when it is not public."""
    public = readonly = payable = False
    gas: tuple[int, int] | None = None
    for mark in node.decorator_list:
        text = ast.unparse(mark)
        if text == "gl.public.view":
            public = readonly = True
        elif text.startswith("gl.public.write"):
            public = True
            payable = payable or text.endswith(".payable")
            gas = _gas(mark) or gas
    return Method(None, True, readonly, payable, False, gas) if public else None


def _gas(mark: ast.expr) -> tuple[int, int] | None:
    call = mark.value if isinstance(mark, ast.Attribute) else mark
    if not isinstance(call, ast.Call):
        return None
    given = {word.arg: word.value for word in call.keywords}
    parts = [*call.args, *(given[name] for name in ("leader", "validator") if name in given)]
    values = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, int)]
    return (values[0], values[1]) if len(values) == 2 else None
