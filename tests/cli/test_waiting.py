"""Waiting for a number: until it is somebody's turn, until it stands as was asked, or until that can no longer be."""

import threading
from collections.abc import Callable, Iterator

import pytest

from foreman.cli import waiting
from foreman.cli.exits import Exit
from foreman.cli.stage.evidence import HOST, Evidence
from foreman.cli.voting import Voting
from foreman.localnet.accounts import DEV_ACCOUNTS
from foreman.localnet.serve import Running
from foreman.money import GEN
from foreman.sdk import Account, Foreman
from foreman.sdk.client import Client
from foreman.sdk.result import Result
from tests.cli.conftest import Cli

CLIENT, PROVIDER, ARBITER = (Account.from_hex(known.key) for known in DEV_ACCOUNTS[:3])
PAGE = f"http://{HOST}/gauge.json"


@pytest.fixture
def foreman(running: Running) -> Iterator[Foreman]:
    with Foreman.connect(running.url, CLIENT) as connection:
        yield connection


@pytest.fixture
def number(foreman: Foreman) -> int:
    """An open order."""
    made = foreman.orders.create("Levels", "A week.", '- "unit" equals "cm"', 7, GEN).value()
    assert isinstance(made, int)
    return made


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """`meanwhile(act, ...)`: what happens while the command waits, one act per look."""

    def call(*acts: Callable[[], object]) -> None:
        left, changed = list(acts), Voting.changed

        def act(self: Voting, seconds: float) -> list[str]:
            if left:
                left.pop(0)()
            return changed(self, min(seconds, 0.2))

        monkeypatch.setattr(Voting, "changed", act)

    return call


def test_an_order_that_nobody_works_on_tells_at_once_whose_turn_it_is(cli: Cli, foreman: Foreman, number: int) -> None:
    told = cli("order", "wait", number)
    assert (told.code, told.err) == (Exit.OK, "")
    assert told.out.startswith(f"order {number} is open\nnext  anyone but its client may claim until ")
    assert told.out.endswith(f"with  foreman order claim {number} --account NAME\n")
    foreman.as_account(PROVIDER).orders.claim(number).value()
    json = cli("order", "wait", number, "--json").json
    assert (json["state"], json["settled"], json["order"]["id"]) == ("claimed", False, number)
    assert json["needs"] == {
        "who": "its provider",
        "address": str(PROVIDER),
        "verb": "deliver",
        "until": json["order"]["deadline"],
        "needed": True,
    }
    foreman.as_account(PROVIDER).orders.abandon(number).value()
    foreman.orders.cancel(number).value()
    assert cli("order", "wait", number).out == f"order {number} is cancelled: it is settled\n"
    assert cli("order", "wait", number, "--json").json["needs"] is None


