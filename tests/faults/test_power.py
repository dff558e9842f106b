"""Power loss: what the disk was not yet asked to keep may be cut off anywhere; what was acknowledged is still there."""

import os
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from foreman.money import GEN
from foreman.state.database import DATABASE
from tests.node.crash import image
from tests.node.network import ALICE, BOB, CAROL, Network, who

LOG = f"{DATABASE}-wal"
SEED = 20260713
STRIDE = int(os.environ.get("FOREMAN_POWER_STRIDE", "0"))
"""Bytes between two cuts in the long form; without it 25 are drawn."""


@pytest.mark.timeout(3600)
def test_a_log_cut_anywhere_beyond_the_last_acknowledgement_loses_nothing_acknowledged(tmp_path: Path) -> None:
    chance = random.Random(SEED)
    with Network(tmp_path / "first") as net:
        known = [net.do(sender, ["append", "k", "x"], ["pay", who(BOB), 7], value=GEN) for sender in (ALICE, CAROL) * 4]
        image(net, tmp_path / "acknowledged")
        for number in range(12):
            net.do(ALICE, ["append", "k", "y"], ["write", f"k{number}", "z" * 2000], value=GEN)
        image(net, tmp_path / "later")
    synced = (tmp_path / "acknowledged" / LOG).stat().st_size
    whole = (tmp_path / "later" / LOG).stat().st_size
    assert whole > synced
    lost = set()
    drawn = range(synced, whole, STRIDE) if STRIDE else [chance.randrange(synced, whole) for _ in range(25)]
    print(f"FOREMAN_POWER_STRIDE={STRIDE}: {len(drawn) + 2} cuts between {synced} and {whole}")
    for number, cut in enumerate([synced, whole, *drawn]):
        folder = tmp_path / f"cut {number}"
        shutil.copytree(tmp_path / "later", folder)
        with (folder / LOG).open("r+b") as log:
            log.truncate(cut)
        with Network(folder) as again:
            assert all(again.node.record(record.transaction.hash) == record for record in known), cut
            again.assert_conserved()
            kept = again.state("k")
            assert kept == "x" * 8 + "y" * (len(kept) - 8)
            lost.add(len(kept))
        with closing(sqlite3.connect(folder / DATABASE)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        shutil.rmtree(folder)
    assert {8, 20} < lost, "some cuts lost later ones, one lost all of them, one none"
