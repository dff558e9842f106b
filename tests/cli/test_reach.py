"""`foreman doctor --network` against what may be behind an address: the right thing, nothing, nonsense, silence."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from foreman.cli import doctor, reach
from foreman.cli.exits import Exit
from foreman.cli.finding import Finding, Machine, State
from foreman.cli.home import remember_contract
from foreman.localnet.accounts import DEV_ACCOUNTS
from foreman.localnet.serve import Running
from foreman.sdk import networks
from foreman.sdk.client import Client
from foreman.sdk.failures import Unreachable
from foreman.sdk.networks import Network
from foreman.sdk.transport import Transport
from tests.cli.conftest import Cli

Answer = Callable[["Door"], None]


class Door(BaseHTTPRequestHandler):
    """Answers every request in the way of its server."""

    def do_POST(self) -> None:
        self.asked = self.rfile.read(int(self.headers.get("content-length") or 0))  # unread, it resets the connection
        self.server.answer(self)  # type: ignore[attr-defined]  # set by `serving`

    do_GET = do_POST

    def log_message(self, *_: object) -> None:
        pass

    def say(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def serving(answer: Answer) -> Iterator[str]:
    """Something on a port of this machine, by its URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Door)
    server.daemon_threads, server.block_on_close = True, False
    server.answer = answer  # type: ignore[attr-defined]  # read by `Door`
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/api"
    finally:
        server.shutdown()
        server.server_close()


def chain(number: int) -> Answer:
    """A network of another kind: JSON-RPC with this chain id, and nothing beside it."""

    def answer(door: Door) -> None:
        if door.command == "GET":
            return door.say(404, b"no such page")
        asked = json.loads(door.asked)
        result = {"eth_chainId": hex(number), "eth_getBalance": "0x0"}.get(asked["method"], "other/1")
        return door.say(200, json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}).encode())

    return answer


