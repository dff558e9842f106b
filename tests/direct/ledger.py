"""Foreman's rules a second time, as plain books: what a state machine expects of the contract, step by step."""

from collections import Counter
from dataclasses import dataclass, field

DAY = 86_400
WEEK = 7 * DAY
YEAR = 365 * DAY
LIVE = ("open", "claimed")
JUDGED = ("completed", "rejected")


@dataclass
class Entry:
    """One order as the books know it."""

    client: bytes
    escrow: int
    created: int
    deadline: int
    status: str = "open"
    provider: bytes | None = None
    claims: Counter[bytes] = field(default_factory=Counter)
    first: int = 0
    percent: int = 0
    window: int = 0
    appealed: bool = False
    deposits: int = 0
    paid: int = 0
    refunded: int = 0


@dataclass
class Record:
    """A provider as the books know it."""

    completed: int = 0
    rejected: int = 0
    disputed: int = 0
    abandoned: int = 0
    earned: int = 0


class Ledger:
    """Who may do what, and what everybody then holds."""

    def __init__(self) -> None:
        self.orders: list[Entry] = []
        self.records: dict[bytes, Record] = {}
        self.gained: Counter[bytes] = Counter()
        """Wei that left the contract to an account, less what it sent in."""

    def may(self, act: str, entry: Entry, who: bytes, now: int, value: int = 0, days: int = 1) -> bool:
        """Would the contract take this act? A judging act also needs its judgement."""
        early, holder = now < entry.deadline, who == entry.provider and entry.status == "claimed"
        rules = {
            "claim": who != entry.client and entry.status == "open" and early and entry.claims[who] < 3,
            "submit": holder and early,
            "abandon": holder and early,
            "extend": who == entry.client
            and entry.status in LIVE
            and early
            and 1 <= days <= 30
            and entry.deadline + days * DAY <= entry.created + YEAR,
            "cancel": who == entry.client and entry.status == "open",
            "expire": entry.status in LIVE and not early,
            "appeal": who == entry.client
            and entry.status in JUDGED
            and not entry.appealed
            and now < entry.window
            and value == entry.escrow,
        }
        return rules[act]

    def create(self, client: bytes, escrow: int, now: int, days: int) -> None:
        self.orders.append(Entry(client, escrow, now, now + days * DAY))
        self.gained[client] -= escrow

    def claim(self, entry: Entry, who: bytes) -> None:
        entry.status, entry.provider = "claimed", who
        entry.claims[who] += 1
        self.records.setdefault(who, Record())

    def abandon(self, entry: Entry) -> None:
        self._record(entry).abandoned += 1
        entry.status, entry.provider = "open", None

    def extend(self, entry: Entry, days: int) -> None:
        entry.deadline += days * DAY

    def close(self, entry: Entry, status: str) -> None:
        """Cancelled or expired: everything back to the client."""
        if entry.status == "claimed":
            self._record(entry).abandoned += 1
        entry.status = status
        self._out(entry, 0, entry.escrow)

    def settle(self, entry: Entry, percent: int, now: int) -> None:
        """A first verdict."""
        record, share = self._record(entry), entry.escrow * percent // 100
        entry.first = entry.percent = percent
        entry.window = now + WEEK
        entry.status = "completed" if percent >= 50 else "rejected"
        setattr(record, entry.status, getattr(record, entry.status) + 1)
        record.earned += share
        self._out(entry, share, entry.escrow - share)

    def overrule(self, entry: Entry, percent: int) -> None:
        """A second verdict: the first one's mark is taken off the record before the second is put on."""
        record = self._record(entry)
        more = max(0, entry.escrow * percent // 100 - entry.escrow * entry.first // 100)
        setattr(record, entry.status, getattr(record, entry.status) - 1)
        entry.status, entry.percent, entry.appealed = "completed" if percent >= 50 else "rejected", percent, True
        setattr(record, entry.status, getattr(record, entry.status) + 1)
        record.disputed += 1
        record.earned += more
        self.unheard(entry)
        entry.refunded -= more
        self.gained[entry.client] -= more
        self._out(entry, more, 0)

    def unheard(self, entry: Entry) -> None:
        """A deposit that came and goes back."""
        entry.deposits += entry.escrow
        self.gained[entry.client] -= entry.escrow
        self._out(entry, 0, entry.escrow)

    def held(self) -> int:
        return sum(entry.escrow for entry in self.orders if entry.status in LIVE)

    def _record(self, entry: Entry) -> Record:
        assert entry.provider is not None
        return self.records[entry.provider]

    def _out(self, entry: Entry, to_provider: int, to_client: int) -> None:
        entry.paid += to_provider
        entry.refunded += to_client
        if entry.provider is not None:
            self.gained[entry.provider] += to_provider
        self.gained[entry.client] += to_client
