"""JSON-RPC 2.0 to the letter: envelopes, ids, batches, notifications, parameters, error numbers."""

import json
from pathlib import Path
from typing import Any

import pytest

from foreman.errors import BadInput, ForemanError, NotFound, Refused
from foreman.rpc.dispatch import KINDS, NUMBERS, number_of
from foreman.settings import Limits
from tests.node.network import ALICE, BOB, Network
from tests.rpc.caller import Caller

CHAIN_ID = {"jsonrpc": "2.0", "id": 7, "method": "eth_chainId", "params": []}


@pytest.mark.parametrize("ident", [1, 0, -3, 1.5, "a", "", "\ud800", None, 2**80, "x" * 1000])
def test_an_id_of_any_legal_kind_comes_back_as_it_was(caller: Caller, ident: Any) -> None:
    reply = caller.send({**CHAIN_ID, "id": ident})
    assert reply == {"jsonrpc": "2.0", "id": ident, "result": "0xeec7"}


ENVELOPES = [
    pytest.param({**CHAIN_ID, "id": True}, None, id="a boolean id"),
    pytest.param({**CHAIN_ID, "id": [1]}, None, id="an array id"),
    pytest.param({**CHAIN_ID, "id": {"a": 1}}, None, id="an object id"),
    pytest.param({"id": 7, "method": "eth_chainId"}, 7, id="no version"),
    pytest.param({**CHAIN_ID, "jsonrpc": "1.0"}, 7, id="an old version"),
    pytest.param({**CHAIN_ID, "jsonrpc": 2.0}, 7, id="a numeric version"),
    pytest.param({**CHAIN_ID, "method": 1}, 7, id="a numeric method"),
    pytest.param({"jsonrpc": "2.0", "id": 7}, 7, id="no method"),
    pytest.param({**CHAIN_ID, "params": "latest"}, 7, id="params are a string"),
    pytest.param({"jsonrpc": "2.0", "method": 1, "params": "bar"}, None, id="the specification's example"),
    pytest.param("eth_chainId", None, id="a string"),
    pytest.param(1, None, id="a number"),
    pytest.param(None, None, id="null"),
    pytest.param([], None, id="C047 an empty batch"),
]


@pytest.mark.parametrize(("payload", "ident"), ENVELOPES)
def test_a_bad_envelope_is_32600_and_keeps_a_legal_id(caller: Caller, payload: Any, ident: Any) -> None:
    reply = caller.send(payload)
    assert (reply["error"]["code"], reply["id"]) == (-32600, ident)
    assert "result" not in reply


@pytest.mark.parametrize(
    ("body", "number", "status"),
    [
        pytest.param('{"jsonrpc":', -32700, 400, id="C051 cut off"),
        pytest.param("[" * 20_000 + "]" * 20_000, -32600, 200, id="C051 20,000 nested arrays"),
        pytest.param('{"jsonrpc":"2.0","id":%s,"method":"eth_chainId"}' % ("9" * 5000), -32600, 200, id="5,000 digits"),
        pytest.param("", -32700, 400, id="nothing"),
    ],
)
def test_a_body_that_cannot_be_read_is_answered_and_the_node_lives(
    caller: Caller, body: str, number: int, status: int
) -> None:
    response = caller.post(body)
    assert response.status_code == status
    assert (response.json()["error"]["code"], response.json()["id"]) == (number, None)
    assert caller.result("eth_chainId") == "0xeec7"


def test_params_may_be_absent_null_or_empty(caller: Caller) -> None:
    ways: list[dict[str, Any]] = [{}, {"params": None}, {"params": []}, {"params": {}}]
    for params in ways:
        assert caller.send({"jsonrpc": "2.0", "id": 1, "method": "eth_chainId", **params})["result"] == "0xeec7"


def test_c048_notifications_get_an_empty_204_alone_and_in_a_batch(caller: Caller) -> None:
    notification = {"jsonrpc": "2.0", "method": "eth_chainId"}
    for payload in (notification, [notification], [notification, {**notification, "method": "no_such"}]):
        response = caller.post(json.dumps(payload))
        assert (response.status_code, response.content) == (204, b"")


def test_a_notification_does_what_it_says(caller: Caller, network: Network) -> None:
    raw = network.raw(ALICE, [["write", "a", "b"]])
    assert (
        caller.post(
            json.dumps({"jsonrpc": "2.0", "method": "eth_sendRawTransaction", "params": ["0x" + raw.hex()]})
        ).status_code
        == 204
    )
    assert network.node.nonce(ALICE.address) == 1


def test_c050_a_mixed_batch_answers_each_in_order(caller: Caller) -> None:
    replies = caller.send([1, {"foo": "boo"}, CHAIN_ID])
    assert [(reply["id"], reply.get("error", {}).get("code")) for reply in replies] == [
        (None, -32600),
        (None, -32600),
        (7, None),
    ]
    assert replies[2]["result"] == "0xeec7"


