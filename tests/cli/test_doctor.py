"""`foreman doctor` tells the truth about a machine, and its exit code is for scripts."""

import json
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from foreman.cli import doctor, show
from foreman.cli import main as command
from foreman.cli.exits import Exit
from foreman.cli.finding import Finding, State

Ask = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Ask:
    """Run `foreman doctor --json` away from this machine's own ports and folders; exit code and findings by name."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> tuple[int, dict[str, Any]]:
        show.out.cache_clear()
        show.err.cache_clear()
        port = [] if "--port" in arguments else ["--port", "0"]
        code = command.main(["doctor", "--json", *port, *arguments])
        told = json.loads(capsys.readouterr().out)
        assert told["ok"] == (code == 0)
        return code, {finding["name"]: finding for finding in told["findings"]}

    return call


def test_a_sound_machine_is_sound(ask: Ask) -> None:
    code, findings = ask()
    assert code == 0
    assert {finding["state"] for finding in findings.values()} <= {"works", "missing"}
    assert "foreman" in findings["network"]["sentence"]
    assert findings["judges"]["sentence"] == "offline set up (not asked)"


def test_a_judge_that_cannot_be_set_up_is_broken(ask: Ask) -> None:
    code, findings = ask("--judge", "nobody")
    assert code == Exit.FAILED
    assert findings["judges"]["state"] == "broken"
    assert "known judges" in findings["judges"]["hint"]


def test_a_port_that_something_else_holds_is_broken(ask: Ask) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_hang_up, args=(server,), daemon=True).start()
        code, findings = ask("--port", str(server.getsockname()[1]))
    assert code == Exit.FAILED
    assert findings["port"]["state"] == "broken"
    assert "--port" in findings["port"]["hint"]


def _hang_up(server: socket.socket) -> None:
    """A server that speaks no HTTP: takes one connection, says nothing, closes."""
    server.accept()[0].close()


def test_a_state_folder_that_cannot_be_written_is_broken(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    code, findings = ask("--state", str(tmp_path / "file" / "state"))
    assert code == Exit.FAILED
    assert findings["state"]["state"] == "broken"


def test_what_only_a_part_needs_may_be_missing(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("FOREMAN_BROWSER", raising=False)
    code, findings = ask()
    assert code == 0
    assert findings["browser"]["state"] == findings["node"]["state"] == "missing"
    assert findings["browser"]["hint"]
    assert findings["node"]["hint"]


def test_an_old_node_is_not_good_enough(ask: Ask, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    old = tmp_path / "node"
    old.write_text("#!/bin/sh\necho v18.2.0\n")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert ask()[1]["node"]["state"] == "missing"


def test_people_get_a_mark_a_name_and_what_to_do(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    show.out.cache_clear()
    broken = Finding("x", State.BROKEN, "it is \x1b[31mbroken", "mend it")
    monkeypatch.setattr(doctor, "CHECKS", (lambda machine: broken,))
    assert command.main(["doctor"]) == Exit.FAILED
    assert capsys.readouterr().out == "✗ x         it is [31mbroken\n            mend it\n"
