"""A state in memory: the `StateView` that tests and the direct-mode fixtures stand on."""

from bisect import bisect_left

from foreman.execution import Effects, Transfer


class MemoryState:
    """Rows, code and balances of every contract, in dictionaries and sorted key lists."""

    def __init__(self) -> None:
        self.rows: dict[bytes, dict[bytes, bytes]] = {}
        self.codes: dict[bytes, bytes] = {}
        self.balances: dict[bytes, int] = {}
        self._keys: dict[bytes, list[bytes]] = {}

    def get(self, contract: bytes, key: bytes) -> bytes | None:
        return self.rows.get(contract, {}).get(key)

    def scan(self, contract: bytes, low: bytes, high: bytes | None, limit: int) -> list[tuple[bytes, bytes]]:
        rows = self.rows.get(contract, {})
        return [(key, rows[key]) for key in self.scan_keys(contract, low, high, limit)]

    def scan_keys(self, contract: bytes, low: bytes, high: bytes | None, limit: int) -> list[bytes]:
        keys = self._keys.get(contract, [])
        first = bisect_left(keys, low)
        last = len(keys) if high is None else bisect_left(keys, high)
        return keys[first : min(last, first + limit)]

    def code(self, contract: bytes) -> bytes | None:
        return self.codes.get(contract)

    def balance(self, address: bytes) -> int:
        return self.balances.get(address, 0)

    def credit(self, address: bytes, wei: int) -> None:
        """Add wei to a balance, or take some away; a balance never falls below zero."""
        held = self.balance(address) + wei
        assert held >= 0, f"0x{address.hex()} would hold {held} wei"
        self.balances[address] = held

    def apply(self, contract: bytes, effects: Effects) -> None:
        """Commit what a run of `contract` changed. Emitted value leaves the contract; transfers arrive at once, while
        messages are for the caller to deliver. The value of the call itself is for the caller to credit first.
        """
        rows = self.rows.setdefault(contract, {})
        keys = self._keys.setdefault(contract, [])
        fresh = [key for key, raw in effects.writes.items() if raw is not None and key not in rows]
        for key, raw in effects.writes.items():
            if raw is not None:
                rows[key] = raw
            elif rows.pop(key, None) is not None:
                del keys[bisect_left(keys, key)]
        keys += fresh
        keys.sort()  # two sorted runs: linear
        if effects.code is not None:
            self.codes[contract] = effects.code
        for emitted in effects.emitted:
            self.credit(contract, -emitted.value)
            if isinstance(emitted, Transfer):
                self.credit(emitted.to, emitted.value)
