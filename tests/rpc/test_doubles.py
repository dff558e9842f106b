"""Mock validators and dates of `sim_config`: taken where a network was started for tests, and refused with a reason."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import rlp  # type: ignore[import-untyped]  # the package ships no types

from foreman.calldata import encode
from foreman.errors import JudgeError
from foreman.execution import Call
from foreman.node.doubles import DoubledJudge
from foreman.runtime import prompts
from foreman.sdk.envelope import add_transaction
from foreman.transaction import CONSENSUS_MAIN
from tests.node.network import ALICE, TOY, Network
from tests.rpc.caller import Caller
from tests.rpc.test_gen import call_of

JULY = "2031-07-01T00:00:00Z"
JULY_SECONDS = 1_940_630_400
PAGE = "https://work.example/page"


@pytest.fixture
def network(tmp_path: Path) -> Iterator[Network]:
    with Network(tmp_path / "state", test_doubles=True) as running:
        yield running


def validator(answers: Mapping[str, Any] | None = None, pages: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """As genlayer-test's `create_mock_validator(...).to_dict()` writes it."""
    said = {"response": answers or {}, "eq_principle_prompt_comparative": {}, "eq_principle_prompt_non_comparative": {}}
    mocks = {"mock_response": said, "mock_web_response": {"nondet_web_request": pages or {}}}
    config = {"api_key_env_var": "OPENAIKEY", "api_url": "https://api.openai.com", **mocks}
    model = {"stake": 8, "provider": "openai", "model": "gpt-4o", "config": {}, "plugin": "openai-compatible"}
    return {**model, "plugin_config": config}


def decided(caller: Caller, network: Network, steps: list[Any], sim_config: dict[str, Any]) -> dict[str, Any]:
    """A transaction sent with doubles, as it was decided."""
    digest = caller.result("eth_sendRawTransaction", "0x" + network.raw(ALICE, [steps]).hex(), sim_config)
    network.wait(bytes.fromhex(digest[2:]))
    found: dict[str, Any] = caller.result("eth_getTransactionByHash", digest)
    return found


def test_mock_validators_are_the_jury_of_their_transaction_and_of_no_other(caller: Caller, network: Network) -> None:
    mocks = [validator({"how good": "seven"}) for _ in range(3)]
    doubled = decided(caller, network, ["ask", "how good?"], {"validators": mocks})
    assert doubled["status"] == "FINALIZED"
    assert list(doubled["consensus_data"]["votes"].values()) == ["agree"] * 3
    (turn,) = doubled["consensus_data"]["blocks"][0]["rounds"]
    assert {vote["judge"] for vote in turn["votes"]} == {"double"}
    assert b"seven" in network.node.record(bytes.fromhex(doubled["hash"][2:])).receipt.outcome.payload  # type: ignore[union-attr]  # it is decided
    assert network.judges[0].count == 0, "the network's own judge was asked"  # type: ignore[attr-defined]  # a scripted one
    plain = decided(caller, network, ["ask", "how good?"], {})
    assert len(plain["consensus_data"]["votes"]) == 5
    assert network.judges[0].count == 5  # type: ignore[attr-defined]  # as above


def test_mock_validators_that_differ_decide_nothing(caller: Caller, network: Network) -> None:
    mocks = [validator({"how good": str(number)}) for number in range(5)]
    assert decided(caller, network, ["ask", "how good?"], {"validators": mocks})["status"] == "UNDETERMINED"


def test_a_prompt_that_no_mock_answers_costs_the_seat_its_vote(caller: Caller, network: Network) -> None:
    mocks = [validator({"how good": "7"})] * 2 + [validator({"how bad": "7"})]
    found = decided(caller, network, ["ask", "how good?"], {"validators": mocks})
    assert sorted(found["consensus_data"]["votes"].values()) == ["agree", "agree", "idle"]


@pytest.mark.parametrize(
    ("page", "status"),
    [
        pytest.param({PAGE: {"method": "GET", "status": 200, "body": "here"}}, "SUCCESS", id="a page"),
        pytest.param({PAGE: {"method": "POST", "status": 200, "body": "here"}}, "ERROR", id="for another method"),
        pytest.param({PAGE + "/": {"method": "GET", "status": 200, "body": "here"}}, "ERROR", id="another address"),
    ],
)
def test_mock_pages_are_served_by_exact_address_and_method(
    caller: Caller, network: Network, page: dict[str, Any], status: str
) -> None:
    found = decided(caller, network, ["ask", PAGE], {"validators": [validator(pages=page)] * 3})
    assert found["consensus_data"]["leader_receipt"][0]["execution_result"] == status