def test_an_order_whose_jury_sits_is_waited_for_and_every_vote_is_told(
    cli: Cli, foreman: Foreman, number: int, evidence: Evidence, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = foreman.as_account(PROVIDER).orders
    work.claim(number).value()
    other = foreman.orders.create("Other", "A week.", '- "unit" equals "cm"', 7, GEN).value()
    release = evidence.hold("gauge.json")
    work.submit(number, PAGE)
    beside = cli("order", "wait", other, "--patience", "1")
    assert (beside.code, beside.err) == (Exit.OK, ""), "what is under way about another order is not waited for"
    wait = Client.wait

    def waited(self: Client, hash: str, final: bool = False, patience: float = 300.0) -> Result:
        release.set()
        return wait(self, hash, final, patience)

    monkeypatch.setattr(Client, "wait", waited)
    told = cli("order", "wait", number)
    assert told.code == Exit.OK
    assert f"order {number} is completed\nnext  its client {CLIENT} may appeal until" in told.out
    assert told.err.count(": agree") == 5
    assert "submit_deliverable is " in told.err
    back = cli("order", "wait", number, "--until", "claimed", "--json").json["error"]
    assert back["sentence"] == f"order {number} is completed, and can no longer become claimed"
    assert back["hint"].startswith(f"its client {CLIENT} may appeal until"), "that still changes it"


def test_a_status_is_waited_for_and_each_change_and_vote_is_told(
    cli: Cli, foreman: Foreman, number: int, meanwhile: Callable[..., None]
) -> None:
    work = foreman.as_account(PROVIDER).orders
    meanwhile(lambda: work.claim(number).value(), lambda: work.submit(number, PAGE))
    told = cli("order", "wait", number, "--until", "completed", "--patience", 60)
    assert told.code == Exit.OK, told.err
    lines = [line for line in told.err.splitlines() if line.startswith("order")]
    assert lines == [f"order {number} is {status}" for status in ("open", "claimed", "completed")]
    assert ": agree" in told.err


def test_where_no_stream_tells_of_changes_they_are_looked_for(
    cli: Cli, foreman: Foreman, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "PAUSE", 0.01)
    monkeypatch.setattr(Client, "embedded", False)
    place = ("--contract", foreman.contracts["foreman"])
    late = threading.Timer(0.1, lambda: foreman.orders.cancel(number))
    late.start()
    told = cli("order", "wait", number, "--until", "cancelled", "--patience", 30, *place, "--json")
    late.join()
    assert (told.code, told.json["state"]) == (Exit.OK, "cancelled")


def test_a_status_that_can_no_longer_come_ends_the_wait(
    cli: Cli, foreman: Foreman, number: int, meanwhile: Callable[..., None]
) -> None:
    meanwhile(lambda: foreman.orders.cancel(number).value())
    told = cli("order", "wait", number, "--until", "completed", "--json")
    assert (told.code, told.json["error"]["code"]) == (Exit.FAILED, "out_of_reach")
    assert told.json["error"]["sentence"] == f"order {number} is cancelled, and can no longer become completed"
    assert told.json["error"]["hint"] == "it is settled: nothing changes it any more"


def test_when_patience_ends_it_is_told_whose_turn_it_is(cli: Cli, number: int) -> None:
    told = cli("order", "wait", number, "--until", "completed", "--patience", "0", "--json")
    assert (told.code, told.json["error"]["code"]) == (Exit.UNREACHABLE, "not_decided_in_time")
    assert told.json["error"]["sentence"] == f"order {number} is still open after 0 s"
    assert "may claim until" in told.json["error"]["hint"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("order", "wait", "0", "--until", "done"), "one of open, claimed, completed"),
        (("order", "wait", "abc"), "which begins with 0x"),
        (("order", "wait", "-1"), "Usage"),
        (("order", "wait", "0x12", "--until", "open"), "--until goes with a number"),
        (("agreement", "wait", "1", "--until", "ruled"), "one of draft, active, closed"),
        (("agreement", "wait", "1", "0", "--until", "completed"), "one of draft, awaiting-evidence"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_what_cannot_be_waited_for_is_a_wrong_command_line(
    words: tuple[str, ...], told: str, cli: Cli, foreman: Foreman
) -> None:
    foreman.agreements.create(PROVIDER.address, ARBITER.address, "Tide", [HOST]).value()
    ended = cli(*words, "--json")
    assert (ended.code, ended.json["error"]["code"]) == (Exit.USAGE, "usage")
    assert told in ended.json["error"]["hint"] or told == "Usage"


def test_agreements_and_their_milestones_are_waited_for(
    cli: Cli, foreman: Foreman, meanwhile: Callable[..., None]
) -> None:
    payer, provider = foreman.agreements, foreman.as_account(PROVIDER).agreements
    number = payer.create(PROVIDER.address, ARBITER.address, "Tide", [HOST]).value()
    assert isinstance(number, int)
    assert (
        f"agreement {number} is draft\nnext  its payer {CLIENT} may add-milestone"
        in cli("agreement", "wait", number).out
    )
    payer.add_milestone(number, "One", ['"unit" equals "cm"'], GEN, foreman.client.now() // 3600 + 48).value()
    meanwhile(lambda: payer.fund(number, GEN).value())
    assert cli("agreement", "wait", number, "--until", "active").code == Exit.OK
    for words in (("draft",), ("closed", "--patience", 0)):
        hint = cli("agreement", "wait", number, "--until", *words, "--json").json["error"]["hint"]
        assert hint == f"its milestones have the word: `foreman agreement show {number}`"
    meanwhile(
        lambda: provider.submit(number, 0, "The levels of a week, in full.", [PAGE.replace("http", "https")]).value(),
        lambda: provider.adjudicate(number, 0),
    )
    told = cli("agreement", "wait", number, 0, "--until", "ruled", "--json")
    assert told.code == Exit.OK, told.err
    assert (told.json["state"], told.json["milestone"]["verdict"]) == ("ruled", "APPROVE")
    assert told.json["needs"]["verb"] == "appeal"
    assert told.json["needs"]["needed"] is False
    back = cli("agreement", "wait", number, 0, "--until", "draft", "--json").json["error"]
    assert back["hint"].startswith(f"its payer {CLIENT} may appeal until")
    payer.accept(number, 0).value()
    assert cli("agreement", "wait", number, 0, "--json").json["settled"] is True
    back = cli("agreement", "wait", number, 0, "--until", "draft", "--json").json["error"]
    assert back["hint"] == "it is settled: nothing changes it any more"
    assert cli("agreement", "wait", number, "--until", "active", "--json").json["error"]["code"] == "out_of_reach"
