"""`/metrics` tells what happened, behind the same gate as `/health`, in words whose number nobody outside can raise."""

import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from foreman.address import checksum
from foreman.errors import JudgeError, WebError
from foreman.fetch.replay import Scripted as Pages
from foreman.judges.scripted import Scripted
from foreman.money import GEN
from foreman.ports import WebRequest
from tests.node.crash import Held
from tests.node.network import ALICE, BOB, CAROL, Network, who
from tests.rpc.caller import Caller
from tests.rpc.listening import Listening

CHAIN_ID = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
Sample = tuple[str, tuple[tuple[str, str], ...]]


def figures(caller: Caller) -> dict[Sample, float]:
    """The page, read by the official parser."""
    response = caller.request("GET", "/metrics")
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/plain; version=0.0.4")
    families = text_string_to_metric_families(response.text)
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in families
        for sample in family.samples
    }


def value(caller: Caller, name: str, **labels: str) -> float:
    """One figure; 0 for one that never came up."""
    return figures(caller).get((f"foreman_{name}", tuple(sorted(labels.items()))), 0.0)


def test_a_transaction_is_counted_once_by_how_it_ended(caller: Caller, network: Network) -> None:
    before = figures(caller)
    network.do(ALICE, ["write", "k", "v"], value=GEN)
    network.do(BOB, ["revert", "no"])
    after = figures(caller)

    def more(name: str, **labels: str) -> float:
        key = (f"foreman_{name}", tuple(sorted(labels.items())))
        return after.get(key, 0.0) - before.get(key, 0.0)

    assert more("recorded_total") == 2
    assert more("transactions_total", status="ACCEPTED", result="RETURN") == 1
    assert more("transactions_total", status="ACCEPTED", result="USER_ERROR") == 1
    assert more("transaction_seconds_count") == 2
    assert more("finalized_total") == more("height") == 2
    assert more("commit_seconds_count") >= 2
    assert after[("foreman_commit_seconds_bucket", (("le", "+Inf"),))] == after[("foreman_commit_seconds_count", ())]
    assert after[("process_resident_memory_bytes", ())] > 1e6
    assert after[("foreman_database_bytes", ())] > 0


def test_judges_and_pages_are_counted_by_name_and_ending(tmp_path: Path) -> None:
    judges = [
        Scripted("yes", name="steady"),
        Scripted([JudgeError("rate_limited", "slow down")], name="shy"),
    ]
    pages = Pages([WebError("dns_failed", "no such host")])
    with (
        Network(tmp_path, judges=judges, fetchers=[pages]) as network,
        Caller(network) as caller,
    ):
        network.do(ALICE, ["ask", "how good?"])
        assert value(caller, "judge_answers_total", judge="steady", outcome="ok") == 3
        assert value(caller, "judge_answers_total", judge="shy", outcome="rate_limited") == 2
        assert value(caller, "judge_seconds_count", judge="steady") == 3
        assert value(caller, "sittings_total", status="ACCEPTED") == 1
        assert value(caller, "sitting_seconds_count") == 1
        assert value(caller, "seats") == 5


def test_failed_pages_are_counted_by_why(tmp_path: Path) -> None:
    pages = Pages([WebError("dns_failed", "no such host")])
    with Network(tmp_path, fetchers=[pages]) as network, Caller(network) as caller:
        seat = network.node.jury.seats[0]
        with pytest.raises(WebError):
            seat.fetcher.fetch(WebRequest("GET", "http://a.example/"))
        assert value(caller, "fetches_total", outcome="dns_failed") == 1
        assert value(caller, "fetch_seconds_count") == 1


def test_what_waits_is_shown_while_it_waits(tmp_path: Path) -> None:
    held = Held()
    with Network(tmp_path, judges=[held.judge]) as network, Caller(network) as caller:
        slow = network.send(ALICE, ["ask", "slow"])
        while value(caller, "sittings_running") != 1:
            pass
        assert value(caller, "undecided") == 1
        held.go.set()
        network.wait(slow)
        assert value(caller, "undecided") == 0


