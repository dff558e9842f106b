"""What one request costs at the door: requests per second, and the node's own CPU time per request.

    python -m bench.door

A client in a process of its own keeps 32 connections busy with one request each (64 senders for transactions). The
figure to compare is CPU per request: it is all threads of the node's process, the book and its commits included, and
does not depend on what else the machine does. Requests per second do.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

from foreman.localnet.accounts import DEV_ACCOUNTS
from foreman.localnet.localnet import build
from foreman.localnet.serve import Running
from foreman.sdk.account import Account
from foreman.sdk.envelope import call_payload
from foreman.settings import Settings

SECONDS = 3.0
SENDERS, EACH = 64, 100

Bodies = list[list[bytes]]
"""What each connection sends, one after the other; a single body is sent again and again."""


class Connection(asyncio.Protocol):
    """Sends a request, waits for its reply, sends the next."""

    def __init__(self, head: bytes, bodies: list[bytes], until: float, left: "asyncio.Queue[int]") -> None:
        self._head, self._until, self._left = head, until, left
        self._bodies: Iterator[bytes] = iter(bodies)
        self._again = bodies[0] if len(bodies) == 1 else None
        self._reply = b""
        self.count = 0
        self.refused = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._next()

    def _next(self) -> None:
        body = self._again or next(self._bodies, None)
        if body is None or time.perf_counter() > self._until:
            self._transport.close()
            return
        self._transport.write(self._head + b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def data_received(self, data: bytes) -> None:
        self._reply += data
        head, found, body = self._reply.partition(b"\r\n\r\n")
        if not found or len(body) < int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0]):
            return
        if b'"error"' in body:
            self.refused = body
        self._reply = b""
        self.count += 1
        self._next()

    def connection_lost(self, error: Exception | None) -> None:
        self._left.put_nowait(self.count)


async def client(port: int, bodies: Bodies) -> dict[str, Any]:
    """Keep one connection busy for each list of bodies."""
    head = f"POST /api HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nAccept: */*\r\n".encode()
    left: asyncio.Queue[int] = asyncio.Queue()
    loop, begun = asyncio.get_running_loop(), time.perf_counter()
    until = begun + (SECONDS if len(bodies[0]) == 1 else 60)
    connections = [Connection(head, mine, until, left) for mine in bodies]
    for connection in connections:
        await loop.create_connection(lambda connection=connection: connection, "127.0.0.1", port)  # type: ignore[misc]  # each its own
    count = sum([await left.get() for _ in connections])
    refused = next((connection.refused.decode() for connection in connections if connection.refused), "")
    return {"count": count, "seconds": time.perf_counter() - begun, "refused": refused[:200]}


def measure(running: Running, name: str, bodies: Bodies) -> None:
    """Print one line of the table."""
    began = time.process_time()
    asked = json.dumps({"port": running.port, "bodies": [[body.decode() for body in mine] for mine in bodies]})
    command = [sys.executable, "-m", "bench.door", "--client"]
    ended = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
    told = json.loads(ended.stdout)
    spent = time.process_time() - began
    per_second, cost = told["count"] / told["seconds"], spent / told["count"] * 1e6
    print(f"{name:48} {told['count']:8} {per_second:10.0f} {cost:10.0f}  {told['refused']}")


def request(method: str, *params: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()


def main() -> int:
    """Measure a development network. Returns 0."""
    with Running(build(Settings(port=0))) as running:
        foreman = running.node.contracts()["foreman"]
        address = DEV_ACCOUNTS[0].address
        read = {"type": "read", "to": foreman, "data": "0x" + call_payload("get_stats", []).hex()}
        funded = running.node.fund(bytes(19) + b"\1", 1).result(20)
        print(f"{'request':48} {'requests':>8} {'per second':>10} {'us of CPU':>10}")
        for name, body in {
            "eth_chainId": request("eth_chainId"),
            "eth_getTransactionCount": request("eth_getTransactionCount", address, "latest"),
            "eth_getBalance": request("eth_getBalance", address, "latest"),
            "eth_getTransactionReceipt": request("eth_getTransactionReceipt", "0x" + funded.hex()),
            "eth_getTransactionByHash": request("eth_getTransactionByHash", "0x" + funded.hex()),
            "gen_call get_stats": request("gen_call", read),
        }.items():
            measure(running, name, [[body]] * 32)
        measure(running, "eth_sendRawTransaction, a transfer, durable", transfers(running))
    return 0


def transfers(running: Running) -> Bodies:
    """Signed transfers of one wei from accounts that have just been funded."""
    senders = [Account(bytes([9] * 31 + [number + 1])) for number in range(SENDERS)]
    for future in [running.node.fund(sender.address, EACH) for sender in senders]:
        future.result(20)
    while any(running.node.balance(sender.address) < EACH for sender in senders):
        time.sleep(0.01)
    return [
        [
            request("eth_sendRawTransaction", "0x" + sender.sign_transaction(61127, nonce, sender.address, 1).hex())
            for nonce in range(EACH)
        ]
        for sender in senders
    ]


if __name__ == "__main__":
    if "--client" in sys.argv:
        work = json.load(sys.stdin)
        print(
            json.dumps(asyncio.run(client(work["port"], [[body.encode() for body in mine] for mine in work["bodies"]])))
        )
        sys.exit(0)
    sys.exit(main())
