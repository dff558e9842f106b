"""The contracts that come with Foreman: their names, and their source from the repository or from the wheel."""

from hashlib import sha256
from pathlib import Path

from foreman.errors import StateError

NAMES = ("foreman", "verdict_escrow")
"""In the order they are deployed, which fixes their addresses."""

_PACKAGE = Path(__file__).resolve().parents[1]
_PLACES = (_PACKAGE / "contracts", _PACKAGE.parents[1] / "contracts")
"""Inside the wheel; beside `src/` in a checkout."""


def folder() -> Path:
    """Where the contract files lie. Raises `StateError` when this installation carries none."""
    for place in _PLACES:
        if (place / f"{NAMES[0]}.py").is_file():
            return place
    raise StateError(
        "contracts_missing",
        "this installation of foreman carries no contracts",
        "install the wheel again, or run from a complete checkout",
    )


def shipped() -> dict[str, bytes]:
    """The source of each shipped contract by name, exactly as it is deployed."""
    return {name: path.read_bytes() for name in NAMES if (path := folder() / f"{name}.py").is_file()}


def fingerprint(source: bytes) -> bytes:
    """The hash a source is known by, whatever its line ends."""
    return sha256(source.replace(b"\r\n", b"\n")).digest()
