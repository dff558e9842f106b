"""What wallets and clients ask an Ethereum node: accounts, blocks, receipts, logs, and what the door refuses."""

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import rlp  # type: ignore[import-untyped]  # the package ships no types

from foreman.address import Address, checksum
from foreman.calldata import encode
from foreman.judges.scripted import Scripted
from foreman.money import GEN
from foreman.settings import Limits
from foreman.transaction import ADD_TRANSACTION_V5, CONSENSUS_MAIN, SUBMIT_APPEAL
from tests.node.network import ALICE, BOB, OTHER, RICH, TOY, Network
from tests.rpc.caller import Caller

ADDRESS = checksum(ALICE.address)
UNKNOWN = "0x" + "ab" * 32
NEW_TRANSACTION = "0xdab9102861c7483a187584d6371d88316f005af507982ccf95c110879f3ed5a5"


def topic(name: str) -> str:
    return "0x" + sha256(name.encode()).hexdigest()


def test_c043_the_chain_has_one_id_in_both_spellings(caller: Caller) -> None:
    assert caller.result("eth_chainId") == "0xeec7"
    assert caller.result("net_version") == "61127"


def test_fees_are_zero_and_estimates_never_fail(caller: Caller) -> None:
    assert caller.result("eth_gasPrice") == caller.result("eth_maxPriorityFeePerGas") == "0x0"
    for params in ([], [{"from": ADDRESS, "gasPrice": 0, "chainId": 61999}], [{"to": "nonsense"}, "latest"], [None]):
        assert caller.result("eth_estimateGas", *params) == "0x7a120"


def test_the_fee_history_is_as_long_as_the_chain_allows(caller: Caller) -> None:
    height = int(caller.result("eth_blockNumber"), 16)
    history = caller.result("eth_feeHistory", "0xffff", "latest", [25, 75])
    assert history["oldestBlock"] == "0x0"
    assert len(history["baseFeePerGas"]) == len(history["gasUsedRatio"]) + 1 == height + 2
    assert history["reward"][0] == ["0x0", "0x0"]
    assert caller.error("eth_feeHistory", 1, "latest", [1] * 101)["code"] == -32602


@pytest.mark.parametrize(
    "spell",
    [
        pytest.param(lambda a: a.lower(), id="lower case"),
        pytest.param(lambda a: "0x" + a[2:].upper(), id="upper case"),
        pytest.param(lambda a: a, id="EIP-55"),
        pytest.param(lambda a: "0X" + a[2:].lower(), id="0X"),
    ],
)
def test_c066_every_spelling_of_an_address_is_the_same_account(caller: Caller, network: Network, spell: Any) -> None:
    fresh = checksum(b"\x5a" * 20)
    caller.result("sim_fundAccount", spell(fresh), 5)
    assert caller.result("eth_getBalance", fresh) == "0x5"
    assert caller.result("eth_getBalance", spell(fresh)) == "0x5"


def test_c066_a_wrong_checksum_is_refused_and_the_right_one_suggested(caller: Caller) -> None:
    wrong = ADDRESS[:-1] + (ADDRESS[-1].lower() if ADDRESS[-1].isupper() else ADDRESS[-1].upper())
    wrong = wrong if wrong != ADDRESS else ADDRESS.swapcase().replace("0X", "0x")
    for method, rest in (("sim_fundAccount", [1]), ("eth_getBalance", []), ("eth_getTransactionCount", [])):
        error = caller.error(method, wrong, *rest)
        assert error["code"] == -32602
        assert ADDRESS in error["message"]


def test_code_tells_contracts_from_accounts(caller: Caller) -> None:
    assert caller.result("eth_getCode", checksum(TOY)).startswith("0x23")
    assert caller.result("eth_getCode", ADDRESS, "latest") == "0x"
    assert caller.result("eth_getCode", checksum(CONSENSUS_MAIN)) == "0xfe"


def test_there_is_no_evm_to_call(caller: Caller) -> None:
    error = caller.error("eth_call", {"to": ADDRESS, "data": "0x"}, "latest")
    assert (error["code"], error["data"]["code"]) == (-32000, "no_evm")
    assert "gen_call" in error["message"]


