"""`foreman deploy`: put a contract on a network."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foreman.address import checksum, parse_address
from foreman.cli import show
from foreman.cli.home import remember_contract
from foreman.cli.options import PATIENCE, Account, Id, Json, Network, Patience
from foreman.cli.session import session
from foreman.cli.spoken import command
from foreman.errors import BadInput, ForemanError

if TYPE_CHECKING:
    from foreman.sdk.result import Result

HELP = """Put a contract on a network, and remember where it stands there.

  foreman deploy foreman --network studionet --account me
  foreman deploy verdict_escrow --network studionet --account me
  foreman deploy contracts/foreman.py --account dev0

CONTRACT is `foreman` or `verdict_escrow`, as shipped, or a file of your own without constructor arguments.
"""

MOST_BYTES = 1_000_000
Source = Annotated[str, typer.Argument(metavar="CONTRACT", help="foreman, verdict_escrow, or a file")]


def deploy(
    contract: Source,
    network: Network = "local",
    account: Account = "",
    id: Id = "",
    patience: Patience = PATIENCE,
    json: Json = False,
) -> None:
    """Deploy from source, unchanged."""
    name, source = _source(contract)
    with session(network, json, account, id=id, patience=patience) as s:
        client, signer = s.foreman.client, s.foreman.account
        assert signer is not None
        result = s.settle(lambda: client.deploy(signer, source, id=id))
        place = _place(result)
        remember_contract(client.chain(), name, place)
        used = s.foreman.contracts[name]
        s.tell(result, f"{name} stands at {place}", {"name": name, "contract": place, "used": used == place})
        if used != place and not json:
            told = f"this network tells its own {name}, {used}, which is used; this one with --contract {place}"
            show.err().print(told, markup=False, soft_wrap=True)


def _place(result: "Result") -> str:
    """Where the network says that the new contract stands. Raises `no_address` when it says no such thing."""
    try:
        return checksum(parse_address(result.contract))
    except BadInput as error:
        sentence = f"the contract was deployed by {result.hash}, and the network does not tell where it stands"
        raise ForemanError("no_address", sentence, "look the transaction up, and give --contract ADDRESS") from error


def _source(contract: str) -> tuple[str, bytes]:
    """The name to remember it by, and its text."""
    from foreman.localnet.shipped import shipped

    if (source := shipped().get(contract)) is not None:
        return contract, source
    path = Path(contract)
    try:
        with path.open("rb") as file:
            return path.stem, file.read(MOST_BYTES)
    except OSError as error:
        hint = "name foreman, verdict_escrow, or a file"
        raise BadInput("no_such_contract", f"there is no contract {contract[:200]!r}", hint) from error


app = command(deploy, HELP)
