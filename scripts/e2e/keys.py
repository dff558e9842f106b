"""The keys of a run, and their money: the first from a file that the environment names, the second always new."""

import getpass
import os
import time
from pathlib import Path

from foreman.errors import BadInput
from foreman.money import format_gen
from foreman.sdk.account import Account
from foreman.sdk.client import Client
from foreman.sdk.failures import RpcFailed
from foreman.sdk.keystore import decrypt, read_file

KEY_FILE = "FOREMAN_E2E_KEY_FILE"
PASSWORD_FILE = "FOREMAN_E2E_PASSWORD_FILE"

ARRIVAL = 60.0
"""Seconds until money of a faucet must have arrived."""


def first_key(live: bool, kept: Path) -> Account:
    """The key of FOREMAN_E2E_KEY_FILE, else a new one. Raises `BadInput`, which never repeats the file's content."""
    name = os.environ.get(KEY_FILE)
    if not name:
        return new_key(live, kept)
    text = _text(KEY_FILE, name)
    if not text.startswith("{"):
        return Account.from_hex(text)
    sealed = read_file(Path(name))
    named = os.environ.get(PASSWORD_FILE)
    return decrypt(sealed, _text(PASSWORD_FILE, named) if named else getpass.getpass("Password of the key file: "))


def _text(variable: str, name: str) -> str:
    """What a file holds, without the line end. Raises `BadInput`."""
    try:
        return Path(name).read_text(encoding="utf-8").strip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        what = f"the file of {variable} cannot be read ({type(error).__name__})"
        raise BadInput("bad_key", what, "name a readable file") from None


def new_key(live: bool, kept: Path) -> Account:
    """A new key. On a live network it is written down first, readable by its owner alone: money will lie on it."""
    account = Account.create()
    if live:
        kept.mkdir(parents=True, exist_ok=True)
        path = key_path(account, kept)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(account.secret.hex() + "\n")
    return account


def key_path(account: Account, kept: Path) -> Path:
    """Where `new_key` wrote a key down."""
    return kept / f"{account}.key"


def fund(network: Client, account: Account, need: int, giver: Account | None = None) -> str:
    """See to it that an account holds `need` wei, and say how. Raises `BadInput` when nobody gives."""
    have = network.balance(account.address)
    if have >= need:
        return "held enough"
    try:
        network.call("sim_fundAccount", str(account), need - have)
        source = "faucet"
    except RpcFailed as refusal:
        if giver is None:
            raise BadInput(
                "no_money",
                f"{account} holds {format_gen(have)} GEN, needs {format_gen(need)}, and there is no faucet ({refusal})",
                f"send it GEN, or name a key that holds some with {KEY_FILE}",
            ) from refusal
        network.transfer(giver, account.address, need - have).wait(final=True).check()
        source = "first key"
    deadline = time.monotonic() + ARRIVAL
    while network.balance(account.address) < need:
        if time.monotonic() > deadline:
            raise BadInput("no_money", f"the money for {account} has not arrived", "look at the network's faucet")
        time.sleep(0.05)
    return source
