"""What only a development network may do: make money, turn the clock, go back to a snapshot."""

from collections.abc import Mapping
from datetime import UTC, datetime

from foreman.errors import BadInput, Refused
from foreman.ledger import Store
from foreman.money import MAX_WEI
from foreman.node import genesis
from foreman.node.clock import TurnableClock
from foreman.node.life import Life
from foreman.settings import Settings

_MOST_SECONDS = 100 * 365 * 86400
"""A century: far beyond every window of a contract."""

_LATEST = 32_503_680_000 * 1_000_000
"""The year 3000, in microseconds: dates stay printable however often the clock is turned."""


class Powers:
    """Runs on the book's thread, through `Book.ask`."""

    def __init__(self, settings: Settings, store: Store, clock: TurnableClock, life: Life) -> None:
        self._settings = settings
        self._store = store
        self._clock = clock
        self._life = life

    def begin(self, shipped: Mapping[str, bytes], rich: Mapping[bytes, int]) -> list[bytes]:
        """Deploy the shipped contracts that are missing, and on a new development chain fund the known accounts. The
        hashes of the deployments; one that an earlier start has written down goes on and is not begun again.
        """
        if self._store.meta("minted") is None:
            self._store.set_meta("minted", "0")
            for address, wei in rich.items():
                self._mint(address, wei)
        deployments = []
        for name, source in shipped.items():
            if self._store.code(genesis.shipped_address(name, source)) is None:
                record = genesis.deployment(name, source, self._store.nonce(genesis.NOBODY), self._clock.now())
                deployments.append(record.transaction.hash)
                if self._life.lines.get(record.transaction.hash) is None:
                    self._store.spend_nonce(genesis.NOBODY)
                    self._life.enter(record)
        return deployments

    def fund(self, address: bytes, wei: int) -> bytes:
        self.require_dev()
        if not 0 < wei <= MAX_WEI:
            raise BadInput("bad_amount", f"{wei} wei is not an amount to fund", "ask for at least one wei")
        return self._mint(address, wei)

    def travel(self, seconds: int) -> int:
        """Turn the clock forward by `seconds`; now, in microseconds. Time never goes back."""
        self.require_dev()
        if not 0 <= seconds <= _MOST_SECONDS or self._clock.now() + seconds * 1_000_000 > _LATEST:
            raise BadInput("bad_time", f"the clock cannot be turned by {seconds} seconds", "turn it forward, by less")
        self._clock.turn(seconds * 1_000_000)
        self._store.set_meta("clock_offset", str(self._clock.offset))
        return self._clock.now()

    def set_time(self, at: int) -> int:
        """Turn the clock forward to `at` microseconds since 1970."""
        self.require_dev()
        now = self._clock.now()
        latest = min(now + _MOST_SECONDS * 1_000_000, _LATEST)
        if not now <= at <= latest:
            first, last = (datetime.fromtimestamp(end // 1_000_000, UTC).isoformat() for end in (now, latest))
            raise BadInput(
                "bad_time",
                "the clock can only be turned forward, a century at most",
                f"name a time between {first} and {last}",
            )
        self._clock.turn(at - now)
        self._store.set_meta("clock_offset", str(self._clock.offset))
        return self._clock.now()

    def snapshot(self) -> int:
        self.require_dev()
        return self._store.snapshot(self._settings.limits.snapshots)

    def restore(self, number: int) -> bool:
        self.require_dev()
        restored = self._store.restore(number)
        if restored:
            self._life.load()
        return restored

    def require_dev(self) -> None:
        if not self._settings.dev:
            raise Refused(
                "not_a_development_network",
                "this network has no faucet, no time travel and no snapshots",
                "start one for development with `foreman up`",
            )

    def _mint(self, address: bytes, wei: int) -> bytes:
        """Money from nowhere, counted: set aside first, so that the books balance at every moment."""
        minted = int(self._store.meta("minted") or 0) + wei
        if minted > MAX_WEI:
            raise BadInput("bad_amount", "that would be more money than 256 bits can hold", "ask for less")
        self._store.set_meta("minted", str(minted))
        record = genesis.faucet_payment(address, wei, self._next_nonce(), self._clock.now())
        self._life.enter(record)
        return record.transaction.hash

    def _next_nonce(self) -> int:
        nonce = self._store.nonce(genesis.NOBODY)
        self._store.spend_nonce(genesis.NOBODY)
        return nonce
