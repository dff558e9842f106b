"""Two nodes on one directory: the second is refused with a sentence, whenever it comes, and the first goes on."""

import subprocess
import sys
from pathlib import Path

from foreman.cli.exits import Exit
from foreman.money import GEN
from tests.faults.callers import Client
from tests.faults.server import ROOT
from tests.faults.test_kill import Life, fund, settle

SECONDS = 60
"""For a process that should refuse at once."""


def second(folder: Path, *more: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "foreman.cli.main", "up", "--port", "0", "--state", str(folder), *more]
    environment = {"PYTHONPATH": str(ROOT / "src"), "PATH": "", "COLUMNS": "200"}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_second_node_is_refused_while_the_first_works_and_welcome_when_it_is_dead(tmp_path: Path) -> None:
    client = Client("client of two", 0, 1)
    life = Life(tmp_path, 0.0)
    fund(life, [client])
    wire = life.wire()
    others = [second(tmp_path) for _ in range(3)]
    while any(other.poll() is None for other in others):
        client.send(wire, "create_order", -1, ["a report", "Some work", "- The page is there", 30], GEN)
    for other in others:
        out, err = other.communicate(timeout=SECONDS)
        assert other.returncode == Exit.FAILED, out + err
        assert "another node is running" in err
        assert "Listening" not in out
    client.send(wire, "create_order", -1, ["a report", "Some work", "- The page is there", 30], GEN)
    assert len(settle(life, [client])) == len(client.sent)
    wire.close()
    life.kill()
    again = Life(tmp_path, 0.0)
    wire = again.wire()
    assert wire.view("get_order_count") == len(client.sent)
    assert wire.ask("foreman_getBooks")["conserved"] is True
    wire.close()
    again.kill()
