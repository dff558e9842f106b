"""Every verb of `foreman agreement`, once as it works and once as it fails, against one running network."""

import pytest

from foreman.cli.exits import Exit
from foreman.cli.stage.evidence import HOST
from foreman.localnet.accounts import DEV_ACCOUNTS
from foreman.localnet.serve import Running
from foreman.money import GEN
from tests.cli.conftest import Cli, Ended

CREATE = ("create", "--provider", "dev1", "--arbiter", "dev2", "--title", "Tide", "--domain", HOST)
GOOD = ("The page is valid JSON", '"unit" equals "cm"')
POOR = ("The page is valid JSON", '"unit" equals "m"')
GROUNDS = "The page was not read to its end."


def ok(ended: Ended) -> Ended:
    assert ended.code == Exit.OK, ended.err
    return ended


@pytest.fixture
def by(cli: Cli) -> Cli:
    """`by("dev0", verb, ...)`: one verb of `foreman agreement` under an account."""

    def call(account: object, *arguments: object) -> Ended:
        return cli("agreement", *arguments, "--account", account)

    return call


def funded(by: Cli, criteria: tuple[str, ...] = GOOD) -> int:
    number: int = ok(by("dev0", *CREATE, "--json")).json["agreement"]
    asked = [word for text in criteria for word in ("--criterion", text)]
    ok(by("dev0", "add-milestone", number, "--title", "One", *asked, "--amount", "2", "--due-in", "48"))
    ok(by("dev0", "fund", number))
    return number


def ruled(by: Cli, criteria: tuple[str, ...] = GOOD) -> int:
    number = funded(by, criteria)
    page = f"https://{HOST}/gauge.json"
    ok(by("dev1", "submit", number, 0, "--claim", "The levels of a week, in full.", "--url", page))
    ok(by("dev3", "adjudicate", number, 0))
    return number


def test_a_draft_is_made_shown_and_abandoned(by: Cli, cli: Cli) -> None:
    number = ok(by("dev0", *CREATE, "--json")).json["agreement"]
    shown = cli("agreement", "show", number).out
    assert "draft" in shown
    assert DEV_ACCOUNTS[2].address in shown
    assert by("dev1", "abandon", number).code == Exit.REVERTED
    assert by("dev0", "abandon", number).out == f"agreement {number} is closed (final)\n"
    assert cli("agreement", "show", number, "--json").json["agreement"]["state"] == 2


def test_an_approved_milestone_pays_the_provider(by: Cli, cli: Cli, running: Running) -> None:
    number = ruled(by)
    told = cli("agreement", "show", number, "--why", "--json").json
    assert told["milestones"][0]["verdict"] == "APPROVE"
    assert told["milestones"][0]["rulings"][0]["by_arbiter"] is False
    assert "written by others" in cli("agreement", "show", number, "--why").out
    assert by("dev3", "finalize", number, 0).code == Exit.REVERTED
    running.node.travel(73 * 3600).result(30)
    assert ok(by("dev3", "finalize", number, 0)).out == f"milestone 0 of agreement {number} is released (final)\n"
    assert cli("agreement", "credit", "dev1", "--json").json == {"credit_wei": str(2 * GEN)}
    before = running.node.balance(bytes.fromhex(DEV_ACCOUNTS[1].address[2:]))
    assert ok(by("dev1", "withdraw")).out == "the credit is paid out (final)\n"
    assert running.node.balance(bytes.fromhex(DEV_ACCOUNTS[1].address[2:])) == before + 2 * GEN


def test_delivering_shows_arbiter_and_allowlist_and_adjudicating_every_seat(by: Cli) -> None:
    number = funded(by)
    ended = ok(
        by("dev1", "submit", number, 0, "--claim", "The levels, in full.", "--url", f"https://{HOST}/gauge.json")
    )
    assert f"accepts the arbiter {DEV_ACCOUNTS[2].address} and evidence from {HOST}" in ended.err
    assert ok(by("dev3", "adjudicate", number, 0)).err.count(": agree") >= 3
    refused = by("dev1", "submit", number, 0, "--claim", "Again.", "--url", "https://10.0.0.1/", "--json")
    assert (refused.code, refused.json["error"]["code"]) == (Exit.FAILED, "bad_url")


