"""`foreman account`: key files, encrypted, and what their addresses hold."""

import getpass
import json as jsonlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foreman.address import checksum
from foreman.cli import show
from foreman.cli.home import key_files, write_private
from foreman.cli.options import PATIENCE, Id, Json, Network, Patience, accounts
from foreman.cli.session import session
from foreman.cli.spoken import Spoken, noun
from foreman.cli.table import facts, gen, table
from foreman.cli.wallet import default_account, new_key_file, party, password
from foreman.errors import BadInput, ForemanError
from foreman.money import parse_gen
from foreman.sdk import keystore
from foreman.sdk.failures import RpcFailed
from foreman.sdk.history import UNKNOWN_METHOD

if TYPE_CHECKING:
    from foreman.sdk.account import Account
    from foreman.sdk.client import Client

HELP = """Key files, encrypted under a password, and what their addresses hold.

  foreman account new me
  foreman account import me --file key.txt
  foreman account list
  foreman account balance me --network studionet
  foreman account fund --amount 100                 yours, from the faucet of a network that has one
  foreman account fund me --from dev0 --amount 5    on any: a transfer

The files are eth-account's (version 3), in FOREMAN_HOME, else ~/.foreman. The password is asked for, or read from the
file that FOREMAN_PASSWORD_FILE names. A key is never given on the command line.
"""

app = noun(HELP)
Name = Annotated[str, typer.Argument(metavar="NAME", help="A key file's name")]
Party = Annotated[
    str,
    typer.Argument(
        metavar="NAME|ADDRESS",
        help="A key file, dev0 to dev9, or an address; else yours",
        show_default=False,
        autocompletion=accounts,
    ),
]


@app.command(cls=Spoken)
def new(name: Name, json: Json = False) -> None:
    """Make a key and encrypt it.

    \b
      foreman account new me
    """
    from foreman.sdk.account import Account

    new_key_file(name)
    _save(name, Account.create(), json)


@app.command("import", cls=Spoken)
def import_key(
    name: Name,
    file: Annotated[Path | None, typer.Option("--file", metavar="FILE", help="A key file or hex; else asked")] = None,
    json: Json = False,
) -> None:
    """Take over a key: an encrypted key file of another tool, or 64 hex digits from a file, a pipe or the prompt.

    \b
      foreman account import me --file UTC--2026-05-01--0x12.json
      foreman account import me < key.txt
    """
    from foreman.sdk.account import Account

    new_key_file(name)
    text = _given(file)
    if not text.lstrip().startswith("{"):
        return _save(name, Account.from_hex(text), json)
    assert file is not None
    account = keystore.decrypt(keystore.read_file(file), password("Password of that file: "))
    return _save(name, account, json)


@app.command("list", cls=Spoken)
def list_accounts(json: Json = False) -> None:
    """List the key files.

    \b
      foreman account list
    """
    rows = []
    for path in key_files():
        address = keystore.address_in(keystore.read_file(path))
        rows.append({"name": path.stem, "address": checksum(address) if address else "", "file": str(path)})
    if json:
        return show.as_json({"accounts": rows})
    return table(("name", "address", "file"), [tuple(row.values()) for row in rows])


@app.command(cls=Spoken)
def balance(who: Party = "", network: Network = "local", json: Json = False) -> None:
    """Tell what an address holds. Yours is FOREMAN_ACCOUNT, or the only key file there is.

    \b
      foreman account balance
      foreman account balance dev0
      foreman account balance 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --json
    """
    address = party(who or default_account())
    with session(network, json) as s:
        wei = s.foreman.client.balance(address)
    if json:
        return show.as_json({"address": checksum(address), "balance_wei": wei})
    return facts({"address": checksum(address), "balance": gen(wei)})


@app.command(cls=Spoken)
def fund(
    who: Party = "",
    amount: Annotated[str, typer.Option("--amount", metavar="GEN", help="How much")] = "100",
    source: Annotated[
        str,
        typer.Option("--from", metavar="NAME", help="An account that pays; else the faucet", autocompletion=accounts),
    ] = "",
    network: Network = "local",
    id: Id = "",
    patience: Patience = PATIENCE,
    json: Json = False,
) -> None:
    """Give an address money, from a network's faucet or from another account. Without a name it is yours.

    \b
      foreman account fund --amount 100
      foreman account fund me --from dev0 --amount 5
    """
    address, wei = party(who or default_account()), parse_gen(amount)
    with session(network, json, source or None, id=id, patience=patience) as s:
        client = s.foreman.client
        if source:
            signer = s.foreman.account
            assert signer is not None
            result = s.settle(lambda: client.transfer(signer, address, wei, id))
        else:
            result = client.wait(_faucet(client, address, wei), patience=patience).check()
        held = client.balance(address)
        s.tell(result, f"{checksum(address)} holds {gen(held)}", {"address": checksum(address), "balance_wei": held})


def _faucet(client: "Client", address: bytes, wei: int) -> str:
    """The hash of a payment from the network's faucet. Raises `no_faucet` where none can be asked."""
    sentence = f"{client.network.name} has no faucet that can be asked from here"
    if client.network.rollup:
        raise ForemanError("no_faucet", sentence, "its faucet is a web page; it is asked there, for this address")
    try:
        return str(client.call("sim_fundAccount", checksum(address), wei))
    except RpcFailed as error:
        if error.number == UNKNOWN_METHOD or error.code in ("unknown_method", "not_a_development_network"):
            hint = "pay from an account that has some: --from NAME; a network of your own has one without --no-dev"
            raise ForemanError("no_faucet", sentence, hint) from error
        raise


def _given(file: Path | None) -> str:
    """The text of a key, from where nobody else sees it."""
    if file is not None:
        try:
            with file.open(encoding="utf-8") as opened:
                return opened.read(keystore.MOST_BYTES)
        except (OSError, ValueError) as error:
            raise BadInput("bad_file", f"{file} cannot be read as text", "name a key file, or one with hex") from error
    if sys.stdin.isatty():
        return getpass.getpass("Private key: ")
    return sys.stdin.read(1000)


def _save(name: str, account: "Account", json: bool) -> None:
    path = new_key_file(name)
    if path.exists():
        raise ForemanError("exists", f"there is an account {name} already", "choose another name")
    chosen = password(f"New password for {name}: ", twice=True)
    if not chosen:
        raise BadInput("no_password", "an empty password protects nothing", "choose one")
    write_private(path, jsonlib.dumps(keystore.encrypt(account, chosen), indent=2) + "\n")
    if json:
        show.as_json({"name": name, "address": str(account), "file": str(path)})
    else:
        facts({"name": name, "address": str(account), "file": str(path)})
