"""`foreman up` as a process: it says where it is, answers, stops on a signal, and goes on where it stopped."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from foreman.address import parse_address
from foreman.cli.exits import Exit
from foreman.cli.up import JUDGES_VARIABLE, judges_of_environment
from foreman.localnet.accounts import DEV_ACCOUNTS, MNEMONIC
from foreman.money import GEN
from foreman.sdk.account import Account
from foreman.sdk.client import Client
from foreman.sdk.orders import Orders

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "foreman.cli.main", "up", "--port", "0"]


class Up:
    """A running network: what it has printed, and a client."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.banner = ""
        assert process.stdout is not None
        for line in process.stdout:
            self.banner += line
            if line.startswith("Listening"):
                break
        found = re.search(r"RPC +(http://\S+/api)", self.banner)
        assert found, self.banner + (process.stderr.read() if process.stderr else "")
        self.client = Client(found[1])

    def stop(self, number: int = signal.SIGINT) -> tuple[int, str]:
        """Send a signal; exit code and the rest of the output."""
        self.client.close()
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=20)
        assert err == ""
        return self.process.returncode, out


@contextmanager
def up(*arguments: str, **environment: str) -> Iterator[Up]:
    """Start `foreman up` on a free port."""
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "100", **environment},
    )
    network = None
    try:
        network = Up(process)
        yield network
    finally:
        process.kill()
        process.communicate()
        if network is not None:
            network.client.close()


def test_it_prints_everything_one_needs_to_begin() -> None:
    with up("--temporary") as network:
        for known in DEV_ACCOUNTS:
            assert f"{known.address}  10000 GEN" in network.banner
            assert f"0x{known.key}" in network.banner
        assert MNEMONIC in network.banner
        for address in network.client.config["contracts"].values():
            assert address in network.banner
        assert f"Chain id   {network.client.chain_id}" in network.banner
        assert "5 × offline" in network.banner
        assert "http://work.example/gauge.json" in network.banner


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_it_cleanly(number: int) -> None:
    with up("--temporary") as network:
        assert network.client.call("web3_clientVersion").startswith("foreman/")
        code, rest = network.stop(number)
    assert code == 0
    assert "everything acknowledged is on disk" in rest


def test_a_newcomer_plays_both_sides_with_the_samples() -> None:
    with up("--temporary") as network:
        contract = parse_address(network.client.config["contracts"]["foreman"])
        client, provider = (Account.from_hex(known.key) for known in DEV_ACCOUNTS[:2])
        orders = Orders(network.client, contract)
        number = (
            orders.as_account(client)
            .create("Gauge", "A week of levels.", "- The page is valid JSON", 7, 10**18)
            .value()
        )
        orders.as_account(provider).claim(number).value()
        orders.as_account(provider).submit(number, "http://work.example/gauge.json").value()
        assert orders.get(number).status == "completed"


def test_it_goes_on_where_it_stopped(tmp_path: Path) -> None:
    somebody = Account.create()
    with up("--state", str(tmp_path / "state")) as network:
        network.client.wait(network.client.call("sim_fundAccount", str(somebody), 7)).check()
        contracts = network.client.config["contracts"]
        assert network.stop()[0] == 0
    with up("--state", str(tmp_path / "state")) as network:
        assert network.client.balance(somebody.address) == 7
        assert network.client.config["contracts"] == contracts


def test_a_second_network_on_the_same_state_is_refused(tmp_path: Path) -> None:
    with up("--state", str(tmp_path / "state")):
        code, err = refused("--state", str(tmp_path / "state"))
    assert code == Exit.FAILED
    assert err.startswith("error: ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--temporary", "--host", "0.0.0.0"], "faucet and known keys"),
        (["--temporary", "--judge", "nobody"], "there is no judge"),
        (["--temporary", "--resolve", "nonsense"], "is not a host map entry"),
        (["--temporary", "--genesis", "0x12"], "does not say how much"),
        (["--temporary", "--genesis", "0x12:5"], "is not an address"),
        (["--temporary", "--log-format", "xml"], "there is no log format"),
        (["--temporary", "--allow-contracts", "--no-dev", "--host", "0.0.0.0"], "does not bind 0.0.0.0"),
        (["--temporary", "--test-doubles", "--no-dev"], "brings its own jury"),
    ],
    ids=[
        "development beyond loopback",
        "unknown judge",
        "bad host map",
        "no amount",
        "no address",
        "no log format",
        "contracts beyond loopback",
        "test doubles for others",
    ],
)
def test_settings_that_cannot_be_are_refused_with_a_hint(arguments: list[str], sentence: str) -> None:
    code, err = refused(*arguments)
    assert code == Exit.FAILED
    assert err.startswith("error: ")
    assert sentence in err
    assert " hint: " in err


