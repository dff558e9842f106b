"""Reading contracts: the call object, reverts as errors with their text, schemas, code, statuses."""

from dataclasses import replace
from typing import Any

import pytest
import rlp  # type: ignore[import-untyped]  # the package ships no types

from foreman import calldata
from foreman.address import Address, checksum
from foreman.errors import BadInput
from foreman.node.node import Answered, Query
from foreman.rpc.wire import b64
from foreman.settings import Limits
from tests.node.network import ALICE, TOY, Network
from tests.node.toy import CODE
from tests.rpc.caller import Caller

CONTRACT = checksum(TOY)
NOWHERE = "0x000000000000000000000000000000000000dEaD"


def call_of(*steps: Any, kind: str = "read", mode: bytes = b"", **rest: Any) -> dict[str, Any]:
    """A call object as clients send it."""
    data = "0x" + rlp.encode([calldata.encode(list(steps)), mode]).hex()
    return {"type": kind, "to": CONTRACT, "from": checksum(ALICE.address), "data": data, **rest}


def test_a_read_answers_calldata_as_hex_without_0x(caller: Caller, network: Network) -> None:
    network.do(ALICE, ["write", "a", "b"])
    assert caller.result("gen_call", call_of(["read", "a"])) == calldata.encode(b"").hex()


@pytest.mark.parametrize("mode", [b"", b"\0", b"\1"], ids=["py", "js", "leader only"])
def test_every_clients_envelope_is_read(caller: Caller, mode: bytes) -> None:
    assert caller.result("gen_call", call_of(["read", "a"], mode=mode)) == "03"


def test_what_may_be_left_out_is_left_out(caller: Caller) -> None:
    call = call_of(["read", "a"])
    assert caller.result("gen_call", {"to": call["to"], "data": call["data"]}) == "03"


def test_c045_a_revert_is_an_error_with_its_text_and_a_receipt(caller: Caller) -> None:
    error = caller.error("gen_call", call_of(["revert", "unknown order"]))
    assert (error["code"], error["message"]) == (-32000, "execution reverted: unknown order")
    receipt = error["data"]["receipt"]
    assert receipt["execution_result"] == "ERROR"
    assert receipt["result"] == b64(b"\x01unknown order")


TRACE = "Traceback of the contract (last call at the end):\n  line 12, in get\nKeyError: 7"


@pytest.mark.parametrize(
    ("stderr", "reason"),
    [
        pytest.param(TRACE, "KeyError: 7", id="a traceback"),
        pytest.param("ValueError: call to unknown method `x`", "ValueError: call to unknown method `x`", id="a line"),
        pytest.param("ValueError: one\n  two\nthree", "ValueError: one two three", id="several lines"),
        pytest.param("ValueError: " + "x" * 9000, "ValueError: " + "x" * 488, id="a very long one"),
    ],
)
def test_c019_c044_a_crash_says_in_words_why_the_contract_failed(caller: Caller, stderr: str, reason: str) -> None:
    error = caller.error("gen_call", call_of(["crash", stderr]))
    assert error["message"] == f"execution reverted: the contract failed: {reason}"
    receipt = error["data"]["receipt"]
    assert receipt["genvm_result"] == {
        "stdout": "",
        "stderr": stderr,
        "error_code": "exit_code 1",
        "error_description": reason,
    }
    assert receipt["result"] == b64(f"\x02exit_code 1 # {reason}".encode()), "what clients show as the payload"


def test_a_crash_that_nobody_knows_more_of_is_its_code(caller: Caller) -> None:
    error = caller.error("gen_call", call_of(["crash", ""]))
    assert error["message"] == "execution reverted: the contract failed: exit_code 1"
    assert error["data"]["receipt"]["result"] == b64(b"\x02exit_code 1")


def test_a_very_long_revert_is_cut_in_the_message_and_whole_in_the_receipt(caller: Caller) -> None:
    error = caller.error("gen_call", call_of(["revert", "x" * 10_000]))
    assert len(error["message"]) < 2_100
    assert len(error["data"]["receipt"]["genvm_result"]["error_description"]) == 10_000


def test_c042_a_contract_that_is_not_there_is_32001(caller: Caller) -> None:
    for method, params in (
        ("gen_call", [{**call_of(["read", "a"]), "to": NOWHERE}]),
        ("sim_call", [{**call_of(["read", "a"]), "to": NOWHERE}]),
        ("gen_getContractSchema", [NOWHERE]),
        ("gen_getContractCode", [NOWHERE]),
    ):
        error = caller.error(method, *params)
        assert error["code"] == -32001, method
        assert error["message"].startswith("contract not found: 0x")


@pytest.mark.parametrize("length", [240, 252, 253, 300, 70_000])
def test_c024_arguments_of_any_length_are_read(caller: Caller, length: int) -> None:
    error = caller.error("gen_call", call_of(["revert", "x" * length]))
    assert error["data"]["receipt"]["genvm_result"]["error_description"] == "x" * length


def test_a_simulated_write_keeps_nothing(caller: Caller, network: Network) -> None:
    assert caller.result("gen_call", call_of(["write", "a", "b"], kind="write")) == "03"
    assert network.state("a") == ""


def test_a_simulated_write_stops_at_its_first_block_and_sim_call_says_so(caller: Caller) -> None:
    call = call_of(["ask", "how good?"], kind="write")
    assert caller.result("gen_call", call) == "00"
    receipt = caller.result("sim_call", call)
    assert (receipt["reached_block"], receipt["execution_result"], receipt["mode"]) == (True, "SUCCESS", "leader")


def test_sim_call_answers_a_revert_with_a_receipt(caller: Caller) -> None:
    receipt = caller.result("sim_call", call_of(["revert", "no"], kind="write"))
    assert (receipt["execution_result"], receipt["result"]) == ("ERROR", b64(b"\x01no"))
    assert receipt["reached_block"] is False


