"""A contract at one address, acted on by one account: what orders.py and agreements.py give their verbs to."""

from collections.abc import Sequence
from typing import Any, Self

from foreman import calldata
from foreman.address import checksum
from foreman.errors import BadInput, ForemanError
from foreman.money import format_gen
from foreman.sdk.account import Account
from foreman.sdk.client import Client, Sent
from foreman.sdk.failures import BadAnswer
from foreman.sdk.shape import Shape, fits


class Contract:
    """Reads need no account; writes are signed by `account`."""

    def __init__(self, client: Client, contract: bytes, account: Account | None = None, id: str = "") -> None:
        self.client = client
        self.contract = contract
        self._account = account
        self._id = id

    def as_account(self, account: Account) -> Self:
        """The same contract, acted on by another account."""
        return type(self)(self.client, self.contract, account, self._id)

    def once(self, id: str) -> Self:
        """The same contract for one write under this id, which never sends twice: `orders.once("a7").create(...)`."""
        return type(self)(self.client, self.contract, self._account, id)

    def read(self, method: str, *args: calldata.Value) -> calldata.Value:
        """Call a view. Raises `RpcFailed` when the contract refuses."""
        return self.client.read(self.contract, method, *args)

    def ask(self, shape: Shape, method: str, *args: calldata.Value) -> Any:
        """Call a view whose answer must have this shape. Raises `RpcFailed`, and `BadAnswer` for another one."""
        value = self.read(method, *args)
        if not fits(value, shape):
            place = f"the contract {checksum(self.contract)} on {self.client.network.name}"
            raise BadAnswer(place, f"something else than {method} gives")
        return value

    def write(self, method: str, args: Sequence[calldata.Value]) -> Sent:
        """Sign and send a call without value. Raises `BadInput` without an account."""
        return self.client.write(self._signer(), self.contract, method, args, id=self._id)

    def pay(self, method: str, args: Sequence[calldata.Value], wei: int) -> Sent:
        """Sign and send a call with value. Simulated first, so a refusal costs nothing. Raises `RpcFailed` then."""
        signer = self._signer()
        if not self.client.was_sent(signer, self._id):
            self.client.simulate(signer.address, self.contract, method, args, wei)
        return self.client.write(signer, self.contract, method, args, wei, self._id)

    def stake(self, method: str, args: Sequence[calldata.Value], wei: int, yes: bool) -> Sent:
        """`pay` for a call whose end no simulation foresees. Raises `needs_yes` where that risks the value."""
        if not yes and self.client.keeps_failed_value:
            sentence = f"{self.client.network.name} keeps the value of a call that fails: {format_gen(wei)} GEN at risk"
            raise ForemanError("needs_yes", sentence, "say yes: yes=True, or --yes on the command line")
        return self.pay(method, args, wei)

    def _signer(self) -> Account:
        if self._account is None:
            raise BadInput(
                "no_account", "writing needs an account, and none was given", "pass account= or as_account()"
            )
        return self._account
