"""A state directory with many completed orders: a round of real transactions, then as many copies as are wanted.

The first round is signed, admitted, judged by five seats and committed; only HTTP is left out, and the disk is not
waited for. `stamped.py` writes the rest. Made once and kept below `.build/` until the contract or the schema changes.
"""

import shutil
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from bench.load import CHAIN, CRITERIA, ESCROW, SPEC, TITLE, URL  # noqa: E402
from bench.server import scripted_node  # noqa: E402
from foreman.address import keccak256, parse_address  # noqa: E402
from foreman.calldata import Value  # noqa: E402
from foreman.localnet.shipped import shipped  # noqa: E402
from foreman.money import GEN  # noqa: E402
from foreman.node.node import Node  # noqa: E402
from foreman.ports import Clock  # noqa: E402
from foreman.sdk.account import Account  # noqa: E402
from foreman.sdk.envelope import add_transaction, call_payload  # noqa: E402
from foreman.state.database import migrations  # noqa: E402
from foreman.transaction import CONSENSUS_MAIN  # noqa: E402

PAIRS = 60
"""Clients, and as many providers: order `n` is between the pair `n % PAIRS`."""


class Still:
    """A clock that stands, so that orders made at different moments are alike."""

    def __init__(self) -> None:
        self._now = time.time_ns() // 1000

    def now(self) -> int:
        return self._now


class Signer:
    """An account that counts its nonces."""

    def __init__(self, role: bytes, number: int, contract: bytes) -> None:
        self.account = Account(keccak256(b"%s %d" % (role, number)))
        self._contract = contract
        self.nonce = 0

    def call(self, method: str, args: list[Value], value: int = 0) -> bytes:
        """The signed bytes of its next call."""
        data = add_transaction(self.account.address, self._contract, call_payload(method, args))
        self.nonce += 1
        return self.account.sign_transaction(CHAIN, self.nonce - 1, CONSENSUS_MAIN, value, data)


class Signers:
    """Everybody who takes part. The calls of one round are the calls of all others, but for the number."""

    def __init__(self, contract: bytes, pairs: int) -> None:
        self.pairs = pairs
        self.clients = [Signer(b"client", number, contract) for number in range(pairs)]
        self.providers = [Signer(b"provider", number, contract) for number in range(pairs)]

    def signer(self, number: int, call: int) -> Signer:
        """Who makes one of an order's three calls."""
        return (self.providers if call else self.clients)[number % self.pairs]

    @staticmethod
    def calls(number: int) -> tuple[tuple[str, list[Value], int], ...]:
        """The three calls of one order: method, arguments, wei. The first is the client's."""
        return (
            ("create_order", [f"{TITLE}, part {number}", SPEC, CRITERIA, 30], ESCROW),
            ("claim_order", [number], 0),
            ("submit_deliverable", [number, URL, "As agreed."], 0),
        )

    def sign(self, number: int, call: int) -> bytes:
        """One of an order's three calls, signed; each account's calls in the order in which it makes them."""
        return self.signer(number, call).call(*self.calls(number)[call])


def directory(orders: int) -> Path:
    """The folder with so many orders; made when it is not there."""
    name = sha256(shipped()["foreman"] + b"".join(script.encode() for script in migrations())).hexdigest()[:12]
    folder = ROOT / ".build" / "bench" / f"stamped-{orders}-{name}"
    if not folder.exists():
        from bench.stamped import stamp

        unfinished = folder.with_suffix(".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        fill(unfinished, PAIRS)
        stamp(unfinished, orders)
        unfinished.rename(folder)
    return folder


def fill(folder: Path, orders: int, pairs: int = PAIRS, seats: int = 5, clock: Clock | None = None) -> None:
    """Create, claim and deliver so many orders by real transactions, round by round."""
    node = scripted_node(str(folder), seats=seats, clock=clock or Still())
    node.start()
    try:
        node._book.ask(lambda: node._store._connection.execute("PRAGMA synchronous = OFF"), alone=True).result()  # type: ignore[attr-defined]  # SQLite's own
        signers = Signers(parse_address(node.contracts()["foreman"]), pairs)
        for client in signers.clients:
            node.fund(client.account.address, 10_000 * GEN).result()
        for numbers in rounds(0, orders, pairs):
            for call in range(3):
                send(node, [signers.sign(number, call) for number in numbers])
    finally:
        node.stop()


def rounds(first: int, last: int, size: int) -> Iterator[range]:
    """The numbers from `first` to below `last`, so many at once."""
    for start in range(first, last, size):
        yield range(start, min(start + size, last))


def send(node: Node, raws: list[bytes]) -> None:
    """Submit everything and wait until all is decided."""
    futures: list[Future[bytes]] = [node.submit(raw) for raw in raws]
    for future in futures:
        future.result()
    while node.health()["undecided"]:
        node._book.ask(lambda: None).result()