def test_sim_call_shows_what_would_be_sent(caller: Caller) -> None:
    receipt = caller.result("sim_call", call_of(["pay", Address(ALICE.address), 5], kind="write"))
    (sent,) = receipt["pending_transactions"]
    assert (sent["address"], sent["value"], sent["is_eth_send"]) == (checksum(ALICE.address), "0x5", True)


def test_a_deployment_can_be_tried(caller: Caller) -> None:
    data = "0x" + rlp.encode([CODE, b"\x06", b""]).hex()
    assert caller.result("gen_call", {"type": "deploy", "to": "0x" + "00" * 20, "from": NOWHERE, "data": data}) == "00"


def test_the_call_reaches_the_node_as_it_was_meant(
    caller: Caller, network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Query] = []
    ask = network.node.query

    def watch(query: Query) -> Answered:
        seen.append(query)
        return ask(query)

    monkeypatch.setattr(network.node, "query", watch)
    caller.result("gen_call", call_of(["read", "a"], value="0x7", transaction_hash_variant="latest-final"))
    caller.result("sim_call", call_of(["read", "a"], kind="write", value=9))
    first, second = seen
    assert (first.readonly, first.final, first.value, first.sender, first.target) == (True, True, 7, ALICE.address, TOY)
    assert (second.readonly, second.final, second.value) == (False, False, 9)


BAD_CALLS = [
    pytest.param({"type": "execute"}, "type", id="unknown type"),
    pytest.param({"type": 7}, "type", id="type no string"),
    pytest.param({"to": None}, "'to'", id="no target"),
    pytest.param({"to": "0x12"}, "to:", id="bad target"),
    pytest.param({"from": "0x12"}, "from:", id="bad sender"),
    pytest.param({"data": None}, "'data'", id="no data"),
    pytest.param({"data": "0x"}, "data:", id="empty data"),
    pytest.param({"data": "zz"}, "data:", id="no hex"),
    pytest.param({"data": "0xc0"}, "data:", id="an empty list"),
    pytest.param({"data": "0x" + "c1" * 400}, "data:", id="nested lists"),
    pytest.param({"data": "0x" + rlp.encode([b"code", b"\x06", b""]).hex()}, "data:", id="a deployment as a read"),
    pytest.param({"value": "much"}, "value:", id="bad value"),
    pytest.param({"value": -1}, "value:", id="negative value"),
    pytest.param({"transaction_hash_variant": "newest"}, "variant", id="unknown variant"),
    pytest.param({"transaction_hash_variant": []}, "variant", id="variant no string"),
]


@pytest.mark.parametrize(("change", "named"), BAD_CALLS)
@pytest.mark.parametrize("method", ["gen_call", "sim_call"])
def test_a_bad_call_is_32602_and_names_the_field(
    caller: Caller, method: str, change: dict[str, Any], named: str
) -> None:
    error = caller.error(method, {**call_of(["read", "a"]), **change})
    assert error["code"] == -32602
    assert named in error["message"]


def test_mocks_in_a_call_are_refused(caller: Caller) -> None:
    for method in ("gen_call", "sim_call"):
        error = caller.error(method, call_of(["read", "a"], sim_config={"genvm_datetime": "2030-01-01T00:00:00Z"}))
        assert error["data"]["code"] == "sim_config_refused"
        assert "result" in caller.call(method, call_of(["read", "a"], sim_config=None))


def test_the_schema_and_the_code_of_a_contract(
    caller: Caller, network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network.runtime, "schema", lambda code: {"methods": {"size": len(code)}})
    assert caller.result("gen_getContractSchema", CONTRACT) == {"methods": {"size": len(CODE)}}
    assert caller.result("gen_getContractSchemaForCode", "0x" + b"# x".hex()) == {"methods": {"size": 3}}
    assert caller.result("gen_getContractCode", CONTRACT) == b64(CODE)
    assert caller.error("gen_getContractSchemaForCode", "# x")["code"] == -32602


def test_c044_a_source_with_a_mistake_is_an_error_with_a_sentence(
    caller: Caller, network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(code: bytes) -> dict[str, object]:
        raise BadInput("bad_source", "line 3: invalid syntax", "mend it")

    monkeypatch.setattr(network.runtime, "schema", refuse)
    error = caller.error("gen_getContractSchemaForCode", "0x" + b"def".hex())
    assert (error["code"], error["message"]) == (-32602, "line 3: invalid syntax (mend it)")


def test_the_status_of_a_transaction_by_name_and_number(caller: Caller, network: Network) -> None:
    digest = network.do(ALICE, ["write", "a", "b"]).transaction.hash
    assert caller.result("gen_getTransactionStatus", "0x" + digest.hex()) == {"status": "FINALIZED", "statusCode": 7}


def test_the_nonce_of_an_address_as_a_number(caller: Caller, network: Network) -> None:
    network.do(ALICE, ["write", "a", "b"])
    assert caller.result("gen_getContractNonce", checksum(ALICE.address)) == 1


def test_more_reads_than_may_wait_are_told_to_come_back(network: Network) -> None:
    network.node.settings = replace(network.node.settings, limits=Limits(reads_waiting=0))
    with Caller(network) as caller:
        error = caller.error("gen_call", call_of(["read", "a"]))
    assert (error["code"], error["data"]["code"]) == (-32005, "busy")


def test_a_read_while_the_node_stops_is_told_so(network: Network) -> None:
    with Caller(network) as caller:
        caller.app.close()
        error = caller.error("gen_call", call_of(["read", "a"]))
        assert (error["code"], "stopping" in error["message"]) == (-32005, True)
