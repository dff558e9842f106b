"""A database of every schema that was ever released opens, is brought up to date, adds up, and serves."""

import lzma
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from foreman.cli import main as command
from foreman.cli.exits import Exit
from foreman.errors import StateError
from foreman.fetch.replay import Scripted as Pages
from foreman.judges.scripted import Scripted, payout
from foreman.localnet.accounts import DEV_ACCOUNTS
from foreman.localnet.backup import back_up, restore
from foreman.localnet.localnet import build
from foreman.localnet.serve import Running
from foreman.localnet.shipped import fingerprint, shipped
from foreman.money import GEN
from foreman.sdk.account import Account
from foreman.sdk.foreman import Foreman
from foreman.settings import Settings
from foreman.state import database
from foreman.state.database import DATABASE
from foreman.state.store import SqliteStore
from tests.node.network import StillClock
from tests.state.schemas.__main__ import FOLDER

RELEASED = range(1, len(database.migrations()) + 1)


def laid_out(number: int, state: Path) -> dict[str, Any]:
    """Put a released database into a state directory; what is in it, read without a line of our own code."""
    state.mkdir()
    text = lzma.decompress((FOLDER / f"{number:04}.sql.xz").read_bytes()).decode()
    with closing(sqlite3.connect(state / DATABASE, isolation_level=None)) as connection:
        connection.executescript(text)
        one = connection.execute("PRAGMA user_version").fetchone()
        assert one == (number,), "it says of which schema it is"
        rows = connection.execute("SELECT hash, status, nonce, sender FROM transactions WHERE parent IS NULL")
        (latest,) = connection.execute("SELECT max(recorded_at) FROM transactions").fetchone()
        sources = connection.execute(
            "SELECT c.address, s.source FROM contracts c JOIN sources s ON s.hash = source_hash"
        )
        return {"rows": rows.fetchall(), "latest": latest, "contracts": dict(sources.fetchall())}


@contextmanager
def running(state: Path, found: dict[str, Any], window: float = 0.0) -> Iterator[Running]:
    """A node of this release on it, one hour later."""
    clock = StillClock()
    clock.at = found["latest"] + 3600 * 1_000_000
    judges = [Scripted(payout(80), concurrency=100)]
    settings = Settings(state_dir=state, port=0, finality_window=window)
    with Running(build(settings, judges=judges, fetchers=[Pages(["the page"])], clock=clock)) as network:
        yield network


def old_contracts(found: dict[str, Any]) -> dict[str, str]:
    """Where the contracts of that release stand: a newer release deploys its own beside them."""
    names = {b"class Foreman(": "foreman", b"class VerdictEscrow(": "verdict_escrow"}
    told = {
        name: address
        for address, source in found["contracts"].items()
        for mark, name in names.items()
        if mark in source
    }
    return {name: f"0x{address.hex()}" for name, address in told.items()}


def test_every_released_schema_has_its_database() -> None:
    """`python -m tests.state.schemas` writes it; once released it stays as it is."""
    assert [path.name for path in sorted(FOLDER.glob("*.xz"))] == [f"{number:04}.sql.xz" for number in RELEASED]


