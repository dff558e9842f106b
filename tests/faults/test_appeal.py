"""An appeal sent right behind the same sender's `adjudicate` is decided as soon as that is, whoever else reads pages.

FOREMAN_APPEAL_ROUNDS sets how many agreements each pair goes through.
"""

import os
import random
import threading
import time
from pathlib import Path

from foreman.fetch.replay import Scripted as Pages
from foreman.fetch.replay import page
from foreman.judges import make_judge
from foreman.localnet.localnet import build
from foreman.localnet.serve import Running
from foreman.money import GEN
from foreman.settings import Settings
from tests.faults.callers import Caller, Wire

ROUNDS = int(os.environ.get("FOREMAN_APPEAL_ROUNDS", "2"))
PAIRS = 6
SEED = 20261130
MARKUP = "<html><body>" + "<p><b>water</b> <i>level</i></p>" * 1_500 + "</body></html>"
CLAIM = "Delivered as agreed; the page shows all of it."
GROUNDS = "The page meets the criteria as they are written; please read it once more."

MOST_SECONDS = 8.0
"""From the ruling to the end of the appeal behind it. It takes hundredths; eight is what was once seen."""


class Pair:
    """A payer and a provider that go through one agreement after the other, until the first ruling is appealed."""

    def __init__(self, number: int, node: Running) -> None:
        self.wire = Wire(node.url, node.node.contracts()["verdict_escrow"])
        self.payer, self.provider = Caller(f"payer {number}", 0, 1), Caller(f"appellant {number}", 0, 1)
        self.chance = random.Random(SEED + number)
        self.waits: list[float] = []
        self.ended: list[str] = []
        for caller in (self.payer, self.provider):
            self.wire.ask("sim_fundAccount", str(caller.account), 1000 * GEN)

    def run(self) -> None:
        for turn in range(ROUNDS):
            self.appeal(self.agree(turn))

    def agree(self, turn: int) -> int:
        """An agreement with one delivered milestone; its number."""
        parties = [str(self.provider.account), str(Caller("arbiter", 0, 1).account)]
        self.payer.send(self.wire, "create_agreement", -1, [*parties, f"report {turn}", ["page.example"]])
        self.wait(self.payer)
        mine = self.wire.view("get_agreements_by_party", str(self.payer.account), 0, 50)
        number = max(int(found["id"]) for found in mine)
        hour = int(self.wire.ask("sim_getTime")["timestamp"]) // 3600
        milestone = [number, "A report", ["- The page is there"], GEN, hour + 100]
        self.payer.send(self.wire, "add_milestone", -1, milestone)
        self.payer.send(self.wire, "fund_and_activate", -1, [number], GEN)
        self.wait(self.payer)
        url = f"https://page.example/{self.chance.choice(['same', number])}"
        self.provider.send(self.wire, "submit_evidence", -1, [number, 0, CLAIM, [url]])
        self.wait(self.provider)
        return number

    def appeal(self, number: int) -> None:
        """Call for a ruling, and contest it right behind, without waiting for it."""
        bond = int(self.wire.view("get_milestone", number, 0)["appeal_bond"])
        self.provider.send(self.wire, "adjudicate", -1, [number, 0])
        ruling = self.provider.sent[-1].hash
        time.sleep(self.chance.choice([0.0, 0.0, self.chance.random() * 0.1]))
        self.provider.send(self.wire, "appeal", -1, [number, 0, GROUNDS], bond)
        self.until_final(ruling)
        begun = time.monotonic()
        self.wait(self.provider)
        self.waits.append(time.monotonic() - begun)
        told = self.wire.ask("eth_getTransactionByHash", self.provider.sent[-1].hash)
        self.ended.append(told["txExecutionResultName"])

    def wait(self, caller: Caller) -> None:
        self.until_final(caller.sent[-1].hash)

    def until_final(self, digest: str) -> None:
        """The test's own timeout ends it otherwise."""
        while self.wire.ask("gen_getTransactionStatus", digest)["status"] != "FINALIZED":
            time.sleep(0.003)  # asking without a pause would be load of its own


def test_an_appeal_behind_a_ruling_never_waits_for_anything_else(tmp_path: Path) -> None:
    pages = [Pages([page(MARKUP, content_type="text/html")])]
    node = build(Settings(state_dir=tmp_path, port=0), judges=[make_judge("scripted:reject")], fetchers=pages)
    with Running(node) as running:
        pairs = [Pair(number, running) for number in range(PAIRS)]
        threads = [threading.Thread(target=pair.run) for pair in pairs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        waits = [wait for pair in pairs for wait in pair.waits]
        ended = {end for pair in pairs for end in pair.ended}
        print(f"{len(waits)} appeals, slowest {max(waits):.3f} s behind its ruling")
        assert len(waits) == PAIRS * ROUNDS
        assert ended == {"FINISHED_WITH_RETURN"}
        assert max(waits) < MOST_SECONDS
        assert pairs[0].wire.ask("foreman_getBooks")["conserved"] is True
        for pair in pairs:
            pair.wire.close()
