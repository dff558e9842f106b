"""The schema of a contract class: its constructor and public methods, as clients expect it (docs/genlayer.md 4.3)."""

import collections.abc
import dataclasses
import inspect
import json
import types
import typing
from typing import Any

from foreman.address import Address
from foreman.errors import BadInput
from foreman.runtime.dispatch import Method, Methods

Schema = dict[str, object]

_NAMES: dict[Any, str] = {
    inspect.Parameter.empty: "any", Any: "any", None: "null", type(None): "null", bool: "bool", int: "int",
    str: "string",
    bytes: "bytes", bytearray: "array", Address: "address", list: "array", collections.abc.Sequence: "array",
    typing.Sequence: "array", typing.List: "array", dict: "dict", collections.abc.Mapping: "dict",  # noqa: UP006
    typing.Mapping: "dict", typing.Dict: "dict", collections.abc.MutableMapping: "dict", tuple: "array",  # noqa: UP006
}  # fmt: skip


def schema_text(cls: type, methods: Methods) -> str:
    """The schema as the string that `#get-schema` returns."""
    return json.dumps(schema_of(cls, methods), separators=(",", ":"))


def schema_of(cls: type, methods: Methods) -> Schema:
    """The schema of an imported contract. Raises `BadInput` for a signature that has none."""
    constructor = methods["__init__"].function
    if constructor is object.__init__:
        raise no_schema(f"{cls.__name__} has no __init__")
    found = {}
    for name, method in sorted(methods.items()):
        if method.public:
            found[name] = method_schema(name, method, inspect.signature(method.function))
    params = list(inspect.signature(constructor).parameters.values())[1:]
    return {"ctor": params_schema("__init__", params), "methods": found}


def method_schema(name: str, method: Method, signature: inspect.Signature) -> Schema:
    """The schema of one public method."""
    if name.startswith("__"):
        raise no_schema(f"the public name {name} begins with two underscores")
    found = params_schema(name, list(signature.parameters.values())[1:])
    if method.min_gas is not None:
        found["min_gas_leader"], found["min_gas_validator"] = method.min_gas
    found["readonly"] = method.readonly
    found["ret"] = type_schema(signature.return_annotation)
    if not method.readonly:
        found["payable"] = method.payable
    return found


def params_schema(name: str, params: list[inspect.Parameter]) -> Schema:
    positional: list[list[object]] = []
    named: dict[str, object] = {}
    for param in params:
        if param.kind in (param.VAR_POSITIONAL, param.VAR_KEYWORD):
            raise no_schema(f"{name} takes *args or **kwargs")
        kind = type_schema(param.annotation)
        if param.kind is param.KEYWORD_ONLY:
            named["$" + param.name if param.name.startswith("$") else param.name] = kind
        else:
            positional.append([param.name, kind])
    return {"params": positional, "kwparams": named}


def type_schema(annotation: Any) -> object:
    """The schema of one annotation. Raises `BadInput` for what clients cannot be told."""
    try:
        plain = _NAMES.get(annotation)
    except TypeError:
        plain = None
    if plain is not None:
        return plain
    if isinstance(annotation, typing.NewType):
        return type_schema(annotation.__supertype__)
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Literal:
        return "any"
    if origin is typing.Annotated:
        return type_schema(args[0])
    if origin in (typing.Union, types.UnionType):
        return {"$or": [type_schema(arg) for arg in args]}
    if origin in (dict, collections.abc.Mapping, collections.abc.MutableMapping):
        if args[0] is not str:
            raise no_schema(f"{annotation!r} is a map whose keys are not strings")
        return {"$dict": type_schema(args[1])}
    if origin in (list, collections.abc.Sequence) or (origin is tuple and args[1:] == (...,)):
        return [{"$rep": type_schema(args[0])}]
    if origin is tuple:
        return [type_schema(arg) for arg in args]
    if dataclasses.is_dataclass(annotation) and isinstance(annotation, type):
        hints = {field.name: field.type for field in dataclasses.fields(annotation)}
        return {name: type_schema(hint) for name, hint in hints.items()}
    if typing.is_typeddict(annotation):
        return "dict"
    raise no_schema(f"{annotation!r} has no place in a public signature")


def no_schema(why: str) -> BadInput:
    return BadInput(
        "no_schema", f"the contract has no schema: {why}", "annotate with int, str, bool, dict, list or Any"
    )
