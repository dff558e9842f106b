"""`gl.Contract`, `gl.public` and `gl.private`: the class a contract file defines, and the marks on its methods."""

from collections.abc import Callable
from typing import Any

from foreman.address import Address
from foreman.runtime.current import LOADING, frame, message
from foreman.runtime.dispatch import MIN_GAS, PAYABLE, PUBLIC, READONLY
from foreman.runtime.views.records import annotations_of, install

Function = Callable[..., Any]


class Contract:
    """The base of every contract. A file defines exactly one subclass; its annotations are what it stores."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        loading = LOADING.get()
        if loading is not None:
            loading.contracts.append(cls)
            if len(loading.contracts) > 1:
                first, second = (found.__name__ for found in loading.contracts[:2])
                raise TypeError(f"only one contract is allowed; first `{first}` second `{second}`")
        install(cls, annotations_of(cls))

    @property
    def address(self) -> Address:
        return message().contract_address

    @property
    def balance(self) -> int:
        """Wei, with the value of this call and without what this run has emitted."""
        return frame().balance()

    def __handle_undefined_method__(self, name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        raise NotImplementedError

    def __on_errored_message__(self) -> None:
        """A message that this contract sent has failed; its value is back."""


class _MinGas:
    """`@gl.public.write.min_gas(leader=.., validator=..)`, with or without `.payable`."""

    __foreman_frozen__ = True

    def __init__(self, leader: int, validator: int) -> None:
        self._gas = (leader, validator)

    def __call__[F: Function](self, function: F) -> F:
        setattr(function, MIN_GAS, self._gas)
        return _mark(function, readonly=False, payable=False)

    def payable[F: Function](self, function: F) -> F:
        setattr(function, MIN_GAS, self._gas)
        return _mark(function, readonly=False, payable=True)


class _Write:
    """`@gl.public.write`, `@gl.public.write.payable`, `@gl.public.write.min_gas(...)`."""

    __foreman_frozen__ = True

    def __call__[F: Function](self, function: F) -> F:
        return _mark(function, readonly=False, payable=False)

    def payable[F: Function](self, function: F) -> F:
        return _mark(function, readonly=False, payable=True)

    def min_gas(self, leader: int, validator: int) -> _MinGas:
        return _MinGas(leader, validator)


class _Public:
    """`gl.public`."""

    __foreman_frozen__ = True

    write = _Write()

    def view[F: Function](self, function: F) -> F:
        return _mark(function, readonly=True, payable=False)


def _mark[F: Function](function: F, *, readonly: bool, payable: bool) -> F:
    setattr(function, PUBLIC, True)
    # A view stays one when it is also marked as a write (docs/genlayer.md 4.1).
    setattr(function, READONLY, readonly or getattr(function, READONLY, False))
    setattr(function, PAYABLE, payable or getattr(function, PAYABLE, False))
    return function


def private[F: Function](function: F) -> F:
    """`@gl.private`: says what is true without it."""
    return function


public = _Public()