def send(caller: Caller, raw: bytes) -> dict[str, Any]:
    return caller.call("eth_sendRawTransaction", "0x" + raw.hex())


def test_c038_two_quick_sends_take_two_nonces_and_the_count_knows_both(caller: Caller, network: Network) -> None:
    for nonce in (0, 1):
        assert caller.result("eth_getTransactionCount", ADDRESS, "latest") == hex(nonce)
        assert "result" in send(caller, network.raw(ALICE, [["write", "a", "b"]]))
    assert caller.result("eth_getTransactionCount", ADDRESS, "pending") == "0x2"


REFUSED_CHAINS = [pytest.param(1, id="mainnet"), pytest.param(61128, id="one more than ours")]


@pytest.mark.parametrize("chain", REFUSED_CHAINS)
def test_c057_a_signature_for_another_chain_names_both(caller: Caller, chain: int) -> None:
    raw = ALICE.sign_transaction(chain, 0, BOB.address, 1)
    error = send(caller, raw)["error"]
    assert error["data"]["code"] == "wrong_chain"
    assert str(chain) in error["message"]
    assert "61127" in error["message"]


def test_c058_a_signature_without_a_chain_is_refused(caller: Caller) -> None:
    fields = [0, 0, 21000, BOB.address, 1, b""]
    raw = bytes(rlp.encode([*fields, 27, 1, 1]))
    assert send(caller, raw)["error"]["data"]["code"] == "no_replay_protection"


def test_c060_the_same_bytes_twice_have_one_hash_and_move_money_once(caller: Caller, network: Network) -> None:
    raw = ALICE.sign_transaction(61127, 0, BOB.address, GEN)
    first, second = send(caller, raw)["result"], send(caller, raw)["result"]
    assert first == second
    network.wait(bytes.fromhex(first[2:]))
    assert send(caller, raw)["result"] == first
    assert network.node.balance(BOB.address) == RICH + GEN


def test_c060_a_used_nonce_is_too_low(caller: Caller, network: Network) -> None:
    network.transfer(ALICE, BOB.address, 1)
    error = send(caller, ALICE.sign_transaction(61127, 0, BOB.address, 2))["error"]
    assert error["data"]["code"] == "nonce_too_low"


def test_c062_a_nonce_gap_is_refused_with_the_expected_one(caller: Caller) -> None:
    error = send(caller, ALICE.sign_transaction(61127, 5, BOB.address, 1))["error"]
    assert error["data"]["code"] == "nonce_too_high"
    assert "is 0" in error["message"]


def test_c064_value_above_the_balance_is_refused(caller: Caller) -> None:
    error = send(caller, ALICE.sign_transaction(61127, 0, BOB.address, RICH + 1))["error"]
    assert error["data"]["code"] == "insufficient_funds"
    assert caller.result("eth_getTransactionCount", ADDRESS) == "0x0"


def test_c065_a_failed_call_returns_its_value(caller: Caller, network: Network) -> None:
    record = network.do(ALICE, ["revert", "title is too long"], value=GEN)
    found = caller.result("eth_getTransactionByHash", "0x" + record.transaction.hash.hex())
    assert found["consensus_data"]["leader_receipt"][0]["execution_result"] == "ERROR"
    assert int(caller.result("eth_getBalance", ADDRESS), 16) == RICH
    assert int(caller.result("eth_getBalance", checksum(TOY)), 16) == 0


def test_c016_of_fifty_transfers_thirty_have_the_money(caller: Caller, network: Network) -> None:
    poor = b"\x31" * 32
    account = type(ALICE)(poor)
    caller.result("sim_fundAccount", checksum(account.address), 30)
    batch = [
        {
            "jsonrpc": "2.0",
            "id": index,
            "method": "eth_sendRawTransaction",
            "params": ["0x" + account.sign_transaction(61127, min(index, 30), bytes([index + 1]) * 20, 1).hex()],
        }
        for index in range(50)
    ]
    replies = caller.send(batch)
    assert [("result" in reply) for reply in replies] == [True] * 30 + [False] * 20
    assert all(reply["error"]["data"]["code"] == "insufficient_funds" for reply in replies[30:])
    network.wait(*(bytes.fromhex(reply["result"][2:]) for reply in replies[:30]))
    network.assert_conserved()


