"""scripts/e2e_live.py on a network of its own and on one that runs already: report, money, exit code."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from foreman.cli.stage.evidence import Evidence
from foreman.errors import BadInput
from foreman.localnet.accounts import DEV_ACCOUNTS
from foreman.localnet.localnet import build
from foreman.localnet.serve import Running
from foreman.sdk.account import Account
from foreman.sdk.client import Client
from foreman.sdk.networks import NETWORKS
from foreman.settings import Settings
from scripts.e2e import keys, roles
from scripts.e2e.accounts import Accounts, Line

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "scripts" / "e2e_live.py"
SCENES = (
    *("full", "partial", "appealed", "abandoned", "cancelled", "hostile", "failed_payment", "agreement"),
    *("expired", "overdue"),
)


def run(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """The script as a user starts it, from elsewhere, with nothing but the interpreter to go by."""
    return subprocess.run(
        [sys.executable, str(SCRIPT), *arguments],
        cwd="/",
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )


def report(folder: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((folder / "e2e-report.json").read_text(encoding="utf-8"))
    return told


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> "tuple[subprocess.CompletedProcess[str], Path]":
    """One run on a network of its own. Continuous integration keeps its report in .build/e2e."""
    folder = ROOT / ".build" / "e2e"
    for name in ("e2e-report.md", "e2e-report.json"):
        (folder / name).unlink(missing_ok=True)
    return run("--reports", str(folder)), folder


Local = tuple["subprocess.CompletedProcess[str]", Path]


def test_every_story_goes_as_it_should_and_nothing_is_skipped(local: Local) -> None:
    ended, folder = local
    assert (ended.returncode, ended.stderr) == (0, "")
    told = report(folder)
    assert told["ok"] is True
    assert [scene["name"] for scene in told["scenes"]] == list(SCENES)
    assert all(scene["ok"] and not scene["skipped"] and scene["steps"] for scene in told["scenes"])


def test_money_is_where_the_contracts_say_to_the_wei(local: Local) -> None:
    told = report(local[1])
    lines = {line["name"]: line for line in told["accounts"]}
    assert set(lines) == {"client", "provider", "arbiter", "foreman", "verdict_escrow"}
    assert all(line["after_wei"] == line["expected_wei"] for line in lines.values())
    assert sum(line["before_wei"] for line in lines.values()) == sum(line["after_wei"] for line in lines.values())
    assert told["attached_to_failed_wei"] == 10**15 - 1
    assert (told["stranded_wei"], told["lost_wei"], told["unsettled_transactions"]) == (0, 0, 0)
    assert lines["provider"]["after_wei"] > lines["provider"]["before_wei"], "and some of it really moved"


def test_verdicts_come_from_a_real_jury(local: Local) -> None:
    steps = [step for scene in report(local[1])["scenes"] for step in scene["steps"] if step["votes"]]
    assert len(steps) == 5  # three deliveries, an appeal, a ruling
    assert all(step["votes"] == ["agree"] * 5 for step in steps)


def test_people_read_the_same_report(local: Local) -> None:
    page = (local[1] / "e2e-report.md").read_text(encoding="utf-8")
    assert "**Everything went as it should.**" in page
    assert "| stranded value | | | | 0 | of 999999999999999 attached to failed calls |" in page
    assert "FAILED" not in page
    told = report(local[1])
    assert all(address in page for address in told["contracts"].values())


def test_a_page_that_does_not_fit_fails_the_run_and_no_money_is_missing(tmp_path: Path) -> None:
    ended = run("--reports", str(tmp_path), "--evidence", "full=http://work.example/glossary-draft.json")
    assert ended.returncode == 1
    told = report(tmp_path)
    assert {scene["name"] for scene in told["scenes"] if not scene["ok"]} == {"full"}
    assert (told["ok"], told["conserved"]) == (False, True)
    assert "FAILED" in (tmp_path / "e2e-report.md").read_text(encoding="utf-8")


def test_on_a_network_that_is_running_what_needs_days_is_skipped(tmp_path: Path) -> None:
    with Evidence() as evidence, Running(build(Settings(port=0, host_map=evidence.mappings))) as network:
        pages = {"full": "gauge.json", "partial": "notes.html", "rejected": "glossary-draft.json"}
        given = [f"--evidence={role}={evidence.url(page)}" for role, page in pages.items()]
        given += ["--evidence=agreement=https://work.example/gauge.json"]
        clock = network.node.now()
        (tmp_path / "key").write_text(DEV_ACCOUNTS[3].key, encoding="utf-8")
        ended = run(
            *("--network", network.url, "--reports", str(tmp_path), "--settle", "1"),
            *given,
            FOREMAN_E2E_KEY_FILE=str(tmp_path / "key"),
        )
        assert network.node.now() - clock < 86_400 * 10**6, "the clock of somebody else's network was turned"
    told = report(tmp_path)
    assert [scene["name"] for scene in told["scenes"] if scene["skipped"]] == ["expired", "overdue"]
    assert told["accounts"][0]["address"] == DEV_ACCOUNTS[3].address
    assert told["funding"] == {"client": "held enough", "provider": "faucet"}
    assert DEV_ACCOUNTS[3].key not in ended.stdout + ended.stderr + json.dumps(told)
    # The committed criteria of live networks are about RFCs, so these pages fail them, and the money still adds up.
    assert (ended.returncode, told["conserved"], told["attached_to_failed_wei"] > 0) == (1, True, True)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        pytest.param(("--network", "testnet-asimov"), "testnet-asimov is read by this client", id="testnet"),
        pytest.param(("--network", "nowhere"), "there is no network", id="no such network"),
        pytest.param(("--network", "http://127.0.0.1:9/api"), "no answer from", id="nobody there"),
        pytest.param(("--evidence", "best=https://a.example/"), "names no evidence", id="unknown role"),
        pytest.param(("--evidence", "full=gopher://a.example/"), "names no evidence", id="no URL"),
        pytest.param(("--evidence", "agreement=http://a.example/"), "needs https", id="agreement over http"),
    ],
)
def test_what_cannot_be_played_is_said(tmp_path: Path, arguments: tuple[str, ...], complaint: str) -> None:
    ended = run("--reports", str(tmp_path), *arguments)
    assert ended.returncode == 1
    assert complaint in ended.stderr
    assert " hint: " in ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_known_key_is_refused_where_money_is_real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "key").write_text("0x" + DEV_ACCOUNTS[0].key + "\n", encoding="utf-8")
    monkeypatch.setenv(keys.KEY_FILE, str(tmp_path / "key"))
    known = keys.first_key(True, tmp_path)
    assert str(known) == DEV_ACCOUNTS[0].address
    with pytest.raises(BadInput) as refused, Client("studionet") as network:
        network.deploy(known, b"")
    assert refused.value.code == "known_key"


def test_a_keystore_opens_with_the_password_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from eth_account import Account as Keystore

    account = Account.create()
    sealed = Keystore.encrypt(account.secret, "open, please", kdf="pbkdf2", iterations=1)
    (tmp_path / "key.json").write_text(json.dumps(sealed), encoding="utf-8")
    (tmp_path / "password").write_text("open, please\n", encoding="utf-8")
    monkeypatch.setenv(keys.KEY_FILE, str(tmp_path / "key.json"))
    monkeypatch.setenv(keys.PASSWORD_FILE, str(tmp_path / "password"))
    assert keys.first_key(True, tmp_path) == account
    (tmp_path / "password").write_text("wrong", encoding="utf-8")
    with pytest.raises(BadInput) as refused:
        keys.first_key(True, tmp_path)
    assert refused.value.code == "wrong_password"


@pytest.mark.parametrize("text", ["", "0x12", "x" * 64, '{"crypto": 1}'])
def test_a_bad_key_file_is_told_without_its_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    (tmp_path / "key").write_text(text, encoding="utf-8")
    (tmp_path / "password").write_text("any", encoding="utf-8")
    monkeypatch.setenv(keys.KEY_FILE, str(tmp_path / "key"))
    monkeypatch.setenv(keys.PASSWORD_FILE, str(tmp_path / "password"))
    with pytest.raises(BadInput) as refused:
        keys.first_key(False, tmp_path)
    assert refused.value.code in ("bad_key", "bad_keystore")
    assert not text or text not in f"{refused.value}{refused.value.hint}"


def test_a_new_key_is_written_down_before_live_money_lies_on_it(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    keys.new_key(False, kept)
    assert not kept.exists()
    account = keys.new_key(True, kept)
    path = keys.key_path(account, kept)
    assert Account.from_hex(path.read_text(encoding="ascii")) == account
    assert path.stat().st_mode & 0o777 == 0o600


STATS = {"volume_wei": 100, "deposits_wei": 0, "payouts_wei": 60, "refunds_wei": 40}
EVEN = Accounts(
    (Line("client", "0x1", 100, 40, 40), Line("provider", "0x2", 0, 60, 60), Line("foreman", "0x3", 0, 0, 0)),
    attached=10,
    unsettled=0,
    stats=STATS,
)


def moved(**after: int) -> Accounts:
    """The same accounts, but for what these addresses hold in the end."""
    return replace(EVEN, lines=tuple(replace(line, after=after.get(line.name, line.after)) for line in EVEN.lines))


@pytest.mark.parametrize(
    ("accounts", "stranded", "strict", "keeping"),
    [
        pytest.param(EVEN, 0, True, True, id="even"),
        pytest.param(moved(client=39), 1, False, True, id="a wei is gone"),
        pytest.param(moved(client=30, foreman=10), 10, False, True, id="kept by the contract"),
        pytest.param(moved(client=29), 11, False, False, id="more than was attached is gone"),
        pytest.param(moved(provider=61), 0, False, False, id="a wei from nowhere"),
        pytest.param(replace(EVEN, unsettled=1), 0, False, False, id="not final"),
        pytest.param(replace(EVEN, stats={**STATS, "refunds_wei": 39}), 0, False, False, id="wrong statistics"),
    ],
)
def test_the_accounts_hold_only_to_the_wei(accounts: Accounts, stranded: int, strict: bool, keeping: bool) -> None:
    assert accounts.stranded == stranded
    assert accounts.hold(keeps_failed_value=False) is strict
    assert accounts.hold(keeps_failed_value=True) is keeping


def test_committed_evidence_of_live_networks_is_public_and_pinned() -> None:
    from foreman.urls import check_evidence_url

    assert set(roles.LIVE) == set(roles.LOCAL)
    for role in roles.LIVE.values():
        check_evidence_url(role.url)
        assert role.url.startswith("https://www.rfc-editor.org/rfc/rfc"), "published once, never changed"
        assert len(role.title) <= 120
        assert len(set(role.criteria)) == len(role.criteria) <= 12


def test_the_guide_names_every_network_role_and_variable() -> None:
    guide = (ROOT / "docs" / "E2E.md").read_text(encoding="utf-8")
    names = [*roles.LIVE, *(network.name for network in NETWORKS), keys.KEY_FILE, keys.PASSWORD_FILE]
    names += [f"--{option}" for option in ("network", "evidence", "judge", "reports", "patience", "settle")]
    assert [name for name in names if f"`{name}" not in guide] == []
