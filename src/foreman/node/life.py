"""The life of a transaction, top to bottom: admitted, activated, run, judged, committed, final.

Everything here happens on the book's thread, inside the commit that is being written. What must wait until that
commit is on disk (telling people, asking the jury) is put aside and done by `tell`.
"""

import heapq
import logging
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from foreman.address import checksum
from foreman.errors import Refused
from foreman.execution import Answer, Asking, Effects, Execution, Finished, On, Outcome, Reads, Runtime
from foreman.ledger import Change, Store
from foreman.node import door, messages
from foreman.node.calls import call_of
from foreman.node.clock import TurnableClock
from foreman.node.doubles import NO_DOUBLES, Doubles
from foreman.node.feed import Feed, SeatNews
from foreman.node.finality import Finality, land
from foreman.node.jury import Jury
from foreman.node.measures import Measures, tell_judged
from foreman.node.premises import Premises
from foreman.node.queue import Entry, Lines
from foreman.node.seats import Seat
from foreman.node.waits import Waits
from foreman.receipt import NO_OUTCOME, Decision, Receipt, Record, Status, Vote
from foreman.settings import Settings
from foreman.transaction import Kind, Transaction

_BATCH_SECONDS = 0.02
"""How long runs may fill one commit before it is written, so that the first of them is told soon."""

_MOST_SLEEP = 1.0
"""Seconds after which the clock is looked at again while something waits for finality: it may have been set."""

_log = logging.getLogger("foreman.life")


