"""The network as the door sees it. Every method may be called from any thread."""

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from foreman.address import checksum
from foreman.errors import BadInput, NotFound, Refused
from foreman.execution import Asking, Call, Code, Effects, Outcome, Runtime
from foreman.ledger import Change, Room, Store
from foreman.node.answers import Answers
from foreman.node.book import Book
from foreman.node.clock import TurnableClock
from foreman.node.doubles import NO_DOUBLES, Doubles
from foreman.node.feed import Feed, Listener
from foreman.node.genesis import shipped_address
from foreman.node.health import Health
from foreman.node.jury import Jury
from foreman.node.life import Life
from foreman.node.measures import Measures
from foreman.node.powers import Powers
from foreman.node.sums import sums
from foreman.receipt import Record, Status
from foreman.settings import Settings
from foreman.transaction import CLIENT_CHAIN_IDS, Kind, read_signed, read_transaction


@dataclass(frozen=True, slots=True)
class Query:
    """A view, or a simulated write or deployment. It changes nothing."""

    kind: Kind
    readonly: bool
    sender: bytes
    target: bytes
    value: int
    calldata: bytes
    code: bytes | None = None
    final: bool = False
    """Read what is final only."""
    at: int | None = None
    """The time its contract sees, in microseconds since 1970; None is now."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What a query gave. A simulated write ends at its first non-deterministic block: `reached_block`, outcome None."""

    outcome: Outcome
    reached_block: bool
    effects: Effects | None
    stderr: str


