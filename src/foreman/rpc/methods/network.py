"""`foreman_`: what this network tells beyond the methods others have: its journal, its books, its seats."""

from collections.abc import Mapping
from typing import Any

from foreman.ledger import Change
from foreman.rpc.door import Door
from foreman.rpc.wire import hexed
from foreman.urls import check_evidence_url

MAX_CHANGES = 1_000


def journal(door: Door, after: int, limit: int) -> dict[str, Any]:
    """Changes of status after a cursor, oldest first, and the cursor of the last one there is."""
    changes = door.node.changes(after, min(limit, MAX_CHANGES))
    return {"changes": [change_object(change) for change in changes], "last": door.node.last_change()}


def change_object(change: Change) -> dict[str, Any]:
    """One line of the journal; `seq` is the cursor, `at` is microseconds since 1970."""
    return {"seq": change.seq, "hash": hexed(change.hash), "status": change.status.name, "at": change.at}


def books(door: Door) -> dict[str, Any]:
    """The proof of conservation: minted wei and where it is, as hex, and whether the sums agree."""
    found = door.node.books_balance()
    return {name: value if isinstance(value, bool) else hex(value) for name, value in found.items()}


async def read_evidence(door: Door, url: str) -> Mapping[str, Any]:
    """An evidence page as a judge would be shown it now: its text, its length in characters and its fingerprint, to
    compare with a verdict's; or why it cannot be had. Raises `BadInput` `bad_url`, `Refused` `not_offered` or `busy`.
    """
    return await door.evidence(check_evidence_url(url))


def seats(door: Door) -> list[dict[str, Any]]:
    """The jury: every seat's number, address and judge."""
    return door.node.seats()
