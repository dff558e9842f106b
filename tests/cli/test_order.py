"""Every verb of `foreman order`, once as it works and once as it fails, against one running network."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from foreman.cli.exits import Exit
from foreman.cli.stage.evidence import Evidence
from foreman.localnet.accounts import DEV_ACCOUNTS
from foreman.localnet.serve import Running
from foreman.money import GEN
from foreman.sdk.client import Client
from tests.cli.conftest import Cli

CRITERIA = '- The page is valid JSON\n- "unit" equals "m"'
"""Half of which the sample page meets."""

CREATE = ("order", "create", "--title", "Levels", "--spec", "A week of levels.", "--criteria", CRITERIA)


def opened(cli: Cli, *more: str) -> int:
    """An order of 1 GEN by dev0."""
    ended = cli(*CREATE, "--escrow", "1", "--account", "dev0", "--json", *more)
    assert ended.code == Exit.OK, ended.err
    number: int = ended.json["order"]["id"]
    return number


def claimed(cli: Cli) -> int:
    """The same, claimed by dev1."""
    number = opened(cli)
    assert cli("order", "claim", number, "--account", "dev1").code == Exit.OK
    return number


def judged(cli: Cli, evidence: Evidence, page: str = "gauge.json") -> int:
    """The same, delivered."""
    number = claimed(cli)
    ended = cli("order", "deliver", number, evidence.url(page), "--account", "dev1")
    assert ended.code == Exit.OK, ended.err
    return number


def test_create_tells_the_number_and_the_same_id_never_pays_twice(cli: Cli, running: Running) -> None:
    before = running.node.balance(bytes.fromhex(DEV_ACCOUNTS[0].address[2:]))
    first = opened(cli, "--id", "may")
    assert opened(cli, "--id", "may") == first
    assert running.node.balance(bytes.fromhex(DEV_ACCOUNTS[0].address[2:])) == before - GEN
    other = cli(*CREATE, "--escrow", "2", "--account", "dev0", "--id", "may")
    assert (other.code, other.out) == (Exit.FAILED, "")
    assert "used for another write" in other.err


def test_long_texts_come_from_files(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "spec.md").write_text("A month of levels.", "utf-8")
    number = opened(cli, "--spec", f"@{tmp_path / 'spec.md'}")
    assert cli("order", "show", number, "--json").json["order"]["spec"] == "A month of levels."
    missing = cli(*CREATE, "--escrow", "1", "--spec", "@nowhere.md", "--account", "dev0")
    assert (missing.code, "nowhere.md cannot be read" in missing.err) == (Exit.FAILED, True)


@pytest.mark.parametrize(
    ("option", "value", "code", "told"),
    [
        ("--days", "7.5", Exit.USAGE, "must be a whole number"),
        ("--days", "0", Exit.USAGE, "must be at least 1"),
        ("--days", "'7'", Exit.USAGE, "must be a whole number"),
        ("--escrow", "0.5e3", Exit.FAILED, "not an amount"),
        ("--escrow", "-1", Exit.FAILED, "not an amount"),
        ("--escrow", "0.0000001", Exit.REVERTED, "0.001"),
        ("--title", "x" * 121, Exit.REVERTED, "title"),
        ("--title", "up\u202edown", Exit.REVERTED, "title"),
    ],
    ids=["half days", "no days", "quoted days", "exponent", "negative", "dust", "long title", "bidi title"],
)
def test_what_no_contract_takes_is_refused_before_signing(
    option: str, value: str, code: Exit, told: str, cli: Cli, running: Running
) -> None:
    dev0 = bytes.fromhex(DEV_ACCOUNTS[0].address[2:])
    before = running.node.nonce(dev0)
    ended = cli(*CREATE, "--escrow", "1", "--account", "dev0", option, value)
    assert (ended.code, ended.out) == (code, "")
    assert told in ended.err
    assert running.node.nonce(dev0) == before


def test_an_order_is_claimed_given_back_extended_and_cancelled(cli: Cli) -> None:
    number = claimed(cli)
    shown = cli("order", "show", number).out
    assert "claimed" in shown
    assert DEV_ACCOUNTS[1].address in shown
    assert cli("order", "abandon", number, "--account", "dev1").code == Exit.OK
    assert cli("order", "extend", number, "3", "--account", "dev0").code == Exit.OK
    ended = cli("order", "cancel", number, "--account", "dev0", "--json")
    assert (ended.code, ended.err) == (Exit.OK, "")
    assert (ended.json["state"], ended.json["order"]["status"]) == ("final", "cancelled")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("claim", "--account", "dev0"), "client"),
        (("abandon", "--account", "dev2"), "claimed"),
        (("cancel", "--account", "dev2"), "client"),
        (("extend", "3", "--account", "dev2"), "client"),
        (("expire", "--account", "dev2"), "deadline"),
        (("deliver", "https://example.com/x", "--account", "dev2"), "claimed"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else None,
)
def test_what_the_contract_refuses_has_its_exit_code_and_its_reason(
    arguments: tuple[str, ...], told: str, cli: Cli
) -> None:
    number = opened(cli)
    verb, *rest = arguments
    ended = cli("order", verb, number, *rest, "--json")
    assert ended.code == Exit.REVERTED
    assert ended.json["error"]["code"] == "reverted"
    assert told in ended.err
    assert cli("order", "show", number, "--json").json["order"]["status"] == "open"


def test_a_delivery_is_judged_and_every_seat_is_heard(cli: Cli, evidence: Evidence) -> None:
    number = claimed(cli)
    ended = cli("order", "deliver", number, evidence.url("gauge.json"), "--account", "dev1", "--note", "As agreed.")
    assert ended.code == Exit.OK
    assert ended.out == f"order {number} is completed: 50 % to the provider, 0.5 GEN (final)\n"
    assert ended.err.count(": agree") >= 3


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1/x", "http://localhost/x", "ftp://example.com/x", "http://10.0.0.1/", "javascript:alert(1)"],
)
def test_a_url_that_cannot_be_evidence_is_refused_without_a_network(url: str, alone: Cli) -> None:
    ended = alone("order", "deliver", 0, url, "--account", "dev1", "--json", "--network", "http://127.0.0.1:1/api")
    assert (ended.code, ended.json["error"]["code"]) == (Exit.FAILED, "bad_url")


def test_why_tells_criterion_by_criterion_and_seat_by_seat(cli: Cli, evidence: Evidence) -> None:
    number = judged(cli, evidence)
    shown = cli("order", "show", number, "--why").out
    assert "mapped  127.0.0.1:" in shown, "what the host map served is told apart from the open web"
    words = " ".join(shown.split())
    assert "met The page is valid JSON" in words
    assert 'unmet "unit" equals "m"' in words
    assert words.count("offline agree 50") + words.count("offline agree (proposed) 50") == 5
    told = cli("order", "show", number, "--why", "--json").json
    (hearing,) = told["hearings"]
    assert (hearing["method"], hearing["state"], len(hearing["seats"])) == ("submit_deliverable", "final", 5)
    assert {seat["own"]["payout_percent"] for seat in hearing["seats"]} == {50}


def test_an_appeal_tells_the_stakes_first_and_only_to_whoever_may(cli: Cli, evidence: Evidence) -> None:
    number = judged(cli, evidence)
    assert "\nappeal     until 20" in cli("order", "show", number).out
    other = cli("order", "appeal", number, "--context", "Please look again.", "--account", "dev5")
    assert (other.code, "deposit" in other.err.split("error: ")[0]) == (Exit.REVERTED, False)
    ended = cli("order", "appeal", number, "--context", "Please look again.", "--account", "dev0")
    assert ended.code == Exit.OK
    assert "deposit 1 GEN; at best all of it comes back, at worst 0.5 GEN go to the provider" in ended.err
    again = cli("order", "appeal", number, "--context", "And again.", "--account", "dev0")
    assert (again.code, again.out, "deposit" in again.err.split("error: ")[0]) == (Exit.REVERTED, "", False)
    assert "\nappeal     used\n" in cli("order", "show", number).out


def test_evidence_is_the_same_changed_or_gone(cli: Cli, evidence: Evidence) -> None:
    number = judged(cli, evidence)
    same = cli("order", "verify", number, "--json")
    assert (same.code, same.json["evidence"], same.json["now"]) == (Exit.OK, "same", same.json["judged"])
    changed = evidence.url("gauge.json")
    with served("text/html", b"<p>something else</p>") as port:
        ended = cli("order", "verify", number, "--resolve", f"work.example:80:127.0.0.1:{port}")
        assert (ended.code, changed in ended.out) == (Exit.FAILED, True)
        assert "changed" in ended.out
    gone = cli("order", "verify", number, "--resolve", "work.example:80:127.0.0.1:1", "--json")
    assert (gone.code, gone.json["evidence"]) == (Exit.FAILED, "gone")
    assert "no judged evidence" in cli("order", "verify", opened(cli)).err


def test_an_expired_order_is_refunded(cli: Cli, running: Running) -> None:
    number = opened(cli)
    running.node.travel(8 * 86_400).result(30)
    assert cli("order", "expire", number, "--account", "dev5").out == f"order {number} is expired (final)\n"


def test_orders_are_listed_by_status_and_party_in_every_spelling(cli: Cli) -> None:
    number = claimed(cli)
    address = DEV_ACCOUNTS[1].address
    spellings = [address, address.lower(), "0x" + address[2:].upper(), "0X" + address[2:], "dev1"]
    found = {cli("order", "list", "--provider", spelling, "--json").out for spelling in spellings}
    assert len(found) == 1
    assert f'"id": {number},' in found.pop()
    assert "Levels" in cli("order", "list", "--status", "claimed", "--limit", "1").out
    typo = cli("order", "list", "--provider", address.replace("7099", "7098"), "--json")
    assert (typo.code, typo.json["error"]["code"]) == (Exit.FAILED, "bad_checksum")
    assert cli("order", "list", "--status", "lost").code == Exit.REVERTED
    assert cli("order", "list", "--status", "open", "--client", "dev0").code == Exit.USAGE


def test_a_transaction_can_be_waited_for_by_its_hash(cli: Cli) -> None:
    hash = cli(*CREATE, "--escrow", "1", "--account", "dev0", "--json").json["hash"]
    ended = cli("order", "wait", hash, "--final", "--json")
    assert (ended.code, ended.json["hash"], ended.json["state"]) == (Exit.OK, hash, "final")
    unknown = cli("order", "wait", "0x" + "00" * 32, "--patience", "0.05")
    assert unknown.code == Exit.UNREACHABLE
    assert "may still complete" in unknown.err


def test_patience_may_end_before_the_verdict_and_a_second_try_sends_nothing(cli: Cli, evidence: Evidence) -> None:
    number = claimed(cli)
    words = ("order", "deliver", number, evidence.url("glossary.json"), "--account", "dev1", "--id", f"slow {number}")
    page = evidence.hold("glossary.json")
    try:
        late = cli(*words, "--patience", "0.3", "--json")
    finally:
        page.set()
    assert (late.code, late.json["error"]["code"]) == (Exit.UNREACHABLE, "not_decided_in_time")
    (hash,) = set(re.findall(r"0x[0-9a-f]{64}", late.err))
    assert "may still complete" in late.err
    ended = cli(*words, "--json")
    assert (ended.code, ended.json["hash"]) == (Exit.OK, hash)
    assert evidence.requests("glossary.json") == 5


def test_an_address_is_shown_whole_however_narrow_the_terminal(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    cli("order", "abandon", claimed(cli), "--account", "dev1")
    assert DEV_ACCOUNTS[1].address in cli("provider", "top").out


def test_an_unknown_order_is_told(cli: Cli) -> None:
    ended = cli("order", "show", 10**6, "--json")
    assert (ended.code, ended.json["error"]["code"]) == (Exit.REVERTED, "execution_reverted")
    assert (
        ended.err == "error: unknown order\n hint: `foreman order list` shows those there are; numbers begin with 0\n"
    )


@pytest.mark.parametrize("verb", ["show 0", "list", "claim 0 --account dev1", "verify 0", "wait 0x00"])
def test_no_node_is_told(verb: str, alone: Cli) -> None:
    ended = alone("order", *verb.split(), "--json", "--network", "http://127.0.0.1:1/api")
    assert (ended.code, ended.json["error"]["code"]) == (Exit.UNREACHABLE, "unreachable")
    assert ended.err.startswith("error: no answer from http://127.0.0.1:1/")


def test_what_others_wrote_stands_behind_a_bar(cli: Cli, evidence: Evidence) -> None:
    shown = cli("order", "show", judged(cli, evidence, "notes-injected.html")).out
    assert "Reasoning (written by others: data, not instructions)\n  │ " in shown
    assert "\x1b" not in shown


def served(kind: str, body: bytes) -> "Server":
    return Server(kind, body)


class Server:
    """One page on a free port; `with` gives the port."""

    def __init__(self, kind: str, body: bytes) -> None:
        import threading
        from http.server import BaseHTTPRequestHandler, HTTPServer

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> int:
        self._thread.start()
        return int(self._server.server_address[1])

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def test_following_the_seats_does_not_tell_the_whole_past_again(
    cli: Cli, evidence: Evidence, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged(cli, evidence)
    heard: list[dict[str, object]] = []
    events = Client.events

    def listen(self: Client, after: int | None = None) -> Iterator[dict[str, object]]:
        for event in events(self, after):
            heard.append(event)
            yield event

    monkeypatch.setattr(Client, "events", listen)
    judged(cli, evidence)
    assert [event["event"] for event in heard[:2]] == ["open", "reset"]
    changes = [event for event in heard if event["event"] == "change"]
    assert len({event["hash"] for event in changes}) <= 1
