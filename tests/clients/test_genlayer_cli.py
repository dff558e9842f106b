"""The genlayer CLI, unmodified, in a terminal: what it offers of an order's life and of an agreement with an appeal, a
revert, a verdict nobody reached.

It cannot attach value (its `write` always sends 0), so whoever pays in these stories uses the SDK. It looks again only
every five seconds, so the stories run at once, each in a terminal and with an account of its own.
"""

import json
import os
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from foreman.address import parse_address
from foreman.localnet.serve import Running
from foreman.money import GEN
from foreman.sdk.account import Account
from foreman.sdk.agreements import Agreements
from foreman.sdk.client import Client
from foreman.sdk.orders import Order, Orders
from tests.clients.network import HOST, TASTE
from tests.clients.stories import AMOUNT, BOND, check_calls_are_documented
from tests.clients.terminal import NEW_ACCOUNT, PASSWORD, ROOT, UNLOCK, converse, genlayer

pytestmark = pytest.mark.timeout(600)  # the first test installs the client

PAGE = f"https://{HOST}/gauge.json"


class Desk:
    """A terminal with the CLI's own settings before a running network, and beside it somebody who can pay."""

    def __init__(self, running: Running, home: Path) -> None:
        self.running = running
        self.home = home
        self.contracts = running.node.contracts()
        self.environment = {"HOME": str(home), "PATH": os.environ["PATH"], "TERM": "xterm"}
        self.payer = Account.create()
        running.node.fund(self.payer.address, 10 * GEN).result(10)

    def type(self, *words: str, signs: bool = False) -> tuple[int, str]:
        """A command; the first that signs makes an account, the others unlock it."""
        known = any((self.home / ".genlayer" / "keystores").glob("*.json"))
        answers = [] if not signs else UNLOCK if known else NEW_ACCOUNT
        command: list[str | Path] = [genlayer(), *words, "--rpc", self.running.url]
        return converse(command, answers, cwd=ROOT, env=self.environment)

    def new_account(self, name: str) -> bytes:
        """Make an account with a password, the CLI's way; its address."""
        words: list[str | Path] = [genlayer(), "account", "create", "--name", name, "--password", PASSWORD]
        code, shown = converse(words, cwd=ROOT, env=self.environment)
        assert code == 0, shown
        keystore = json.loads((self.home / ".genlayer" / "keystores" / f"{name}.json").read_text())
        return parse_address("0x" + keystore["address"].removeprefix("0x"))

    def read(self, *words: str) -> str:
        code, shown = self.type(*words)
        assert code == 0, shown
        return shown

    def write(self, contract: str, method: str, *args: str) -> tuple[str, str]:
        """Sign, send and wait; the transaction's hash, and all that was shown."""
        given = ["--args", *args] if args else []
        code, shown = self.type("write", self.contracts[contract], method, *given, signs=True)
        assert code == 0, shown
        found = re.search(r"Write Transaction Hash:\s*(0x[0-9a-f]{64})", shown)
        assert found, shown
        return found[1], shown

    def receipt(self, hash: str) -> str:
        code, shown = self.type("receipt", hash, signs=True)
        assert code == 0, shown
        return shown

    def open_order(self, title: str) -> str:
        with Client(self.running.url) as network:
            orders = Orders(network, parse_address(self.contracts["foreman"]), self.payer)
            return str(orders.create(title, "A JSON file", "- The page is valid JSON", 7, GEN).value())

    def order(self, number: str) -> Order:
        with Client(self.running.url) as network:
            return Orders(network, parse_address(self.contracts["foreman"])).get(int(number))


def order(desk: Desk) -> dict[str, Any]:
    """Deployed from `deploy/`, then an order of the shipped contract: looked up, claimed, delivered, judged."""
    number = desk.open_order("River gauge readings")
    code, deployed = desk.type("deploy", signs=True)
    assert code == 0, deployed
    shown = {
        "schema": desk.read("schema", desk.contracts["foreman"]),
        "open": desk.read("call", desk.contracts["foreman"], "get_order", "--args", number),
    }
    desk.write("foreman", "claim_order", number)
    verdict, _ = desk.write("foreman", "submit_deliverable", number, PAGE, "As agreed.")
    return shown | {"receipt": desk.receipt(verdict), "order": desk.order(number)}


