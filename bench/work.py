"""The load generator, in a process of its own: sends signed calls, waits, and prints its figures as a line of JSON.

python -m bench.work '{"url": "...", "contract": "0x..", "work": "lifecycles", "senders": 64, "orders": 1024}'
"""

import asyncio
import json
import resource
import sys
import time
from collections.abc import Callable, Coroutine
from typing import Any

from bench.load import ESCROW, URL, Load
from bench.reading import reading
from bench.server import HOST
from bench.wire import run
from foreman.address import checksum, keccak256


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


async def rulings(url: str, contract: str) -> dict[str, Any]:
    """One milestone of an agreement is ruled on in its first round; the seconds until it is decided."""
    load = Load(url, contract, 1, 1, first=70_000)
    await load.begin()
    payer, provider = load.clients[0], load.providers[0]
    arbiter = checksum(keccak256(b"bench arbiter")[12:])
    due = int(time.time()) // 3600 + 100
    payer.prepare(load.wire, "create_agreement", [str(provider.account), arbiter, "Water levels", [HOST]])
    await payer.send_all(load.wire)
    number = await load.read("get_agreement_count")
    payer.prepare(load.wire, "add_milestone", [number, "March", ["Every value names its source"], ESCROW, due])
    payer.prepare(load.wire, "fund_and_activate", [number], ESCROW)
    await payer.send_all(load.wire)
    provider.prepare(load.wire, "submit_evidence", [number, 0, "Every hour of March is there, with units.", [URL]])
    await provider.send_all(load.wire)
    provider.prepare(load.wire, "adjudicate", [number, 0])
    return {"seconds": await load.phase([provider])}


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
    "rulings": rulings,
    "creations": creations,
    "reading": reading,
}


def main() -> None:
    asked = json.loads(sys.argv[1])
    work = WORK[asked.pop("work")]
    began = cpu_seconds()
    found = run(work(**asked))
    print(json.dumps({**found, "own_cpu": cpu_seconds() - began}))


if __name__ == "__main__":
    main()