def test_requests_are_counted_by_method_and_ending_and_unknown_ones_are_one(caller: Caller) -> None:
    caller.post(CHAIN_ID)
    caller.error("eth_getBalance", "nonsense")
    for number in range(300):
        caller.call(f"eth_noise{number}")
    caller.send({"method": "eth_chainId"})
    caller.post(b"{")
    assert value(caller, "rpc_requests_total", method="eth_chainId", outcome="ok") == 1
    assert (
        value(caller, "rpc_requests_total", method="eth_getBalance", outcome="bad_params")
        + value(caller, "rpc_requests_total", method="eth_getBalance", outcome="bad_address")
        == 1
    )
    assert value(caller, "rpc_requests_total", method="unknown", outcome="unknown_method") == 300
    assert value(caller, "rpc_requests_total", method="unknown", outcome="invalid_request") == 1
    methods = {dict(labels)["method"] for name, labels in figures(caller) if name == "foreman_rpc_requests_total"}
    assert methods == {"eth_chainId", "eth_getBalance", "unknown"}
    assert value(caller, "rpc_seconds_total", method="unknown") > 0


def test_who_was_not_let_in_is_counted_and_names_nobody(caller: Caller) -> None:
    for host in ("evil.example", "other.example"):
        assert caller.post(CHAIN_ID, {"host": host}).status_code == 403
    assert value(caller, "http_refused_total", code="host_refused") == 2
    assert "example" not in caller.request("GET", "/metrics").text


@pytest.mark.parametrize(
    ("headers", "status"),
    [({}, 200), ({"host": "evil.example"}, 403), ({"origin": "https://evil.example"}, 403)],
    ids=["asked here", "a foreign host", "a foreign page"],
)
def test_the_gate_is_that_of_health(caller: Caller, headers: dict[str, str], status: int) -> None:
    for path in ("/metrics", "/health", "/health/live"):
        assert caller.request("GET", path, headers).status_code == status


def test_subscribers_are_counted_while_they_follow(network: Network) -> None:
    def following(door: Listening) -> str:
        text = httpx.get(f"http://127.0.0.1:{door.port}/metrics").text
        return next(line for line in text.splitlines() if line.startswith("foreman_streams "))

    with Listening(network) as door:
        with httpx.stream("GET", f"http://127.0.0.1:{door.port}/events") as news:
            pieces = news.iter_raw()  # kept: the connection ends with it
            assert next(pieces)
            assert following(door) == "foreman_streams 1.0"
        while following(door) != "foreman_streams 0.0":
            pass


def test_it_can_be_switched_off(tmp_path: Path) -> None:
    with Network(tmp_path, metrics=False) as network, Caller(network) as caller:
        assert caller.request("GET", "/metrics").status_code == 404


def test_two_nodes_in_one_process_keep_their_figures_apart(tmp_path: Path) -> None:
    with (
        Network(tmp_path / "a") as one,
        Caller(one) as first,
        Network(tmp_path / "b") as two,
        Caller(two) as second,
    ):
        before = value(second, "recorded_total")
        one.do(ALICE, ["write", "k", "v"])
        assert value(second, "recorded_total") == before
        assert value(first, "recorded_total") == before + 1


def test_no_account_and_no_transaction_is_named(caller: Caller, network: Network) -> None:
    record = network.do(ALICE, ["pay", who(CAROL), GEN], value=GEN)
    text = caller.request("GET", "/metrics").text.lower()
    for secret in (record.transaction.hash.hex(), ALICE.address.hex(), CAROL.address.hex()):
        assert secret not in text
    assert checksum(ALICE.address).lower() not in text


def test_nothing_is_loaded_before_somebody_asks() -> None:
    program = (
        "import sys, foreman.rpc.app, foreman.node.node, foreman.localnet.serve;"
        "print([name for name in sys.modules if name.startswith('prometheus_client')])"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
