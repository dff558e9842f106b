"""SIGTERM: the commit under way is finished, no judge is waited for, and the undecided goes on at the next start."""

import signal
from pathlib import Path

from foreman.money import GEN
from tests.faults.callers import Client, Provider
from tests.faults.test_kill import Life, fund, settle

MOST_SECONDS = 10.0
"""The judge takes a minute; a busy machine may take some seconds to end a process."""


def test_a_node_that_is_told_to_stop_does_not_wait_for_its_judges(tmp_path: Path) -> None:
    client, provider = Client("client", 0, 1), Provider("provider", 0, 1)
    life = Life(tmp_path, 60.0)
    fund(life, [client, provider])
    wire = life.wire()
    client.send(wire, "create_order", -1, ["A report", "Some work", "- The page is there", 30], GEN)
    provider.send(wire, "claim_order", 0, [0])
    provider.send(wire, "submit_deliverable", 0, [0, "https://page.example/0", ""])
    while wire.ask("eth_getTransactionByHash", provider.sent[-1].hash)["status"] != "PROPOSING":
        pass
    wire.close()
    life.process.send_signal(signal.SIGTERM)
    assert life.process.wait(MOST_SECONDS) == 0
    assert life.process.stdout is not None
    life.process.stdout.close()
    again = Life(tmp_path, 0.0)
    try:
        found = settle(again, [client, provider])
        wire = again.wire()
        assert wire.view("get_order", 0)["status"] == "completed"
        wire.close()
        assert len(found) == 3
    finally:
        again.kill()
