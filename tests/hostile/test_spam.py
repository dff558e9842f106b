"""Judgements asked for by the hundred at once: bounded, refused with a sentence beyond, and every one of them happens.

FOREMAN_SPAM sets how many (5,000 is the long form).
"""

import os
import re
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import pytest

from foreman.address import keccak256, parse_address
from foreman.money import GEN
from foreman.sdk.account import Account
from foreman.sdk.envelope import add_transaction, call_payload
from foreman.transaction import CONSENSUS_MAIN
from tests.faults.callers import CRITERIA
from tests.hostile.node import MEBIBYTE, Victim, told

DELIVERIES = int(os.environ.get("FOREMAN_SPAM", "1000"))
JUDGE_SECONDS = 1.0

MOST_THREADS = 1_100
"""The jury's 1,024, and those of the node itself."""


class Crowd:
    """Accounts that send in batches and wait for what they have sent."""

    def __init__(self, victim: Victim) -> None:
        self.victim = victim
        self.contract = parse_address(victim.contract)
        self._http = httpx.Client(timeout=60)

    def close(self) -> None:
        self._http.close()

    def batch(self, method: str, params: list[list[Any]]) -> list[dict[str, Any]]:
        answers: list[dict[str, Any]] = []
        for at in range(0, len(params), 50):
            calls = [{"jsonrpc": "2.0", "id": 1, "method": method, "params": each} for each in params[at : at + 50]]
            answers += self._http.post(self.victim.url, json=calls).json()
        return answers

    def raw(self, account: Account, nonce: int, method: str, args: list[Any], value: int = 0) -> str:
        data = add_transaction(account.address, self.contract, call_payload(method, args))
        return "0x" + account.sign_transaction(61127, nonce, CONSENSUS_MAIN, value, data).hex()

    def send_all(self, raws: list[str]) -> tuple[list[str], Counter[str]]:
        """Send, again and again what there was no room for; the hashes, and how often which refusal came."""
        hashes: list[str] = []
        refusals: Counter[str] = Counter()
        while raws:
            again = []
            for raw, answer in zip(raws, self.batch("eth_sendRawTransaction", [[raw] for raw in raws]), strict=True):
                if "error" in answer:
                    told(answer)
                    assert answer["error"]["code"] == -32005, answer
                    refusals[answer["error"]["data"]["code"]] += 1
                    again.append(raw)
                else:
                    hashes.append(answer["result"])
            raws = again
        return hashes, refusals

    def wait(self, hashes: list[str]) -> Counter[str]:
        """How they ended."""
        ended: Counter[str] = Counter()
        while hashes:
            told = self.batch("gen_getTransactionStatus", [[digest] for digest in hashes])
            ended.update(one["result"]["status"] for one in told if one["result"]["status"] not in WAITING)
            hashes = [digest for digest, one in zip(hashes, told, strict=True) if one["result"]["status"] in WAITING]
            time.sleep(0.02)  # asking without a pause would be load of its own
        return ended


WAITING = ("PENDING", "PROPOSING")
EACH = 32
"""Orders of one client: fewer than an account may have undecided."""


def prepare(crowd: Crowd, names: list[str]) -> list[Account]:
    """An order for each name, claimed by an account of its own."""
    clients = [Account(keccak256(b"spam client %d" % number)) for number in range(len(names) // EACH + 1)]
    assert all("result" in one for one in crowd.batch("sim_fundAccount", [[str(one), hex(GEN)] for one in clients]))
    raws = [
        crowd.raw(clients[number // EACH], number % EACH, "create_order", [name, "Work", CRITERIA, 30], GEN // 1000)
        for number, name in enumerate(names)
    ]
    crowd.wait(crowd.send_all(raws)[0])
    providers = [Account(keccak256(name.encode())) for name in names]
    claims = [crowd.raw(provider, 0, "claim_order", [number]) for number, provider in enumerate(providers)]
    assert crowd.wait(crowd.send_all(claims)[0]) == {"FINALIZED": len(names)}
    return providers


def threads(process: int) -> int:
    (count,) = re.findall(r"Threads:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    return int(count)


@pytest.mark.timeout(1800)
def test_every_judgement_of_a_crowd_happens_within_bounds(tmp_path: Path) -> None:
    victim = Victim(tmp_path, JUDGE_SECONDS)
    crowd = Crowd(victim)
    try:
        providers = prepare(crowd, [f"order {number} of the crowd" for number in range(DELIVERIES)])
        before = victim.memory
        begun = time.monotonic()
        raws = [
            crowd.raw(provider, 1, "submit_deliverable", [number, f"https://page.example/{number}", ""])
            for number, provider in enumerate(providers)
        ]
        hashes, refusals = crowd.send_all(raws)
        most, many = victim.memory - before, threads(victim.process.pid)
        assert victim.served() < 5, "others are answered meanwhile"
        ended = crowd.wait(hashes)
        seconds = time.monotonic() - begun
        print(f"{DELIVERIES} in {seconds:.1f} s, {most >> 20} MiB more, {many} threads, refused: {dict(refusals)}")
        assert ended == {"FINALIZED": DELIVERIES}
        assert set(refusals) == {"over_budget"}, "so many are too many at once"
        assert many < MOST_THREADS
        assert most < 400 * MEBIBYTE
        wire = victim.wire()
        assert wire.view("get_stats")["completed"] == DELIVERIES
        assert wire.ask("foreman_getBooks")["conserved"] is True
        wire.close()
    finally:
        crowd.close()
        victim.kill()
