"""What became of a transaction, read from what the network says, without trusting it to be complete."""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from foreman import calldata
from foreman.sdk.failures import Reverted, Undetermined

DECIDED = frozenset({"ACCEPTED", "FINALIZED", "UNDETERMINED", "CANCELED", "LEADER_TIMEOUT", "VALIDATORS_TIMEOUT"})
"""Statuses after which nothing but finality changes; every other word, known or not, means: not yet."""

ACCEPTED = frozenset({"ACCEPTED", "FINALIZED"})


@dataclass(frozen=True, slots=True)
class Ballot:
    """How one seat voted in the deciding round; `judge` is empty where a network does not tell."""

    seat: str
    vote: str
    judge: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """One transaction now. `ok` is the only success: accepted by the network *and* carried out by the contract."""

    hash: str
    status: str
    executed: bool
    value: calldata.Value = None
    reason: str = ""
    contract: str = ""
    ballots: tuple[Ballot, ...] = ()
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def decided(self) -> bool:
        return self.status in DECIDED

    @property
    def final(self) -> bool:
        """Is the money where it goes? Before, it is settling."""
        return self.decided and self.status != "ACCEPTED"

    @property
    def ok(self) -> bool:
        return self.status in ACCEPTED and self.executed

    @property
    def state(self) -> str:
        """In one word: `pending`, `settling` (accepted, the money not final), `final`, `reverted`, `undetermined`."""
        if not self.decided:
            return "pending"
        if self.status not in ACCEPTED:
            return "undetermined"
        if not self.executed:
            return "reverted"
        return "final" if self.final else "settling"

    def check(self) -> "Result":
        """Return itself after a success. Raises `Undetermined` or `Reverted`."""
        if self.status not in ACCEPTED:
            raise Undetermined(self.status, self.hash)
        if not self.executed:
            raise Reverted(self.reason, self.hash)
        return self


def read_result(hash: str, raw: Mapping[str, Any]) -> Result:
    """Read a GenLayer transaction object (docs/genlayer.md 8.6). Missing parts read as unknown, never as success."""
    status = str(raw.get("status_name") or raw.get("status") or "").upper()
    consensus = _mapping(raw.get("consensus_data"))
    receipt = _leader(consensus.get("leader_receipt"))
    executed = receipt.get("execution_result") == "SUCCESS"
    value, reason = _payload(receipt, executed)
    data = _mapping(raw.get("data"))
    contract = str(data.get("contract_address") or raw.get("to_address") or raw.get("recipient") or "")
    return Result(hash, status, executed, value, reason, contract, _ballots(consensus), raw)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _leader(value: object) -> Mapping[str, Any]:
    return _mapping(value[0] if isinstance(value, list) and value else value)


def _payload(receipt: Mapping[str, Any], executed: bool) -> tuple[calldata.Value, str]:
    """The returned value after a success, the reason after a failure: one code byte, then calldata or text."""
    try:
        content = base64.b64decode(str(receipt.get("result") or ""), validate=True)
    except binascii.Error:
        content = b""
    if executed:
        return (calldata.decode(content[1:]) if len(content) > 1 else None), ""
    return None, content[1:].decode("utf-8", "replace")


def _ballots(consensus: Mapping[str, Any]) -> tuple[Ballot, ...]:
    """The votes of the last round: from `blocks`, where an embedded network tells judges, else from `votes`."""
    blocks = _mappings(consensus.get("blocks"))
    rounds = _mappings(blocks[-1].get("rounds")) if blocks else []
    told = _mappings(rounds[-1].get("votes")) if rounds else []
    if told:
        return tuple(Ballot(str(one.get("address")), str(one.get("vote")), str(one.get("judge") or "")) for one in told)
    receipts = [*_mappings(consensus.get("leader_receipt")), *_mappings(consensus.get("validators"))]
    configs = [_mapping(receipt.get("node_config")) for receipt in receipts]
    judges = {str(config.get("address")): _judge(config.get("primary_model")) for config in configs}
    votes = _mapping(consensus.get("votes"))
    return tuple(Ballot(str(seat), str(vote), judges.get(str(seat), "")) for seat, vote in votes.items())


def _mappings(value: object) -> list[Mapping[str, Any]]:
    items = value if isinstance(value, list) else [value]
    return [item for item in items if isinstance(item, Mapping)]


def _judge(model: object) -> str:
    """`provider:model`, as judges are named here; either may be missing."""
    told = _mapping(model)
    return ":".join(str(part) for part in (told.get("provider"), told.get("model")) if part)
