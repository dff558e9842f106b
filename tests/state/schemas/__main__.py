"""Writes the database of a short story as this release leaves it, for releases to come; once per schema.

    PYTHONPATH=src:. python -m tests.state.schemas

The node is killed in the middle of its work: one order settled and final, one delivered and accepted but not final,
one in front of the jury with a transaction behind it, and one agreement that holds money.
"""

import lzma
import shutil
import sqlite3
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path

from foreman.fetch.replay import Scripted as Pages
from foreman.judges.scripted import Scripted, payout
from foreman.localnet.accounts import DEV_ACCOUNTS
from foreman.localnet.localnet import build
from foreman.localnet.serve import Running
from foreman.money import GEN
from foreman.sdk.account import Account
from foreman.sdk.foreman import Foreman
from foreman.settings import Settings
from foreman.state.database import DATABASE, LOCK, migrations

FOLDER = Path(__file__).parent
WINDOW = 3600.0
CRITERIA = "- The page is there"


def dump(path: Path) -> str:
    """The database as SQL, its schema number included, every line in an order that stays."""
    with closing(sqlite3.connect(path)) as connection:
        (number,) = connection.execute("PRAGMA user_version").fetchone()
        return "\n".join([*connection.iterdump(), f"PRAGMA user_version = {number};", ""])


def play(state: Path, into: Path) -> None:
    """Tell the story on a node, and copy what is on disk while the last judgement is being made."""
    told = threading.Event()

    def judge(prompt: str) -> str:
        if "never judged" in prompt:
            told.wait(60)
        return payout(80)

    settings = Settings(state_dir=state, port=0)
    with Running(build(settings, judges=[Scripted(judge, concurrency=100)], fetchers=[Pages(["the page"])])) as running:
        _first_order(running.url)
    settings = Settings(state_dir=state, port=0, finality_window=WINDOW)
    with Running(build(settings, judges=[Scripted(judge, concurrency=100)], fetchers=[Pages(["the page"])])) as running:
        try:
            _unfinished(running.url)
            shutil.copytree(state, into, ignore=shutil.ignore_patterns(LOCK, "*-shm"))
        finally:
            told.set()


def people(url: str) -> tuple[Foreman, Foreman]:
    """A client and a provider."""
    both = [Foreman.connect(url, account=Account.from_hex(DEV_ACCOUNTS[number].key)) for number in (0, 1)]
    return both[0], both[1]


def _first_order(url: str) -> None:
    client, provider = people(url)
    client.orders.create("A report", "Some work", CRITERIA, 30, GEN).wait().check()
    provider.orders.claim(0).wait().check()
    provider.orders.submit(0, "https://page.example/0").wait().check()
    client.close()
    provider.close()


def _unfinished(url: str) -> None:
    client, provider = people(url)
    for number, title in ((1, "A second"), (2, "never judged")):
        client.orders.create(title, "Some work", CRITERIA, 30, 2 * GEN).wait().check()
        provider.orders.claim(number).wait().check()
    provider.orders.submit(1, "https://page.example/1").wait().check()
    arbiter = Account.from_hex(DEV_ACCOUNTS[2].key).address
    assert provider.account is not None
    number = client.agreements.create(provider.account.address, arbiter, "Two chapters", ["page.example"]).wait().value
    due = int(time.time()) // 3600 + 24 * 30
    client.agreements.add_milestone(number, "The first", ["The page is there"], 5 * GEN, due).wait().check()
    client.agreements.fund(number, 5 * GEN).wait().check()
    slow = provider.orders.submit(2, "https://page.example/2")
    client.orders.create("Behind", "Some work", CRITERIA, 30, 3 * GEN).wait().check()
    provider.orders.claim(3)
    while client.client.call("eth_getTransactionByHash", slow.hash)["status"] != "PROPOSING":
        pass
    client.close()
    provider.close()


def main() -> None:
    """Write the file of the newest schema; one that is there is never written again."""
    with tempfile.TemporaryDirectory() as folder:
        play(Path(folder) / "state", Path(folder) / "killed")
        text = dump(Path(folder) / "killed" / DATABASE)
    with (FOLDER / f"{len(migrations()):04}.sql.xz").open("xb") as file:
        file.write(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    main()
