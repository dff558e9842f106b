"""The front door of the SDK: one connection with the contracts of one network. `Foreman.connect("local")`."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Self

from foreman.address import parse_address
from foreman.errors import ForemanError
from foreman.sdk.account import Account
from foreman.sdk.agreements import Agreements
from foreman.sdk.client import Client
from foreman.sdk.orders import Orders
from foreman.sdk.outbox import Outbox


class Foreman:
    """Orders and agreements of one network, acted on by one account; without one they can be read."""

    def __init__(self, client: Client, account: Account | None, contracts: Mapping[str, str]) -> None:
        self.client = client
        self.account = account
        self._given = dict(contracts)

    @classmethod
    def connect(
        cls,
        network: str = "local",
        account: Account | None = None,
        contracts: Mapping[str, str] | None = None,
        outbox: Path | None = None,
    ) -> Self:
        """Name a network (`networks.NETWORKS`) or give the URL of its JSON-RPC. Nothing is asked yet.

        `contracts`: addresses of `foreman` and `verdict_escrow`; a network of `foreman up` tells its own.
        `outbox`: a folder that makes ids of writes outlive this process.
        """
        return cls(Client(network, outbox=Outbox(outbox)), account, contracts or {})

    def as_account(self, account: Account) -> Self:
        """The same connection, acted on by another account."""
        return type(self)(self.client, account, self._given)

    @cached_property
    def contracts(self) -> Mapping[str, str]:
        """Addresses by name: those given, and those an embedded network tells."""
        told = self.client.config["contracts"] if self.client.embedded else {}
        return {**told, **self._given}

    @property
    def orders(self) -> Orders:
        """Work orders. Raises `ForemanError` when it is not known where their contract is."""
        return Orders(self.client, self._address("foreman"), self.account)

    @property
    def agreements(self) -> Agreements:
        """Agreements in milestones. Raises `ForemanError` as `orders`."""
        return Agreements(self.client, self._address("verdict_escrow"), self.account)

    def close(self) -> None:
        """Let go of the connections."""
        self.client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _address(self, name: str) -> bytes:
        found = self._given.get(name) or self.contracts.get(name)
        if not found:
            sentence = f"where the contract {name} stands on {self.client.network.name} is not known"
            hint = "deploy one (`foreman deploy`), or give its address: contracts={...}, --contract on the command line"
            raise ForemanError("contract_unknown", sentence, hint)
        return parse_address(found)