def test_a_batch_may_hold_a_hundred_and_not_one_more(caller: Caller) -> None:
    assert len(caller.send([CHAIN_ID] * 100)) == 100
    reply = caller.send([CHAIN_ID] * 101)
    assert reply["error"]["code"] == -32600
    assert "100" in reply["error"]["message"]


def test_a_batch_of_transactions_shares_commits_and_reads_after_it_see_them(caller: Caller, network: Network) -> None:
    def request(method: str, *params: Any) -> dict[str, Any]:
        return {"jsonrpc": "2.0", "id": method, "method": method, "params": params}

    sends = [
        request("eth_sendRawTransaction", "0x" + network.raw(sender, [["write", "k", "v"]]).hex())
        for sender in (ALICE, ALICE, BOB, ALICE)
    ]
    address = "0x" + ALICE.address.hex()
    replies = caller.send([*sends, request("eth_getTransactionCount", address), sends[0]])
    assert all("result" in reply for reply in replies), replies
    assert replies[4]["result"] == "0x3"
    assert replies[5]["result"] == replies[0]["result"], "the same bytes have the same hash"


def test_an_unknown_method_is_named_and_what_people_look_for_gets_a_hint(caller: Caller) -> None:
    error = caller.error("eth_coinbase")
    assert (error["code"], error["message"]) == (-32601, "Method not found: eth_coinbase")
    error = caller.error("eth_sendTransaction", {"chainId": "0x1"})
    assert error["code"] == -32601
    assert "eth_sendRawTransaction" in error["message"]


def test_a_very_long_method_name_is_not_repeated_whole(caller: Caller) -> None:
    assert len(caller.error("x" * 100_000)["message"]) < 200


PARAMS = [
    pytest.param(["0x" + "11" * 20, "latest", 1], "Too many parameters provided", id="too many"),
    pytest.param({"address": "0x" + "11" * 20, "colour": 1}, "Unexpected parameter: colour", id="unknown name"),
    pytest.param([], "Missing required parameter: address", id="missing by position"),
    pytest.param({"block": "latest"}, "Missing required parameter: address", id="missing by name"),
    pytest.param([None], "address: None is not a string", id="null for a required one"),
    pytest.param([7], "address: 7 is not a string", id="wrong kind"),
    pytest.param([["0x"]], "address: an array is not a string", id="nested"),
    pytest.param(["0x12"], "address: '0x12' is not an address", id="wrong value"),
]


@pytest.mark.parametrize(("params", "message"), PARAMS)
def test_bad_parameters_are_32602_with_studios_sentences(caller: Caller, params: Any, message: str) -> None:
    reply = caller.send({"jsonrpc": "2.0", "id": 1, "method": "eth_getBalance", "params": params})
    assert reply["error"]["code"] == -32602
    assert reply["error"]["message"].startswith(message)
    assert reply["error"]["data"]["hint"]


def test_parameters_go_by_name_as_well(caller: Caller) -> None:
    address = "0x" + ALICE.address.hex()
    reply = caller.send({"jsonrpc": "2.0", "id": 1, "method": "eth_getBalance", "params": {"address": address}})
    assert reply["result"] == caller.result("eth_getBalance", address, "latest")


def test_a_mistake_of_ours_is_32603_without_detail(
    caller: Caller, network: Network, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(network.node, "height", lambda: 1 // 0)
    error = caller.error("eth_blockNumber")
    assert error["code"] == -32603
    assert "division" not in json.dumps(error)
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize(
    ("error", "number"),
    [
        pytest.param(BadInput("any", "x"), -32602, id="bad input"),
        pytest.param(NotFound("any", "x"), -32001, id="not found"),
        pytest.param(Refused("any", "x"), -32000, id="refused"),
        pytest.param(ForemanError("any", "x"), -32000, id="anything expected"),
        pytest.param(Refused("over_budget", "x"), -32005, id="over budget"),
        pytest.param(Refused("too_many_pending", "x"), -32005, id="too many pending"),
        pytest.param(NotFound("unknown_method", "x"), -32601, id="unknown method"),
    ],
)
def test_every_expected_error_has_its_number(error: ForemanError, number: int) -> None:
    assert number_of(error) == number


def test_the_numbers_are_those_of_the_table_and_no_other() -> None:
    known = {-32700, -32600, -32601, -32602, -32603, -32000, -32001, -32005}
    assert {*NUMBERS.values(), *(number for _, number in KINDS)} == known


def test_a_smaller_batch_limit_of_the_settings_holds(tmp_path: Path) -> None:
    with Network(tmp_path, limits=Limits(batch=2)) as network, Caller(network) as caller:
        assert caller.send([CHAIN_ID] * 3)["error"]["code"] == -32600