def drip(door: Door) -> None:
    """A byte now and then, for ever."""
    door.send_response(200)
    door.end_headers()
    try:
        while True:
            door.wfile.write(b" ")
            door.wfile.flush()
            time.sleep(0.02)
    except OSError:
        return


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the network is looked at, and the silent are given up on soon."""
    monkeypatch.setattr(doctor, "CHECKS", ())
    monkeypatch.setattr(reach, "PATIENCE", 0.3)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (lambda door: door.say(200, b"<html>hello</html>"), "answered with HTTP 200 and no JSON"),
        (lambda door: door.say(200, b"[" * 100_000), "answered with HTTP 200 and no JSON"),
        (lambda door: door.say(200, b'{"result": {"a": []}}'), "answered with no number to eth_chainId"),
        (lambda door: door.say(200, b'{"error": {"code": "x", "message": "\\u001b[31mno"}}'), "no"),
        (lambda door: door.say(502, b"bad gateway"), "HTTP 502"),
        (lambda door: door.say(200, b""), "no JSON"),
        (lambda door: time.sleep(2), "no answer in time"),
        (drip, "an answer that is not complete after 0.3 s"),
    ],
    ids=["a page", "nested", "another shape", "an error with colours", "a gateway", "silence", "hangs", "drips"],
)
def test_whatever_is_behind_an_address_is_told_once_and_soon(answer: Answer, sentence: str, alone: Cli) -> None:
    began = time.monotonic()
    with serving(answer) as url:
        ended = alone("doctor", "--network", url, "--json")
    (finding,) = ended.json["findings"]
    assert (ended.code, finding["name"], finding["state"]) == (Exit.FAILED, "answers", "broken")
    assert sentence in finding["sentence"]
    assert time.monotonic() - began < 5
    assert finding["hint"]


def test_a_dead_port_is_told_with_what_to_do(alone: Cli) -> None:
    ended = alone("doctor", "--network", "http://127.0.0.1:9/api", "--json")
    (finding,) = ended.json["findings"]
    assert (ended.code, "foreman up" in finding["hint"]) == (Exit.FAILED, True)


def test_a_network_far_away_that_is_silent_is_not_said_to_be_started_here(
    alone: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(self: Transport, method: str, *_: object) -> None:
        raise Unreachable(self.url, "no route")

    monkeypatch.setattr(Transport, "call", silent)
    (finding,) = alone("doctor", "--network", "studionet", "--json").json["findings"]
    assert ("foreman up" in finding["hint"], "connected" in finding["hint"]) == (False, True)


def test_a_name_that_no_network_has_is_told_with_those_there_are(alone: Cli) -> None:
    ended = alone("doctor", "--network", "mainnet", "--json")
    (finding,) = ended.json["findings"]
    assert (ended.code, "studionet" in finding["hint"]) == (Exit.FAILED, True)


def test_another_chain_behind_a_name_is_broken(alone: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(chain(1)) as url:
        named = Network("elsewhere", url, "a network with a name", 61999)
        monkeypatch.setattr(networks, "NETWORKS", (named,))
        (finding,) = alone("doctor", "--network", "elsewhere", "--json").json["findings"]
    assert (finding["state"], "is chain 61999" in finding["hint"]) == ("broken", True)
    assert "chain 1, other/1" in finding["sentence"]


def test_a_network_of_another_kind_works_without_contracts(alone: Cli) -> None:
    with serving(chain(61999)) as url:
        ended = alone("doctor", "--network", url, "--json")
    found = {finding["name"]: finding for finding in ended.json["findings"]}
    assert (ended.code, [found[name]["state"] for name in ("answers", "contracts")]) == (Exit.OK, ["works", "missing"])
    assert "foreman deploy foreman --network" in found["contracts"]["hint"]
    assert "--yes" in found["writes"]["hint"]


def test_what_works_on_a_network_is_told(cli: Cli, running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOREMAN_ACCOUNT", "dev3")
    ended = cli("doctor", "--network", running.url, "--json")
    found = {finding["name"]: finding["sentence"] for finding in ended.json["findings"]}
    assert ended.code == Exit.OK
    assert "chain 61127" in found["answers"]
    assert found["contracts"] == "foreman, verdict_escrow answer"
    assert "gives its value back; a faucet" in found["writes"]
    assert found["account"] == f"dev3 {DEV_ACCOUNTS[3].address} holds 10000 GEN"


def test_a_contract_that_is_remembered_and_not_there_is_broken(
    alone: Cli, running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Client, "embedded", False)  # so that it is the remembered one that is asked
    remember_contract(running.url.removesuffix("/api"), "foreman", DEV_ACCOUNTS[0].address)
    ended = alone("doctor", "--network", running.url, "--json")
    found = {finding["name"]: finding for finding in ended.json["findings"]}
    assert (ended.code, found["contracts"]["state"]) == (Exit.FAILED, "broken")
    assert f"foreman at {DEV_ACCOUNTS[0].address}" in found["contracts"]["sentence"]
    assert "foreman deploy" in found["contracts"]["hint"]


def test_known_keys_and_read_only_networks_are_told(alone: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOREMAN_ACCOUNT", "dev0")
    monkeypatch.setattr(Client, "call", lambda *_: "0x107d")
    monkeypatch.setattr(Client, "embedded", False)
    found = {finding.name: finding for finding in reach.reach("testnet-asimov")}
    assert {name: finding.state for name, finding in found.items()} == {
        "answers": State.WORKS,
        "contracts": State.MISSING,
        "writes": State.MISSING,
        "account": State.BROKEN,
    }
    assert isinstance(found["writes"], Finding)


def test_the_network_joins_the_other_checks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    sound: list[Any] = [lambda machine: Finding("python", State.WORKS, "is here")]
    monkeypatch.setattr(doctor, "CHECKS", sound)
    told = doctor.examine(Machine(0, tmp_path, (), "http://127.0.0.1:9/api"))
    assert [finding.name for finding in told] == ["python", "answers"]