def test_a_taken_port_is_told() -> None:
    with up("--temporary") as network:
        port = network.client.transport.root.rpartition(":")[2]
        code, err = refused("--temporary", "--port", port)
    assert code == Exit.FAILED
    assert f"cannot listen on 127.0.0.1:{port}" in err


def test_without_dev_there_are_no_accounts_and_no_faucet() -> None:
    with up("--temporary", "--no-dev") as network:
        assert MNEMONIC not in network.banner
        assert "work.example" not in network.banner
        with pytest.raises(Exception, match="development"):
            network.client.call("sim_fundAccount", str(Account.create()), 1)


def test_a_network_without_a_faucet_begins_with_the_money_it_is_given(tmp_path: Path) -> None:
    rich, other = (Account.create() for _ in range(2))
    given = ("--genesis", f"{rich}:1000.5", "--genesis", f"{other}:1")
    for _ in range(2):
        with up("--state", str(tmp_path), "--no-dev", *given) as network:
            assert network.client.balance(rich.address) == 1000 * GEN + GEN // 2
            assert network.client.balance(other.address) == GEN
            assert int(network.client.call("foreman_getBooks")["minted_wei"], 16) == 1001 * GEN + GEN // 2, "once"


def test_money_with_public_keys_is_warned_of(tmp_path: Path) -> None:
    """A state that began with a faucet is no state to open to others."""
    for dev in ((), ("--no-dev",)):
        with up("--state", str(tmp_path), *dev) as network:
            network.client.close()
            network.process.send_signal(signal.SIGTERM)
            _, err = network.process.communicate(timeout=20)
            assert ("keys are public hold money" in err) is bool(dev)
            assert ("100000" in err) is bool(dev)


def test_running_any_contract_comes_with_a_warning() -> None:
    with up("--temporary", "--allow-contracts", "--test-doubles") as network:
        assert "! Any contract runs here" in network.banner
        assert "! Test doubles are taken" in network.banner


def test_judges_come_from_the_environment_unless_they_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(JUDGES_VARIABLE, raising=False)
    assert judges_of_environment() == ["offline"]
    monkeypatch.setenv(JUDGES_VARIABLE, " scripted:70, offline ,")
    assert judges_of_environment() == ["scripted:70", "offline"]
    with up("--temporary", **{JUDGES_VARIABLE: "scripted:70,offline"}) as network:
        assert "3 × scripted:70, 2 × offline" in network.banner
    with up("--temporary", "--judge", "scripted:50", **{JUDGES_VARIABLE: "scripted:70"}) as network:
        assert "5 × scripted:50" in network.banner


def refused(*arguments: str) -> tuple[int, str]:
    """Run `foreman up` to its end; exit code and stderr."""
    run = subprocess.run(
        [*COMMAND, *arguments],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "200"},
    )
    return run.returncode, run.stderr


def test_in_json_every_line_is_an_event_and_no_banner_is_printed() -> None:
    with logged("--temporary", "--no-dev") as (process, events):
        told = next(event for event in events if event["event"] == "listening")
        with Client(str(told["rpc"])) as client:
            assert told["foreman"] == client.config["contracts"]["foreman"]
            assert told["dev"] is False
        process.send_signal(signal.SIGTERM)
        rest = list(events)
        assert process.wait(20) == 0
        assert process.stdout is not None
        assert process.stdout.read() == ""
    assert [event["event"] for event in rest] == ["stopping", "stopped"]
    assert rest[0]["signal"] == "SIGTERM"


@contextmanager
def logged(*arguments: str) -> "Iterator[tuple[subprocess.Popen[str], Iterator[dict[str, object]]]]":
    """Start `foreman up` with a log for programs: the process, and its events as they come."""
    with subprocess.Popen(
        [*COMMAND, "--log-format", "json", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    ) as process:
        assert process.stderr is not None
        try:
            yield process, map(json.loads, process.stderr)
        finally:
            process.kill()
