"""What an operation costs does not grow with the book: the steps SQLite takes, with 240 orders and with 1,440.

Steps are what the database's own machine counts, so no clock and no busy machine can blur them. The database is most of
what could grow; a page that decoded more rows, or an index that was walked, would show here.
"""

import itertools
import shutil
import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from bench import filled
from bench.filled import Signers
from bench.server import scripted_node
from bench.stamped import stamp
from foreman.address import parse_address
from foreman.calldata import encode_call
from foreman.ledger import Change
from foreman.node.feed import News
from foreman.node.node import Node, Query
from foreman.receipt import Status
from foreman.sdk.account import Account
from foreman.state import database
from foreman.transaction import Kind

PAIRS, FEW, MANY = 4, 240, 1_440

VIEWS: dict[str, tuple[Any, ...]] = {
    "get_stats": (),
    "get_order": (17,),
    "get_orders_page": (0, 50, ""),
    "get_orders_page of a status": (0, 50, "completed"),
    "get_orders_by_provider_page": (0, 50),
    "get_top_providers": (10,),
}

OPERATIONS = (
    *("restart", "create_order", "claim_order", "submit_deliverable", *VIEWS, "record", "balance", "height", "health"),
    *("changes", "block_record", "history", "books_balance"),
)

Steps = dict[str, int]


class Counter:
    """Counts what every connection does that is opened after `install`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._count = itertools.count()
        for name in ("open_writer", "open_reader"):
            monkeypatch.setattr(database, name, self._watched(getattr(database, name)))

    def _watched(self, opened: Callable[[Path], sqlite3.Connection]) -> Callable[[Path], sqlite3.Connection]:
        def watched(path: Path) -> sqlite3.Connection:
            connection = opened(path)
            connection.set_progress_handler(lambda: next(self._count) and 0, 1)
            return connection

        return watched

    def of(self, work: Callable[[], Any]) -> int:
        before = next(self._count)
        work()
        return next(self._count) - before


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> tuple[Steps, Steps]:
    """The steps of every operation on a small book, and on a large one."""
    folder = tmp_path_factory.mktemp("flat")
    filled.fill(folder / "few", PAIRS, pairs=PAIRS, seats=1)
    shutil.copytree(folder / "few", folder / "many")
    stamp(folder / "few", FEW, pairs=PAIRS)
    stamp(folder / "many", MANY, pairs=PAIRS)
    with pytest.MonkeyPatch.context() as monkeypatch:
        counter = Counter(monkeypatch)
        few, many = (measured(counter, folder / name, orders) for name, orders in (("few", FEW), ("many", MANY)))
    return few, many


def measured(counter: Counter, folder: Path, orders: int) -> Steps:
    """Start a node on a book of so many orders, and do everything once."""
    nodes: list[Node] = []

    def start() -> None:
        nodes.append(scripted_node(str(folder), seats=1, clock=filled.Still()))
        nodes[0].start()

    found = {"restart": counter.of(start)}
    node = nodes[0]
    try:
        signers = Signers(parse_address(node.contracts()["foreman"]), PAIRS)
        for signer in (*signers.clients, *signers.providers):
            signer.nonce = node.nonce(signer.account.address)
        for call, method in enumerate(("create_order", "claim_order", "submit_deliverable")):
            raw = signers.sign(orders, call)
            found[method] = counter.of(lambda raw=raw: decide(node, raw))  # type: ignore[misc]  # bound at once
        return found | reads(counter, node, signers.providers[0].account)
    finally:
        node.stop()


def decide(node: Node, raw: bytes) -> None:
    """Send a transaction and wait until it is final, without asking the database."""
    final = threading.Event()

    def hear(news: Sequence[News]) -> None:
        if any(isinstance(item, Change) and item.status is Status.FINALIZED for item in news):
            final.set()

    stop = node.subscribe(hear)
    try:
        node.submit(raw).result(20)
        assert final.wait(20)
    finally:
        stop()


def reads(counter: Counter, node: Node, provider: Account) -> Steps:
    contract, found = parse_address(node.contracts()["foreman"]), {}
    for name, args in VIEWS.items():
        given = (str(provider), *args) if "provider_page" in name else args
        data = encode_call(name.split()[0], given)
        query = Query(Kind.CALL, True, bytes(20), contract, 0, data)
        assert node.query(query).outcome.ok
        found[name] = counter.of(lambda query=query: node.query(query))  # type: ignore[misc]  # as above
    record = node.block_record(5)
    assert record is not None
    digest, last = record.transaction.hash, node.last_change()
    return found | {
        "record": counter.of(lambda: node.record(digest)),
        "balance": counter.of(lambda: node.balance(provider.address)),
        "height": counter.of(node.height),
        "health": counter.of(node.health),
        "changes": counter.of(lambda: node.changes(last - 50, 50)),
        "block_record": counter.of(lambda: node.block_record(5)),
        "history": counter.of(lambda: node.history(provider.address, 5)),
        "books_balance": counter.of(node.books_balance),
    }


@pytest.mark.parametrize("operation", OPERATIONS)
def test_it_takes_the_same_steps_with_six_times_as_many_orders(steps: tuple[Steps, Steps], operation: str) -> None:
    few, many = (found[operation] for found in steps)
    assert few > 0
    assert many <= few * 1.1 + 40, f"{few} steps with {FEW} orders, {many} with {MANY:,}"
