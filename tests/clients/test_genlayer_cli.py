"""The genlayer CLI, unmodified, in a terminal: what it offers of an order's life, a revert, a verdict nobody reached.

It cannot attach value (its `write` always sends 0), so the client of these orders is the Python client.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from foreman.address import parse_address
from foreman.cli.stage import jobs
from foreman.cli.stage.evidence import Evidence
from foreman.judges.scripted import Scripted, payout
from foreman.localnet.localnet import build
from foreman.localnet.serve import Running
from foreman.money import GEN
from foreman.ports import Judge
from foreman.sdk.account import Account
from foreman.sdk.client import Client
from foreman.sdk.orders import Orders
from foreman.settings import Settings
from tests.clients.terminal import NEW_ACCOUNT, ROOT, UNLOCK, converse, genlayer

pytestmark = pytest.mark.timeout(600)  # the first test installs the client


class Desk:
    """A terminal with the CLI's own settings, before a running network; its account is the provider."""

    def __init__(self, running: Running, home: Path) -> None:
        self.running = running
        self.home = home
        self.contract = running.node.contracts()["foreman"]
        self.environment = {"HOME": str(home), "PATH": os.environ["PATH"], "TERM": "xterm"}
        self.client = Account.create()
        running.node.fund(self.client.address, 10 * GEN).result(10)

    def type(self, *words: str, signs: bool = False, first: bool = False) -> tuple[int, str]:
        answers = NEW_ACCOUNT if first else UNLOCK if signs else []
        command: list[str | Path] = [genlayer(), *words, "--rpc", self.running.url]
        return converse(command, answers, cwd=ROOT, env=self.environment)

    def write(self, method: str, *args: str) -> str:
        """Sign and send; the transaction's hash."""
        code, shown = self.type("write", self.contract, method, "--args", *args, signs=True)
        assert code == 0, shown
        found = re.search(r"Write Transaction Hash:\s*(0x[0-9a-f]{64})", shown)
        assert found, shown
        return found[1]

    def open_order(self, network: Client) -> None:
        job = jobs.FULL
        orders = Orders(network, parse_address(self.contract), self.client)
        assert orders.create(job.title, job.spec, job.criteria_text, 7, GEN).value() == 0


@contextmanager
def desk(home: Path, judges: list[Judge] | None = None) -> Iterator[tuple[Desk, Orders]]:
    with Evidence() as evidence:
        node = build(Settings(port=0, host_map=evidence.mappings), judges=judges)
        with Running(node) as running, Client(running.url) as network:
            made = Desk(running, home)
            made.open_order(network)
            code, shown = made.type("deploy", first=True)  # makes the account
            assert code == 0, shown
            yield made, Orders(network, parse_address(made.contract))


def test_an_order_is_claimed_delivered_and_read(tmp_path: Path) -> None:
    with desk(tmp_path) as (here, orders):
        code, shown = here.type("schema", here.contract)
        assert (code, "submit_deliverable" in shown, "payable: true" in shown) == (0, True, True), shown
        code, shown = here.type("call", here.contract, "get_order", "--args", "0")
        assert code == 0
        assert jobs.FULL.title in shown
        here.write("claim_order", "0")
        verdict = here.write("submit_deliverable", "0", "http://work.example/gauge.json", "As agreed.")
        order = orders.get(0)
        assert (order.status, order.payout_percent, order.paid_wei) == ("completed", 100, GEN)
        code, shown = here.type("receipt", verdict, signs=True)
        assert code == 0, shown
        assert "'SUCCESS'" in shown
        assert shown.count("'agree'") >= 5


def test_what_the_contract_refuses_is_on_the_receipt(tmp_path: Path) -> None:
    with desk(tmp_path) as (here, orders):
        hash = here.write("abandon_claim", "0")
        code, shown = here.type("receipt", hash, signs=True)
        assert code == 0, shown
        assert "'ERROR'" in shown
        assert orders.get(0).status == "open"
        code, shown = here.type("call", here.contract, "get_order", "--args", "99")
        assert code == 1
        assert "unknown order" in shown


def test_seats_that_do_not_agree_decide_nothing(tmp_path: Path) -> None:
    judges: list[Judge] = [Scripted(payout(20 * seat), name=f"apart:{seat}") for seat in range(5)]
    with desk(tmp_path, judges) as (here, orders):
        here.write("claim_order", "0")
        words = ["submit_deliverable", "--args", "0", "http://work.example/gauge.json", "As agreed."]
        _, shown = here.type("write", here.contract, *words, signs=True)
        assert "'UNDETERMINED'" in shown, shown
        assert (orders.get(0).status, orders.get(0).paid_wei) == ("claimed", 0)