def test_network_appeals_are_not_offered_and_say_so(caller: Caller) -> None:
    raw = ALICE.sign_transaction(61127, 0, CONSENSUS_MAIN, 0, SUBMIT_APPEAL + bytes(32))
    error = send(caller, raw)["error"]
    assert error["data"]["code"] == "no_network_appeals"


@pytest.mark.parametrize(
    "raw", ["0x", "0x01", "0xc0", "0x" + "00" * 100, "nonsense", "0x123", 7, None, "0x" + "c1" * 500]
)
def test_bytes_that_are_no_transaction_are_refused_without_words_that_make_clients_retry(
    caller: Caller, raw: Any
) -> None:
    error = caller.error("eth_sendRawTransaction", raw)
    assert error["code"] in (-32000, -32602)
    for word in ("invalid pointer", "could not decode", "invalid arrayify", "length mismatch"):
        assert word not in error["message"].lower(), "genlayer-js would send it again in another encoding"


def test_a_transaction_above_the_limit_is_refused(tmp_path: Path) -> None:
    with Network(tmp_path, limits=Limits(transaction_bytes=1000)) as network, Caller(network) as caller:
        error = send(caller, network.raw(ALICE, [["write", "k", "v" * 1000]]))["error"]
        assert error["data"]["code"] == "too_large"


def test_mocks_with_a_transaction_are_refused_and_an_empty_set_is_not(caller: Caller, network: Network) -> None:
    raw = "0x" + network.raw(ALICE, [["write", "a", "b"]]).hex()
    error = caller.error("eth_sendRawTransaction", raw, {"validators": [{"stake": 8}]})
    assert error["data"]["code"] == "sim_config_refused"
    assert caller.result("eth_sendRawTransaction", raw, {}).startswith("0x")


def test_the_shorter_encoding_of_add_transaction_works_too(caller: Caller, network: Network) -> None:
    payload = bytes(rlp.encode([encode([["write", "a", "b"]]), b"\0"]))
    words = [ALICE.address.rjust(32, b"\0"), TOY.rjust(32, b"\0")]
    words += [number.to_bytes(32, "big") for number in (5, 3, 5 * 32, len(payload))]
    data = ADD_TRANSACTION_V5 + b"".join(words) + payload + bytes(-len(payload) % 32)
    digest = send(caller, ALICE.sign_transaction(61999, 0, CONSENSUS_MAIN, 0, data))["result"]
    network.wait(bytes.fromhex(digest[2:]))
    assert network.state("a") == "b"


def test_the_receipt_is_there_at_once_with_the_transactions_id(caller: Caller, network: Network) -> None:
    digest = send(caller, network.raw(ALICE, [["write", "a", "b"]]))["result"]
    receipt = caller.result("eth_getTransactionReceipt", digest)
    assert (receipt["transactionHash"], receipt["status"]) == (digest, "0x1")
    assert len(receipt["logsBloom"]) == 2 + 512
    (log,) = receipt["logs"]
    padded = ["0x" + "00" * 12 + address.hex() for address in (TOY, ALICE.address)]
    assert log["topics"] == [NEW_TRANSACTION, digest, *padded]
    for needed in ("address", "blockHash", "blockNumber", "transactionHash", "transactionIndex", "logIndex", "data"):
        assert needed in log, "genlayer-py fails without it"
    assert caller.result("eth_getTransactionByHash", digest)["hash"] == digest


def test_c069_an_unknown_hash_is_null_and_a_malformed_one_32602(caller: Caller) -> None:
    for method in ("eth_getTransactionReceipt", "eth_getTransactionByHash", "gen_getTransactionStatus"):
        reply = caller.call(method, UNKNOWN)
        assert "result" in reply
        assert reply["result"] is None
        for bad in ("0x12", UNKNOWN[2:], UNKNOWN + "00", "0x" + "zz" * 32, 7, None, ""):
            assert caller.error(method, bad)["code"] == -32602


