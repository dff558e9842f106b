"""The client against a network that is a function: what it asks, what it makes of answers, how it waits and fails."""

import itertools
import json
import threading
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from foreman import calldata
from foreman.errors import BadInput, ForemanError
from foreman.sdk.account import Account
from foreman.sdk.client import Client
from foreman.sdk.failures import NotInTime, RpcFailed, Unreachable
from foreman.sdk.orders import Orders
from foreman.sdk.transport import Transport
from foreman.transaction import read_signed, read_transaction

URL = "http://127.0.0.1:4000/api"
ALICE = Account(b"\x01" * 32)
CONTRACT = b"\x0c" * 20

Answer = Callable[[str, list[Any]], Any]


def client_of(answer: Answer, asked: list[tuple[str, list[Any]]] | None = None) -> Client:
    """A client whose network answers with a function of method and params."""

    def handle(request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content)
        if asked is not None:
            asked.append((body["method"], body["params"]))
        result = answer(body["method"], body["params"])
        if isinstance(result, httpx.Response):
            return result
        return httpx.Response(200, json={"jsonrpc": "2.0", "id": body["id"], "result": result})

    return Client(URL, Transport(URL, httpx.Client(transport=httpx.MockTransport(handle))))


def failing(number: int, message: str, data: object = None) -> httpx.Response:
    """A JSON-RPC error."""
    return httpx.Response(200, json={"id": 1, "error": {"code": number, "message": message, "data": data}})


def test_a_write_is_signed_with_the_next_nonce_and_the_networks_chain() -> None:
    asked: list[tuple[str, list[Any]]] = []
    answers = {"eth_chainId": "0xeec7", "eth_getTransactionCount": "0x5", "eth_sendRawTransaction": "0xabc"}
    client = client_of(lambda method, _: answers[method], asked)
    assert client.write(ALICE, CONTRACT, "claim_order", [3], 7).hash == "0xabc"
    raw = bytes.fromhex(asked[-1][1][0][2:])
    signed = read_signed(raw, (61127,))
    assert (signed.sender, signed.nonce, signed.value) == (ALICE.address, 5, 7)
    assert read_transaction(signed).calldata == calldata.encode_call("claim_order", [3])


