"""How JSON values become what methods take. Every reader raises `BadInput`, which is answered with -32602."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from foreman.address import parse_address
from foreman.errors import BadInput
from foreman.money import MAX_WEI

TAGS = frozenset({"latest", "pending", "safe", "finalized", "earliest"})

Block = int | str
"""A block number, or one of `TAGS`."""

_HEX = re.compile(r"0[xX]([0-9a-fA-F]*)")
_HASH = re.compile(r"0x[0-9a-fA-F]{64}")
_DECIMAL = re.compile(r"[0-9]{1,78}")
_YEAR_9001 = int(datetime(9001, 1, 1, tzinfo=UTC).timestamp())


def address(value: Any) -> bytes:
    """20 bytes, in any of the spellings of `foreman.address`."""
    return parse_address(text(value))


def digest(value: Any) -> bytes:
    """A hash: 0x and 64 hex digits."""
    if not isinstance(value, str) or not _HASH.fullmatch(value):
        raise BadInput("bad_hash", f"{_show(value)} is not a hash", "write 0x and 64 hex digits")
    return bytes.fromhex(value[2:])


def data(value: Any) -> bytes:
    """Bytes as 0x and hex digits."""
    found = _HEX.fullmatch(value) if isinstance(value, str) else None
    if found is None or len(found[1]) % 2:
        raise BadInput("bad_hex", f"{_show(value)} is not hex data", "write 0x and an even number of hex digits")
    return bytes.fromhex(found[1])


def amount(value: Any) -> int:
    """Wei, 0 to 2**256-1: an integer, a hex or decimal string, or a whole float (JavaScript writes 1e21 so)."""
    wei = _whole(value)
    if wei is None or not 0 <= wei <= MAX_WEI:
        raise BadInput(
            "bad_amount", f"{_show(value)} is not an amount of wei", "write a whole number, or 0x and hex digits"
        )
    return wei


def count(value: Any) -> int:
    """A whole number from 0 to 2**63-1, written in any of the ways of an amount."""
    number = _whole(value)
    if number is None or number < 0:
        raise BadInput(
            "bad_number",
            f"{_show(value)} is not a whole number from 0 on",
            "write a whole number, or 0x and hex digits",
        )
    if number >= 2**63:
        raise BadInput("bad_number", f"{_show(value)} is too large", "at most 2**63 - 1")
    return number


def flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise BadInput("bad_flag", f"{_show(value)} is not true or false", "write true or false")
    return value


def text(value: Any) -> str:
    if not isinstance(value, str):
        raise BadInput("bad_text", f"{_show(value)} is not a string", "put it in quotes")
    return value


def block(value: Any) -> Block:
    """A tag, a number (0 to 2**256-1, of a block or of none), or an object with `blockNumber` (EIP-1898)."""
    if isinstance(value, dict) and "blockNumber" in value:
        value = value["blockNumber"]
    if isinstance(value, str) and value in TAGS:
        return value
    number = _whole(value) if isinstance(value, str | int) else None
    if number is not None and 0 <= number <= MAX_WEI:
        return number
    raise BadInput("bad_block", f"{_show(value)} is not a block", "write a number, latest, pending or earliest")


def anything(value: Any) -> Any:
    """What is looked at no further, because the answer does not depend on it."""
    return value


def moment(value: Any) -> int:
    """Microseconds since 1970: an ISO 8601 date and time (UTC without a zone), or whole seconds; 1970 to 9000."""
    if isinstance(value, str) and not _DECIMAL.fullmatch(value):
        try:
            when = datetime.fromisoformat(value)
        except ValueError:
            when = None
        seconds = None if when is None else (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    else:
        seconds = _whole(value)
    if seconds is None:
        raise BadInput("bad_time", f"{_show(value)} is not a time", "write for example 2030-01-31T12:00:00Z")
    if not 0 <= seconds < _YEAR_9001:
        raise BadInput("bad_time", f"the time {_show(value)} is out of range", "name one from the years 1970 to 9000")
    return round(seconds * 1_000_000)


@dataclass(frozen=True, slots=True)
class Logs:
    """What `eth_getLogs` is asked for. `topics` has, per place, the accepted values, or None for any."""

    first: Block
    last: Block
    addresses: tuple[bytes, ...]
    topics: tuple[frozenset[bytes] | None, ...]


def logs(value: Any) -> Logs:
    """A log filter: fromBlock, toBlock, address (one or a list), topics (each one, a list, or null)."""
    wanted = fields(value)
    if "blockHash" in wanted:
        raise BadInput("bad_filter", "logs are asked for by block numbers here", "use fromBlock and toBlock")
    addresses = wanted.get("address") or []
    topics = wanted.get("topics") or []
    if not isinstance(topics, list) or len(topics) > 4:
        raise BadInput("bad_filter", "topics are a list of at most four", "write null for any")
    return Logs(
        _end(wanted.get("fromBlock")),
        _end(wanted.get("toBlock")),
        tuple(address(item) for item in (addresses if isinstance(addresses, list) else [addresses])),
        tuple(_topic(item) for item in topics),
    )


def _end(value: Any) -> Block:
    return "latest" if value is None else block(value)


def _topic(value: Any) -> frozenset[bytes] | None:
    if value is None:
        return None
    return frozenset(digest(item) for item in (value if isinstance(value, list) else [value]))


def fields(value: Any) -> dict[str, Any]:
    """A JSON object."""
    if not isinstance(value, dict):
        raise BadInput("bad_object", f"{_show(value)} is not an object", "write {...}")
    return value


def _whole(value: Any) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if (isinstance(value, float) and value.is_integer()) or (isinstance(value, str) and _DECIMAL.fullmatch(value)):
        return int(value)
    if isinstance(value, str) and len(value) <= 66 and _HEX.fullmatch(value) and len(value) > 2:
        return int(value, 16)
    return None


def _show(value: Any) -> str:
    """A short print of what came in; long and nested values only by their kind."""
    if isinstance(value, list | dict):
        return "an array" if isinstance(value, list) else "an object"
    return repr(value)[:80]
