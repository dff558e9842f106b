"""A network and a contract that answer anything: a clear error or a page without surprises, never a crash."""

import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from foreman import calldata
from foreman.address import Address
from foreman.cli.exits import Exit
from foreman.localnet.accounts import DEV_ACCOUNTS
from foreman.sdk.client import Client
from foreman.sdk.orders import SHAPE as ORDER
from tests.cli.conftest import Cli

READS = (
    ("order", "show", "0"),
    ("order", "show", "0", "--why"),
    ("order", "list"),
    ("order", "list", "--client", "dev0"),
    ("order", "wait", "0"),
    ("order", "wait", "0", "--until", "completed", "--patience", "0"),
    ("stats",),
    ("provider", "top"),
    ("provider", "show", "dev0"),
    ("agreement", "show", "1"),
    ("agreement", "show", "1", "--why"),
    ("agreement", "list"),
    ("agreement", "list", "--party", "dev0"),
    ("agreement", "wait", "1"),
    ("agreement", "wait", "1", "0", "--until", "ruled", "--patience", "0"),
    ("agreement", "credit", "dev0"),
    ("order", "claim", "0", "--account", "dev0"),
    ("order", "appeal", "0", "--context", "x", "--account", "dev0", "--yes"),
    ("agreement", "fund", "1", "--account", "dev0"),
    ("agreement", "accept", "1", "0", "--account", "dev0"),
    ("account", "balance", "dev0"),
)
PLACE = ("--contract", DEV_ACCOUNTS[0].address)
NASTY = ("\x1b[31mred", "\u202ecba", "a" * 5000, "-1", "1e9", "", "0x", "\n\nstatus  completed", "[bold]x[/bold]")

texts = st.sampled_from(NASTY) | st.text(max_size=20)
numbers = st.integers(-(2**70), 2**300) | st.sampled_from([0, 1, 2, 6, 7, 50, 2**63, 2**64 - 1, 2**256])
leaves = (
    st.none()
    | st.booleans()
    | numbers
    | texts
    | st.binary(max_size=4)
    | st.builds(Address, st.binary(min_size=20, max_size=20))
)
names = st.sampled_from([name.removesuffix("?") for name in ORDER] + ["orders", "state", "milestone_count", "payer"])
values = st.recursive(
    leaves, lambda part: st.lists(part, max_size=3) | st.dictionaries(names, part, max_size=8), max_leaves=12
)


def an_order(value: Any, name: str) -> dict[str, Any]:
    """An honest order but for one field."""
    order = {"id": 0, "status": "completed", "client": "0x" + "11" * 20, "provider": "0x" + "22" * 20, "title": "One"}
    money = dict.fromkeys(("escrow_wei", "paid_wei", "refunded_wei", "deposit_wei"), 5)
    more = {
        "deadline": 9,
        "payout_percent": 50,
        "verdict_reasoning": "x",
        "appeal_deadline": 2**40,
        "appeal_used": False,
    }
    lists = {"red_flags": ["x"], "criteria_results": [{"criterion": "x", "met": True}], "timeline": []}
    return {**order, **money, **more, **lists, name: value}


@pytest.fixture
def answered(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Every question is answered from this mapping, views with `view`."""
    answers: dict[str, Any] = {"view": None}

    def call(self: Client, method: str, *params: Any) -> Any:
        if method == "gen_call":
            return calldata.encode(answers["view"]).hex()
        if method == "eth_chainId":
            return "0xeec7"
        return answers.get(method, answers["view"])

    monkeypatch.setattr(Client, "call", call)
    monkeypatch.setattr(Client, "embedded", False)
    return answers


def ends_well(cli: Cli, words: tuple[str, ...]) -> None:
    where = () if words[0] == "account" else PLACE
    ended = cli(*words, *where, "--network", "http://127.0.0.1:9/api")
    assert ended.code in set(Exit), ended
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", ended.out + ended.err)
    assert "Traceback" not in ended.err


@pytest.mark.parametrize("words", READS, ids=" ".join)
@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=values)
def test_whatever_a_contract_answers(words: tuple[str, ...], value: Any, alone: Cli, answered: dict[str, Any]) -> None:
    answered["view"] = value
    ends_well(alone, words)


@pytest.mark.parametrize("name", [name.removesuffix("?") for name in ORDER])
def test_whatever_one_field_of_an_order_holds(name: str, alone: Cli, answered: dict[str, Any]) -> None:
    odd: list[Any] = [None, True, -1, 2**256, NASTY[0] + NASTY[1] + NASTY[7], [NASTY[0]], [{"criterion": NASTY[0]}]]
    for value in odd:
        answered["view"] = an_order(value, name)
        ends_well(alone, READS[1])


def test_it_is_the_place_and_not_a_crash_that_is_told(alone: Cli, answered: dict[str, Any]) -> None:
    answered["view"] = an_order("soon", "deadline")
    told = alone("order", "show", "0", *PLACE, "--network", "http://127.0.0.1:9/api", "--json").json["error"]
    assert told["code"] == "bad_answer"
    assert f"the contract {DEV_ACCOUNTS[0].address}" in told["sentence"]
    assert "something else than get_order gives" in told["sentence"]
