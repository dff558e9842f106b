"""HTTP around JSON-RPC: media types, methods, sizes, CORS, pages; through the ASGI application in memory."""

import json
from pathlib import Path

import pytest

from foreman.settings import Limits
from tests.node.network import ALICE, TOY, Network
from tests.rpc.caller import Caller

CHAIN_ID = '{"jsonrpc":"2.0","id":7,"method":"eth_chainId","params":[]}'
APP = "http://localhost:3000"
WALLET = "chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn"


@pytest.mark.parametrize("path", ["/api", "/"])
@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8", "Application/JSON;charset=X"])
def test_json_is_answered_at_both_addresses(caller: Caller, path: str, kind: str) -> None:
    response = caller.post(CHAIN_ID, {"content-type": kind}, path)
    assert (response.status_code, response.json()["result"]) == (200, "0xeec7")
    assert response.headers["content-type"] == "application/json"


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "json"])
def test_what_a_page_can_send_unasked_is_415(caller: Caller, kind: str) -> None:
    response = caller.post(CHAIN_ID, {"content-type": kind})
    assert response.status_code == 415
    assert "application/json" in response.json()["error"]["message"]


def test_a_missing_content_type_is_415(caller: Caller) -> None:
    assert caller.request("POST", "/api", content=CHAIN_ID).status_code == 415


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE"])
def test_other_methods_are_405(caller: Caller, method: str) -> None:
    response = caller.request(method, "/api")
    assert response.status_code == 405
    assert "POST" in response.headers["allow"]


def test_json_rpc_by_get_is_405_and_says_how(caller: Caller) -> None:
    response = caller.request("GET", "/api")
    assert response.status_code == 405
    assert "POST" in response.json()["error"]["message"]


def test_a_post_elsewhere_is_405(caller: Caller) -> None:
    assert caller.post(CHAIN_ID, path="/health").status_code == 405


REFUSED = [
    pytest.param({"host": "evil.example:4000"}, id="a foreign host"),
    pytest.param({"origin": "https://evil.example"}, id="a foreign page"),
    pytest.param({"origin": "null"}, id="a sandboxed frame"),
]


@pytest.mark.parametrize("headers", REFUSED)
@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/api"), ("POST", "/"), ("GET", "/"), ("GET", "/health"), ("GET", "/config.json"), ("GET", "/events"),
     ("HEAD", "/"), ("OPTIONS", "/api")],
)  # fmt: skip
def test_who_may_not_come_in_gets_403_everywhere_and_no_cors(
    caller: Caller, method: str, path: str, headers: dict[str, str]
) -> None:
    response = caller.request(method, path, {"content-type": "application/json", **headers})
    assert response.status_code == 403
    assert "access-control-allow-origin" not in response.headers
    assert response.headers["connection"] == "close"


def test_nothing_happens_for_a_refused_page(caller: Caller, network: Network) -> None:
    raw = network.raw(ALICE, [["write", "a", "b"]])
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "eth_sendRawTransaction", "params": ["0x" + raw.hex()]})
    assert caller.post(body, {"origin": "https://evil.example"}).status_code == 403
    assert caller.post(body, {"content-type": "text/plain"}).status_code == 415
    assert network.node.nonce(ALICE.address) == 0


@pytest.mark.parametrize("origin", [APP, "http://127.0.0.1:4000", WALLET])
def test_an_allowed_page_may_read_the_reply(caller: Caller, origin: str) -> None:
    response = caller.post(CHAIN_ID, {"origin": origin})
    assert response.status_code == 200
    assert response.headers["access-control-allow-origin"] == origin
    assert response.headers["vary"] == "Origin"


def test_an_allowed_page_may_read_refusals_too(caller: Caller) -> None:
    for body, kind in ((CHAIN_ID, "text/plain"), ("{", "application/json")):
        response = caller.post(body, {"origin": APP, "content-type": kind})
        assert response.status_code in (400, 415)
        assert response.headers["access-control-allow-origin"] == APP


def test_an_extension_never_gets_to_the_simulators_methods(caller: Caller) -> None:
    address = "0x" + ALICE.address.hex()
    balance = caller.result("eth_getBalance", address)
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "sim_fundAccount", "params": [address, 1]})
    for payload in (body, f"[{body}]"):
        reply = caller.post(payload, {"origin": WALLET}).json()
        error = (reply[0] if isinstance(reply, list) else reply)["error"]
        assert error["data"]["code"] == "not_for_extensions"
    assert caller.result("eth_getBalance", address) == balance
    assert caller.post(body, {"origin": APP}).json()["result"].startswith("0x"), "the app itself may"


def test_c054_a_preflight_is_answered_for_an_allowed_page(caller: Caller) -> None:
    asked = {
        "origin": APP,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type",
    }
    for path in ("/", "/api"):
        response = caller.request("OPTIONS", path, asked)
        assert (response.status_code, response.content) == (204, b"")
        assert response.headers["access-control-allow-origin"] == APP
        assert "POST" in response.headers["access-control-allow-methods"]
        assert "content-type" in response.headers["access-control-allow-headers"]
        assert response.headers["vary"] == "Origin"


def test_a_preflight_into_the_private_network_is_answered(caller: Caller) -> None:
    asked = {"origin": APP, "access-control-request-private-network": "true"}
    assert caller.request("OPTIONS", "/api", asked).headers["access-control-allow-private-network"] == "true"


def test_an_announced_body_above_the_limit_is_413(tmp_path: Path) -> None:
    with Network(tmp_path, limits=Limits(body_bytes=1000)) as network, Caller(network) as caller:
        response = caller.post(b" " * 1001 + CHAIN_ID.encode())
        assert response.status_code == 413
        assert "1000 bytes" in response.json()["error"]["message"]
        assert caller.post(b" " * (1000 - len(CHAIN_ID)) + CHAIN_ID.encode()).json()["result"] == "0xeec7"


def test_health_says_how_the_node_is(caller: Caller) -> None:
    response = caller.request("GET", "/health")
    assert (response.status_code, response.json()["status"]) == (200, "ok")


def test_health_is_503_when_the_node_has_stopped(
    caller: Caller, network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network.node, "health", lambda: {"status": "stopped", "takes_writes": False})
    assert caller.request("GET", "/health").status_code == 503


def test_config_tells_a_page_what_it_needs(caller: Caller) -> None:
    config = caller.request("GET", "/config.json", {"host": "localhost:4000", "origin": APP})
    assert config.headers["access-control-allow-origin"] == APP
    told = config.json()
    assert told["chain_id"] == 61127
    assert told["rpc_url"] == "http://localhost:4000/api"
    assert told["contracts"]["toy"].lower() == "0x" + TOY.hex()
    assert told["dev"] is True


def test_behind_a_forwarded_port_the_addresses_are_the_ones_outside(tmp_path: Path) -> None:
    outside = "name-4000.example"
    with Network(tmp_path, allow_hosts=(outside,)) as network, Caller(network) as caller:
        headers = {"host": outside, "x-forwarded-proto": "https", "origin": f"https://{outside}"}
        assert caller.request("GET", "/config.json", headers).json()["rpc_url"] == f"https://{outside}/api"


def test_without_the_web_app_a_plain_page_says_how_to_get_it(caller: Caller) -> None:
    page = caller.request("GET", "/")
    assert page.status_code == 200
    assert "npm run dev" in page.text
    assert page.headers["x-content-type-options"] == "nosniff"
    assert caller.request("HEAD", "/").content == b""
    assert caller.request("GET", "/no-such-page").status_code == 404