def test_a_rejection_goes_through_appeals_to_the_arbiter(by: Cli) -> None:
    number = ruled(by, POOR)
    refused = by("dev0", "appeal", number, 0, "--grounds", GROUNDS)
    assert (refused.code, "bond" in refused.err.split("error: ")[0]) == (Exit.REVERTED, False)
    for _ in range(2):
        assert "bond 0.2 GEN" in ok(by("dev1", "appeal", number, 0, "--grounds", GROUNDS)).err
        ok(by("dev3", "adjudicate", number, 0))
    assert by("dev1", "appeal", number, 0, "--grounds", GROUNDS).code == Exit.REVERTED
    assert "bond 0.2 GEN" in ok(by("dev1", "escalate", number, 0, "--grounds", GROUNDS)).err
    reason = ("--reason", "Both pages prove the claim.")
    assert by("dev0", "rule", number, 0, "--approve", *reason).code == Exit.REVERTED
    ended = ok(by("dev2", "rule", number, 0, "--approve", *reason))
    assert ended.out == f"milestone 0 of agreement {number} is released (final)\n"


def test_a_ruling_is_accepted_a_late_milestone_cancelled_and_a_stall_resolved(by: Cli, running: Running) -> None:
    number = ruled(by, POOR)
    assert by("dev0", "accept", number, 0).code == Exit.REVERTED
    assert "refunded" in ok(by("dev1", "accept", number, 0)).out
    late, stalled = funded(by), funded(by)
    ok(by("dev1", "submit", stalled, 0, "--claim", "The levels, in full.", "--url", f"https://{HOST}/gauge.json"))
    for verb, about in (("cancel-overdue", late), ("resolve-stalled", stalled), ("resolve-absent", stalled)):
        assert by("dev0", verb, about, 0).code == Exit.REVERTED
    running.node.travel(50 * 3600).result(30)
    assert "refunded" in ok(by("dev0", "cancel-overdue", late, 0)).out
    assert "awaiting evidence" in ok(by("dev0", "resolve-stalled", stalled, 0)).out


def test_a_milestone_whose_arbiter_stays_away_has_an_end(by: Cli, running: Running) -> None:
    number = ruled(by, POOR)
    for _ in range(2):
        ok(by("dev1", "appeal", number, 0, "--grounds", GROUNDS))
        ok(by("dev3", "adjudicate", number, 0))
    assert "deadlocked" in ok(by("dev1", "escalate", number, 0, "--grounds", GROUNDS)).out
    assert by("dev0", "resolve-absent", number, 0).code == Exit.REVERTED
    running.node.travel(15 * 24 * 3600).result(30)
    assert "refunded" in ok(by("dev0", "resolve-absent", number, 0)).out


@pytest.mark.parametrize(
    ("arguments", "code", "problem"),
    [
        (("show", "99999"), Exit.REVERTED, "execution_reverted"),
        (("list", "--party", "0x12"), Exit.FAILED, "bad_address"),
        (("credit", "nobody"), Exit.FAILED, "no_such_account"),
        (("wait", "0x00", "--network", "http://127.0.0.1:1/api"), Exit.UNREACHABLE, "unreachable"),
        ((*CREATE[:-2], "--domain", "com", "--account", "dev0"), Exit.REVERTED, "reverted"),
        (("fund", "99999", "--account", "dev0"), Exit.REVERTED, "execution_reverted"),
        (("add-milestone", "1", "--title", "x", "--criterion", "y", "--amount", "1"), Exit.USAGE, "usage"),
        (
            ("add-milestone", "1", "--title", "x", "--criterion", "y", "--amount", "1", "--due", "soon"),
            Exit.FAILED,
            "bad_time",
        ),
        (("withdraw", "--account", "dev7"), Exit.REVERTED, "reverted"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else None,
)
def test_every_failure_has_its_code(arguments: tuple[str, ...], code: Exit, problem: str, cli: Cli) -> None:
    ended = cli("agreement", *arguments, "--json")
    assert (ended.code, ended.json["error"]["code"]) == (code, problem)


def test_agreements_are_listed_and_waited_for(by: Cli, cli: Cli) -> None:
    made = ok(by("dev8", *CREATE, "--json")).json
    assert ok(cli("agreement", "wait", made["hash"], "--final", "--json")).json["value"] == made["agreement"]
    told = cli("agreement", "list", "--party", "dev8", "--json").json["agreements"]
    assert [row["id"] for row in told] == [made["agreement"]]
    assert "Tide" in cli("agreement", "list", "--limit", "1").out