def test_two_threads_with_one_account_never_share_a_nonce() -> None:
    nonces: list[int] = []
    lock = threading.Lock()

    def answer(method: str, params: list[Any]) -> Any:
        if method == "eth_chainId":
            return "0xeec7"
        if method == "eth_getTransactionCount":
            with lock:
                return hex(len(nonces))
        with lock:
            nonces.append(read_signed(bytes.fromhex(params[0][2:]), (61127,)).nonce)
        return "0x1"

    client = client_of(answer)
    threads = [threading.Thread(target=client.write, args=(ALICE, CONTRACT, "x")) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(nonces) == list(range(8))


def test_a_read_decodes_calldata_and_a_wrapped_reply_too() -> None:
    plain = calldata.encode({"status": "open"}).hex()
    assert client_of(lambda *_: plain).read(CONTRACT, "get_order", 1) == {"status": "open"}
    assert client_of(lambda *_: {"data": plain, "status": {"code": 0}}).read(CONTRACT, "get_order", 1) == {
        "status": "open"
    }


@pytest.mark.parametrize(
    ("response", "number", "code"),
    [
        (failing(-32000, "no", {"code": "nonce_too_low", "hint": "use 7"}), -32000, "nonce_too_low"),
        (failing(-32601, "Method not found: x"), -32601, "rpc_error"),
        (failing("x", "no"), 0, "rpc_error"),  # type: ignore[arg-type]  # a hostile network's number
        (httpx.Response(403, text="no"), 403, "bad_answer"),
        (httpx.Response(200, json=[1]), 200, "bad_answer"),
        (httpx.Response(200, text="[" * 100_000), 200, "bad_answer"),
        (httpx.Response(502, json={"result": "0x1"}), 502, "bad_answer"),
    ],
    ids=["its own code", "bare", "no number", "not JSON", "no object", "nested", "a result with an error status"],
)
def test_an_error_of_the_network_is_told_with_its_code(response: httpx.Response, number: int, code: str) -> None:
    with pytest.raises(RpcFailed) as problem:
        client_of(lambda *_: response).call("x")
    assert (problem.value.number, problem.value.code) == (number, code)


@pytest.mark.parametrize("nonsense", ["", "0xzz", "hello", None, 7, [], {}], ids=repr)
def test_an_answer_that_means_nothing_is_told_as_that(nonsense: Any) -> None:
    client = client_of(lambda *_: nonsense)
    asks: list[Callable[[], object]] = [
        lambda: client.chain_id,
        lambda: client.nonce(ALICE.address),
        lambda: client.read(CONTRACT, "get_order", 1),
    ]
    for ask in asks:
        with pytest.raises(RpcFailed) as told:
            ask()
        assert (told.value.code, told.value.number) == ("bad_answer", 0)


def test_the_time_is_the_networks_own_where_its_clock_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = [{"timestamp": 4_000_000_000}, {"timestamp": "soon"}, None]
    assert abs(client_of(lambda *_: None).now() - time.time()) < 5, "another network tells none"
    client = client_of(lambda *_: told.pop(0))
    monkeypatch.setattr(Client, "embedded", True)
    monkeypatch.setattr(Client, "config", {"dev": True})
    assert client.now() == 4_000_000_000
    for _ in range(2):
        with pytest.raises(RpcFailed, match="no time to sim_getTime"):
            client.now()


def test_an_answer_without_end_is_cut_off_in_size_and_time(monkeypatch: pytest.MonkeyPatch) -> None:
    endless = itertools.repeat(b"x" * 1000)
    client = client_of(lambda *_: httpx.Response(200, content=endless))
    monkeypatch.setattr("foreman.sdk.transport.MOST_BYTES", 10_000)
    with pytest.raises(RpcFailed, match="answered with more than"):
        client.call("x")
    monkeypatch.setattr("foreman.sdk.transport.MOST_BYTES", 2**40)
    hasty = Transport(URL, client.transport.http, patience=0.01)
    with pytest.raises(Unreachable, match=r"not complete after 0\.01 s"):
        hasty.call("x")


def test_a_hint_of_the_network_arrives() -> None:
    with pytest.raises(RpcFailed) as problem:
        client_of(lambda *_: failing(-32000, "no", {"code": "nonce_too_low", "hint": "use 7"})).call("x")
    assert (problem.value.sentence, problem.value.hint) == ("no", "use 7")


@pytest.mark.parametrize("kind", [httpx.ConnectError, httpx.ReadTimeout, httpx.RemoteProtocolError])
def test_no_answer_is_unreachable(kind: type[httpx.HTTPError]) -> None:
    def refuse(method: str, params: list[Any]) -> Any:
        raise kind("refused")

    with pytest.raises(Unreachable) as problem:
        client_of(refuse).balance(ALICE.address)
    assert problem.value.code == "unreachable"
    assert "foreman up" in problem.value.hint


def test_waiting_goes_on_over_unknown_statuses_until_a_decision() -> None:
    statuses = iter([None, "PENDING", "WARMING_UP", "COMMITTING", "FINALIZED"])
    result = client_of(lambda *_: {"status": next(statuses)}).wait("0x1")
    assert result.status == "FINALIZED"
    assert next(statuses, "none left") == "none left"


def test_waiting_for_the_money_goes_on_after_accepted() -> None:
    statuses = iter(["ACCEPTED", "ACCEPTED", "FINALIZED"])
    assert client_of(lambda *_: {"status": next(statuses)}).wait("0x1", final=True).final


def test_patience_ends_with_the_status_it_was_in() -> None:
    with pytest.raises(NotInTime, match="0x1 is still PENDING") as problem:
        client_of(lambda *_: {"status": "PENDING"}).wait("0x1", patience=0.05)
    assert "do not send it anew" in problem.value.hint


@pytest.mark.parametrize("url", ["", "127.0.0.1:4000", "ftp://127.0.0.1/api", "http:///api"])
def test_what_is_no_address_of_a_network_is_refused(url: str) -> None:
    with pytest.raises(BadInput, match="there is no network"):
        Client(url)
    with pytest.raises(BadInput, match="not the address of a network"):
        Transport(url)


def test_a_payable_verb_that_would_fail_is_never_sent() -> None:
    asked: list[tuple[str, list[Any]]] = []
    client = client_of(lambda *_: failing(-32000, "escrow is below the minimum"), asked)
    with pytest.raises(ForemanError, match="below the minimum"):
        Orders(client, CONTRACT, ALICE).create("t", "s", "c", 1, 5)
    assert [method for method, _ in asked] == ["gen_call"]
    assert asked[0][1][0]["type"] == "write"
    assert asked[0][1][0]["value"] == "0x5"


def test_writing_without_an_account_says_so() -> None:
    with pytest.raises(BadInput, match="needs an account"):
        Orders(client_of(lambda *_: None), CONTRACT).claim(1)


def test_an_order_of_an_older_contract_is_read_too() -> None:
    reply = calldata.encode({"id": 3, "status": "open", "escrow_wei": "1000"}).hex()
    order = Orders(client_of(lambda *_: reply), CONTRACT).get(3)
    assert (order.id, order.status, order.escrow_wei, order.paid_wei) == (3, "open", 1000, 0)


def test_a_hint_is_told_once() -> None:
    error = RpcFailed("m", -32000, "0 wei is too little (ask for one)", {"code": "bad_amount", "hint": "ask for one"})
    assert (error.sentence, error.hint) == ("0 wei is too little", "ask for one")
