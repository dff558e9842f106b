"""`gl.evm`: contracts and accounts of the EVM side (docs/genlayer.md 5.6). Here only balances exist, and transfers."""

import inspect
import typing
from collections.abc import Callable
from typing import Any, NewType

from foreman.address import Address
from foreman.execution import Transfer
from foreman.runtime.abi import encode_arguments, selector, type_name
from foreman.runtime.current import frame

BYTES_TYPES: dict[str, Any] = {f"bytes{size}": NewType(f"bytes{size}", bytes) for size in range(1, 33)}
globals().update(BYTES_TYPES)

__all__ = ["contract_interface", *BYTES_TYPES]


def contract_interface(cls: type) -> "EvmInterface":
    """`@gl.evm.contract_interface`: the methods of the inner class `Write` can be emitted. Their parameters are
    positional-only and annotated.
    """
    return EvmInterface(cls.__name__, _methods(getattr(cls, "View", object)), _methods(getattr(cls, "Write", object)))


class EvmInterface:
    """Call it with an Address to get a proxy."""

    __foreman_frozen__ = True

    def __init__(self, name: str, views: dict[str, list[Any]], writes: dict[str, list[Any]]) -> None:
        self.__name__ = name
        self.views = views
        self.writes = writes

    def __call__(self, address: Address) -> "EvmProxy":
        return EvmProxy(self, address)

    def __reduce__(self) -> str:
        return self.__name__


class EvmProxy:
    """An account or contract of the EVM side."""

    def __init__(self, interface: EvmInterface, address: Address) -> None:
        if not isinstance(address, Address):
            raise TypeError("address expected")
        self._interface = interface
        self.address = address

    @property
    def balance(self) -> int:
        return frame().balance_of(self.address.as_bytes)

    def emit_transfer(self, *, value: int) -> None:
        """Send wei when this transaction is final. It runs no code and cannot fail."""
        _send(self.address, value, b"")

    def emit(self, *, value: int = 0) -> "_Emitter":
        """`p.emit().method(...)`: an EVM call. The network ignores `value` here (v0.1.8), so it is refused."""
        if value != 0:
            raise ValueError("emit(value=) sends nothing on the network (v0.1.8): use emit_transfer(value=)")
        return _Emitter(self)

    def view(self) -> Any:
        raise AttributeError(
            "EVM contracts cannot be read: view() fails on the network (v0.1.8), and there is no EVM here"
        )


class _Emitter:
    def __init__(self, proxy: EvmProxy) -> None:
        self._proxy = proxy

    def __getattr__(self, name: str) -> Callable[..., None]:
        kinds = self._proxy._interface.writes.get(name)
        if kinds is None:
            raise AttributeError(f"{self._proxy._interface.__name__} has no write method {name!r}")

        def method(*args: Any) -> None:
            data = selector(name, kinds) + encode_arguments(kinds, args)
            _send(self._proxy.address, 0, data)

        return method


def _send(to: Address, value: int, data: bytes) -> None:
    at = frame()
    at.spend(value)
    at.run.effects.emitted.append(Transfer(to.as_bytes, value, data))


def _methods(cls: type) -> dict[str, list[Any]]:
    """The parameter types of every method of an interface's inner class."""
    found = {}
    for name, function in vars(cls).items():
        if name.startswith("_") or not inspect.isfunction(function):
            continue
        hints = typing.get_type_hints(function)
        kinds = []
        for param in list(inspect.signature(function).parameters.values())[1:]:
            if param.kind is not param.POSITIONAL_ONLY:
                raise AssertionError(f"{name}: parameters are positional-only, write `/` after them")
            type_name(hints[param.name])
            kinds.append(hints[param.name])
        found[name] = kinds
    return found
