"""Messages to contracts: `gl.get_contract_at`, `gl.contract_interface`, `gl.deploy_contract` (docs/genlayer.md 5.5)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from foreman.address import Address, keccak256
from foreman.calldata import encode, encode_call
from foreman.execution import Emission, On
from foreman.runtime.current import frame
from foreman.runtime.results import result_of, unpack_result

LATEST_NON_FINAL = 2
"""The only state there is to read here: what has been committed (docs/genlayer.md 5.5)."""

UNKNOWN = b""
"""The address of a contract that is deployed without a salt: the network chooses it."""


class ContractProxy:
    """Another contract: read it with `.view()`, send it messages with `.emit()`."""

    def __init__(self, address: Address) -> None:
        if not isinstance(address, Address):
            raise TypeError("address expected")
        self.address = address

    def view(self, *, state: int = LATEST_NON_FINAL) -> "_Methods":
        """`p.view().method(...)` runs the method read-only on the committed state and returns its value."""
        if state != LATEST_NON_FINAL:
            raise SystemError("2: inval")
        address = self.address.as_bytes

        def call(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
            at = frame()
            return unpack_result(result_of(at.run.runtime.view(at, address, encode_call(name, args, kwargs))))

        return _Methods(call)

    def emit(self, *, value: int = 0, on: str = "finalized") -> "_Methods":
        """`p.emit(value=v).method(...)` sends a message when this transaction is final, or `on='accepted'`."""
        when = _when(on)

        def send(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
            _send(self.address.as_bytes, encode_call(name, args, kwargs), value, when)

        return _Methods(send)

    def emit_transfer(self, *, value: int, on: str = "finalized") -> None:
        """Send wei as a message without a method."""
        if value <= 0:
            raise ValueError("the value of a transfer is more than zero")
        _send(self.address.as_bytes, encode({}), value, _when(on))

    @property
    def balance(self) -> int:
        return frame().balance_of(self.address.as_bytes)


class _Methods:
    """Whatever attribute is asked for is a method of the other contract."""

    def __init__(self, act: Callable[[str, Sequence[Any], Mapping[str, Any]], Any]) -> None:
        self._act = act

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        act = self._act

        def method(*args: Any, **kwargs: Any) -> Any:
            return act(name, args, kwargs)

        return method


def get_contract_at(address: Address) -> ContractProxy:
    """A proxy of the contract at an address. Raises TypeError for anything but an Address."""
    return ContractProxy(address)


def contract_interface(cls: type) -> Callable[[Address], ContractProxy]:
    """`@gl.contract_interface`: the class is for type checkers; calling it gives a proxy."""
    return _Interface(cls.__name__)


class _Interface:
    __foreman_frozen__ = True

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __call__(self, address: Address) -> ContractProxy:
        return ContractProxy(address)

    def __reduce__(self) -> str:
        return self.__name__


def deploy_contract(
    *,
    code: bytes,
    args: Sequence[Any] = (),
    kwargs: Mapping[str, Any] | None = None,
    salt_nonce: int = 0,
    value: int = 0,
    on: str = "finalized",
) -> Address | None:
    """Send a deployment. With a salt its address is known and returned; without one it is None."""
    source = code.encode() if isinstance(code, str) else bytes(code)
    when = _when(on)
    at = frame()
    address = None
    if salt_nonce != 0:
        address = salted_address(at.message.contract_address.as_bytes, salt_nonce, at.message.chain_id)
    at.spend(value)
    data = encode_call(None, args, kwargs)
    to = UNKNOWN if address is None else address.as_bytes
    at.run.effects.emitted.append(Emission(to, data, value, when, source))
    return address


def salted_address(deployer: bytes, salt: int, chain_id: int) -> Address:
    """The address of a deployment with a salt: the first 20 bytes of a Keccak-256 (docs/genlayer.md 5.5)."""
    return Address(keccak256(b"\x01" + deployer + salt.to_bytes(32, "big") + chain_id.to_bytes(32, "big"))[:20])


def _when(on: str) -> On:
    if on not in ("accepted", "finalized"):
        raise SystemError("2: inval")
    return On(on)


def _send(to: bytes, data: bytes, value: int, when: On) -> None:
    at = frame()
    at.spend(value)
    at.run.effects.emitted.append(Emission(to, data, value, when))
