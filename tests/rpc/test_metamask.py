"""MetaMask's requests are replayed from a recording and answered as they were: a network added, a contract call and a
payment sent as EIP-1559 transactions, watched, and sent again.

`recordings/metamask.jsonl` was not taken from a running wallet. It was written from the wallet's published behaviour:
which methods it calls, with which parameters and block tags, in which order; its transactions are signed by a test key.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.rpc.examples import Story, deployment, quiet_node

RECORDING = Path(__file__).parent / "recordings" / "metamask.jsonl"
STEPS: list[dict[str, Any]] = [json.loads(line) for line in RECORDING.read_text(encoding="utf-8").splitlines()]

ORIGINS = [
    pytest.param("chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn", id="Chrome"),
    pytest.param("moz-extension://0d0a4a53-5b0f-4c30-9a5c-64c6f1b0e7a1", id="Firefox"),
]


class Wallet:
    """Plays the recording to a node under an extension's origin, and keeps every reply."""

    def __init__(self, story: Story, origin: str) -> None:
        self.replies: list[dict[str, Any]] = []
        headers = {"origin": origin, "sec-fetch-site": "none", "sec-fetch-mode": "cors"}
        for step in STEPS:
            answered = story.caller.post(json.dumps(step["request"]), headers)
            assert answered.headers["access-control-allow-origin"] == origin
            self.replies.append(answered.json())
            if step["request"]["method"] == "eth_sendRawTransaction":
                story.decided(bytes.fromhex(self.replies[-1]["result"][2:]))

    def results(self, method: str) -> list[Any]:
        """The results of one method, in order; None for an error."""
        asked = zip(STEPS, self.replies, strict=True)
        return [reply.get("result") for step, reply in asked if step["request"]["method"] == method]


@pytest.fixture(scope="module", params=ORIGINS)
def wallet(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Wallet:
    with quiet_node(tmp_path_factory.mktemp("state")) as node:
        story = Story(node)
        with story.caller:
            story.decided(node.submit(deployment()).result(20))
            return Wallet(story, request.param)


def test_every_reply_is_what_it_was(wallet: Wallet, golden: Callable[[str, str], None]) -> None:
    golden("wallet/metamask.jsonl", "".join(json.dumps(reply) + "\n" for reply in wallet.replies))


def test_the_wallet_sees_one_network_and_a_nonce_for_each_transaction(wallet: Wallet) -> None:
    (chain,), (version,) = wallet.results("eth_chainId"), wallet.results("net_version")
    assert int(chain, 16) == int(version) == 61127
    assert wallet.results("eth_getTransactionCount") == ["0x1", "0x1", "0x2", "0x3"]
    assert all(block["baseFeePerGas"] == "0x0" for block in wallet.results("eth_getBlockByNumber"))
    assert set(wallet.results("eth_gasPrice") + wallet.results("eth_maxPriorityFeePerGas")) == {"0x0"}


def test_what_it_sends_is_mined_once_and_paid_once(wallet: Wallet) -> None:
    call, payment, again = wallet.results("eth_sendRawTransaction")
    assert payment == again, "the same bytes are the same transaction"
    receipts = wallet.results("eth_getTransactionReceipt")
    assert [(receipt["status"], receipt["transactionHash"]) for receipt in receipts] == [
        ("0x1", call),
        ("0x1", payment),
    ]
    assert [int(receipt["blockNumber"], 16) for receipt in receipts] == [3, 4]
    *_, sender, receiver = wallet.results("eth_getBalance")
    assert (int(sender, 16), int(receiver, 16)) == (98_500_000_000_000_000_000, 500_000_000_000_000_000)


def test_what_is_not_offered_is_told_with_what_to_do_instead(wallet: Wallet) -> None:
    refused = {
        step["request"]["method"]: reply["error"]
        for step, reply in zip(STEPS, wallet.replies, strict=True)
        if "error" in reply
    }
    assert {method: error["code"] for method, error in refused.items()} == {
        "eth_call": -32000,
        "eth_subscribe": -32601,
        "eth_sendTransaction": -32601,
    }
    assert "gen_call" in refused["eth_call"]["data"]["hint"]
    assert "/events" in refused["eth_subscribe"]["data"]["hint"]
    assert "sign" in refused["eth_sendTransaction"]["data"]["hint"]
