"""Where the command keeps what outlives it: key files, signed writes by id, and contracts it has deployed."""

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path

from foreman.errors import BadInput, StateError

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


def home() -> Path:
    """FOREMAN_HOME, else `.foreman` in the user's own folder."""
    return Path(os.environ.get("FOREMAN_HOME") or Path.home() / ".foreman")


def outbox() -> Path:
    """The folder of signed writes by id."""
    return home() / "outbox"


def key_file(name: str) -> Path:
    """The key file of an account's name. Raises `BadInput` for what cannot be one."""
    if not _NAME.fullmatch(name):
        raise BadInput("bad_name", f"{name[:80]!r} cannot be the name of an account", "use letters, digits, - _ and .")
    return home() / "accounts" / f"{name}.json"


def key_files() -> list[Path]:
    """Every key file there is, by name."""
    return sorted((home() / "accounts").glob("*.json"))


def write_private(path: Path, text: str, replace: bool = False) -> None:
    """Write a file that only its owner reads. Raises `StateError`, also when it exists already."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if replace else os.O_EXCL)
        with os.fdopen(os.open(path, flags, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise StateError("exists", f"{path} exists already", "choose another name") from error
    except OSError as error:
        raise StateError("cannot_write", f"{path} cannot be written: {error.strerror}", "set FOREMAN_HOME") from error


def known_contracts(chain: str) -> Mapping[str, str]:
    """What `foreman deploy` has put on a chain (`Client.chain`): addresses by name."""
    return dict(_contracts().get(chain, {}))


def remember_contract(chain: str, name: str, address: str) -> None:
    """From now on this is the contract of this name on that chain, and on no other at the same address."""
    found = _contracts()
    found.setdefault(chain, {})[name] = address
    write_private(_contracts_file(), json.dumps(found, indent=2) + "\n", replace=True)


def _contracts_file() -> Path:
    return home() / "contracts.json"


def _contracts() -> dict[str, dict[str, str]]:
    try:
        found: dict[str, dict[str, str]] = json.loads(_contracts_file().read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise StateError("bad_contracts", f"{_contracts_file()} cannot be read", "mend it or remove it") from error
    return found
