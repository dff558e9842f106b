"""A whole network on the toy runtime: a real database, a real book, a real jury, signed transactions."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import rlp  # type: ignore[import-untyped]  # the package ships no types

from foreman import calldata
from foreman.address import Address
from foreman.fetch.replay import Scripted as Pages
from foreman.judges.scripted import Scripted
from foreman.money import GEN
from foreman.node.clock import TurnableClock
from foreman.node.genesis import shipped_address
from foreman.node.jury import Jury
from foreman.node.node import Node
from foreman.node.seats import seat_table
from foreman.ports import Fetcher, Judge
from foreman.receipt import Record, Status
from foreman.sdk.account import Account
from foreman.sdk.envelope import add_transaction
from foreman.settings import Settings
from foreman.state.store import SqliteStore
from foreman.transaction import CONSENSUS_MAIN
from tests.node.toy import CODE, ToyRuntime

TOY = shipped_address("toy", CODE)
OTHER = shipped_address("other", CODE)
ALICE, BOB, CAROL = (Account(bytes([number]) * 32) for number in (1, 2, 3))
RICH = 100 * GEN


class StillClock:
    """A wall clock that stands until it is moved."""

    def __init__(self) -> None:
        self.at = 1_800_000_000_000_000

    def now(self) -> int:
        return self.at


class Network:
    """A running node and the means to send it things."""

    def __init__(
        self,
        folder: Path,
        judges: Sequence[Judge] | None = None,
        fetchers: Sequence[Fetcher] | None = None,
        clock: StillClock | None = None,
        shipped: Mapping[str, bytes] | None = None,
        **settings: Any,
    ) -> None:
        self.settings = Settings(state_dir=folder, **settings)
        self.runtime = ToyRuntime()
        self.clock = clock or StillClock()
        self.judges = judges or [Scripted("yes")]
        jury = Jury(
            seat_table(self.settings.seats, self.judges, fetchers or [Pages({})]),
            self.settings.rotations,
            self.settings.limits.judging_at_once,
        )
        self.store = SqliteStore(folder)
        rich = {account.address: RICH for account in (ALICE, BOB, CAROL)}
        self.node = Node(
            self.settings,
            self.store,
            self.runtime,
            jury,
            TurnableClock(self.clock),
            shipped or {"toy": CODE, "other": CODE},
            rich,
        )
        self.nonces: dict[bytes, int] = {}

    def __enter__(self) -> "Network":
        self.node.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.node.stop()

    def raw(
        self, sender: Account, steps: list[Any], value: int = 0, target: bytes = TOY, nonce: int | None = None
    ) -> bytes:
        """A signed call of the toy contract."""
        if nonce is None:
            nonce = self.nonces.get(sender.address)
            if nonce is None:
                nonce = self.node.nonce(sender.address)
            self.nonces[sender.address] = nonce + 1
        payload = bytes(rlp.encode([calldata.encode(steps), b""]))
        data = add_transaction(sender.address, target, payload)
        return sender.sign_transaction(self.settings.chain_id, nonce, CONSENSUS_MAIN, value, data)

    def send(self, sender: Account, *steps: list[Any], value: int = 0, target: bytes = TOY) -> bytes:
        """Send a call; its hash, once recorded."""
        return self.node.submit(self.raw(sender, list(steps), value, target)).result(20)

    def transfer(self, sender: Account, to: bytes, value: int) -> bytes:
        nonce = self.node.nonce(sender.address)
        return self.node.submit(sender.sign_transaction(self.settings.chain_id, nonce, to, value)).result(20)

    def wait(self, *hashes: bytes) -> list[Record]:
        """The records of transactions, once all are decided. Waits on the node's own news, not on a clock."""
        return [self._decided(digest) for digest in hashes]

    def do(self, sender: Account, *steps: list[Any], value: int = 0, target: bytes = TOY) -> Record:
        return self.wait(self.send(sender, *steps, value=value, target=target))[0]

    def wait_final(self, digest: bytes) -> Record:
        return self._until(digest, lambda record: record.status is Status.FINALIZED)

    def _decided(self, digest: bytes) -> Record:
        return self._until(digest, lambda record: record.status.decided)

    def _until(self, digest: bytes, there: Callable[[Record], bool]) -> Record:
        news: SimpleQueue[object] = SimpleQueue()
        stop = self.node.subscribe(news.put)
        try:
            while True:
                record = self.node.record(digest)
                assert record is not None
                if there(record):
                    return record
                news.get(timeout=20)
        finally:
            stop()

    def state(self, key: str, contract: bytes = TOY) -> str:
        with self.store.reader() as view:
            return (view.get(contract, key.encode()) or b"").decode()

    def assert_conserved(self) -> None:
        books = self.node.books_balance()
        assert books["conserved"], books


def who(account: Account | bytes) -> Address:
    return Address(account if isinstance(account, bytes) else account.address)
