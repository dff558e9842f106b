"""One contract's state as one run sees it: committed rows below, the run's own changes above, every look recorded.

A row is decoded once per run. What a run looks at is recorded the first time it reaches the committed state: single
keys as keys, scans as the range that was really walked, up to and including the last row that was handed out.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from foreman.execution import Reads, StateView
from foreman.runtime.ahead import NEAR, Ahead
from foreman.runtime.paths import end_of
from foreman.runtime.rows import MISSING, Row, RowCodec
from foreman.runtime.signals import HostFailed

if TYPE_CHECKING:
    from foreman.runtime.current import Run

FIRST_CHUNK, NEXT_CHUNK, MAX_CHUNK = 16, 64, 512
"""Rows asked for at a time: a page of 50 takes two questions, and a long scan soon asks in large ones."""

T = TypeVar("T")


class Overlay:
    """The rows of `contract`, readable through `view`; what is written stays here until `writes` is asked for."""

    __slots__ = (
        "ahead", "below", "closed", "contract", "deleted", "dirty", "fresh", "reads", "rows", "run", "spans", "view",
        "writable",
    )  # fmt: skip

    def __init__(
        self, contract: bytes, view: StateView, reads: Reads, writable: bool, run: "Run | None" = None
    ) -> None:
        self.contract = contract
        self.view = view
        self.reads = reads
        self.writable = writable
        self.run = run
        """Whose time may be up while it reads, and who is told when the state cannot be read."""
        self.rows: dict[bytes, Row | None] = {}
        """What is known: None where there is no row."""
        self.dirty: list[Row] = []
        self.deleted: set[bytes] = set()
        """Committed keys that this run deleted."""
        self.fresh: list[bytes] = []
        """Keys that this run put where nothing is committed, sorted, so that scans can merge them."""
        self.spans: list[list[Any]] = []
        self.ahead, self.below = Ahead(1), Ahead(NEAR)
        """Rows that a view fetched before it wanted them: neighbours, and what lies below records."""
        self.closed = False

    def row(self, key: bytes, codec: RowCodec) -> Row | None:
        """The row at `key`, None when there is none."""
        row = self.rows.get(key, MISSING)
        if row is not MISSING:
            return row  # type: ignore[no-any-return] # MISSING is Any, so that it can stand beside rows
        self.reads.keys.add((self.contract, key))
        raw = self.ask(self.view.get, self.contract, key) if self.writable else self._fetched(key)
        row = None if raw is None else Row(self, key, codec, codec.decode(raw), raw)
        self.rows[key] = row
        return row

    def near(self, base: bytes) -> None:
        """A record's lists and maps are about to be read. Only views fetch them with one question: what a write looks
        at is not worth more than the single keys.
        """
        if self.writable or self.closed or not base:
            return
        if self.below.covers(base):
            self.below.last = base
        elif not self.below.walk(base, end_of(base), self._scan):
            self.below.fetch(base, end_of(base), self._scan)

    def _fetched(self, key: bytes) -> bytes | None:
        """The committed row of a view's key, fetched already or now."""
        if self.below.covers(key):
            return self.below.get(key)
        if self.ahead.covers(key):
            self.ahead.last = key
            return self.ahead.get(key)
        if self.ahead.walk(key, key + b"\x00", self._scan):
            return self.ahead.get(key)
        raw: bytes | None = self.ask(self.view.get, self.contract, key)
        return raw

    def _scan(self, low: bytes, high: bytes | None, limit: int) -> list[tuple[bytes, bytes]]:
        found: list[tuple[bytes, bytes]] = self.ask(self.view.scan, self.contract, low, high, limit)
        return found

    def optional(self, key: bytes, codec: RowCodec) -> Row:
        """The row at `key`, or one of zeros that begins to exist when it is first written."""
        row = self.row(key, codec)
        if row is None:
            row = self.rows[key] = Row(self, key, codec, codec.zeros(), None)
        return row

    def put(self, key: bytes, codec: RowCodec, values: list[Any]) -> Row:
        """Write a row where none is. The caller has looked, so that its absence is on record."""
        self._may_write()
        row = Row(self, key, codec, values, None)
        row.clean = False
        self.rows[key] = row
        self.dirty.append(row)
        self._admit(key)
        return row

    def drop(self, key: bytes) -> None:
        """Delete a row that is known to be there."""
        self._may_write()
        at = bisect_left(self.fresh, key)
        if at < len(self.fresh) and self.fresh[at] == key:
            del self.fresh[at]
        else:
            self.deleted.add(key)
        self._forget(key)

    def clear(self, low: bytes, high: bytes | None) -> None:
        """Delete every row with low <= key < high."""
        self._may_write()
        for key in list(self.scan_keys(low, high)):
            self.drop(key)

    def scan(self, low: bytes, high: bytes | None, codec: RowCodec) -> Iterator[Row]:
        """The rows with low <= key < high, ascending, as lazily as they are taken."""
        for key, raw in self._merged(low, high, self.view.scan, lambda pair: pair[0], lambda pair: pair[1]):
            row = self.rows.get(key, MISSING)
            if row is MISSING:
                row = self.rows[key] = Row(self, key, codec, codec.decode(raw), raw)
            if row is not None:
                yield row

    def scan_keys(self, low: bytes, high: bytes | None) -> Iterator[bytes]:
        """The same without touching any row."""
        for key, _ in self._merged(low, high, self.view.scan_keys, lambda key: key, lambda _: None):
            if self.rows.get(key, MISSING) is not None:
                yield key

    def written(self, row: Row) -> None:
        self._may_write()
        if row.raw is None:
            self._admit(row.key)
        self.dirty.append(row)

    def writes(self) -> dict[bytes, bytes | None]:
        """What changed: new bytes per key, None where a committed row is gone. Setting what was there is no change."""
        found: dict[bytes, bytes | None] = dict.fromkeys(self.deleted)
        for row in self.dirty:
            if self.rows.get(row.key) is row:
                raw = row.codec.encode(row.values)
                if raw != row.raw:
                    found[row.key] = raw
        return found

    def close(self) -> None:
        """Put what was scanned on record. From here on nothing is read: a view that a block kept reaches nobody."""
        self.closed = True
        for low, high, walked in self.spans:
            if walked is None or walked > low:
                self.reads.ranges.append((self.contract, low, high if walked is None else walked))
        self.spans = []

    def _merged(
        self,
        low: bytes,
        high: bytes | None,
        ask: Callable[..., list[T]],
        key_of: Callable[[T], bytes],
        raw_of: Callable[[T], Any],
    ) -> Iterator[tuple[bytes, Any]]:
        """Committed and fresh keys in one order. `span[2]` is how far the walk came: None when it came to the end."""
        span: list[Any] = [low, high, low]
        self.spans.append(span)
        at, limit, over = low, FIRST_CHUNK, False
        chunk: list[T] = []
        position = 0
        last = None
        while True:
            if position == len(chunk) and not over:
                chunk, position = self.ask(ask, self.contract, at, high, limit), 0
                over = len(chunk) < limit
                limit = min(limit * 4, MAX_CHUNK)
                if chunk:
                    at = key_of(chunk[-1]) + b"\x00"
            committed = key_of(chunk[position]) if position < len(chunk) else None
            fresh = self._next_fresh(low, high, last)
            if committed is None and fresh is None:
                span[2] = None
                return
            if fresh is None or (committed is not None and committed < fresh):
                last, raw = committed, raw_of(chunk[position])
                position += 1
            else:
                last, raw = fresh, None
            assert last is not None
            span[2] = last + b"\x00"
            yield last, raw

    def _next_fresh(self, low: bytes, high: bytes | None, last: bytes | None) -> bytes | None:
        fresh = self.fresh
        at = bisect_left(fresh, low) if last is None else bisect_right(fresh, last)
        if at == len(fresh) or (high is not None and fresh[at] >= high):
            return None
        return fresh[at]

    def _admit(self, key: bytes) -> None:
        """A key begins to exist: the committed row that was deleted comes back, or a fresh one is there."""
        if key in self.deleted:
            self.deleted.discard(key)
        else:
            insort(self.fresh, key)

    def _forget(self, key: bytes) -> None:
        row = self.rows.get(key)
        if row is not None:
            row.clean = False  # a view that still holds it may write to it; nobody will read that
        self.rows[key] = None

    def _may_write(self) -> None:
        if not self.writable:
            raise SystemError("6: forbidden")

    def ask(self, question: Callable[..., Any], *args: object) -> Any:
        """Ask the committed state. Its failure is the host's, and no contract may catch it."""
        if self.closed:
            raise SystemError("6: forbidden")
        if self.run is not None:
            self.run.lapse.check()
        try:
            return question(*args)
        except Exception as error:
            failure = HostFailed(error)
            if self.run is not None:
                self.run.fail(failure)
            raise failure from error
