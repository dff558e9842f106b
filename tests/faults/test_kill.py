"""kill -9 at random moments under load: whatever the node has acknowledged is there once, and the wei add up."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

from foreman.money import GEN
from foreman.state.database import DATABASE
from tests.faults import server
from tests.faults.callers import Caller, Client, Provider, Wire

ROUNDS = int(os.environ.get("FOREMAN_KILL_ROUNDS", "20"))
SEED = int(os.environ.get("FOREMAN_KILL_SEED", "20260713"))
CLIENTS, PROVIDERS = 3, 3
PURSE = 100_000 * GEN


class Life:
    """One life of the node: from its start to its end by SIGKILL."""

    def __init__(self, folder: Path, judge_seconds: float) -> None:
        command = [sys.executable, "-m", "tests.faults.server", str(folder), str(judge_seconds)]
        self.process = subprocess.Popen(command, cwd=server.ROOT, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        told = self.process.stdout.readline().split()
        assert len(told) == 2, "the node does not start again"
        self.url, self.contract = told

    def wire(self) -> Wire:
        return Wire(self.url, self.contract)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(20)
        assert self.process.stdout is not None
        self.process.stdout.close()


def moment(chance: random.Random, callers: list[Caller], log: Path) -> str:
    """Wait for the moment: some acknowledgements in, then at once, a little later, or as the log is being written."""
    for _ in range(chance.randrange(1, 40)):
        caller = chance.choice(callers[:CLIENTS])
        assert caller.acknowledged.acquire(timeout=20), "nothing is acknowledged any more"
    kind = chance.choice(["after an acknowledgement", "a little later", "inside a commit"])
    if kind == "a little later":
        threading.Event().wait(chance.random() * 0.3)
    elif kind == "inside a commit":
        before = log.stat().st_mtime_ns
        while log.stat().st_mtime_ns == before:
            pass
    return kind


def open_on_disk(folder: Path) -> int:
    """How many transactions the dead node had not decided."""
    with closing(sqlite3.connect(folder / DATABASE)) as connection:
        (count,) = connection.execute("SELECT count(*) FROM transactions WHERE status = 1").fetchone()
        return int(count)


def fund(life: Life, callers: list[Caller]) -> None:
    wire = life.wire()
    for caller in callers:
        assert isinstance(wire.ask("sim_fundAccount", str(caller.account), PURSE), str)
    wire.close()


def all_there(life: Life, callers: list[Caller]) -> None:
    wire = life.wire()
    for caller in callers:
        count = int(wire.ask("eth_getTransactionCount", str(caller.account), "latest"), 16)
        known = sum(one.acknowledged for one in caller.sent)
        assert known <= count <= len(caller.sent), "a nonce is spent once for each that was recorded"
        hashes = [[one.hash] for one in caller.sent if one.acknowledged]
        found = wire.ask_all("gen_getTransactionStatus", hashes)
        assert all("status" in one for one in found), "acknowledged and lost"
    wire.close()


def settle(life: Life, callers: list[Caller]) -> dict[str, dict[str, Any]]:
    """Every transaction as it was decided. Asks again until all are; the test's own timeout ends it otherwise."""
    wire, found = life.wire(), {}
    for caller in callers:
        caller.resend(wire)
        for one in caller.sent:
            while (told := wire.ask("eth_getTransactionByHash", one.hash))["status"] != "FINALIZED":
                assert told["status"] in ("PENDING", "PROPOSING"), told["status"]
            found[one.hash] = told
    wire.close()
    return found


def test_what_is_acknowledged_survives_kill_minus_nine_once(tmp_path: Path) -> None:
    chance = random.Random(SEED)
    print(f"FOREMAN_KILL_SEED={SEED} FOREMAN_KILL_ROUNDS={ROUNDS}")
    callers: list[Caller] = [Client(f"client {number}", number, CLIENTS) for number in range(CLIENTS)]
    callers += [Provider(f"provider {number}", number, PROVIDERS) for number in range(PROVIDERS)]
    kinds: Counter[str] = Counter()
    undecided = 0
    for number in range(ROUNDS):
        life = Life(tmp_path, chance.choice([0.0, 0.02, 0.2]))
        if number == 0:
            fund(life, callers)
        all_there(life, callers)
        threads = [threading.Thread(target=caller.run, args=(life.wire(),)) for caller in callers]
        for thread in threads:
            thread.start()
        kinds[moment(chance, callers, tmp_path / f"{DATABASE}-wal")] += 1
        life.kill()
        undecided += open_on_disk(tmp_path)
        for thread in threads:
            thread.join(30)
        assert [caller.errors for caller in callers] == [[]] * len(callers)
    print(dict(kinds), f"{sum(len(caller.sent) for caller in callers)} sent, {undecided} resumed")
    assert undecided >= ROUNDS // 2, "it was struck in the middle of its work"
    life = Life(tmp_path, 0.0)
    try:
        found = settle(life, callers)
        check_counts(life, callers, found)
    finally:
        life.kill()
    check_disk(tmp_path, found)


def check_counts(life: Life, callers: list[Caller], found: dict[str, dict[str, Any]]) -> None:
    """What the contract counts is what was acknowledged and succeeded; balances follow from it to the wei."""
    wire = life.wire()
    sent = [
        (caller, one, found[one.hash]["txExecutionResultName"] == "FINISHED_WITH_RETURN")
        for caller in callers
        for one in caller.sent
    ]
    assert all(ok for _, one, ok in sent if one.method == "create_order")
    stats, books = wire.view("get_stats"), wire.ask("foreman_getBooks")
    created = [(caller, one) for caller, one, _ in sent if one.method == "create_order"]
    delivered = [(caller, one) for caller, one, ok in sent if one.method == "submit_deliverable" and ok]
    assert len(delivered) >= ROUNDS // 2, "the node did get to work between the kills"
    assert books["conserved"] is True
    assert (stats["orders"], stats["completed"]) == (len(created), len(delivered))
    assert stats["volume_wei"] == sum(one.value for _, one in created)
    holds = Counter({str(caller.account): PURSE for caller in callers})
    for caller, one in created:
        holds[str(caller.account)] -= one.value
    for caller, one in delivered:
        order = wire.view("get_order", one.order)
        share = order["escrow_wei"] * server.PERCENT // 100
        assert (order["paid_wei"], order["refunded_wei"]) == (share, order["escrow_wei"] - share)
        holds[str(caller.account)] += share
        holds[order["client"]] += order["escrow_wei"] - share
    for caller in callers:
        assert int(wire.ask("eth_getBalance", str(caller.account), "latest"), 16) == holds[str(caller.account)]
    wire.close()


def check_disk(folder: Path, found: dict[str, dict[str, Any]]) -> None:
    with closing(sqlite3.connect(folder / DATABASE)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        rows = Counter(f"0x{digest.hex()}" for (digest,) in connection.execute("SELECT hash FROM transactions"))
        ended = Counter(
            f"0x{digest.hex()}" for (digest,) in connection.execute("SELECT hash FROM journal WHERE status = 7")
        )
    assert {rows[digest] for digest in found} == {1}
    assert {ended[digest] for digest in found} == {1}, "decided once"
