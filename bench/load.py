"""The load generator, in a process of its own: lifecycles, judgements and creations, sent signed and waited for by
subscription. Prints its figures as one line of JSON.

    python -m bench.load '{"url": "...", "contract": "0x..", "work": "lifecycles", "senders": 64, "orders": 1024}'
"""

import asyncio
import json
import resource
import sys
import time
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from bench.wire import Line, Wire, request, run  # noqa: E402
from foreman import calldata  # noqa: E402
from foreman.address import keccak256, parse_address  # noqa: E402
from foreman.money import GEN  # noqa: E402
from foreman.sdk.account import Account  # noqa: E402
from foreman.sdk.envelope import add_transaction, call_payload  # noqa: E402
from foreman.transaction import CONSENSUS_MAIN  # noqa: E402

ESCROW = GEN // 100
TITLE = "Water levels of one gauge"
SPEC = "Hourly water levels of gauge 17 for March, as JSON, with units and the source of every value. " * 4
CRITERIA = "- The page is valid JSON\n- It has 744 values\n- The unit is centimetres\n- Every value names its source"
URL = "https://deliverables.example/gauge/17.json"
CHAIN = 61127


class Sender:
    """An account with its own connection, that sends its next transaction when its last one is decided."""

    def __init__(self, number: int, contract: bytes) -> None:
        self.account = Account(keccak256(b"bench %d" % number))
        self.contract = contract
        self.nonce = 0
        self.queue: list[tuple[bytes, bytes]] = []
        self.line: Line | None = None
        self.waits: list[float] = []

    def prepare(self, wire: Wire, method: str, args: Sequence[Any], value: int = 0) -> None:
        """Sign a call and put it in the queue, ready to be written to a socket."""
        data = add_transaction(self.account.address, self.contract, call_payload(method, args))
        raw = self.account.sign_transaction(CHAIN, self.nonce, CONSENSUS_MAIN, value, data)
        self.nonce += 1
        digest = b"0x" + keccak256(raw).hex().encode()
        self.queue.append((digest, request(wire.host, "eth_sendRawTransaction", ["0x" + raw.hex()])))

    async def send_all(self, wire: Wire) -> None:
        """Send what is queued, one after the other; each is decided before the next is sent."""
        assert self.line is not None
        queue, self.queue = self.queue, []
        for digest, raw in queue:
            began = time.perf_counter()
            decided = wire.decided(digest)
            reply = await self.line.ask(raw)
            if b'"error"' in reply:
                raise RuntimeError(reply.decode())
            status = await decided
            if status != b"FINALIZED":
                raise RuntimeError(f"{digest.decode()} ended {status.decode()}")
            self.waits.append(time.perf_counter() - began)


class Load:
    """Clients and providers before one node."""

    def __init__(self, url: str, contract: str, clients: int, providers: int, first: int = 0) -> None:
        self.wire = Wire(url)
        self.address = contract
        target = parse_address(contract)
        self.clients = [Sender(first + number, target) for number in range(clients)]
        self.providers = [Sender(first + 1_000_000 + number, target) for number in range(providers)]

    async def begin(self) -> None:
        """Connect, fund the clients, learn the nonces. Not measured."""
        await self.wire.follow()
        for sender in (*self.clients, *self.providers):
            sender.line = await self.wire.line()
            text = str(sender.account)
            sender.nonce = int(await self.wire.call(sender.line, "eth_getTransactionCount", [text, "latest"]), 16)
        for sender in self.clients:
            assert sender.line is not None
            digest = await self.wire.call(sender.line, "sim_fundAccount", [str(sender.account), 10_000 * GEN])
            await self.wire.decided(digest.encode())

    async def read(self, method: str, *args: Any) -> Any:
        """A view of the contract, over a connection of its own: the others may have idled too long."""
        call = {"type": "read", "to": self.address, "data": "0x" + call_payload(method, args).hex()}
        call["from"] = str(self.clients[0].account)
        line = await self.wire.line()
        found = calldata.decode(bytes.fromhex(await self.wire.call(line, "gen_call", [call])))
        line.close()
        return found

    async def phase(self, senders: Sequence[Sender]) -> float:
        """Everybody sends what is prepared; the seconds until the last is decided."""
        began = time.perf_counter()
        await asyncio.gather(*(sender.send_all(self.wire) for sender in senders))
        return time.perf_counter() - began

    def deal(self, senders: Sequence[Sender], numbers: range, method: str, *args: Any) -> None:
        for number in numbers:
            senders[number % len(senders)].prepare(self.wire, method, [number, *args])

    async def create(self, count: int) -> tuple[range, float]:
        """So many new orders: their ids and the seconds it took."""
        first = await self.read("get_order_count")
        for number in range(count):
            self.clients[number % len(self.clients)].prepare(
                self.wire, "create_order", [f"{TITLE}, part {first + number}", SPEC, CRITERIA, 30], ESCROW
            )
        return range(first, first + count), await self.phase(self.clients)


