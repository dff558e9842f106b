"""Foreign code at every door: it is read at most, never run. Code that ran would leave a file, and it never does."""

import base64
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from foreman.address import checksum, keccak256, parse_address
from foreman.sdk.account import Account
from foreman.sdk.envelope import add_transaction, call_payload, deploy_payload
from foreman.state.database import DATABASE
from foreman.transaction import CONSENSUS_MAIN, deployed_address
from tests.faults.callers import Wire
from tests.faults.server import ROOT
from tests.hostile.node import Victim, attacked, told

EVIL = '''# v0.2.16
# {{ "Depends": "py-genlayer:1jb45aa8ynh2a9c9xn3b7qqh8sm5q93hwfp7jqmwsfhh8jpz09h6" }}
"""Leaves a file wherever it runs."""
import pathlib
from genlayer import *

def leave(word: str) -> str:
    pathlib.Path({marker!r}).write_text(word)
    return word

leave("imported")

class Base:
    word = leave("class body")

class Evil(gl.Contract, Base):
    count: u256
    def __init__(self, word: str = leave("default")):
        leave("constructed")
    @gl.public.view
    def look(self, word: str = leave("annotation")) -> str:
        return leave("looked")
    @gl.public.write
    def act(self) -> None:
        leave("acted")
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("code")


@pytest.fixture(scope="module")
def victim(folder: Path) -> Iterator[Victim]:
    with attacked(folder / "state") as node:
        yield node


@pytest.fixture
def marker(folder: Path) -> Iterator[Path]:
    """What a test attacks with leaves nothing."""
    path = folder / "it ran"
    yield path
    assert not path.exists(), path.read_text()


@pytest.fixture
def evil(marker: Path) -> bytes:
    return EVIL.format(marker=str(marker)).encode()


@pytest.fixture
def mallory(request: pytest.FixtureRequest) -> Account:
    """Another account for every test."""
    return Account(keccak256(request.node.name.encode()))


def send(wire: Wire, mallory: Account, nonce: int, target: bytes, payload: bytes) -> dict[str, Any]:
    """Sign, send, and wait until it is decided."""
    data = add_transaction(mallory.address, target, payload)
    raw = mallory.sign_transaction(61127, nonce, CONSENSUS_MAIN, 0, data)
    digest = wire.ask("eth_sendRawTransaction", "0x" + raw.hex())
    assert isinstance(digest, str), digest
    while (found := wire.ask("eth_getTransactionByHash", digest))["status"] in ("PENDING", "PROPOSING"):
        pass
    return dict(found)


def why(found: dict[str, Any]) -> str:
    assert found["txExecutionResultName"] == "FINISHED_WITH_ERROR", found
    return str(found["consensus_data"]["leader_receipt"][0]["genvm_result"])


def test_a_deployment_is_refused_and_leaves_no_contract(victim: Victim, mallory: Account, evil: bytes) -> None:
    wire = victim.wire()
    assert "not_allowed" in why(send(wire, mallory, 0, bytes(20), deploy_payload(evil, [])))
    address = checksum(deployed_address(mallory.address, 0))
    told(wire.ask("gen_getContractSchema", address))
    assert "contract_not_found" in why(send(wire, mallory, 1, parse_address(address), call_payload("act", [])))
    wire.close()


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda shipped, evil: shipped + evil, id="a shipped contract and more"),
        pytest.param(lambda shipped, evil: shipped.replace(b"\n", b"\n\f"), id="a shipped contract with form feeds"),
        pytest.param(lambda shipped, evil: shipped.replace(b"\n", b"\n\xe2\x80\xa8", 9), id="line ends of no Python"),
        pytest.param(lambda shipped, evil: b"\xef\xbb\xbf" + evil, id="a byte-order mark"),
        pytest.param(lambda shipped, evil: evil + b"\0" * 1000, id="with zeros behind"),
        pytest.param(lambda shipped, evil: b"# coding: utf-7\n" + evil, id="in another encoding"),
    ],
)
def test_code_that_looks_like_a_shipped_contract_is_refused(
    victim: Victim, mallory: Account, evil: bytes, change: Any
) -> None:
    shipped = (ROOT / "contracts" / "foreman.py").read_bytes()
    wire = victim.wire()
    told_why = why(send(wire, mallory, 0, bytes(20), deploy_payload(change(shipped, evil), [])))
    assert "invalid_contract" in told_why or "runner_actions" in told_why
    wire.close()


def test_a_schema_is_read_from_the_text_and_never_by_running_it(victim: Victim, evil: bytes) -> None:
    wire = victim.wire()
    schema = wire.ask("gen_getContractSchemaForCode", "0x" + evil.hex())
    assert set(schema["methods"]) == {"look", "act"}
    for source in (evil[:-50], b"\0" + evil, evil * 50, b"(" * 50_000, b"x" * 300_000, b"\n" * 100_000 + evil):
        answer = wire.ask("gen_getContractSchemaForCode", "0x" + source.hex())
        assert "methods" in answer or told(answer)
    wire.close()


@pytest.mark.parametrize("method", ["gen_call", "sim_call"])
def test_a_simulation_does_not_run_it(victim: Victim, mallory: Account, evil: bytes, method: str) -> None:
    wire = victim.wire()
    for to in (wire.address, "0x" + "00" * 20, checksum(mallory.address)):
        call = {"type": "deploy", "to": to, "from": str(mallory), "data": "0x" + deploy_payload(evil, []).hex()}
        answer = wire.ask(method, call)
        assert "not_allowed" in str(answer) or told(answer), answer
    for kind in ("read", "write"):
        call = {"type": kind, "to": wire.address, "from": str(mallory), "data": "0x" + deploy_payload(evil, []).hex()}
        told(wire.ask(method, call))
    mocks = {"mock_web_response": {"nondet_web_request": {}}, "code": base64.b64encode(evil).decode()}
    call = {"type": "read", "to": wire.address, "from": str(mallory), "data": "0x"}
    told(wire.ask(method, call | {"sim_config": mocks}))
    wire.close()


def test_an_upgrade_finds_no_door(victim: Victim, mallory: Account, evil: bytes) -> None:
    """Over a contract that stands: as a deployment at its address, and by names an upgrade could have."""
    wire = victim.wire()
    contract = parse_address(wire.address)
    before = wire.ask("gen_getContractCode", wire.address)
    data = add_transaction(mallory.address, contract, deploy_payload(evil, []))
    told(wire.ask("eth_sendRawTransaction", "0x" + mallory.sign_transaction(61127, 0, CONSENSUS_MAIN, 0, data).hex()))
    for nonce, name in enumerate(("upgrade", "__upgrade__", "update_code", "__init__", "set_code")):
        assert why(send(wire, mallory, nonce, contract, call_payload(name, [evil])))
    assert wire.ask("gen_getContractCode", wire.address) == before
    wire.close()


def plant(database: Path, evil: bytes, address: bytes) -> None:
    """Foreign code under an address, as somebody writes it who has the file."""
    with closing(sqlite3.connect(database)) as connection, connection:
        digest = sha256(evil).digest()
        connection.execute("INSERT INTO sources (hash, source) VALUES (?, ?)", (digest, evil))
        connection.execute("UPDATE contracts SET source_hash = ? WHERE address = ?", (digest, address))


def test_a_database_from_somebody_else_is_not_restored(tmp_path: Path, evil: bytes, marker: Path) -> None:
    with attacked(tmp_path / "theirs") as node:
        contract = parse_address(node.contract)
    plant(tmp_path / "theirs" / DATABASE, evil, contract)
    command = [sys.executable, "-m", "foreman.cli.main", "restore", str(tmp_path / "theirs" / DATABASE)]
    ended = subprocess.run(
        [*command, "--state", str(tmp_path / "mine")],
        env={"PYTHONPATH": str(ROOT / "src"), "COLUMNS": "300"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert "--allow-contracts" in ended.stderr
    assert not (tmp_path / "mine" / DATABASE).exists()
    assert not marker.exists()


def test_a_snapshot_that_was_exchanged_brings_no_code_in(
    victim: Victim, mallory: Account, evil: bytes, folder: Path, tmp_path: Path
) -> None:
    """The node that restores it trusts what it knew when it started, and nothing else."""
    wire = victim.wire()
    number = wire.ask("sim_createSnapshot")
    snapshot = folder / "state" / "snapshots" / f"{number}.sqlite"
    copy = Path(shutil.copy(snapshot, tmp_path / "copy.sqlite"))
    plant(copy, evil, parse_address(wire.address))
    copy.replace(snapshot)
    assert wire.ask("sim_restoreSnapshot", number) is True
    call = {"type": "read", "to": wire.address, "from": str(mallory), "data": "0x" + call_payload("look", []).hex()}
    answer = wire.ask("gen_call", call)
    assert "not_allowed" in str(answer), answer
    wire.close()
