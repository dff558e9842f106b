"""How fast the same work is with nothing around it: contract runs, signature recoveries and commits, in one thread.

    python -m bench.floor 1024

Per lifecycle: three transactions read and their signers recovered, four runs of the contract (a delivery runs once up
to its block and once with the answer), the rows a node writes for them, and durable commits of `TOGETHER` transactions
each, as many as 64 senders have under way. No HTTP, no queue, no jury: every delivery gets the first one's answer.
Prints lifecycles per second, by the clock and by processor time, as one line of JSON.
"""

import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from bench.filled import PAIRS, Signers, rounds  # noqa: E402
from bench.load import CHAIN  # noqa: E402
from bench.server import PAGE, PERCENT, scripted_node  # noqa: E402
from foreman.address import parse_address  # noqa: E402
from foreman.execution import Answer, Asking, Call, Finished, Outcome, Transfer  # noqa: E402
from foreman.judges.scripted import payout  # noqa: E402
from foreman.money import GEN  # noqa: E402
from foreman.node.calls import call_of  # noqa: E402
from foreman.ports import WebRequest, WebResponse  # noqa: E402
from foreman.receipt import Receipt, Record, Status  # noqa: E402
from foreman.runtime.runtime import ContractRuntime  # noqa: E402
from foreman.state.store import SqliteStore  # noqa: E402
from foreman.transaction import CLIENT_CHAIN_IDS, read_signed, read_transaction  # noqa: E402

TOGETHER = 64


class Seat:
    """What the one seat hears that is asked."""

    def web(self, request: WebRequest) -> WebResponse:
        return WebResponse(200, {"content-type": "text/html"}, PAGE.encode())

    def ask(self, prompt: str, images: tuple[bytes, ...] = ()) -> str:
        return payout(PERCENT)


class Floor:
    """A deployed contract and nothing that would be in the way."""

    def __init__(self, folder: Path) -> None:
        node = scripted_node(str(folder))
        node.start()
        self._contract = parse_address(node.contracts()["foreman"])
        self.signers = Signers(self._contract, PAIRS)
        for client in self.signers.clients:
            node.fund(client.account.address, 10_000 * GEN).result()
        node.stop()
        self.store = SqliteStore(folder)
        self._runtime = ContractRuntime(lambda digest: True)
        self._outcome: Outcome | None = None
        self._position, self._at = self.store.last_position()
        self._block = self.store.height()

    def commit(self, raws: Sequence[bytes]) -> None:
        """Read, run and write these transactions, durably."""
        with self.store.transaction():
            for raw in raws:
                self._one(raw)

    def _one(self, raw: bytes) -> None:
        store = self.store
        asked = read_transaction(read_signed(raw, CLIENT_CHAIN_IDS))
        self._position, self._block = self._position + 1, self._block + 1
        record = Record(asked, Status.FINALIZED, self._at, self._position, self._at, block=self._block)
        finished = self._run(call_of(record, CHAIN))
        if not finished.outcome.ok:
            raise RuntimeError(f"the contract refused: {finished.outcome.text}")
        store.spend_nonce(asked.sender)
        store.write(asked.target, finished.effects.writes)
        if asked.value:
            store.debit(asked.sender, asked.value)
            store.credit(asked.target, asked.value)
        emitted = tuple(finished.effects.emitted)
        for item in emitted:
            assert isinstance(item, Transfer)
            store.debit(asked.target, item.value)
            store.credit(item.to, item.value)
        record.receipt = Receipt(Status.FINALIZED, finished.outcome, emitted=emitted, decided_at=self._at)
        store.save(record)
        for status in (Status.PENDING, Status.FINALIZED):
            store.log(asked.hash, status, self._at)

    def _run(self, call: Call) -> Finished:
        run = self._runtime.run(call, self.store)
        if isinstance(run, Asking):
            if self._outcome is None:
                self._outcome = run.block.lead(Seat())
            run = self._runtime.run(call, self.store, [Answer(run.block.fingerprint, self._outcome)])
        assert isinstance(run, Finished)
        return run


def measure(orders: int) -> dict[str, float]:
    """Lifecycles per second, by the clock and by processor time."""
    with tempfile.TemporaryDirectory() as folder:
        floor = Floor(Path(folder))
        phases = [[floor.signers.sign(number, 0) for number in range(orders)]]
        for numbers in rounds(0, orders, PAIRS):
            phases += [[floor.signers.sign(number, call) for number in numbers] for call in (1, 2)]
        everything = [raw for phase in phases for raw in phase]
        warm, rest = everything[:TOGETHER], everything[TOGETHER:]
        floor.commit(warm)
        wall, cpu = time.perf_counter(), time.process_time()
        for start in range(0, len(rest), TOGETHER):
            floor.commit(rest[start : start + TOGETHER])
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        floor.store.close()
    done = len(rest) / 3
    return {"per_second": done / wall, "per_cpu_second": done / cpu}


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]))))