async def lifecycles(url: str, contract: str, senders: int, orders: int) -> dict[str, Any]:
    """Create, claim and submit `orders` orders with so many senders at once, phase by phase."""
    load = Load(url, contract, senders, senders)
    await load.begin()
    before = await load.read("get_stats")
    numbers, creating = await load.create(orders)
    load.deal(load.providers, numbers, "claim_order")
    claiming = await load.phase(load.providers)
    load.deal(load.providers, numbers, "submit_deliverable", URL, "As agreed.")
    cpu = cpu_seconds()
    submitting = await load.phase(load.providers)
    after = await load.read("get_stats")
    done = after["completed"] - before["completed"]
    if done != orders:
        raise RuntimeError(f"{done} orders are completed instead of {orders}")
    waits = sorted(wait for sender in (*load.clients, *load.providers) for wait in sender.waits)
    seconds = creating + claiming + submitting
    return {
        "per_second": orders / seconds,
        "seconds": {"create": creating, "claim": claiming, "submit": submitting},
        "median_ms": waits[len(waits) // 2] * 1000,
        "p99_ms": waits[len(waits) * 99 // 100] * 1000,
        "own_cpu_submit": cpu_seconds() - cpu,
    }


async def judgements(url: str, contract: str, count: int) -> dict[str, Any]:
    """So many deliveries at once, each from an account of its own; the seconds until the last is decided."""
    load = Load(url, contract, 1, count, first=50_000)
    await load.begin()
    numbers, _ = await load.create(count)
    load.deal(load.providers, numbers, "claim_order")
    await load.phase(load.providers)
    load.deal(load.providers, numbers, "submit_deliverable", URL, "As agreed.")
    return {"seconds": await load.phase(load.providers)}


async def creations(url: str, contract: str, count: int) -> dict[str, Any]:
    """While one delivery is judged, so many orders are created, one after the other; how long each took."""
    load = Load(url, contract, 1, 1, first=90_000)
    await load.begin()
    numbers, _ = await load.create(1)
    load.deal(load.providers, numbers, "claim_order")
    await load.phase(load.providers)
    load.deal(load.providers, numbers, "submit_deliverable", URL, "As agreed.")
    judged = asyncio.ensure_future(load.phase(load.providers))
    load.clients[0].waits.clear()
    await load.create(count)
    if judged.done():
        raise RuntimeError("the judgement was over before the last order was created")
    waits = sorted(load.clients[0].waits)
    await judged
    return {"worst_ms": waits[-1] * 1000, "median_ms": waits[len(waits) // 2] * 1000}


def cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


WORK: dict[str, Callable[..., Coroutine[Any, Any, dict[str, Any]]]] = {
    "lifecycles": lifecycles,
    "judgements": judgements,
    "creations": creations,
}


def main() -> None:
    asked = json.loads(sys.argv[1])
    work = WORK[asked.pop("work")]
    began = cpu_seconds()
    found = run(work(**asked))
    print(json.dumps({**found, "own_cpu": cpu_seconds() - began}))


if __name__ == "__main__":
    main()
