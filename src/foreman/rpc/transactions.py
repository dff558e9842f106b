"""The GenLayer transaction object: what was asked, what every seat said, how it ended (docs/genlayer.md 8.6).

Amounts are 0x-hex strings, because a JSON number beyond 2**53 does not survive JavaScript.
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import dropwhile
from typing import Any

from foreman.address import checksum
from foreman.execution import Code, Emission, Outcome, Transfer
from foreman.node.seats import seat_address
from foreman.receipt import Ballot, Decision, Receipt, Record, Round, Status, Vote
from foreman.rpc.evm import evm_fields
from foreman.rpc.wire import b64, hexed, iso
from foreman.transaction import Kind

TYPES = {Kind.TRANSFER: 0, Kind.DEPLOY: 1, Kind.CALL: 2}
"""Transaction types of docs/genlayer.md 8.6."""


def transaction_object(record: Record) -> dict[str, Any]:
    """The GenLayer transaction object. `consensus_data` appears with the decision; before it the key is absent, because
    genlayer-py looks into it whenever it is there.
    """
    transaction, receipt = record.transaction, record.receipt
    found = {
        "hash": hexed(transaction.hash),
        "tx_id": hexed(transaction.hash),
        "status": record.status.name,
        "status_code": int(record.status),
        "type": TYPES[transaction.kind],
        "from_address": checksum(transaction.sender),
        "to_address": checksum(transaction.target),
        "sender": checksum(transaction.sender),
        "recipient": checksum(transaction.target),
        "origin_address": checksum(transaction.origin),
        "nonce": transaction.nonce,
        "value": hex(transaction.value),
        "data": _data(record),
        "created_at": iso(record.recorded_at),
        "activated_at": None if record.at is None else iso(record.at),
        "decided_at": iso(receipt.decided_at) if receipt else None,
        "leader_only": transaction.leader_only,
        "triggered_by": None if transaction.parent is None else hexed(transaction.parent),
        "triggered_transactions": [hexed(child) for child in record.children],
        "appealed": False,
    }
    found |= evm_fields(record)
    if receipt is not None:
        found |= _decided(record, receipt)
    return found


def _data(record: Record) -> dict[str, Any] | None:
    transaction = record.transaction
    if transaction.kind is Kind.TRANSFER:
        return None
    found = {"calldata": b64(transaction.calldata), "contract_address": checksum(transaction.target)}
    if transaction.code is not None:
        found["contract_code"] = b64(transaction.code)
    return found


def _decided(record: Record, receipt: Receipt) -> dict[str, Any]:
    rounds = [turn for decision in receipt.decisions for turn in decision.rounds]
    result = _result_number(receipt)
    execution = 1 if receipt.ok else 2
    return {
        "consensus_data": _consensus(record, receipt),
        "num_of_initial_validators": len(rounds[0].ballots) if rounds else 0,
        "num_of_rounds": len(rounds),
        "rotation_count": sum(len(decision.rounds) - 1 for decision in receipt.decisions if decision.rounds),
        "answers_unused": receipt.answers_unused,
        "result": result,
        "result_name": _RESULT_NAMES[result],
        "txExecutionResult": execution,
        "txExecutionResultName": ("FINISHED_WITH_RETURN", "FINISHED_WITH_ERROR")[execution - 1],
    }


_RESULT_NAMES = {0: "IDLE", 3: "TIMEOUT", 5: "NO_MAJORITY", 6: "MAJORITY_AGREE"}
"""Round results of docs/genlayer.md 7.3; 0 where no jury sat."""


def _result_number(receipt: Receipt) -> int:
    if receipt.status is Status.LEADER_TIMEOUT:
        return 3
    if receipt.status is Status.UNDETERMINED:
        return 5
    return 6 if receipt.decisions else 0


def _consensus(record: Record, receipt: Receipt) -> dict[str, Any]:
    """Votes of the last round, the leader's receipt twice (as leader, as validator), the other seats, and under
    `blocks` every round of every block with each seat's own answer. Without a jury the book's receipt stands alone.
    """
    book = execution_receipt(receipt.outcome, record.transaction.calldata, receipt.stderr, receipt.emitted)
    book["execution_result"] = "SUCCESS" if receipt.ok else "ERROR"
    book["genvm_result"]["stdout"] = receipt.stdout
    book["eq_outputs"] = {
        str(decision.block): b64(decision.outcome.to_bytes())
        for decision in receipt.decisions
        if decision.outcome is not None
    }
    found: dict[str, Any] = {"votes": {}, "leader_receipt": [book], "validators": [], "blocks": []}
    last = next((decision.rounds[-1] for decision in reversed(receipt.decisions) if decision.rounds), None)
    if last is not None:
        found["votes"] = {_address(ballot.seat): str(ballot.vote) for ballot in last.ballots}
        for ballot in last.ballots:
            entry = _seat_receipt(ballot)
            if ballot.seat == last.leader:
                book |= {"vote": entry["vote"], "node_config": entry["node_config"]}
                found["leader_receipt"].append({**book, "mode": "validator", "result": entry["result"]})
            else:
                found["validators"].append(entry)
    found["blocks"] = [_block_object(decision) for decision in receipt.decisions]
    return found


def execution_receipt(
    outcome: Outcome, calldata: bytes, stderr: str, emitted: Iterable[Transfer | Emission] = ()
) -> dict[str, Any]:
    """One run as Studio's receipts tell it: code byte and payload in `result`, texts in `genvm_result`. Why a run
    crashed stands behind its code and " # ", as v0.3 writes it, since clients show the payload and little else.
    """
    reason = reason_of(outcome, stderr)
    told = outcome.to_bytes()
    if reason not in (outcome.text, ""):
        told += f" # {reason}".encode("utf-8", "replace")
    return {
        "execution_result": "SUCCESS" if outcome.ok else "ERROR",
        "result": b64(told),
        "calldata": b64(calldata),
        "gas_used": 0,
        "mode": "leader",
        "eq_outputs": {},
        "pending_transactions": [_emitted_object(item) for item in emitted],
        "genvm_result": {
            "stdout": "",
            "stderr": stderr,
            "error_code": outcome.text if outcome.code is Code.VM_ERROR else None,
            "error_description": reason or None,
        },
    }


MAX_REASON = 500
"""Characters of why a run crashed; all of it stands in `stderr`."""


def reason_of(outcome: Outcome, stderr: str) -> str:
    """Why a run failed, on one line: the contract's own text, or what a crash left behind its traceback; "" if it did
    not.
    """
    if outcome.code is not Code.VM_ERROR:
        return outcome.text
    lines = stderr.splitlines()
    if lines and lines[0].startswith("Traceback of the contract"):
        lines = list(dropwhile(lambda line: line.startswith("  line "), lines[1:]))
    return " ".join(line.strip() for line in lines)[:MAX_REASON] or outcome.text


@lru_cache(maxsize=1024)
def _address(seat: int) -> str:
    return checksum(seat_address(seat))


def _seat_receipt(ballot: Ballot) -> dict[str, Any]:
    own = ballot.own
    return {
        "execution_result": "SUCCESS" if own is not None and own.ok else "ERROR",
        "result": "" if own is None else b64(own.to_bytes()),
        "mode": "validator",
        "vote": str(ballot.vote),
        "node_config": {
            "address": _address(ballot.seat),
            "seat": ballot.seat,
            "stake": 1,
            "primary_model": _model(ballot.judge),
        },
        "genvm_result": {"stdout": "", "stderr": ballot.note, "error_code": None, "error_description": None},
        "nondet_disagree": ballot.vote is Vote.DISAGREE,
        "mapped": ballot.mapped,
    }


def _model(judge: str) -> dict[str, str]:
    """`ollama:qwen3` is a provider and its model; a judge without a colon is both."""
    provider, _, model = judge.partition(":")
    return {"provider": provider, "model": model or provider}


def _block_object(decision: Decision) -> dict[str, Any]:
    return {
        "block": decision.block,
        "status": decision.status.name,
        "result": None if decision.outcome is None else b64(decision.outcome.to_bytes()),
        "rounds": [_round_object(turn) for turn in decision.rounds],
    }


def _round_object(turn: Round) -> dict[str, Any]:
    return {
        "leader": _address(turn.leader),
        "leader_seat": turn.leader,
        "votes": [
            {
                "seat": ballot.seat,
                "address": _address(ballot.seat),
                "judge": ballot.judge,
                "vote": str(ballot.vote),
                "result": None if ballot.own is None else b64(ballot.own.to_bytes()),
                "note": ballot.note,
                "mapped": ballot.mapped,
            }
            for ballot in turn.ballots
        ],
    }


def _emitted_object(item: Transfer | Emission) -> dict[str, Any]:
    if isinstance(item, Transfer):
        return {"address": checksum(item.to), "value": hex(item.value), "on": "finalized", "is_eth_send": True}
    return {
        "address": checksum(item.to),
        "value": hex(item.value),
        "on": str(item.on),
        "is_eth_send": False,
        "calldata": b64(item.calldata),
        "code": None if item.code is None else b64(item.code),
    }
