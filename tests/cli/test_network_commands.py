"""provider, stats, contracts, deploy: what they tell of a network, and how they fail."""

import pytest

from foreman.cli.exits import Exit
from foreman.cli.home import home
from foreman.cli.stage.evidence import Evidence
from foreman.localnet.accounts import DEV_ACCOUNTS
from foreman.localnet.serve import Running
from foreman.sdk.client import Client
from foreman.sdk.result import Result
from tests.cli.conftest import Cli
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
    told = cli("stats", "--json").json
    assert told["payouts_wei"] % 10**17 == 0
    assert told["volume_wei"] >= 10**18
    assert "GEN" in cli("stats").out


def test_contracts_are_the_networks_own_and_those_deployed_from_here(cli: Cli, running: Running) -> None:
    assert cli("contracts", "--json").json["contracts"] == running.node.contracts()
    ended = cli("deploy", "foreman", "--account", "dev0", "--json")
    assert (ended.code, ended.err) == (Exit.OK, "")
    fresh = ended.json["contract"]
    assert fresh != running.node.contracts()["foreman"]
    assert cli("contracts", "--json").json["contracts"]["foreman"] == fresh
    assert cli("stats", "--json").json["orders"] == 0
    assert cli("stats", "--contract", running.node.contracts()["foreman"], "--json").code == Exit.OK


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
