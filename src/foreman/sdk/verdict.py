"""A verdict seat by seat: how each voted, who judged for it, and what it would have decided itself."""

import base64
import binascii
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from foreman import calldata
from foreman.sdk.client import Client
from foreman.sdk.result import read_result

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


@dataclass(frozen=True, slots=True)
class Hearing:
    """One transaction in which a jury spoke."""

    hash: str
    method: str
    state: str
    seats: tuple[SeatVerdict, ...]


def read_seats(raw: Mapping[str, Any]) -> tuple[SeatVerdict, ...]:
    """Every seat of a transaction object (facts sheet 8.6), in the order of the votes."""
    consensus = _map(raw.get("consensus_data"))
    told: dict[str, Mapping[str, Any]] = {}
    for receipt in (*_maps(consensus.get("leader_receipt")), *_maps(consensus.get("validators"))):
        told[str(_map(receipt.get("node_config")).get("address"))] = receipt
    blocks = _maps(consensus.get("blocks"))
    rounds = _maps(blocks[-1].get("rounds")) if blocks else []
    for one in (vote for turn in rounds for vote in _maps(turn.get("votes"))):
        told[str(one.get("address"))] = {**told.get(str(one.get("address")), {}), **one}
    return tuple(
        SeatVerdict(
            ballot.seat,
            ballot.judge,
            ballot.vote,
            _own(told.get(ballot.seat, {})),
            str(told.get(ballot.seat, {}).get("mapped") or ""),
        )
        for ballot in read_result("", raw).ballots
    )


def hearings(client: Client, party: str, number: int) -> Iterator[Hearing]:
    """The transactions in which `party` had order or agreement `number` judged, newest first, as far as told."""
    for raw in _maps(client.call("sim_getTransactionsForAddress", party)):
        call = _call(_map(raw.get("data")).get("calldata"))
        args = call.get("args")
        if call.get("method") in JUDGING and isinstance(args, list) and args and args[0] == number:
            result = read_result(str(raw.get("hash")), raw)
            yield Hearing(result.hash, str(call["method"]), result.state, read_seats(raw))


def _own(receipt: Mapping[str, Any]) -> Mapping[str, Any] | None:
    value = _decode(receipt.get("result"), 1)
    return value if isinstance(value, Mapping) else None


def _call(text: object) -> Mapping[str, Any]:
    return _map(_decode(text, 0))


def _decode(text: object, skip: int) -> Any:
    """Calldata in base64 behind `skip` bytes; None for anything else, for this is shown, not relied on."""
    try:
        return calldata.decode(base64.b64decode(str(text or ""), validate=True)[skip:])
    except (binascii.Error, ValueError):
        return None


def _map(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _maps(value: object) -> list[Mapping[str, Any]]:
    return [item for item in (value if isinstance(value, list) else []) if isinstance(item, Mapping)]