@pytest.mark.parametrize("number", RELEASED)
def test_a_released_database_is_brought_up_to_date_adds_up_and_serves(tmp_path: Path, number: int) -> None:
    state = tmp_path / "state"
    found = laid_out(number, state)
    assert {status for _, status, _, _ in found["rows"]} == {1, 5, 7}, "pending, accepted and final ones are in it"
    with running(state, found) as network:
        account = Account.from_hex(DEV_ACCOUNTS[0].key)
        client = Foreman.connect(network.url, account=account, contracts=old_contracts(found))
        for digest, _, _, _ in found["rows"]:
            assert client.client.wait(f"0x{digest.hex()}").ok, "what was on its way is judged and paid"
        orders = [client.orders.get(order) for order in range(4)]
        assert [order.status for order in orders] == ["completed", "completed", "completed", "claimed"]
        assert [order.paid_wei for order in orders] == [GEN * 80 // 100, GEN * 160 // 100, GEN * 160 // 100, 0]
        assert client.agreements.count() == 1
        assert client.orders.create("One more", "Some work", "- The page is there", 30, GEN).wait().check().value == 4
        assert network.node.books_balance()["conserved"]
        assert set(network.node.contracts()) == set(shipped())
        client.close()
    with closing(sqlite3.connect(state / DATABASE)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (len(database.migrations()),)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        rows = [digest for (digest,) in connection.execute("SELECT hash FROM transactions")]
        final = [digest for (digest,) in connection.execute("SELECT hash FROM journal WHERE status = 7")]
    assert len(set(rows)) == len(rows)
    assert len(set(final)) == len(final), "nothing happened twice"


@pytest.mark.parametrize("number", RELEASED)
def test_a_released_database_can_be_backed_up_and_restored(tmp_path: Path, number: int) -> None:
    """Also before the new release has run on it; its contracts are foreign once the shipped ones have changed."""
    found = laid_out(number, tmp_path / "state")
    content = back_up(tmp_path / "state", tmp_path / "backup")
    assert content.schema == number
    trusted = {fingerprint(source) for source in shipped().values()}
    foreign = any(fingerprint(source) not in trusted for source in found["contracts"].values())
    if foreign:
        with pytest.raises(StateError, match="does not ship"):
            restore(tmp_path / "backup", tmp_path / "other")
    again = restore(tmp_path / "backup", tmp_path / "other", allow_contracts=foreign)
    assert (again.height, again.minted_wei) == (content.height, content.minted_wei)
    with closing(sqlite3.connect(tmp_path / "other" / DATABASE)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (len(database.migrations()),)


NEXT = "ALTER TABLE meta ADD COLUMN note TEXT NOT NULL DEFAULT 'new';"


@pytest.mark.parametrize("number", RELEASED)
def test_the_schema_to_come_is_applied_to_what_is_there(
    tmp_path: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = database.migrations()
    laid_out(number, tmp_path / "state")
    monkeypatch.setattr(database, "migrations", lambda: [*known, NEXT])
    store = SqliteStore(tmp_path / "state")
    try:
        assert store._one("PRAGMA user_version") == (len(known) + 1,)
        assert store._one("SELECT note FROM meta WHERE name = 'minted'") == ("new",)
        assert store.height() > 0
    finally:
        store.close()


@pytest.mark.parametrize("number", RELEASED)
def test_a_migration_that_fails_leaves_the_old_database_as_it_was(
    tmp_path: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = database.migrations()
    laid_out(number, tmp_path / "state")
    before = list(contents(tmp_path / "state"))
    monkeypatch.setattr(database, "migrations", lambda: [*known, NEXT + "DROP TABLE nothing;"])
    with pytest.raises(StateError):
        SqliteStore(tmp_path / "state")
    assert [line for line in contents(tmp_path / "state") if "user_version" not in line] == before


def contents(state: Path) -> Iterator[str]:
    with closing(sqlite3.connect(state / DATABASE)) as connection:
        yield from connection.iterdump()


def test_a_database_of_a_release_to_come_is_refused_with_a_sentence_and_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    laid_out(RELEASED[-1], tmp_path / "state")
    with closing(sqlite3.connect(tmp_path / "state" / DATABASE, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA user_version = {RELEASED[-1] + 1}")
    before = list(contents(tmp_path / "state"))
    assert command.main(["up", "--port", "0", "--state", str(tmp_path / "state")]) == Exit.FAILED
    told = re.sub(r"\s+", " ", capsys.readouterr().err)
    assert f"this database has schema {RELEASED[-1] + 1}, this release knows {RELEASED[-1]}" in told
    assert "run the newer release" in told
    assert list(contents(tmp_path / "state")) == before
