"""Do the reads of agreements cost more when there are more? Rows read and time, at 1,000 and at 30,000 agreements.

    python bench/agreement_reads.py [--agreements 30000]

Every agreement is made by real calls, between the same three accounts; each twentieth is funded and judged. A view is
asked for on the same state twelve times; the best time counts. Rows are counted at the state's door.
"""

import argparse
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from bench.contract_reads import LargeState  # noqa: E402
from foreman.localnet.direct import DirectVM, create_address, deploy, spelled  # noqa: E402

PAYER, PROVIDER, ARBITER = (create_address(name) for name in ("payer", "provider", "arbiter"))
ALLOWED = 1.2
"""A read may take this many times as long when there are many."""
RULING = '{"verdict": "APPROVE", "confidence": 90, "unmet_criteria": [], "rationale": "It is all there, I looked."}'


class Shelf:
    """One contract, filled step by step."""

    def __init__(self) -> None:
        self.vm = DirectVM()
        self.vm.state = LargeState()
        self.vm.sender = PAYER
        self.contract = deploy(self.vm, ROOT / "contracts" / "verdict_escrow.py")
        self.vm.mock_web(".*", {"body": "the page"})
        self.vm.mock_llm(".*", RULING)
        self.count = 0

    def grow(self, agreements: int) -> None:
        """Add agreements until there are so many."""
        due = self.vm.now // 3_600_000_000 + 100
        while self.count < agreements:
            names = spelled(PROVIDER), spelled(ARBITER)
            n = self.contract.create_agreement(*names, f"Agreement {self.count}", ["example.com"])
            self.count += 1
            if n % 20 == 0:
                self.contract.add_milestone(n, "Part", ["It is all there"], 10**15, due)
                self.vm.value = 10**15
                self.contract.fund_and_activate(n)
                self.vm.value = 0
                with self.vm.prank(PROVIDER):
                    self.contract.submit_evidence(n, 0, "It is delivered and there.", ["https://example.com/"])
                    self.contract.adjudicate(n, 0)
                self.vm.captured.clear()
                self.vm.mocks.prompts.clear()

    def measure(self, view: str, *args: object) -> tuple[int, float]:
        """Rows read and the best of twelve times, in milliseconds."""
        best, state = float("inf"), self.vm.state
        assert isinstance(state, LargeState)
        for _ in range(12):
            state.read, began = 0, time.process_time()
            getattr(self.contract, view)(*args)
            best = min(best, time.process_time() - began)
        return state.read, best * 1000


def views(count: int) -> dict[str, tuple[object, ...]]:
    """Every read, the pages from the top and from far below."""
    deep = count * 9 // 10
    return {
        "get_agreement": ("get_agreement", count // 20 * 20),
        "get_agreement_count": ("get_agreement_count",),
        "get_agreements_page(0, 50)": ("get_agreements_page", 0, 50),
        "get_agreements_page(90 %, 50)": ("get_agreements_page", deep, 50),
        "get_agreements_by_party(0, 50)": ("get_agreements_by_party", spelled(ARBITER), 0, 50),
        "get_agreements_by_party(90 %, 50)": ("get_agreements_by_party", spelled(ARBITER), deep, 50),
        "get_milestone": ("get_milestone", count // 20 * 20, 0),
        "get_rulings": ("get_rulings", count // 20 * 20, 0),
        "credit_of": ("credit_of", spelled(PROVIDER)),
    }


def main() -> int:
    """Fill, measure, compare. Returns 1 when a read grew."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--agreements", type=int, default=30_000)
    options = parser.parse_args()
    shelf = Shelf()
    shelf.grow(1000)
    few = {name: shelf.measure(*map(str, call[:1]), *call[1:]) for name, call in views(1000).items()}
    began = time.perf_counter()
    shelf.grow(options.agreements)
    print(f"{options.agreements} agreements by real calls in {time.perf_counter() - began:.0f} s")
    print(f"{'view':36} {'rows 1,000':>10} {'rows now':>10} {'ms 1,000':>9} {'ms now':>9}")
    grew = []
    for name, call in views(options.agreements).items():
        (rows, ms), (rows_now, ms_now) = few[name], shelf.measure(*map(str, call[:1]), *call[1:])
        print(f"{name:36} {rows:10} {rows_now:10} {ms:9.2f} {ms_now:9.2f}")
        if rows_now > rows or ms_now > ALLOWED * ms + 0.2:
            grew.append(name)
    print("grew: " + ", ".join(grew) if grew else "no read grew with the number of agreements")
    return 1 if grew else 0


if __name__ == "__main__":
    sys.exit(main())