class Life:
    """What is undecided, and the steps that decide it."""

    def __init__(
        self, settings: Settings, store: Store, runtime: Runtime, jury: Jury, clock: TurnableClock, feed: Feed
    ) -> None:
        self._settings = settings
        self._store = store
        self._runtime = runtime
        self._jury = jury
        self._clock = clock
        self._feed = feed
        self._finality = Finality(int(settings.finality_window * 1_000_000))
        self._epoch = 0
        self.measures = Measures()
        self.post: Callable[[Callable[[], Any]], None] = lambda run: None  # the book puts itself here
        self.load()

    def load(self, prove: bool = False) -> None:
        """Read from the database what is undecided. Answers that were asked for before are dropped with the epoch. To
        `prove` that it takes changes again, write one.
        """
        self._epoch += 1
        if prove:
            self._store.set_meta("proven_at", str(self._clock.now()))
        self.lines = Lines()
        self._premises = Premises()
        self.waits = Waits()
        self._ready: list[tuple[int, Entry]] = []
        self._dirty: dict[bytes, Record] = {}
        self._changed: list[tuple[bytes, Status, int]] = []
        self._news: list[Change] = []
        self._closed: list[Record] = []
        self._after: list[Callable[[], None]] = []
        self._finality = Finality(self._finality.window)
        self._height = self._store.height()
        self._position, self._last_at = self._store.last_position()
        self._clock.begin(int(self._store.meta("clock_offset") or 0), self._last_at)
        heads = []
        records = self._store.open_records()
        accepted = [record for record in records if record.status is Status.ACCEPTED]
        for record in sorted(accepted, key=lambda record: record.block or 0):
            self._finality.push(record)
        for record in records:
            if record.status is Status.ACCEPTED:
                continue
            entry = Entry(record)
            is_head = self.lines.join(entry)
            if record.position is not None:
                self._make_ready(entry)
            elif is_head:
                heads.append(entry)
        for entry in heads:
            self._activate(entry)

    # the commit

    @property
    def runnable(self) -> bool:
        return bool(self._ready)

    def idle_seconds(self) -> float | None:
        """How long the book may sleep; None until something arrives."""
        at = self._finality.next_at()
        return None if at is None else min(max(0.0, (at - self._clock.now()) / 1_000_000), _MOST_SLEEP)

    def finality_late(self) -> int:
        """By how many microseconds the next that becomes final is late, 0 when it is not; any thread."""
        at = self._finality.next_at()
        return 0 if at is None else max(0, self._clock.now() - at)

    @contextmanager
    def commit(self) -> Iterator[None]:
        """Everything inside is one transaction of the database."""
        with self._store.transaction():
            yield
            begun = time.perf_counter()
            for record in self._dirty.values():
                self._store.save(record)
            self._news = [self._store.log(*change) for change in self._changed]
        if self._dirty:
            self.measures.committed(time.perf_counter() - begun)
        self._dirty.clear()
        self._changed.clear()

    def advance(self) -> None:
        """Run what can run, in order, and let what is due become final."""
        until = time.monotonic() + _BATCH_SECONDS
        while self._ready and time.monotonic() < until:
            _, entry = heapq.heappop(self._ready)
            self._step(entry)
            self._finalize_due()
        self._finalize_due()

    def tell(self) -> None:
        """After the commit is on disk: tell who listens, ask whom we must."""
        news, self._news = self._news, []
        after, self._after = self._after, []
        closed, self._closed = self._closed, []
        self._feed.publish(news)
        for act in after:
            act()
        self.measures.tell(news, closed)

    # 1. the door

    def admit(self, asked: Transaction, doubles: Doubles = NO_DOUBLES) -> bytes:
        """Record a signed transaction; its hash. The same bytes again give the same hash. Raises `Refused`."""
        if self.lines.get(asked.hash) is not None or self._store.record(asked.hash) is not None:
            return asked.hash
        record = door.admit(asked, self._clock.now(), self._store, self.lines, self._settings)
        self._money_moved({asked.sender}, asked.value)
        self.enter(record, doubles)
        return asked.hash

    def cancel(self, transaction: bytes, by: bytes) -> None:
        """Take back what is not activated yet. Raises `Refused`."""
        entry = self.lines.get(transaction)
        if entry is None or entry.record.position is not None:
            raise Refused("too_late", "this transaction is not waiting any more", "only what waits can be cancelled")
        if entry.record.transaction.sender != by:
            raise Refused("not_yours", f"{checksum(by)} did not send this transaction", "its sender may cancel it")
        self._close(entry, Receipt(Status.CANCELED, NO_OUTCOME, decided_at=self._clock.now()))

    def enter(self, record: Record, doubles: Doubles = NO_DOUBLES) -> None:
        """A recorded transaction begins its life; its value is set aside already."""
        entry = Entry(record, doubles)
        self._touch(record)
        if self.lines.join(entry):
            self._activate(entry)

    # 2. activation

    def _activate(self, entry: Entry) -> None:
        """Give it its place in the order and its time; neither ever changes."""
        self._position += 1
        self._last_at = max(self._clock.now(), self._last_at)
        entry.record.position, entry.record.at = self._position, self._last_at
        self._touch(entry.record, journal=False)
        self._make_ready(entry)

    def _make_ready(self, entry: Entry) -> None:
        heapq.heappush(self._ready, (entry.position, entry))

    # 3. the run

    def _step(self, entry: Entry) -> None:
        self.waits.go(entry)
        execution = self._execute(entry)
        if isinstance(execution, Asking):
            self._meet_block(entry, execution)
            return
        if execution.outcome.ok:
            target = entry.record.transaction.target
            blocker = self._premises.blocker(entry, target, execution.effects.writes)
            if blocker is not None:
                self.waits.hold(entry, blocker)
                return
        self._commit_run(entry, execution)

    def _execute(self, entry: Entry) -> Execution:
        asked = entry.record.transaction
        if asked.depth > self._settings.limits.message_depth:
            return _finished(Outcome.user_error(f"message chain longer than {self._settings.limits.message_depth}"))
        stands = self._store.code(asked.target) is not None
        if asked.kind is Kind.DEPLOY and stands:
            return _finished(Outcome.vm_error("address_taken"), "a contract stands at this address already")
        if asked.kind is not Kind.DEPLOY and not stands:
            if door.is_plain(asked):
                return _finished(Outcome.returned(None))
            return _finished(Outcome.vm_error("contract_not_found"), f"no contract stands at {checksum(asked.target)}")
        call = call_of(entry.record, self._settings.chain_id, entry.doubles.at)
        try:
            return self._runtime.run(call, self._store, entry.answers)
        except Exception:  # noqa: BLE001  # see below
            # A fault of the runtime must not stop the network for everybody: it is this transaction's own failure.
            _log.exception("the runtime failed on transaction 0x%s", asked.hash.hex())
            return _finished(Outcome.vm_error("internal_error"), "the runtime failed; see the node's log")

    # 4. the jury

    def _meet_block(self, entry: Entry, asking: Asking) -> None:
        if asking.differs and not self._ask_again(entry, asking):
            return
        self._premises.put(entry, asking.premises)
        if not self.waits.ask(entry, asking.block):
            return
        entry.moved = False
        entry.asking = asking.block
        asked = entry.record.transaction
        seats = entry.jury(self._jury.seats)
        first = (int.from_bytes(asked.hash[:8]) + asking.index) % len(seats)
        tell = partial(self._tell_seat, seats, asked.hash, asking.index)
        done = partial(self._post_decision, self._epoch, asked.hash)
        self._after.append(partial(self._jury.decide, asking.index, asking.block, first, tell, done, seats))

    def _ask_again(self, entry: Entry, asking: Asking) -> bool:
        """The offered answer belongs to another question. That is right only if what was read has changed since."""
        if not entry.moved:
            _log.error("transaction 0x%s is not deterministic", entry.record.transaction.hash.hex())
            last = max(place for place, decision in enumerate(entry.decisions) if decision.block == asking.index)
            entry.decisions[last] = entry.decisions[last].violated()
            self._give_up(entry, Status.UNDETERMINED)
            return False
        entry.asked_anew += 1
        del entry.answers[asking.index :]
        if entry.asked_anew > self._settings.limits.asked_anew:
            self._give_up(entry, Status.UNDETERMINED)
            return False
        return True

    def _tell_seat(
        self, seats: Sequence[Seat], transaction: bytes, block: int, seat: int, turn: int, stage: str, vote: Vote | None
    ) -> None:
        if self._feed:
            judge = seats[seat].judge.name
            self._feed.publish([SeatNews(transaction, block, turn, seat, judge, vote, stage)])

    def _post_decision(self, epoch: int, transaction: bytes, decision: Decision) -> None:
        """From a thread of the jury: hand the decision to the book."""
        self.post(partial(self._hear, epoch, transaction, decision))

    def _hear(self, epoch: int, transaction: bytes, decision: Decision) -> None:
        entry = self.lines.get(transaction)
        if epoch != self._epoch or entry is None or entry.asking is None:
            return  # a snapshot was restored while the jury sat
        self.waits.answered(entry)
        entry.decisions.append(decision)
        tell_judged(transaction, decision)
        if decision.outcome is None:
            self._give_up(entry, decision.status)
            return
        entry.answers.append(Answer(entry.asking.fingerprint, decision.outcome))
        entry.asking = None
        self._make_ready(entry)

    # 5. the commit of a run

    def _commit_run(self, entry: Entry, run: Finished) -> None:
        record, now = entry.record, self._clock.now()
        asked = record.transaction
        if run.effects.emitted and run.outcome.ok:
            run = self._payable(asked, run)
        effects = run.effects if run.outcome.ok else Effects()
        self._height += 1
        record.block = self._height
        receipt = Receipt(
            Status.ACCEPTED,
            run.outcome,
            tuple(entry.decisions),
            len(entry.answers) - run.answers_used,
            tuple(effects.emitted),
            tuple(effects.events),
            run.stderr,
            run.stdout,
            now,
        )
        if run.outcome.ok:
            self._apply(entry, effects)
        self._close(entry, receipt)
        self._send(messages.of(record, receipt.emitted, On.ACCEPTED, now))
        self._finality.push(record)

    def _payable(self, asked: Transaction, run: Finished) -> Finished:
        """The run, unless it sends what its contract does not hold: the last look before money moves."""
        if messages.payable(run.effects, self._store.balance(asked.target) + asked.value):
            return run
        _log.error("the runtime let transaction 0x%s send more than its contract holds", asked.hash.hex())
        return _finished(Outcome.vm_error("internal_error"), "the contract does not hold what it sent")

    def _apply(self, entry: Entry, effects: Effects) -> None:
        asked, store = entry.record.transaction, self._store
        touched = self._premises.standing_on(asked.target, effects.writes)
        if effects.code is not None:
            store.install(asked.target, effects.code)
            touched |= self._premises.inside(asked.target)
        if effects.writes:
            store.write(asked.target, effects.writes)
        if asked.value:
            store.credit(asked.target, asked.value)
        leaving = messages.emitted_value(effects)
        if leaving:
            store.debit(asked.target, leaving)
        self._money_moved({asked.target}, asked.value or leaving)
        for other in touched - {entry}:
            other.moved = True

    def _money_moved(self, addresses: Collection[bytes], wei: int) -> None:
        """Whoever has read these balances stands on other ground now."""
        if wei:
            for other in self._premises.watching(addresses):
                other.moved = True

    def _give_up(self, entry: Entry, status: Status) -> None:
        """The seats did not agree: nothing happened, and the value stays with the sender."""
        self._close(entry, Receipt(status, NO_OUTCOME, tuple(entry.decisions), decided_at=self._clock.now()))

    def _close(self, entry: Entry, receipt: Receipt) -> None:
        """Decided. Whoever waited for it goes on."""
        asked, record = entry.record.transaction, entry.record
        record.status, record.receipt = receipt.status, receipt
        self._closed.append(record)
        self._touch(record)
        if not receipt.ok:
            self._money_moved({door.release(asked, self._store)}, asked.value)
        self.waits.answered(entry)
        self._premises.drop(entry)
        successor = self.lines.leave(entry)
        if successor is not None:
            self._activate(successor)
        for waiter in entry.waiters:
            self._make_ready(waiter)
        if not receipt.ok and asked.parent is not None and asked.value and not asked.errored:
            self._reclaim(asked)

    def _reclaim(self, failed: Transaction) -> None:
        """A message with value has failed: the value goes back to the contract that sent it, which is told."""
        self._store.debit(failed.sender, failed.value)  # back in flight, with the message that tells
        self._money_moved({failed.sender}, failed.value)
        self._send([messages.errored(failed, self._clock.now())])

    # 6. finality

    def _finalize_due(self) -> None:
        while (record := self._finality.pop_due(self._clock.now())) is not None:
            self._finalize(record)

    def _finalize(self, record: Record) -> None:
        assert record.receipt is not None
        for address, wei in land(record, self._store):
            self._money_moved({address}, wei)
        record.status = Status.FINALIZED
        self._touch(record)
        self._send(messages.of(record, record.receipt.emitted, On.FINALIZED, self._clock.now()))

    def _send(self, sent: Sequence[Record]) -> None:
        for message in sent:
            self.enter(message)

    # what the database and the listeners get

    def _touch(self, record: Record, journal: bool = True) -> None:
        self._dirty[record.transaction.hash] = record
        if journal:
            change = (record.transaction.hash, record.status, self._clock.now())
            if self._changed and self._changed[-1][:2] == (change[0], Status.ACCEPTED):
                self._changed.pop()  # accepted and final in one commit: told once
            self._changed.append(change)


def _finished(outcome: Outcome, stderr: str = "") -> Finished:
    return Finished(outcome, Effects(), Reads(), 0, stderr)
