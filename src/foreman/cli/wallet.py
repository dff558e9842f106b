"""Which account signs: one of the known accounts by name, or a key file opened with a password. Never a key itself."""

import getpass
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from foreman.address import parse_address
from foreman.cli.home import key_file, key_files
from foreman.errors import BadInput, ForemanError
from foreman.sdk import keystore

if TYPE_CHECKING:
    from foreman.sdk.account import Account

PASSWORD_FILE = "FOREMAN_PASSWORD_FILE"
"""Names a file whose first line opens key files, for use without a terminal."""

_KNOWN = re.compile(r"dev([0-9])")
_BARE_ADDRESS = re.compile(r"[0-9a-fA-F]{40}")
_KEY = re.compile(r"(0x)?[0-9a-fA-F]{64}")


def open_account(name: str) -> "Account":
    """The account behind `dev0`..`dev9`, the name of a key file, or the path of one. Asks for its password."""
    if not name:
        hint = "name one with --account or FOREMAN_ACCOUNT: a key file, or dev0 to dev9 on a network of your own"
        raise BadInput("no_account", "this needs an account to sign with", hint)
    if found := _KNOWN.fullmatch(name):
        from foreman.localnet.accounts import DEV_ACCOUNTS
        from foreman.sdk.account import Account

        return Account.from_hex(DEV_ACCOUNTS[int(found[1])].key)
    path = _path(name)
    return keystore.decrypt(keystore.read_file(path), password(f"Password of {path.stem}: "))


def new_key_file(name: str) -> Path:
    """The key file of an account that is to be made. Raises `BadInput` for a name that would never lead to it."""
    _refuse_key(name)
    path = key_file(name)
    if taken := _taken(name):
        raise BadInput("bad_name", f"{name} cannot be the name of an account: it is read as {taken}", "choose another")
    return path


def _taken(name: str) -> str:
    """What this name is read as wherever an account is named, if that is not a key file of this name."""
    if _KNOWN.fullmatch(name.lower()):
        return "a known account of development networks"
    if name[:2] in ("0x", "0X") or _BARE_ADDRESS.fullmatch(name):
        return "an address"
    return "a file" if name.lower().endswith(".json") else ""


def default_account() -> str:
    """Who is meant when nobody is named: FOREMAN_ACCOUNT, else the only key file there is. Raises `BadInput`."""
    if named := os.environ.get("FOREMAN_ACCOUNT"):
        return named
    names = [path.stem for path in key_files() if not _taken(path.stem)]
    if len(names) == 1:
        return names[0]
    if names:
        told = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
        raise BadInput(
            "no_account", f"whose? there are {len(names)} accounts: {told}", "name one, or set FOREMAN_ACCOUNT"
        )
    hint = "make one with `foreman account new NAME`; on a network of your own there are dev0 to dev9, too"
    raise BadInput("no_account", "there is no account yet", hint)


def party(text: str) -> bytes:
    """An address, in any spelling, or the name of an account. Raises `BadInput`; asks for no password."""
    if text[:2] in ("0x", "0X") and not _KEY.fullmatch(text):
        return parse_address(text)
    if found := _KNOWN.fullmatch(text):
        from foreman.sdk.known import KNOWN

        return parse_address(KNOWN[int(found[1])])
    address = keystore.address_in(keystore.read_file(_path(text)))
    if address is None:
        raise BadInput("bad_keystore", f"the key file of {text} does not tell its address", "give the address instead")
    return address


def password(prompt: str, twice: bool = False) -> str:
    """From the file that FOREMAN_PASSWORD_FILE names, else from the terminal. Never from the command line."""
    if named := os.environ.get(PASSWORD_FILE):
        try:
            return Path(named).read_text("utf-8").split("\n", 1)[0].rstrip("\r")
        except OSError as error:
            raise BadInput(
                "no_password", f"{named} cannot be read: {error.strerror}", f"see {PASSWORD_FILE}"
            ) from error
    if not sys.stdin.isatty():
        raise BadInput("no_password", "there is no terminal to ask for a password", f"set {PASSWORD_FILE} to a file")
    given = getpass.getpass(prompt)
    if twice and getpass.getpass("Again: ") != given:
        raise BadInput("wrong_password", "the two passwords differ", "try again")
    return given


def _path(name: str) -> Path:
    _refuse_key(name)
    path = Path(name) if os.sep in name or name.endswith(".json") else key_file(name)
    if not path.is_file():
        raise ForemanError(
            "no_such_account", f"there is no account {name[:80]!r}", "`foreman account list` shows those there are"
        )
    return path


def _refuse_key(name: str) -> None:
    if _KEY.fullmatch(name):
        hint = "keys do not belong on a command line; keep it in a key file: `foreman account import NAME`"
        raise BadInput("key_on_command_line", "this is a private key", hint)