def test_a_transaction_shows_every_seats_vote_and_own_answer(tmp_path: Path) -> None:
    judges = [Scripted("80", name="one:a"), Scripted("80", name="two:b"), Scripted("10", name="three:c")]
    with Network(tmp_path, judges=judges, seats=3) as network, Caller(network) as caller:
        digest = network.send(ALICE, ["ask", "how good?"], ["keep", "answer"])
        network.wait(digest)
        found = caller.result("eth_getTransactionByHash", "0x" + digest.hex())
    consensus = found["consensus_data"]
    assert found["status"] == "FINALIZED"
    assert sorted(consensus["votes"].values()).count("agree") == 2
    assert consensus["leader_receipt"][0]["execution_result"] == "SUCCESS"
    assert len(consensus["leader_receipt"]) + len(consensus["validators"]) == 4, "the leader twice, the others once"
    (block,) = consensus["blocks"]
    votes = block["rounds"][-1]["votes"]
    assert {vote["judge"] for vote in votes} == {"one:a", "two:b", "three:c"}
    assert len({vote["result"] for vote in votes}) == 2, "the dissenter's own answer is shown"
    assert {entry["node_config"]["primary_model"]["model"] for entry in consensus["validators"]} <= {"a", "b", "c"}


def test_c003_undetermined_is_never_shown_as_a_success(tmp_path: Path) -> None:
    judges = [Scripted(str(number), name=f"judge:{number}") for number in range(5)]
    with Network(tmp_path, judges=judges) as network, Caller(network) as caller:
        digest = network.send(ALICE, ["ask", "how good?"])
        network.wait(digest)
        found = caller.result("eth_getTransactionByHash", "0x" + digest.hex())
        status = caller.result("gen_getTransactionStatus", "0x" + digest.hex())
    assert status == {"status": "UNDETERMINED", "statusCode": 6}
    assert found["status"] == "UNDETERMINED"
    assert found["consensus_data"]["leader_receipt"][0]["execution_result"] == "ERROR"
    assert (found["result_name"], found["rotation_count"]) == ("NO_MAJORITY", 3)
    assert found["blockNumber"] is None


def test_c002_a_deterministic_error_has_its_text_one_round_and_no_votes(caller: Caller, network: Network) -> None:
    record = network.do(ALICE, ["revert", "a client cannot claim its own order"])
    found = caller.result("eth_getTransactionByHash", "0x" + record.transaction.hash.hex())
    assert found["status"] == "FINALIZED"
    assert found["consensus_data"]["votes"] == {}
    assert found["rotation_count"] == 0
    (receipt,) = found["consensus_data"]["leader_receipt"]
    assert receipt["execution_result"] == "ERROR"
    assert receipt["genvm_result"]["error_description"] == "a client cannot claim its own order"


def test_before_the_decision_there_is_no_consensus_data(caller: Caller, network: Network) -> None:
    """genlayer-py looks into the key whenever it is there, and prints a warning for null."""
    digest = send(caller, network.raw(ALICE, [["write", "a", "b"]]))["result"]
    network.wait(bytes.fromhex(digest[2:]))
    record = network.node.record(bytes.fromhex(digest[2:]))
    assert record is not None
    record.receipt, record.block = None, None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(network.node, "record", lambda _: record)
        found = caller.result("eth_getTransactionByHash", digest)
    assert "consensus_data" not in found
    assert found["blockNumber"] is None


def test_a_message_between_contracts_names_its_parent(caller: Caller, network: Network) -> None:
    record = network.do(ALICE, ["send", Address(OTHER), 0, [["write", "told", "yes"]], "accepted"])
    (child,) = network.node.record(record.transaction.hash).children  # type: ignore[union-attr]
    network.wait(child)
    found = caller.result("eth_getTransactionByHash", "0x" + child.hex())
    assert found["triggered_by"] == "0x" + record.transaction.hash.hex()
    assert found["from_address"] == checksum(TOY)
    assert found["origin_address"] == ADDRESS
    parent = caller.result("eth_getTransactionByHash", found["triggered_by"])
    assert parent["triggered_transactions"] == ["0x" + child.hex()]
    assert parent["consensus_data"]["leader_receipt"][0]["pending_transactions"][0]["address"] == checksum(OTHER)


