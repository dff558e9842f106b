"""Every verb in every wrong state says which state that is, which one it takes, and who can go on with what."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from foreman.cli.exits import Exit
from foreman.cli.stage.evidence import Evidence
from foreman.cli.turn import AGREEMENT_TAKES, MILESTONE_TAKES, ORDER_TAKES
from foreman.localnet.accounts import DEV_ACCOUNTS
from foreman.localnet.localnet import build
from foreman.localnet.serve import Running
from foreman.settings import Settings
from tests.cli.conftest import Cli, Ended
from tests.cli.states import ARBITER, MILESTONES, ORDERS, PAGE, PAYER, PROVIDER, everything, typed


@pytest.fixture(scope="module")
def running(evidence: Evidence) -> Iterator[Running]:
    """A network of its own: its clock is turned."""
    with Running(build(Settings(port=0, host_map=evidence.mappings))) as network:
        yield network


@pytest.fixture(scope="module")
def there(running: Running) -> Mapping[str, int]:
    return everything(running.url)


def run(cli: Cli, noun: str, verb: str, *numbers: object) -> Ended:
    """By whoever may use it in the right state, so that only the state is wrong."""
    return cli(*typed(noun, verb, *numbers))


WRONG_ORDERS = [(verb, status) for verb, takes in ORDER_TAKES.items() for status in ORDERS if status not in takes]
WRONG_MILESTONES = [(verb, state) for verb, takes in MILESTONE_TAKES.items() for state in MILESTONES if state != takes]
WRONG_AGREEMENTS = [(verb, state) for verb in AGREEMENT_TAKES for state in ("active", "closed")]
NEXT = {
    "open": "anyone but its client may claim until",
    "claimed": f"its provider {PROVIDER} may deliver until",
    "completed": f"its client {PAYER} may appeal until",
    "rejected": f"its client {PAYER} may appeal until",
    "cancelled": "it is settled",
    "expired": "it is settled",
    "a draft": f"its payer {PAYER} may fund: `foreman agreement fund",
    "awaiting evidence": f"its provider {PROVIDER} may submit until",
    "under review": "anyone may adjudicate: `foreman agreement adjudicate",
    "ruled": f"its provider {PROVIDER} may appeal until",
    "released": "it is settled",
    "refunded": "it is settled",
    "deadlocked": f"the arbiter {ARBITER} may rule until",
    "active": "its milestones have the word: `foreman agreement show",
    "closed": "it is settled",
}


@pytest.mark.parametrize(("verb", "status"), WRONG_ORDERS)
def test_a_verb_of_an_order_in_the_wrong_status(verb: str, status: str, there: Mapping[str, int], cli: Cli) -> None:
    number = there[status]
    told = run(cli, "order", verb, number)
    takes = " or ".join(ORDER_TAKES[verb])
    assert told.code == Exit.REVERTED
    assert told.json["error"]["sentence"] == f"order {number} is {status}; `{verb}` takes one that is {takes}"
    assert told.json["error"]["hint"].startswith(NEXT[status])


@pytest.mark.parametrize(("verb", "state"), WRONG_MILESTONES)
def test_a_verb_of_a_milestone_in_the_wrong_state(verb: str, state: str, there: Mapping[str, int], cli: Cli) -> None:
    number = there[state]
    told = run(cli, "agreement", verb, number, 0)
    subject = f"milestone 0 of agreement {number}"
    assert told.code == Exit.REVERTED
    assert told.json["error"]["sentence"] == f"{subject} is {state}; `{verb}` takes one that is {MILESTONE_TAKES[verb]}"
    assert told.json["error"]["hint"].startswith(NEXT[state])


@pytest.mark.parametrize(("verb", "state"), WRONG_AGREEMENTS)
def test_a_verb_of_an_agreement_in_the_wrong_state(verb: str, state: str, there: Mapping[str, int], cli: Cli) -> None:
    number = there[state]
    told = run(cli, "agreement", verb, number)
    assert told.code == Exit.REVERTED
    assert told.json["error"]["sentence"] == f"agreement {number} is {state}; `{verb}` takes one that is a draft"
    assert told.json["error"]["hint"].startswith(NEXT[state])


@pytest.mark.parametrize(
    ("words", "state", "sentence", "hint"),
    [
        (
            ("order", "claim", "{}", "--account", "dev0"),
            "open",
            "cannot claim its own order; order {} is open",
            "claim",
        ),
        (
            ("order", "cancel", "{}", "--account", "dev2"),
            "open",
            "only the client may cancel; order {} is open",
            "claim",
        ),
        (
            ("order", "deliver", "{}", PAGE, "--account", "dev2"),
            "claimed",
            f"only the claimed provider may deliver; order {{}} is claimed, you are {ARBITER}",
            f"its provider {PROVIDER} may deliver",
        ),
        (
            ("agreement", "accept", "{}", "0", "--account", "dev0"),
            "ruled",
            f"only the losing party can waive the window; milestone 0 of agreement {{}} is ruled, you are {PAYER}",
            f"its provider {PROVIDER} may appeal",
        ),
        (
            ("agreement", "finalize", "{}", "0", "--account", "dev0"),
            "ruled",
            "appeal window is still open; milestone 0 of agreement {} is ruled",
            f"its provider {PROVIDER} may appeal until",
        ),
        (
            ("agreement", "fund", "{}", "--account", "dev2"),
            "a draft",
            f"only the payer can fund; agreement {{}} is a draft, you are {ARBITER}",
            f"its payer {PAYER} may fund",
        ),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, tuple) else None,
)
def test_in_the_right_state_the_reason_is_the_contracts_and_you_are_named(
    words: tuple[str, ...], state: str, sentence: str, hint: str, there: Mapping[str, int], cli: Cli
) -> None:
    number = there[state]
    told = cli(*(word.format(number) for word in words), "--json")
    assert told.code == Exit.REVERTED
    assert sentence.format(number) in told.json["error"]["sentence"]
    assert hint in told.json["error"]["hint"]


@pytest.mark.parametrize(
    ("words", "sentence", "hint"),
    [
        (("order", "show", 999), "unknown order", "foreman order list"),
        (("order", "claim", 999, "--account", "dev0"), "unknown order", "foreman order list"),
        (("order", "appeal", 999, "--context", "x", "--account", "dev0"), "unknown order", "foreman order list"),
        (("order", "wait", 999), "unknown order", "foreman order list"),
        (("order", "verify", 999), "unknown order", "foreman order list"),
        (("agreement", "show", 999), "unknown agreement", "foreman agreement list"),
        (("agreement", "fund", 999, "--account", "dev0"), "unknown agreement", "foreman agreement list"),
        (("agreement", "accept", 999, 0, "--account", "dev0"), "unknown agreement", "foreman agreement list"),
        (("agreement", "accept", 1, 7, "--account", "dev0"), "unknown milestone", "foreman agreement show"),
        (("agreement", "wait", 1, 7), "unknown milestone", "foreman agreement show"),
        (("agreement", "withdraw", "--account", "dev7"), "nothing to withdraw", "foreman agreement credit"),
    ],
    ids=lambda value: " ".join(map(str, value[:3])) if isinstance(value, tuple) else None,
)
def test_a_number_that_nothing_has_says_where_the_numbers_are(
    words: tuple[Any, ...], sentence: str, hint: str, there: Mapping[str, int], cli: Cli
) -> None:
    told = cli(*words, "--json")
    assert (told.code, told.json["error"]["sentence"]) == (Exit.REVERTED, sentence)
    assert hint in told.json["error"]["hint"]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("order", "show", 0), "verdict_escrow"),
        (("order", "claim", 0, "--account", "dev2"), "verdict_escrow"),
        (("stats",), "verdict_escrow"),
        (("agreement", "list"), "foreman"),
        (("agreement", "adjudicate", 1, 0, "--account", "dev2"), "foreman"),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, tuple) else None,
)
def test_another_contract_at_the_address_is_told_as_that(words: tuple[Any, ...], named: str, cli: Cli) -> None:
    address = cli("contracts", "--json").json["contracts"][named]
    told = cli(*words, "--contract", address, "--json")
    assert told.code == Exit.REVERTED
    assert told.json["error"]["sentence"].startswith("the contract at this address is another one: call to unknown")
    assert "foreman contracts" in told.json["error"]["hint"]


def test_nothing_at_the_address_is_told_as_that(cli: Cli) -> None:
    nowhere = ("--contract", DEV_ACCOUNTS[0].address, "--json")
    assert "contract not found" in cli("order", "show", 0, *nowhere).json["error"]["sentence"]
    claimed = cli("order", "claim", 0, "--account", "dev2", *nowhere).json["error"]
    assert "no contract stands at" in claimed["sentence"]
    assert "foreman contracts" in claimed["hint"]


def test_people_are_told_the_same_in_lines_that_fit(
    there: Mapping[str, int], cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "60")
    told = cli("order", "deliver", there["open"], PAGE, "--account", "dev1")
    assert told.code == Exit.REVERTED
    lines = [line for line in told.err.splitlines() if not line.startswith("sent ")]
    assert len(lines) > 2
    assert "is open;" in told.err
    assert all(line.startswith(("\x1b", "       ")) for line in lines)


DEVS = {known.address: f"dev{number}" for number, known in enumerate(DEV_ACCOUNTS)}


@pytest.mark.parametrize("state", ["open", "claimed", "rejected", *MILESTONES])
def test_the_one_whose_turn_it_is_said_to_be_can_take_it(state: str, there: Mapping[str, int], cli: Cli) -> None:
    """The last test of this file: it takes everything one step on."""
    noun = "order" if state in ORDERS else "agreement"
    numbers = (there[state],) if noun == "order" else (there[state], 0)
    needs = cli(noun, "wait", *numbers, "--json").json["needs"]
    if needs is None:
        assert state in ("released", "refunded")
        return
    if needs["verb"] in AGREEMENT_TAKES:
        numbers = numbers[:1]
    words = list(typed(noun, needs["verb"], *numbers))
    words[words.index("--account") + 1] = DEVS.get(needs["address"] or "", "dev4")
    taken = cli(*words)
    assert taken.code == Exit.OK, taken.err
