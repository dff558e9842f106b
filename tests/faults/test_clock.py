"""The machine's clock jumps back an hour and forward a year while orders run: no time and no deadline comes back."""

import random
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from foreman.fetch.replay import Scripted as Pages
from foreman.judges.scripted import Scripted, payout
from foreman.localnet.localnet import build
from foreman.localnet.serve import Running
from foreman.money import GEN
from foreman.settings import Settings
from foreman.state.database import DATABASE
from tests.faults.callers import CRITERIA, Caller, Client, Provider, Wire

HOUR, YEAR = 3_600_000_000, 365 * 86_400_000_000
SEED = 20261130


class Jumpy:
    """The machine's clock, set wrong by so many microseconds."""

    def __init__(self) -> None:
        self.wrong = 0

    def now(self) -> int:
        return time.time_ns() // 1000 + self.wrong


def running(folder: Path, clock: Jumpy, window: float = 0.0) -> Running:
    settings = Settings(state_dir=folder, port=0, finality_window=window)
    judges = [Scripted(payout(80), concurrency=100)]
    return Running(build(settings, clock=clock, judges=judges, fetchers=[Pages(["the page"])]))


def connect(node: Running) -> Wire:
    return Wire(node.url, node.node.contracts()["foreman"])


def do(wire: Wire, caller: Caller, method: str, args: list[Any], value: int = 0) -> str:
    """Send a call; how its run ended, once it is decided: empty for well."""
    caller.send(wire, method, -1, args, value)
    while (told := wire.ask("eth_getTransactionByHash", caller.sent[-1].hash))["status"] in ("PENDING", "PROPOSING"):
        pass
    if told["txExecutionResultName"] == "FINISHED_WITH_RETURN":
        return ""
    return str(told["consensus_data"]["leader_receipt"][0]["genvm_result"]["error_description"])


def times(folder: Path) -> tuple[list[int], list[int], list[int]]:
    """What the node wrote down, in its own order: of activation, of decision, of the journal."""
    with closing(sqlite3.connect(folder / DATABASE)) as found:
        at = found.execute("SELECT at FROM transactions WHERE position IS NOT NULL ORDER BY position")
        decided = found.execute(
            "SELECT json_extract(receipt, '$.decided_at') FROM transactions WHERE block IS NOT NULL ORDER BY block"
        )
        journal = found.execute("SELECT at FROM journal ORDER BY seq")
        return tuple([row[0] for row in rows] for rows in (at, decided, journal))  # type: ignore[return-value]  # three


def test_a_deadline_that_has_passed_does_not_come_back(tmp_path: Path) -> None:
    clock = Jumpy()
    client, provider = Caller("clock client", 0, 1), Caller("clock provider", 0, 1)
    with running(tmp_path, clock) as node:
        wire = connect(node)
        wire.ask("sim_fundAccount", str(client.account), 10 * GEN)
        for number in range(3):
            assert do(wire, client, "create_order", ["a report", "Some work", CRITERIA, 30], GEN) == ""
            assert do(wire, provider, "claim_order", [number]) == ""
        clock.wrong -= HOUR
        assert do(wire, provider, "submit_deliverable", [0, "https://page.example/0", ""]) == "", "an hour is no harm"
        clock.wrong += YEAR
        late = do(wire, provider, "submit_deliverable", [1, "https://page.example/1", ""])
        assert "deadline" in late
        clock.wrong -= YEAR
        assert do(wire, provider, "submit_deliverable", [1, "https://page.example/1", ""]) == late
        assert do(wire, client, "expire_order", [1]) == ""
        wire.close()
    with running(tmp_path, clock) as node:
        wire = connect(node)
        assert do(wire, provider, "submit_deliverable", [2, "https://page.example/2", ""]) == late, "nor by a restart"
        assert do(wire, client, "expire_order", [2]) == ""
        assert wire.ask("foreman_getBooks")["conserved"] is True
        balance = int(wire.ask("eth_getBalance", str(client.account), "latest"), 16)
        assert balance == 10 * GEN - GEN * 80 // 100
        wire.close()


def test_no_time_goes_back_and_nothing_is_lost_while_the_clock_jumps_under_load(tmp_path: Path) -> None:
    """With a finality window of a moment, so that finality has to be waited for by the clock that jumps."""
    chance = random.Random(SEED)
    clock = Jumpy()
    callers: list[Caller] = [Client("jumping client", 0, 1), Provider("jumping provider", 0, 1)]
    with running(tmp_path, clock, window=0.05) as node:
        wire = connect(node)
        wire.ask("sim_fundAccount", str(callers[0].account), 100_000 * GEN)
        threads = [threading.Thread(target=caller.run, args=(connect(node),)) for caller in callers]
        for thread in threads:
            thread.start()
        for _ in range(40):
            assert callers[0].acknowledged.acquire(timeout=20), "nothing is acknowledged any more"
            clock.wrong += chance.choice([-HOUR, HOUR, -1_000_000, 1_000_000, -50_000])
            time.sleep(0.005)
        clock.wrong += YEAR  # or finality would have to wait for the clock to catch up
        wire.close()
    for thread in threads:
        thread.join(30)
    assert [caller.errors for caller in callers] == [[], []]
    for found in times(tmp_path):
        assert len(found) > 40
        assert found == sorted(found)
    with running(tmp_path, clock) as node:
        wire = connect(node)
        for caller in callers:
            caller.resend(wire)
            for one in caller.sent:
                while wire.ask("eth_getTransactionByHash", one.hash)["status"] != "FINALIZED":
                    pass
            assert int(wire.ask("eth_getTransactionCount", str(caller.account), "latest"), 16) == len(caller.sent)
        assert wire.ask("foreman_getBooks")["conserved"] is True
        wire.close()
