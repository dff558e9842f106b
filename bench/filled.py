"""A state directory with many completed orders, made by real transactions: signed, admitted, judged and committed.

Only HTTP is left out, and the disk is not waited for; one seat judges, which changes receipts and not the contract's
state. It is made once and kept below `.build/` until the contract's source changes.
"""

import shutil
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from bench.load import CHAIN, CRITERIA, ESCROW, SPEC, TITLE, URL  # noqa: E402
from bench.server import scripted_node  # noqa: E402
from foreman.address import keccak256, parse_address  # noqa: E402
from foreman.localnet.shipped import shipped  # noqa: E402
from foreman.money import GEN  # noqa: E402
from foreman.node.node import Node  # noqa: E402
from foreman.sdk.account import Account  # noqa: E402
from foreman.sdk.envelope import add_transaction, call_payload  # noqa: E402
from foreman.transaction import CONSENSUS_MAIN  # noqa: E402

PAIRS = 60
"""Clients, and as many providers."""


def directory(orders: int) -> Path:
    """The folder with so many orders; made when it is not there."""
    name = sha256(shipped()["foreman"]).hexdigest()[:12]
    folder = ROOT / ".build" / "bench" / f"orders-{orders}-{name}"
    if not folder.exists():
        unfinished = folder.with_suffix(".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        fill(unfinished, orders)
        unfinished.rename(folder)
    return folder


def fill(folder: Path, orders: int) -> None:
    """Create, claim and deliver so many orders."""
    node = scripted_node(str(folder), seats=1)
    node.start()
    try:
        node._book.ask(lambda: node._store._connection.execute("PRAGMA synchronous = OFF"), alone=True).result()  # type: ignore[attr-defined]  # SQLite's own
        contract = parse_address(node.contracts()["foreman"])
        clients, providers = ([Signer(role, n, contract) for n in range(PAIRS)] for role in (b"client", b"provider"))
        for client in clients:
            node.fund(client.account.address, 10_000 * GEN).result()
        everything = [
            (clients[n % PAIRS].call("create_order", [f"{TITLE}, part {n}", SPEC, CRITERIA, 30], ESCROW))
            for n in range(orders)
        ]
        send(node, everything)
        for method, rest in (("claim_order", []), ("submit_deliverable", [URL, "As agreed."])):
            send(node, (providers[n % PAIRS].call(method, [n, *rest]) for n in range(orders)))
    finally:
        node.stop()


class Signer:
    """An account that counts its nonces."""

    def __init__(self, role: bytes, number: int, contract: bytes) -> None:
        self.account = Account(keccak256(b"%s %d" % (role, number)))
        self._contract = contract
        self._nonce = 0

    def call(self, method: str, args: list[object], value: int = 0) -> bytes:
        data = add_transaction(self.account.address, self._contract, call_payload(method, args))
        self._nonce += 1
        return self.account.sign_transaction(CHAIN, self._nonce - 1, CONSENSUS_MAIN, value, data)


def send(node: Node, raws: Iterable[bytes]) -> None:
    """Submit everything, some at a time, and wait until all is decided."""
    for batch in _batches(raws, PAIRS * 16):
        futures: list[Future[bytes]] = [node.submit(raw) for raw in batch]
        for future in futures:
            future.result()
        while node.health()["undecided"]:
            node._book.ask(lambda: None).result()


def _batches(raws: Iterable[bytes], size: int) -> Iterator[list[bytes]]:
    batch: list[bytes] = []
    for raw in raws:
        batch.append(raw)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
