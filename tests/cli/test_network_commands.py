"""provider, stats, contracts, deploy: what they tell of a network, and how they fail."""

import pytest

from foreman.cli.exits import Exit
from foreman.cli.home import home
from foreman.cli.stage.evidence import Evidence
from foreman.localnet.accounts import DEV_ACCOUNTS
from foreman.localnet.serve import Running
from foreman.sdk.client import Client
from foreman.sdk.result import Result
from tests.cli.conftest import Cli, amounts_read
from tests.cli.test_order import claimed, judged


def test_a_record_moves_with_the_verdict(cli: Cli, evidence: Evidence) -> None:
    assert "no history" in cli("provider", "show", "dev1").out
    assert cli("provider", "top").out == "nothing to show\n"
    judged(cli, evidence)
    cli("order", "abandon", claimed(cli), "--account", "dev1")
    record = cli("provider", "show", DEV_ACCOUNTS[1].address.lower(), "--json").json
    assert (record["completed"], record["abandoned"], record["reliability_bps"]) == (1, 1, 5000)
    assert "50 %" in cli("provider", "show", "dev1").out
    assert cli("provider", "top", "--json").json["providers"] == [record]
    assert DEV_ACCOUNTS[1].address in cli("provider", "top").out
    assert cli("provider", "top", "--limit", "0").code == Exit.USAGE


def test_sums_are_told_in_whole_wei_for_programs_and_in_gen_for_people(cli: Cli, evidence: Evidence) -> None:
    judged(cli, evidence)
    told = amounts_read(cli("stats", "--json").json)
    assert told["payouts_wei"] % 10**17 == 0
    assert told["volume_wei"] >= 10**18
    assert "GEN" in cli("stats").out


def test_contracts_are_the_networks_own_and_those_deployed_from_here(cli: Cli, running: Running) -> None:
    assert cli("contracts", "--json").json["contracts"] == running.node.contracts()
    ended = cli("deploy", "foreman", "--account", "dev0", "--json")
    assert (ended.code, ended.err) == (Exit.OK, "")
    fresh, own = ended.json["contract"], running.node.contracts()["foreman"]
    assert (fresh != own, ended.json["used"]) == (True, False)
    told = cli("contracts", "--json").json
    assert told["contracts"] == running.node.contracts(), "a network that tells its own is asked there"
    assert [(one["name"], one["address"], one["used"]) for one in told["places"]] == [
        *((name, address, True) for name, address in sorted(running.node.contracts().items())),
        ("foreman", fresh, False),
    ]
    assert f"{fresh}  foreman deploy; used with --contract only" in cli("contracts").out
    assert cli("stats", "--json").json["orders"] != cli("stats", "--contract", fresh, "--json").json["orders"] == 0


def test_a_deployment_beside_a_networks_own_contract_says_how_it_is_used(cli: Cli, running: Running) -> None:
    ended = cli("deploy", "verdict_escrow", "--account", "dev0")
    place = ended.out.split()[3]
    assert ended.err.endswith(
        f"this network tells its own verdict_escrow, {running.node.contracts()['verdict_escrow']}, which is used; "
        f"this one with --contract {place}\n"
    )


def test_a_contract_of_another_chain_at_the_same_address_is_not_taken_for_one_of_this(
    cli: Cli, running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it is when a network was started from nothing: place and port are the same."""
    monkeypatch.setattr(Client, "config", {"network": "local", "contracts": {}})
    assert cli("deploy", "foreman", "--account", "dev0", "--json").json["used"] is True
    assert cli("stats", "--json").json["orders"] == 0
    monkeypatch.setattr(Client, "birth", lambda self: "0x" + "12" * 32 + " 0")
    assert cli("contracts", "--json").json == {"contracts": {}, "places": []}
    assert cli("stats", "--json").json["error"]["code"] == "contract_unknown"


@pytest.mark.parametrize(
    ("arguments", "code", "problem"),
    [
        (("deploy", "nothing.py", "--account", "dev0"), Exit.FAILED, "no_such_contract"),
        (("deploy", "foreman"), Exit.FAILED, "no_account"),
        (("contracts", "--network", "mainnet"), Exit.FAILED, "unknown_network"),
        (("stats", "--contract", "0x12"), Exit.FAILED, "bad_address"),
        (("stats", "--network", "studionet"), Exit.FAILED, "contract_unknown"),
        (("provider", "show", "0x12"), Exit.FAILED, "bad_address"),
        (("contracts", "--network", "http://127.0.0.1:1/api"), Exit.UNREACHABLE, "unreachable"),
        (("stats", "--network", "http://127.0.0.1:1/api"), Exit.UNREACHABLE, "unreachable"),
        (("provider", "top", "--network", "http://127.0.0.1:1/api"), Exit.UNREACHABLE, "unreachable"),
        (("account", "balance", "dev0", "--network", "http://127.0.0.1:1/api"), Exit.UNREACHABLE, "unreachable"),
        (
            ("deploy", "foreman", "--account", "dev0", "--network", "http://127.0.0.1:1/api"),
            Exit.UNREACHABLE,
            "unreachable",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_every_failure_has_its_code(arguments: tuple[str, ...], code: Exit, problem: str, cli: Cli) -> None:
    ended = cli(*arguments, "--json")
    assert (ended.code, ended.json["error"]["code"]) == (code, problem)
    assert ended.err.startswith("error: ")


def test_source_that_is_not_allowed_does_not_become_a_contract(
    cli: Cli, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("own") / "mine.py"
    file.write_text('# { "Depends": "py-genlayer:test" }\nfrom genlayer import *\n', "utf-8")
    ended = cli("deploy", file, "--account", "dev0", "--json")
    assert ended.code in (Exit.REVERTED, Exit.FAILED)
    assert "error" in ended.json


def test_a_deployment_whose_place_is_not_told_is_not_remembered(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Client, "wait", lambda self, hash, *_: Result(hash, "FINALIZED", True, contract="somewhere"))
    told = cli("deploy", "foreman", "--account", "dev0", "--json")
    assert (told.code, told.json["error"]["code"]) == (Exit.FAILED, "no_address")
    assert "was deployed by 0x" in told.json["error"]["sentence"]
    assert not (home() / "contracts.json").exists()
