"""Do Foreman's reads cost more when the book grows? Keys read and time, at 1,000 and at 100,000 orders.

    python bench/contract_reads.py [--orders 100000]

Every order is made by real calls of the contract. A view is asked for on the same state twelve times; the best time
counts. Keys read are counted at the state's door: records, rows of lists, and keys of skipped index entries.
"""

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from sortedcontainers import SortedList  # type: ignore[import-untyped]  # the package ships no types

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from foreman.execution import Effects, Transfer  # noqa: E402
from foreman.localnet.direct import DirectVM, create_address, deploy, spelled  # noqa: E402
from foreman.runtime.memory import MemoryState  # noqa: E402

STATUSES = ("open", "claimed", "completed", "rejected", "cancelled", "expired")
CLIENT, PROVIDER = create_address("client"), create_address("provider")
ALLOWED = 1.2
"""A read may take this many times as long on the large book, beside what skipped keys cost."""


class LargeState(MemoryState):
    """The state in memory with key lists that stay fast at millions of keys; counts what is read."""

    def __init__(self) -> None:
        super().__init__()
        self.read = 0

    def get(self, contract: bytes, key: bytes) -> bytes | None:
        self.read += 1
        return super().get(contract, key)

    def scan_keys(self, contract: bytes, low: bytes, high: bytes | None, limit: int) -> list[bytes]:
        found: list[bytes] = []
        for key in self._keys.get(contract, SortedList()).irange(low, high, inclusive=(True, False)):
            if len(found) == limit:
                break
            found.append(key)
        self.read += len(found)
        return found

    def apply(self, contract: bytes, effects: Effects) -> None:
        rows: dict[bytes, bytes] = self.rows.setdefault(contract, {})
        keys: Any = self._keys.setdefault(contract, SortedList())
        for key, raw in effects.writes.items():
            if raw is None:
                if rows.pop(key, None) is not None:
                    keys.remove(key)
                continue
            if key not in rows:
                keys.add(key)
            rows[key] = raw
        if effects.code is not None:
            self.codes[contract] = effects.code
        for emitted in effects.emitted:
            self.credit(contract, -emitted.value)
            if isinstance(emitted, Transfer):
                self.credit(emitted.to, emitted.value)


class Book:
    """One contract, filled step by step; half of its orders go to one provider."""

    def __init__(self) -> None:
        self.vm = DirectVM()
        self.vm.state = LargeState()
        self.vm.sender = CLIENT
        self.contract = deploy(self.vm, ROOT / "contracts" / "foreman.py")
        self.vm.mock_web(".*", {"body": "the page"})
        self.count = 0

    def grow(self, orders: int) -> None:
        """Add orders until there are so many: of ten, one ends in each status, and half go to one provider."""
        while self.count < orders:
            number, kind = self.count, self.count % 10
            self.vm.value = 10**15
            self.contract.create_order(f"Order {number}", "What is wanted", "1) It is there.", 1 if kind == 6 else 365)
            self.vm.value = 0
            if kind == 0:
                self.contract.cancel_order(number)
            elif kind % 2 or kind in (2, 4):
                with self.vm.prank(PROVIDER if kind % 2 else create_address(f"provider {number % 500}")):
                    self.contract.claim_order(number)
                    if kind in (2, 4):
                        self.vm.mocks.answers.clear()
                        self.vm.mock_llm(".*", {"payout_percent": 80 if kind == 2 else 20, "reasoning": "r"})
                        self.contract.submit_deliverable(number, "https://example.com/", "")
            self.count += 1
            if self.count % 1000 == 0:
                self.vm.now += 2 * 86_400 * 1_000_000
                for overdue in range(self.count - 1000 + 6, self.count, 10):
                    self.contract.expire_order(overdue)

    def measure(self, view: str, *args: object) -> tuple[int, float]:
        """Keys read and the best of twelve times, in milliseconds."""
        best, state = float("inf"), self.vm.state
        assert isinstance(state, LargeState)
        for _ in range(12):
            state.read, began = 0, time.process_time()
            getattr(self.contract, view)(*args)
            best = min(best, time.process_time() - began)
        self.vm.captured.clear()
        return state.read, best * 1000


def views(count: int) -> dict[str, tuple[Any, ...]]:
    """Every read the issue names, with how many rows it skips."""
    found: dict[str, tuple[Any, ...]] = {
        "get_stats": (0, "get_stats"),
        "get_top_providers(50)": (0, "get_top_providers", 50),
    }
    deep = count * 9 // 10
    for status in ("", *STATUSES):
        found[f"get_orders_page(0, 50, {status!r})"] = (0, "get_orders_page", 0, 50, status)
        found[f"get_orders_page(90 %, 50, {status!r})"] = (deep, "get_orders_page", deep, 50, status)
    found["get_orders_by_provider_page(0, 50)"] = (0, "get_orders_by_provider_page", spelled(PROVIDER), 0, 50)
    found["get_order"] = (0, "get_order", count // 2)
    return found


def main() -> int:
    """Fill, measure, compare. Returns 1 when a read grew."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--orders", type=int, default=100_000)
    options = parser.parse_args()
    book, small = Book(), {}
    book.grow(1000)
    for name, (_, *call) in views(1000).items():
        small[name] = book.measure(*call)
    began = time.perf_counter()
    book.grow(options.orders)
    print(f"{options.orders} orders by real calls in {time.perf_counter() - began:.0f} s")
    print(f"{'view':44} {'keys 1,000':>10} {'keys now':>10} {'ms 1,000':>9} {'ms now':>9}")
    failed = []
    for name, (skipped, *call) in views(options.orders).items():
        (keys, ms), (keys_now, ms_now) = small[name], book.measure(*call)
        print(f"{name:44} {keys:10} {keys_now:10} {ms:9.2f} {ms_now:9.2f}")
        if keys_now > keys + 300 + skipped or (not skipped and keys > 200 and ms_now > ALLOWED * ms + 0.2):
            failed.append(name)
    print("grew: " + ", ".join(failed) if failed else "no read grew with the book")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
