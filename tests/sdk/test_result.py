"""A result is a success only when the network accepted it and the contract carried it out."""

import base64
from typing import Any

import pytest

from foreman import calldata
from foreman.sdk.failures import Reverted, Undetermined
from foreman.sdk.result import read_result


def told(status: str, result: bytes | None = None, execution: str = "SUCCESS") -> dict[str, Any]:
    """A transaction object as a network tells it."""
    if result is None:
        return {"status": status, "consensus_data": None}
    receipt = {"execution_result": execution, "result": base64.b64encode(result).decode()}
    return {"status": status, "consensus_data": {"leader_receipt": [receipt], "votes": {}}}


RETURNED = b"\0" + calldata.encode(7)
REFUSED = b"\x01no such order"

ROWS = [
    pytest.param(told("ACCEPTED", RETURNED), True, True, False, id="accepted and carried out, settling"),
    pytest.param(told("FINALIZED", RETURNED), True, True, True, id="final and carried out"),
    pytest.param(told("ACCEPTED", REFUSED, "ERROR"), False, True, False, id="accepted but failed"),
    pytest.param(told("FINALIZED", REFUSED, "ERROR"), False, True, True, id="final but failed"),
    pytest.param(told("FINALIZED"), False, True, True, id="final without a receipt"),
    pytest.param(told("FINALIZED", RETURNED, "success"), False, True, True, id="an unknown word for success"),
    pytest.param(told("UNDETERMINED", RETURNED), False, True, True, id="undetermined in spite of a receipt"),
    pytest.param(told("CANCELED"), False, True, True, id="cancelled"),
    pytest.param(told("LEADER_TIMEOUT"), False, True, True, id="leader timeout"),
    pytest.param(told("PENDING"), False, False, False, id="pending"),
    pytest.param(told("READY_TO_FINALIZE", RETURNED), False, False, False, id="a status nobody here knows"),
    pytest.param({}, False, False, False, id="nothing"),
    pytest.param({"status": None, "consensus_data": "x", "data": 3}, False, False, False, id="nonsense"),
]


@pytest.mark.parametrize(("raw", "ok", "decided", "final"), ROWS)
def test_what_a_status_means(raw: dict[str, Any], ok: bool, decided: bool, final: bool) -> None:
    result = read_result("0x01", raw)
    assert (result.ok, result.decided, result.final) == (ok, decided, final)


def test_a_success_gives_the_value() -> None:
    assert read_result("0x01", told("FINALIZED", RETURNED)).check().value == 7


def test_a_revert_gives_the_contracts_own_reason() -> None:
    with pytest.raises(Reverted, match="no such order") as problem:
        read_result("0x01", told("FINALIZED", REFUSED, "ERROR")).check()
    assert problem.value.hash == "0x01"


@pytest.mark.parametrize("status", ["UNDETERMINED", "CANCELED", "LEADER_TIMEOUT", "VALIDATORS_TIMEOUT"])
def test_no_agreement_is_undetermined(status: str) -> None:
    with pytest.raises(Undetermined, match=status):
        read_result("0x01", told(status)).check()


def test_ballots_name_each_seats_judge() -> None:
    raw = told("FINALIZED", RETURNED)
    raw["consensus_data"]["votes"] = {"0xa": "agree", "0xb": "disagree", "0xc": "idle"}
    leader = raw["consensus_data"]["leader_receipt"][0]
    leader["node_config"] = {"address": "0xa", "primary_model": {"provider": "offline", "model": ""}}
    other = {"address": "0xb", "primary_model": {"provider": "ollama", "model": "qwen3"}}
    raw["consensus_data"]["validators"] = [{"node_config": other}, None]
    assert [(ballot.seat, ballot.vote, ballot.judge) for ballot in read_result("0x01", raw).ballots] == [
        ("0xa", "agree", "offline"),
        ("0xb", "disagree", "ollama:qwen3"),
        ("0xc", "idle", ""),
    ]


def test_an_embedded_network_tells_the_last_round_itself() -> None:
    raw = told("FINALIZED", RETURNED)
    first = [{"seat": 0, "address": "0xa", "judge": "offline", "vote": "disagree"}]
    last = [{"seat": 0, "address": "0xa", "judge": "scripted:70", "vote": "agree"}]
    raw["consensus_data"]["blocks"] = [{"rounds": [{"votes": first}]}, {"rounds": [{"votes": first}, {"votes": last}]}]
    assert [(ballot.vote, ballot.judge) for ballot in read_result("0x01", raw).ballots] == [("agree", "scripted:70")]


@pytest.mark.parametrize(
    ("raw", "state"),
    [
        pytest.param(told("ACCEPTED", RETURNED), "settling", id="accepted"),
        pytest.param(told("FINALIZED", RETURNED), "final", id="final"),
        pytest.param(told("ACCEPTED", REFUSED, "ERROR"), "reverted", id="accepted but failed"),
        pytest.param(told("FINALIZED"), "reverted", id="final without a receipt"),
        pytest.param(told("UNDETERMINED", RETURNED), "undetermined", id="undetermined"),
        pytest.param(told("CANCELED"), "undetermined", id="cancelled"),
        pytest.param(told("SOMETHING_NEW", RETURNED), "pending", id="a status nobody here knows"),
    ],
)
def test_a_result_is_told_in_one_word(raw: dict[str, Any], state: str) -> None:
    assert read_result("0x1", raw).state == state