def test_what_a_validator_does_not_mock_is_the_networks_own(caller: Caller, network: Network) -> None:
    page = {PAGE: {"method": "GET", "status": 200, "body": "here"}}
    decided(caller, network, ["ask", "how good?"], {"validators": [validator(pages=page)] * 3})
    assert network.judges[0].count == 3  # type: ignore[attr-defined]  # a scripted one


def test_the_date_of_a_transaction_or_a_call_is_seen_by_its_contract_alone(
    caller: Caller, network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    run = network.runtime.run

    def watched(call: Call, *rest: Any) -> Any:
        seen.append(call.at)
        return run(call, *rest)

    monkeypatch.setattr(network.runtime, "run", watched)
    found = decided(caller, network, ["write", "a", "b"], {"genvm_datetime": JULY})
    for method in ("gen_call", "sim_call"):
        caller.result(method, call_of(["read", "a"], sim_config={"genvm_datetime": JULY}))
    decided(caller, network, ["write", "a", "c"], {})
    assert [at // 1_000_000 for at in seen] == [JULY_SECONDS] * 3 + [1_800_000_000]
    assert found["activated_at"] == "2027-01-15T08:00:00.000000Z", "its place in the order has the network's time"


def test_leader_only_seats_one(caller: Caller, network: Network) -> None:
    payload = bytes(rlp.encode([encode([["ask", "how good?"]]), b"\x01"]))
    data = add_transaction(ALICE.address, TOY, payload)
    raw = ALICE.sign_transaction(61127, 0, CONSENSUS_MAIN, 0, data)
    digest = caller.result("eth_sendRawTransaction", "0x" + raw.hex())
    network.wait(bytes.fromhex(digest[2:]))
    found = caller.result("eth_getTransactionByHash", digest)
    assert (found["leader_only"], list(found["consensus_data"]["votes"].values())) == (True, ["agree"])


BAD = [
    pytest.param({"validators": "five"}, "list", id="validators no list"),
    pytest.param({"validators": [validator()] * 102}, "list", id="more than a jury"),
    pytest.param({"validators": [7]}, "not an object", id="a validator no object"),
    pytest.param({"validators": [{"provider": "openai", "plugin_config": {}}]}, "no mocks", id="a real model"),
    pytest.param({"validators": [{"plugin_config": {"mock_response": "x"}}]}, "mock_response", id="mocks no object"),
    pytest.param({"validators": [validator(pages={PAGE: {"status": "200"}})]}, "page", id="status no number"),
    pytest.param({"validators": [validator(pages={PAGE: {"status": 99}})]}, "page", id="no such status"),
    pytest.param({"validators": [validator(pages={PAGE: "here"})]}, "page", id="a page no object"),
    pytest.param({"genvm_datetime": "soon"}, "not a time", id="no date"),
    pytest.param({"validator": []}, "'validator' is not known", id="unknown key"),
]


@pytest.mark.parametrize(("sim_config", "named"), BAD)
def test_doubles_that_cannot_be_read_are_32602_and_nothing_is_sent(
    caller: Caller, network: Network, sim_config: dict[str, Any], named: str
) -> None:
    error = caller.error("eth_sendRawTransaction", "0x" + network.raw(ALICE, [["write", "a", "b"]]).hex(), sim_config)
    assert (error["code"], named in error["message"]) == (-32602, True), error
    assert network.node.nonce(ALICE.address) == 0
    assert caller.error("gen_call", call_of(["read", "a"], sim_config=sim_config))["code"] == -32602


def test_the_questions_of_equivalence_are_answered_by_their_own_mocks() -> None:
    judge = DoubledJudge({"": "anything else"}, {"same size": True}, {"is polite\nand short": False})
    assert prompts.verdict_of(judge.answer(prompts.comparative("5", "6", "they have the same size"))) is True
    assert prompts.verdict_of(judge.answer(prompts.acceptable("hi", "HI", "greet", "it is polite\nand short"))) is False
    assert judge.answer(prompts.perform("hi", "greet", "it is polite")) == "anything else"
    with pytest.raises(JudgeError, match="no mock"):
        judge.answer(prompts.comparative("5", "6", "they are equal"))