def agreement(desk: Desk) -> dict[str, Any]:
    """The provider uses the CLI. Its delivery is approved; the payer appeals and loses again, bond and all."""
    provider = desk.new_account("provider")
    with Client(desk.running.url) as network:
        agreements = Agreements(network, parse_address(desk.contracts["verdict_escrow"]), desk.payer)
        deal = agreements.create(provider, Account.create().address, "Tide levels", [HOST]).value()
        due = int(time.time()) // 3600 + 48
        agreements.add_milestone(deal, "One week", ["The page is valid JSON"], AMOUNT, due).value()
        agreements.fund(deal, AMOUNT).value()
        place = (str(deal), "0")
        desk.write("verdict_escrow", "submit_evidence", *place, "The levels, in full.", json.dumps([PAGE]))
        desk.write("verdict_escrow", "adjudicate", *place)
        agreements.appeal(deal, 0, "The page was not read to its end.").value()
        escrowed = agreements.get(deal)["escrowed"]
        desk.write("verdict_escrow", "adjudicate", *place)
        agreements.accept(deal, 0).value()
        credit = desk.read("call", desk.contracts["verdict_escrow"], "credit_of", "--args", f"addr#{provider.hex()}")
        desk.write("verdict_escrow", "withdraw")
        return {
            "verdicts": [(ruling["round_no"], ruling["verdict"]) for ruling in agreements.read("get_rulings", deal, 0)],
            "escrowed": (escrowed, agreements.get(deal)["escrowed"]),
            "credit": credit,
            "provider": desk.running.node.balance(provider),
            "payer": desk.running.node.balance(desk.payer.address) - 10 * GEN,
        }


def refusal(desk: Desk) -> dict[str, Any]:
    """A write that the contract refuses, and a read."""
    number = desk.open_order("River gauge readings")
    _, refused = desk.write("foreman", "abandon_claim", number)
    unknown = desk.type("call", desk.contracts["foreman"], "get_order", "--args", "99999")
    _, misspelled = desk.write("foreman", "abandon_order", number)
    return {
        "receipt": refused,
        "unknown": unknown,
        "misspelled": misspelled,
        "order": desk.order(number),
    }


def dispute(desk: Desk) -> dict[str, Any]:
    """An order on which the seats do not come together."""
    number = desk.open_order(TASTE)
    desk.write("foreman", "claim_order", number)
    _, shown = desk.write("foreman", "submit_deliverable", number, PAGE, "As agreed.")
    return {"shown": shown, "order": desk.order(number)}


Told = Callable[[Callable[[Desk], dict[str, Any]]], dict[str, Any]]


@pytest.fixture(scope="module")
def told(running: Running, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    """What a story told; all of them begin together."""
    stories = (order, agreement, refusal, dispute)
    genlayer()
    with ThreadPoolExecutor(len(stories)) as pool:
        begun: dict[object, Future[dict[str, Any]]] = {
            story: pool.submit(story, Desk(running, tmp_path_factory.mktemp(story.__name__))) for story in stories
        }
        yield lambda story: begun[story].result()


def test_an_order_is_claimed_delivered_and_read(told: Told) -> None:
    shown = told(order)
    assert "submit_deliverable" in shown["schema"]
    assert "payable: true" in shown["schema"]
    assert "River gauge readings" in shown["open"]
    ended = shown["order"]
    assert (ended.status, ended.payout_percent, ended.paid_wei) == ("completed", 100, GEN)
    assert "'SUCCESS'" in shown["receipt"]
    assert shown["receipt"].count("'agree'") >= 5


def test_an_agreement_is_approved_appealed_approved_again_and_paid_to_the_wei(told: Told) -> None:
    shown = told(agreement)
    assert shown["verdicts"] == [(1, "APPROVE"), (2, "APPROVE")]
    assert shown["escrowed"] == (str(AMOUNT + BOND), "0")
    assert str(AMOUNT + BOND) in shown["credit"]
    assert (shown["provider"], shown["payer"]) == (AMOUNT + BOND, -AMOUNT - BOND), "who loses twice forfeits the bond"


def test_what_the_contract_refuses_is_on_the_receipt(told: Told) -> None:
    shown = told(refusal)
    assert "'ERROR'" in shown["receipt"]
    assert "only the claimed provider" in shown["receipt"], shown["receipt"]
    assert "call to unknown method `abandon_order`" in shown["misspelled"]
    assert shown["order"].status == "open"
    code, unknown = shown["unknown"]
    assert code == 1
    assert "unknown order" in unknown


def test_seats_that_do_not_agree_decide_nothing(told: Told) -> None:
    shown = told(dispute)
    assert "'UNDETERMINED'" in shown["shown"], shown["shown"]
    assert (shown["order"].status, shown["order"].paid_wei) == ("claimed", 0)


def test_what_it_asks_for_is_in_the_documentation(told: Told, running: Running) -> None:
    for story in (order, agreement, refusal, dispute):
        told(story)
    check_calls_are_documented(running.url, "genlayer CLI", "genlayer-js", "the SDK")
