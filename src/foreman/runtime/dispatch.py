"""Dispatch: which method a call means, and whether it may be called (docs/genlayer.md 4.2, in its order)."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from foreman import calldata

PUBLIC, READONLY, PAYABLE, MIN_GAS = (
    "__foreman_public__",
    "__foreman_readonly__",
    "__foreman_payable__",
    "__foreman_min_gas__",
)
"""The marks that `gl.public` leaves, as attributes of a function."""

UNDEFINED, RECEIVE, ERRORED = "__handle_undefined_method__", "__receive__", "__on_errored_message__"


@dataclass(frozen=True, slots=True)
class Method:
    """One attribute of a contract class that a call may name."""

    function: Any
    public: bool
    readonly: bool
    payable: bool
    abstract: bool
    min_gas: tuple[int, int] | None


Methods = dict[str, Method]


def methods_of(cls: type) -> Methods:
    """Every attribute of the class: a known name that is not public is an error, not an unknown name."""
    found: Methods = {}
    for name in dir(cls):
        value = getattr(cls, name, None)
        found[name] = Method(
            value,
            bool(getattr(value, PUBLIC, False)),
            bool(getattr(value, READONLY, False)),
            bool(getattr(value, PAYABLE, False)),
            bool(getattr(value, "__isabstractmethod__", False)),
            getattr(value, MIN_GAS, None),
        )
    return found


def construct(contract: Any, methods: Methods, data: bytes) -> None:
    """Run the constructor. Value is accepted whatever its decorators."""
    call = _read(data)
    if methods["__init__"].public:
        raise ValueError("__init__ must not be public")
    contract.__init__(*call.get("args", []), **call.get("kwargs", {}))


def invoke(contract: Any, methods: Methods, data: bytes, value: int, schema: Callable[[], str]) -> calldata.Value:
    """Run the method that the calldata names. ValueError for what may not be called, and what the method raises."""
    call = _read(data)
    name, args, kwargs = call.get("method", ""), call.get("args", []), call.get("kwargs", {})
    if not isinstance(name, str) or not isinstance(args, list) or not isinstance(kwargs, dict):
        raise ValueError("invalid calldata: method is a string, args an array, kwargs a map")
    if name == "":
        receive = methods.get(RECEIVE)
        if receive is not None and receive.public and (value == 0 or receive.payable):
            return receive.function(contract, *args, **kwargs)
        undefined = methods[UNDEFINED]
        if undefined.public and (value == 0 or undefined.payable):
            return undefined.function(contract, "", args, kwargs)
        raise ValueError("the contract takes no plain transfers: it has no public payable __receive__")
    if name == "#get-schema":
        return schema()
    if name == "#error":
        return methods[ERRORED].function(contract)
    if name.startswith(("#", "__")):
        raise ValueError(f"call to forbidden method `{name[:80]}`")
    method = methods.get(name)
    if method is not None:
        _check(method, name, value)
        try:
            return method.function(contract, *args, **kwargs)
        except TypeError as error:
            if error.__traceback__ is None or error.__traceback__.tb_next is not None:
                raise  # it was called, and failed inside
            raise _does_not_fit(name, method.function, args, kwargs) from None
    undefined = methods[UNDEFINED]
    if not undefined.public:
        raise ValueError(f"call to unknown method `{name[:80]}`")
    _check(undefined, name, value)
    return undefined.function(contract, name, args, kwargs)


def _check(method: Method, name: str, value: int) -> None:
    if not method.public:
        raise ValueError(f"call to private method `{name[:80]}`")
    if method.abstract:
        raise ValueError(f"call to abstract method `{name[:80]}`")
    if value > 0 and not method.payable:
        raise ValueError(f"`{name[:80]}` is non-payable: it takes no value, this call sends {value} wei")


def _does_not_fit(name: str, function: Any, args: list[Any], kwargs: dict[str, Any]) -> TypeError:
    """Arguments that the method does not take, beside those that it takes."""
    given = [f"{len(args)} value{'s' if len(args) > 1 else ''}"] if args else []
    given += [f"{key[:40]}=" for key in sorted(kwargs)[:10]]
    taken = [part for at, part in enumerate(_parameters(function)) if at]  # the first is self
    return TypeError(f"`{name[:80]}` takes the arguments ({', '.join(taken)}), this call gives ({', '.join(given)})")


def _parameters(function: Any) -> list[str]:
    """The parameters as they are written; `=` stands behind those that have a default."""
    found: list[str] = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not any(part.startswith("*") for part in found):
            found.append("*")
        stars = (
            "*"
            if parameter.kind is parameter.VAR_POSITIONAL
            else "**"
            if parameter.kind is parameter.VAR_KEYWORD
            else ""
        )
        found.append(f"{stars}{parameter.name}{'' if parameter.default is parameter.empty else '='}")
    return found


def _read(data: bytes) -> dict[str, Any]:
    call = calldata.decode(data)
    if not isinstance(call, dict):
        raise ValueError(f"invalid calldata, expected dict got {type(call).__name__}")
    return call
