"""A verdict seat by seat: how each voted in every round, who judged for it, and what it would have decided itself."""

import base64
import binascii
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from foreman.address import checksum
from foreman.sdk.client import Client
from foreman.sdk.history import Call, calls, decoded
from foreman.sdk.result import Ballot, read_result

JUDGING = ("submit_deliverable", "appeal_delivery", "adjudicate")
"""The methods of both contracts that ask a jury."""


@dataclass(frozen=True, slots=True)
class SeatVerdict:
    """One seat. `own` is what it decided itself, None where a network does not tell; `mapped`: not the open web."""

    address: str
    judge: str
    vote: str
    own: Mapping[str, Any] | None
    mapped: str = ""
    said: str = ""
    """Why it decided nothing itself, if it did not."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One proposal and the votes on it, in seat order; `leader` is the proposer's address, empty if it is not told."""

    leader: str
    seats: tuple[SeatVerdict, ...]


@dataclass(frozen=True, slots=True)
class Hearing:
    """One transaction in which a jury spoke. A turn that found no majority is followed by another proposer's."""

    hash: str
    method: str
    state: str
    seats: tuple[SeatVerdict, ...]
    """Of the last turn, the one that counts."""
    turns: tuple[Turn, ...] = ()
    agreed: Mapping[str, Any] | None = None
    """What the seats agreed on; None when they did not, and where a network does not tell."""
    at: str = ""
    """When it was sent, as the network tells it (ISO 8601)."""


def read_turns(raw: Mapping[str, Any]) -> tuple[Turn, ...]:
    """Every turn of a transaction object (docs/genlayer.md 8.6), oldest first; elsewhere only the last is told."""
    consensus = _map(raw.get("consensus_data"))
    told: dict[str, Mapping[str, Any]] = {}
    for receipt in (*_maps(consensus.get("leader_receipt")), *_maps(consensus.get("validators"))):
        told[str(_map(receipt.get("node_config")).get("address"))] = receipt
    turns = []
    for block in _maps(consensus.get("blocks")):
        for turn in _maps(block.get("rounds")):
            seats = tuple(_seat(_ballot(vote), vote) for vote in _maps(turn.get("votes")))
            turns.append(Turn(str(turn.get("leader") or ""), seats))
    if not turns:
        ballots = read_result("", raw).ballots
        turns = [Turn("", tuple(_seat(ballot, told.get(ballot.seat, {})) for ballot in ballots))] if ballots else []
    return tuple(turns)


def read_seats(raw: Mapping[str, Any]) -> tuple[SeatVerdict, ...]:
    """Every seat of the last turn, in the order of the votes."""
    turns = read_turns(raw)
    return turns[-1].seats if turns else ()


def hearings(
    client: Client, contract: bytes, number: int, parties: Iterable[str], index: int | None = None
) -> list[Hearing]:
    """The transactions in which order or agreement `number` of a contract was judged, oldest first, as far as told.

    They are looked for among the newest of the contract and of each of `parties`; `index` is the milestone.
    """
    numbers = (number,) if index is None else (number, index)
    asked = calls(client, [checksum(contract), *parties])
    found = [_hearing(call) for call in asked if call.method in JUDGING and call.is_about(contract, numbers)]
    return [hearing for hearing in found if hearing.turns]


def _hearing(call: Call) -> Hearing:
    result, turns = read_result(call.hash, call.raw), read_turns(call.raw)
    blocks = _maps(_map(call.raw.get("consensus_data")).get("blocks"))
    agreed = decoded(blocks[-1].get("result"), 1) if blocks else None
    seats = turns[-1].seats if turns else ()
    agreed = agreed if isinstance(agreed, Mapping) else None
    return Hearing(call.hash, call.method, result.state, seats, turns, agreed, call.at)


def _ballot(vote: Mapping[str, Any]) -> Ballot:
    return Ballot(str(vote.get("address")), str(vote.get("vote")), str(vote.get("judge") or ""))


def _seat(ballot: Ballot, told: Mapping[str, Any]) -> SeatVerdict:
    own = decoded(told.get("result"), 1)
    said = "" if isinstance(own, Mapping) else _said(told)
    mapped = str(told.get("mapped") or "")
    return SeatVerdict(ballot.seat, ballot.judge, ballot.vote, own if isinstance(own, Mapping) else None, mapped, said)


def _said(told: Mapping[str, Any]) -> str:
    """The note of a seat, else the text behind the code byte of an answer that is no value."""
    try:
        text = base64.b64decode(str(told.get("result") or ""), validate=True)[1:].decode("utf-8", "replace")
    except binascii.Error:
        text = ""
    return str(told.get("note") or text)


def _map(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _maps(value: object) -> list[Mapping[str, Any]]:
    return [item for item in (value if isinstance(value, list) else []) if isinstance(item, Mapping)]
