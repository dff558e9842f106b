"""Structure-aware fuzz of the door: each answer is a result, or a JSON-RPC error with a sentence; nothing else happens.

FOREMAN_FUZZ_REQUESTS sets how many (100,000 is the long form), FOREMAN_FUZZ_SEED where it begins.
"""

import http.client
import json
import os
import sqlite3
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from foreman.money import GEN
from foreman.state.database import DATABASE
from tests.faults.callers import CRITERIA, Caller
from tests.hostile.fuzz import Fuzz
from tests.hostile.node import MEBIBYTE, Victim, attacked, told

REQUESTS = int(os.environ.get("FOREMAN_FUZZ_REQUESTS", "2000"))
SEED = int(os.environ.get("FOREMAN_FUZZ_SEED", "20261130"))

MOST_SECONDS = 10.0
"""For one answer: a batch may hold six simulated calls, and the machine may be busy."""


def begin(victim: Victim) -> Fuzz:
    """Something to ask about: an order, the hashes of what made it, and every method of both contracts."""
    wire, client = victim.wire(), Caller("fuzzed", 0, 1)
    wire.ask("sim_fundAccount", str(client.account), 10 * GEN)
    client.send(wire, "create_order", -1, ["a report", "Some work", CRITERIA, 30], GEN)
    found = page(victim, "/config.json")["contracts"]
    methods = {address: list(wire.ask("gen_getContractSchema", address)["methods"]) for address in found.values()}
    wire.close()
    return Fuzz(SEED, methods, [*(one.hash for one in client.sent), "0x" + "ab" * 32])


def check(answer: object) -> str:
    """How one request was answered. Fails for what is no answer."""
    assert isinstance(answer, dict), answer
    assert answer["jsonrpc"] == "2.0"
    if "result" in answer:
        return "result"
    told(answer)
    return str(answer["error"]["data"]["code"])


def ask(line: http.client.HTTPConnection, body: bytes) -> list[str]:
    """Send a body; how each request in it was answered."""
    begun = time.monotonic()
    line.request("POST", "/api", body, {"Content-Type": "application/json"})
    reply = line.getresponse()
    raw = reply.read()
    assert time.monotonic() - begun < MOST_SECONDS, body[:500]
    assert reply.status in (200, 204, 400), (reply.status, body[:500])
    if reply.status == 204:
        return ["nothing"]
    answer = json.loads(raw)
    return [check(one) for one in answer] if isinstance(answer, list) else [check(answer)]


@pytest.mark.timeout(3600)
def test_nothing_but_answers_and_sentences(tmp_path: Path) -> None:
    print(f"FOREMAN_FUZZ_SEED={SEED} FOREMAN_FUZZ_REQUESTS={REQUESTS}")
    found: Counter[str] = Counter()
    with attacked(tmp_path) as victim:
        fuzz = begin(victim)
        line = http.client.HTTPConnection("127.0.0.1", victim.port, timeout=60)
        before = 0
        begun = time.monotonic()
        while sum(found.values()) < REQUESTS:
            body = fuzz.body()
            try:
                found.update(ask(line, body))
            except Exception as error:
                error.add_note(f"asked: {body[:2000]!r}")
                raise
            if sum(found.values()) >= REQUESTS // 4 and not before:
                before = victim.memory
        more = victim.memory - before
        line.close()
        print(f"{sum(found.values())} in {time.monotonic() - begun:.0f} s, {more >> 20} MiB more; {dict(found)}")
        wire = victim.wire()
        while page(victim, "/health")["undecided"]:
            wire.ask("eth_chainId")
        assert victim.served() < 5
        assert more < 256 * MEBIBYTE
        wire.close()
    assert found["result"] > REQUESTS / 20, "some made sense"
    assert len(found) > 15, "they went wrong in many ways"
    with closing(sqlite3.connect(tmp_path / DATABASE)) as database:
        (broken,) = database.execute(
            "SELECT count(*) FROM transactions WHERE receipt LIKE '%internal_error%'"
        ).fetchone()
        assert broken == 0, "a fault of the runtime's own"


def page(victim: Victim, path: str) -> dict[str, Any]:
    line = http.client.HTTPConnection("127.0.0.1", victim.port, timeout=60)
    line.request("GET", path)
    found: dict[str, Any] = json.loads(line.getresponse().read())
    line.close()
    return found
