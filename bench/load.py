"""Clients and providers of the load generator: calls signed beforehand, sent, and waited for by subscription."""

import asyncio
import sys
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from bench.wire import Line, Wire, request  # noqa: E402
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
        self.queue: deque[tuple[bytes, bytes]] = deque()
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
        while self.queue:
            await self.send_next(wire)

    async def send_next(self, wire: Wire) -> None:
        """Send the next of what is queued, and wait until it is decided."""
        assert self.line is not None
        digest, raw = self.queue.popleft()
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