class Node:
    """Everything the rest of the house asks of the network."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        runtime: Runtime,
        jury: Jury,
        clock: TurnableClock,
        shipped: Mapping[str, bytes],
        rich: Mapping[bytes, int],
        after_stop: Callable[[], None] = lambda: None,
    ) -> None:
        """`shipped` are sources by name, `rich` the wei of known accounts on a new chain."""
        self._after_stop = after_stop
        self.settings = settings
        self._store = store
        self._runtime = runtime
        self._jury = jury
        self._clock = clock
        self._shipped = shipped
        self._rich = rich
        self._answers: Answers[Answered] = Answers(store.recent)
        self._feed = Feed()
        self._life = Life(settings, store, runtime, jury, clock, self._feed)
        self._book = Book(self._life)
        self._powers = Powers(settings, store, clock, self._life)
        self._health = Health(settings, store, self._life, self._book, jury, clock)
        self._chain_ids = tuple(dict.fromkeys((settings.chain_id, *CLIENT_CHAIN_IDS)))

    def start(self) -> None:
        """Resume what was pending, deploy what is missing. Raises when a shipped contract does not stand after it;
        the state directory is let go then.
        """
        self._book.start()
        try:
            deployments = self._book.ask(lambda: self._powers.begin(self._shipped, self._rich)).result()
            while self._book.ask(lambda: any(map(self._life.lines.get, deployments))).result():
                pass  # each question is answered after one more commit
            for name, address in self.contracts().items():
                if self.code(bytes.fromhex(address[2:])) is None:
                    raise RuntimeError(f"the shipped contract {name} does not stand")
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Finish the commit that is under way and let the state directory go."""
        self._book.stop()
        self._jury.close()
        self._store.close()
        self._after_stop()

    # what changes something

    def submit(self, raw: bytes, doubles: Doubles = NO_DOUBLES) -> Future[bytes]:
        """Take a signed transaction; its hash once it is on disk, or `Refused`. `doubles`: what a test brings along."""
        if len(raw) > self.settings.limits.transaction_bytes:
            raise Refused(
                "too_large",
                f"the transaction has {len(raw)} bytes, at most {self.settings.limits.transaction_bytes} are taken",
                "send less",
            )
        asked = read_transaction(read_signed(raw, self._chain_ids), (self.settings.seats, self.settings.rotations))
        self._check_budget()
        return self._book.ask(lambda: self._life.admit(asked, doubles))

    def cancel(self, transaction: bytes, by: bytes) -> Future[None]:
        return self._book.ask(lambda: self._life.cancel(transaction, by))

    def _check_budget(self) -> None:
        limits = self.settings.limits
        if self._jury.full:
            raise Refused("over_budget", "too many blocks wait for the jury", "try again in a moment")
        if limits.judge_calls_per_hour and self._jury.calls_last_hour() >= limits.judge_calls_per_hour:
            raise Refused(
                "over_budget",
                f"the judges have had their {limits.judge_calls_per_hour} questions this hour",
                "try later",
            )

    # what reads

    def known(self, query: Query) -> Answered | None:
        """What `query` would give, if it was asked before and nothing has changed that it stands on. Takes no time."""
        return self._answers.get(query) if query.readonly and not query.final else None

    def query(self, query: Query) -> Answered:
        """Run a view or simulate a write on what is committed, in the calling thread. Raises `NotFound`."""
        if query.final and self.settings.finality_window:
            raise BadInput(
                "no_final_state", "with a finality window only the accepted state is kept", "read latest-nonfinal"
            )
        call = Call(
            contract=query.target,
            sender=query.sender,
            origin=query.sender,
            value=query.value,
            chain_id=self.settings.chain_id,
            at=self._clock.now() if query.at is None else query.at,
            calldata=query.calldata,
            code=query.code,
            readonly=query.readonly,
        )
        mark = self._store.recent.mark()
        with self._store.reader(long=True) as view:
            if query.kind is not Kind.DEPLOY and view.code(query.target) is None:
                raise NotFound(
                    "contract_not_found",
                    f"contract not found: {checksum(query.target)}",
                    "check the address and the network",
                )
            run = self._runtime.run(call, view)
        if isinstance(run, Asking):
            return Answered(Outcome.returned(None), True, None, "")
        answered = Answered(run.outcome, False, run.effects, run.stderr)
        if query.readonly and run.outcome.code is not Code.VM_ERROR:
            size = len(run.outcome.payload) + len(run.stderr) + len(query.calldata)
            self._answers.put(query, answered, size, run.reads, mark)
        return answered

    def record(self, transaction: bytes) -> Record | None:
        """A transaction, as it is on disk; while its jury sits, PROPOSING."""
        with self._store.reader() as view:
            record = view.record(transaction)
        return None if record is None else self._live(record)

    def history(self, address: bytes, limit: int) -> list[Record]:
        """Transactions from or to an address, newest first."""
        with self._store.reader() as view:
            return [self._live(record) for record in view.history(address, limit)]

    def _live(self, record: Record) -> Record:
        """While its jury sits, a transaction is PROPOSING; that is not on disk."""
        if record.status is Status.PENDING:
            entry = self._life.lines.get(record.transaction.hash)
            if entry is not None and entry.asking is not None:
                record.status = Status.PROPOSING
        return record

    def balance(self, address: bytes) -> int:
        """Wei that is free to spend; what pending transactions carry is set aside already."""
        with self._store.reader() as view:
            return view.balance(address)

    def nonce(self, address: bytes) -> int:
        """The next nonce, pending transactions counted."""
        with self._store.reader() as view:
            return view.nonce(address)

    def code(self, address: bytes) -> bytes | None:
        with self._store.reader() as view:
            return view.code(address)

    def schema(self, address: bytes) -> dict[str, object]:
        """Raises `NotFound`."""
        code = self.code(address)
        if code is None:
            raise NotFound("contract_not_found", f"contract not found: {checksum(address)}", "check the address")
        return self._runtime.schema(code)

    def schema_of(self, code: bytes) -> dict[str, object]:
        return self._runtime.schema(code)

    def height(self) -> int:
        """How many commits there are: the block number."""
        with self._store.reader() as view:
            return view.height()

    def block_time(self, block: int) -> int | None:
        with self._store.reader() as view:
            return view.block_time(block)

    def block_record(self, block: int) -> Record | None:
        with self._store.reader() as view:
            return view.block_record(block)

    def event_records(self, contract: bytes | None, first: int, last: int, limit: int) -> list[Record]:
        with self._store.reader() as view:
            return view.event_records(contract, first, last, limit)

    # the journal

    def changes(self, after: int, limit: int) -> list[Change]:
        with self._store.reader() as view:
            return view.changes(after, limit)

    def last_change(self) -> int:
        with self._store.reader() as view:
            return view.last_change()

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        return self._feed.subscribe(listener)

    # what the network is

    def seats(self) -> list[dict[str, Any]]:
        return [
            {"seat": seat.number, "address": checksum(seat.address), "judge": seat.judge.name}
            for seat in self._jury.seats
        ]

    def contracts(self) -> dict[str, str]:
        """Shipped contracts and their addresses."""
        return {name: checksum(shipped_address(name, source)) for name, source in self._shipped.items()}

    def health(self) -> dict[str, Any]:
        """How the node is (health.py), and how far."""
        return self._health.report() | {"height": self.height(), "journal": self.last_change()}

    def alive(self) -> bool:
        """False when only a restart helps."""
        return self._health.alive()

    @property
    def measures(self) -> Measures:
        """What it has counted since it started."""
        return self._life.measures

    @property
    def jury(self) -> Jury:
        """Its seats, and what they have counted."""
        return self._jury

    @property
    def waiting_for_book(self) -> int:
        """Pieces of work that wait for the next commit."""
        return self._book.waiting

    def room(self) -> Room:
        """The room that the database takes and has."""
        return self._store.room()

    def books_balance(self) -> dict[str, Any]:
        """All money in wei, from one moment: balances + reserved + in flight = minted, always."""
        with self._store.reader() as view:
            return sums(view)

    # a development network

    def now(self) -> int:
        """What the next transaction's contract would see, in microseconds since 1970."""
        return self._clock.now()

    def fund(self, address: bytes, wei: int) -> Future[bytes]:
        """A development network's faucet; the hash of its transaction."""
        return self._book.ask(lambda: self._powers.fund(address, wei))

    def travel(self, seconds: int) -> Future[int]:
        return self._book.ask(lambda: self._powers.travel(seconds))

    def set_time(self, at: int) -> Future[int]:
        return self._book.ask(lambda: self._powers.set_time(at))

    def snapshot(self) -> Future[int]:
        return self._book.ask(self._powers.snapshot, alone=True)

    def restore(self, snapshot: int) -> Future[bool]:
        return self._book.ask(lambda: self._powers.restore(snapshot), alone=True)
