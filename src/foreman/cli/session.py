"""One command's dealings with a network: connect, sign, send under an id, follow the seats, tell how it ended."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from foreman.cli import show
from foreman.cli.home import known_contracts, outbox
from foreman.cli.options import PATIENCE
from foreman.cli.turn import not_there
from foreman.cli.wallet import open_account
from foreman.sdk.failures import RpcFailed
from foreman.sdk.foreman import Foreman
from foreman.sdk.networks import find_network

if TYPE_CHECKING:
    from foreman.sdk.client import Sent
    from foreman.sdk.result import Result

OWN, DEPLOYED, UNUSED = "the network itself", "foreman deploy", "foreman deploy; used with --contract only"
"""Who told where a contract stands."""

FINE = {"settling": "accepted; the money moves when it is final", "final": "final"}


class Remembering(Foreman):
    """Contracts that were deployed from here stand in for those that a network does not tell itself."""

    @cached_property
    def remembered(self) -> Mapping[str, str]:
        """What was deployed from here on this very chain: addresses by name."""
        return known_contracts(self.client.chain())

    @cached_property
    def contracts(self) -> Mapping[str, str]:
        """Addresses by name: those given, those the network tells, and only then those remembered."""
        return {**self.remembered, **super().contracts}

    def places(self) -> list[tuple[str, str, str]]:
        """Name, address and who told it, of every contract there is; what is used comes before what is not."""
        used = [(name, at, DEPLOYED if self.remembered.get(name) == at else OWN) for name, at in self.contracts.items()]
        others = [(name, at, UNUSED) for name, at in self.remembered.items() if self.contracts[name] != at]
        return sorted(used) + sorted(others)


@dataclass
class Session:
    """A connection, and how this command was told to speak."""

    foreman: Remembering
    json: bool
    id: str = ""
    patience: float = PATIENCE

    def settle(self, send: "Callable[[], Sent]", judged: bool = False) -> "Result":
        """Send, wait, and give the result of a success. Raises what the SDK raises; with `judged` tells every seat."""
        from foreman.cli.voting import Voting

        with Voting(self.foreman.client, judged and not self.json) as voting:
            sent = send()
            if not self.json:
                show.err().print(f"sent {sent.hash}", style="dim", markup=False, soft_wrap=True)
            voting.follow(sent.hash)
            return sent.wait(patience=self.patience).check()

    def tell(self, result: "Result", sentence: str, more: Mapping[str, Any]) -> None:
        """How a write ended: one line, or the stable fields of every write and `more`."""
        if self.json:
            show.as_json({"hash": result.hash, "state": result.state, "status": result.status, **more})
        else:
            show.out().print(f"{sentence} ({FINE.get(result.state, result.state)})", markup=False, soft_wrap=True)


@contextmanager
def session(
    network: str,
    json: bool,
    account: str | None = None,
    contract: tuple[str, str] = ("", ""),
    id: str = "",
    patience: float = PATIENCE,
) -> Iterator[Session]:
    """Connect. `account` None reads only; `contract` is a name and an address that goes before the known ones."""
    find_network(network)
    signer = None if account is None else open_account(account)
    given = {contract[0]: contract[1]} if contract[1] else {}
    with Remembering.connect(network, signer, given, outbox()) as foreman:
        try:
            yield Session(foreman, json, id, patience)
        except RpcFailed as problem:
            raise not_there(problem) from problem