def test_blocks_hold_their_one_transaction_and_link_back(caller: Caller, network: Network) -> None:
    record = network.do(ALICE, ["write", "a", "b"])
    assert record.block is not None
    height = caller.result("eth_blockNumber")
    assert int(height, 16) == record.block
    latest = caller.result("eth_getBlockByNumber", "latest")
    assert latest == caller.result("eth_getBlockByNumber", height, False)
    assert latest == caller.result("eth_getBlockByHash", latest["hash"], False)
    assert latest["transactions"] == ["0x" + record.transaction.hash.hex()]
    assert caller.result("eth_getBlockByNumber", height, True)["transactions"][0]["hash"] == latest["transactions"][0]
    assert latest["parentHash"] == caller.result("eth_getBlockByNumber", hex(record.block - 1))["hash"]
    assert int(latest["timestamp"], 16) == 1_800_000_000
    assert latest["baseFeePerGas"] == "0x0"
    genesis = caller.result("eth_getBlockByNumber", "earliest")
    assert (genesis["number"], genesis["transactions"]) == ("0x0", [])
    assert caller.result("eth_getBlockByNumber", hex(record.block + 1)) is None
    assert caller.result("eth_getBlockByHash", UNKNOWN) is None


def test_events_are_logs_by_contract_range_and_topic(caller: Caller, network: Network) -> None:
    first = network.do(ALICE, ["emit", "created", "one"], ["emit", "claimed", "two"])
    second = network.do(BOB, ["emit", "created", "three"], target=OTHER)
    network.do(ALICE, ["revert", "no"], ["emit", "created", "never"])

    def logs(**wanted: Any) -> list[tuple[str, str, str]]:
        found = caller.result("eth_getLogs", {"fromBlock": "0x0", "toBlock": "latest", **wanted})
        return [(log["address"], log["topics"][0], log["logIndex"]) for log in found]

    created, claimed = topic("created"), topic("claimed")
    toy, other = checksum(TOY), checksum(OTHER)
    everything = [(toy, created, "0x1"), (toy, claimed, "0x2"), (other, created, "0x1")]
    assert logs() == everything
    assert logs(address=toy) == everything[:2]
    assert logs(address=[other, toy]) == everything
    assert logs(topics=[created]) == [everything[0], everything[2]]
    assert logs(topics=[[claimed, created]]) == everything
    assert logs(topics=[None]) == everything
    assert logs(topics=[created, created]) == []
    assert logs(fromBlock=hex(second.block or 0)) == everything[2:]
    assert logs(toBlock=hex(first.block or 0), fromBlock=hex(first.block or 0)) == everything[:2]
    assert logs(fromBlock="latest") == []
    receipt = caller.result("eth_getTransactionReceipt", "0x" + first.transaction.hash.hex())
    assert [log["topics"][0] for log in receipt["logs"]] == [NEW_TRANSACTION, created, claimed]


BAD_FILTERS = [
    pytest.param({"fromBlock": "x"}, -32602, id="no block"),
    pytest.param({"address": "0x1"}, -32602, id="no address"),
    pytest.param({"topics": ["0x1"]}, -32602, id="no topic"),
    pytest.param({"topics": [None] * 5}, -32602, id="five topics"),
    pytest.param({"topics": "0x"}, -32602, id="topics no list"),
    pytest.param({"blockHash": UNKNOWN}, -32602, id="by block hash"),
    pytest.param([], -32602, id="no object"),
]


@pytest.mark.parametrize(("wanted", "number"), BAD_FILTERS)
def test_a_bad_log_filter_is_32602(caller: Caller, wanted: Any, number: int) -> None:
    assert caller.error("eth_getLogs", wanted)["code"] == number


def test_a_range_of_too_many_blocks_is_32005(caller: Caller, network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network.node, "height", lambda: 20_000)
    assert caller.error("eth_getLogs", {"fromBlock": 1, "toBlock": 10_001})["code"] == -32005
    assert caller.result("eth_getLogs", {"fromBlock": 2, "toBlock": 10_001}) == []


def test_a_flood_of_logs_is_32005(caller: Caller, network: Network) -> None:
    for _ in range(2):
        network.do(ALICE, *[["emit", "created", "x"]] * 501)
    assert caller.error("eth_getLogs", {"fromBlock": 0})["code"] == -32005
