"""A contract at one address, acted on by one account: what orders.py and agreements.py give their verbs to."""

from collections.abc import Sequence
from typing import Self

from foreman import calldata
from foreman.errors import BadInput
from foreman.sdk.account import Account
from foreman.sdk.client import Client, Sent


class Contract:
    """Reads need no account; writes are signed by `account`."""

    def __init__(self, client: Client, contract: bytes, account: Account | None = None) -> None:
        self.client = client
        self.contract = contract
        self._account = account

    def as_account(self, account: Account) -> Self:
        """The same contract, acted on by another account."""
        return type(self)(self.client, self.contract, account)

    def read(self, method: str, *args: calldata.Value) -> calldata.Value:
        """Call a view. Raises `RpcFailed` when the contract refuses."""
        return self.client.read(self.contract, method, *args)

    def write(self, method: str, args: Sequence[calldata.Value]) -> Sent:
        """Sign and send a call without value. Raises `BadInput` without an account."""
        return self.client.write(self._signer(), self.contract, method, args)

    def pay(self, method: str, args: Sequence[calldata.Value], wei: int) -> Sent:
        """Sign and send a call with value. Simulated first, so a refusal costs nothing. Raises `RpcFailed` then."""
        signer = self._signer()
        self.client.simulate(signer.address, self.contract, method, args, wei)
        return self.client.write(signer, self.contract, method, args, wei)

    def _signer(self) -> Account:
        if self._account is None:
            raise BadInput(
                "no_account", "writing needs an account, and none was given", "pass account= or as_account()"
            )
        return self._account
