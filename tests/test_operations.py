"""docs/operations.md and deploy/ are under test: commands are typed, units and proxy are run, every figure exists."""

import json
import os
import re
import shlex
import shutil
import signal
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import trustme
from prometheus_client.parser import text_string_to_metric_families

from foreman.localnet.localnet import build
from foreman.localnet.serve import Running, listen
from foreman.node.health import REASONS
from foreman.settings import Settings
from tests.test_docs import read, section

ROOT = Path(__file__).parents[1]
PAGE = read("docs/operations.md")
UNITS = sorted((ROOT / "deploy" / "systemd").iterdir())


def boxed(heading: str) -> list[str]:
    """The lines of the box below a heading."""
    return re.findall(r"^    (\S.*)$", section(PAGE, heading), re.M)


class Operator:
    """A shell in an empty folder, with the command on its path and a node on a port of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with listen("127.0.0.1", 0) as door:
            self.port = door.getsockname()[1]
        (folder / "bin").mkdir()
        (folder / "bin" / "foreman").write_text(
            f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m foreman.cli.main "$@"\n'
        )
        (folder / "bin" / "foreman").chmod(0o755)
        (folder / "password").write_text("correct horse\n")
        self.words = {"FOREMAN_NETWORK": f"http://127.0.0.1:{self.port}/api"}

    @property
    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT / "src"),
            "FOREMAN_HOME": str(self.folder / "home"),
            "FOREMAN_PASSWORD_FILE": str(self.folder / "password"),
            **self.words,
        }

    def type(self, line: str) -> str:
        """A line as it stands on the page, but for the port; what it prints."""
        line = line.replace("127.0.0.1:4000", f"127.0.0.1:{self.port}")
        ran = subprocess.run(
            line, shell=True, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=60
        )
        assert ran.returncode == 0, line + ran.stdout + ran.stderr
        return ran.stdout

    @contextmanager
    def leave_running(self, line: str) -> Iterator[None]:
        """A node, until the block ends."""
        with subprocess.Popen(
            f"exec {line} --port {self.port}",
            shell=True,
            cwd=self.folder,
            env=self.environment,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stderr is not None
            try:
                assert any(json.loads(text)["event"] == "listening" for text in process.stderr)
                yield
                process.send_signal(signal.SIGTERM)
                assert [json.loads(text)["event"] for text in process.stderr][-1] == "stopped"
                assert process.wait(20) == 0
            finally:
                process.kill()


@pytest.mark.skipif(shutil.which("curl") is None, reason="the page asks with curl")
def test_the_ten_lines_do_what_the_page_says(tmp_path: Path) -> None:
    lines = boxed("## In ten lines")
    new, up, health, live, metrics, fund, backup, restore, again, over = lines
    operator = Operator(tmp_path)
    found = re.search(r"0x[0-9a-fA-F]{40}", operator.type(new))
    assert found
    operator.words |= {"TREASURY": found[0], "CLIENT": "0x" + "12" * 20}
    with operator.leave_running(up):
        assert json.loads(operator.type(health))["status"] in ("ok", "degraded")
        assert json.loads(operator.type(live)) == {"alive": True}
        assert "foreman_takes_writes 1.0" in operator.type(metrics)
        operator.type(fund)
        assert "books balance" in operator.type(backup)
    assert "books balance" in operator.type(restore)
    with operator.leave_running(again):
        assert "50 GEN" in operator.type("foreman account balance $CLIENT")
        assert "999950 GEN" in operator.type("foreman account balance treasury")
    assert "before-restore-1" in operator.type(over)


def test_every_command_of_the_page_that_a_test_cannot_type_names_files_that_exist() -> None:
    """A service needs a machine of its own; the files it is made of are tried below."""
    named = [word for line in boxed("## As a service") for word in line.split() if word.startswith("deploy/")]
    assert sorted(ROOT / name for name in named) == UNITS
    assert all(path.is_file() for path in UNITS)


def test_every_reason_of_health_is_on_the_page() -> None:
    told = dict(re.findall(r"^\| `(\w+)` \| `(\w+)` \| (?:200|503) \|", section(PAGE, "## Health"), re.M))
    assert told == {name: status for name, (status, _) in REASONS.items()}
    codes = dict(re.findall(r"^\| `(\w+)` \| `\w+` \| (200|503) \|", PAGE, re.M))
    assert codes == {name: "200" if status == "degraded" else "503" for name, (status, _) in REASONS.items()}


@pytest.fixture(scope="module")
def node() -> Iterator[Running]:
    settings = Settings(port=0, dev=False, allow_hosts=("foreman.example",))
    with Running(build(settings)) as running:
        yield running


def test_every_field_of_health_is_on_the_page(node: Running) -> None:
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", section(PAGE, "## Health"), re.M)
    told = re.findall(r"`(\w+)`", " ".join(rows))
    assert set(told) == set(node.node.health()) | set(REASONS)


@pytest.fixture(scope="module")
def families(node: Running) -> dict[str, Any]:
    text = urllib.request.urlopen(f"{node.origin}/metrics").read().decode()
    return {family.name: family for family in text_string_to_metric_families(text)}


def test_every_family_of_metrics_is_on_the_page_and_the_other_way_round(families: dict[str, Any]) -> None:
    told = {
        name.removesuffix("_total")
        for name in re.findall(r"`(foreman_\w+?)(?:\{[\w,]+\})?`", section(PAGE, "## Metrics"))
    }
    assert told == {name for name in families if name.startswith("foreman_")}


def test_alerts_ask_for_figures_and_reasons_that_exist(families: dict[str, Any]) -> None:
    rules = read("deploy/prometheus/foreman.rules.yml")
    asked = set(re.findall(r"foreman_\w+", rules))
    assert len(asked) > 5
    assert {re.sub(r"_(total|bucket)$", "", name) for name in asked} <= set(families)
    named = {name for told in re.findall(r'reason=~?"([\w|]+)"', rules) for name in told.split("|")}
    assert {"jury_missing", "judge_missing"} < named <= set(REASONS)
    assert rules.count("- alert:") == 10
    assert rules.count("severity: page") == 3


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd")
def test_the_units_are_sound(tmp_path: Path) -> None:
    (tmp_path / "foreman").symlink_to(sys.executable)  # this clone's own path may have a space in it
    for path in UNITS:
        text = path.read_text().replace("/opt/foreman/.venv/bin/foreman", str(tmp_path / "foreman"))
        assert text != path.read_text() or path.suffix == ".timer"
        (tmp_path / path.name).write_text(text)
    command = ["systemd-analyze", "verify", "--recursive-errors=no", *(str(tmp_path / path.name) for path in UNITS)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout + ran.stderr) == (0, "")


def started(unit: str) -> list[str]:
    """The words of a unit's ExecStart, as systemd hands them on."""
    text = (ROOT / "deploy" / "systemd" / unit).read_text().replace("\\\n", " ")
    line = re.search(r"^ExecStart=(.+)$", text, re.M)
    assert line
    return re.findall(r"'[^']*'|\S+", line[1].replace("$$", "$").replace("%%", "%"))


def test_the_service_starts_with_options_that_exist(tmp_path: Path) -> None:
    words = started("foreman.service")
    assert words[:2] == ["/opt/foreman/.venv/bin/foreman", "up"]
    words[words.index("/var/lib/foreman")] = str(tmp_path)
    operator = Operator(tmp_path)
    with operator.leave_running(" ".join(["foreman", *words[1:]])):
        assert operator.type("curl --silent --fail -H 'Host: foreman.example' http://127.0.0.1:4000/health")


def test_the_timer_takes_a_backup_with_a_name_of_its_own(tmp_path: Path, node: Running) -> None:
    operator = Operator(tmp_path)
    with operator.leave_running("foreman up --no-dev --state state --log-format json"):
        words = [
            word.replace("/opt/foreman/.venv/bin/", "")
            .replace("/var/lib/foreman-backup", ".")
            .replace("/var/lib/foreman", "state")
            for word in started("foreman-backup.service")
        ]
        assert words[:2] == ["/bin/sh", "-c"]
        assert json.loads(operator.type(" ".join(words)))["ok"] is True
    (taken,) = tmp_path.glob("*.sqlite")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d{6}Z\.sqlite", taken.name)


NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


@contextmanager
def proxied(folder: Path, node: Running) -> Iterator[tuple[int, int, ssl.SSLContext]]:
    """nginx with the file of deploy/ in front of a node: its TLS port, its plain port, and whom to trust."""
    authority = trustme.CA()
    authority.issue_cert("foreman.example").private_key_and_cert_chain_pem.write_to_path(folder / "both.pem")
    with listen("127.0.0.1", 0) as one, listen("127.0.0.1", 0) as two:
        tls, plain = one.getsockname()[1], two.getsockname()[1]
    text = read("deploy/nginx/foreman.conf")
    for old, new in (
        ("127.0.0.1:4000;", f"127.0.0.1:{node.port};"),
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ssl http2;", f"listen 127.0.0.1:{tls} ssl http2;"),
        ("    listen [::]:80;\n", ""),
        ("    listen [::]:443 ssl http2;\n", ""),
        ("/etc/ssl/foreman/fullchain.pem", str(folder / "both.pem")),
        ("/etc/ssl/foreman/privkey.pem", str(folder / "both.pem")),
    ):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    temporary = "".join(
        f"{name}_temp_path {folder}/{name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {folder}/pid; error_log stderr;\n"
        f"events {{}}\nhttp {{ access_log off;\n{temporary}{text}}}\n"
    )
    command = [str(NGINX), "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"]
    tried = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    assert tried.returncode == 0, tried.stderr
    warned = [line for line in tried.stderr.splitlines() if "[warn]" in line and "http2" not in line]
    assert warned == [], "newer releases have another word for http2, and take this one"
    context = ssl.create_default_context()
    authority.configure_trust(context)
    context.check_hostname = False  # asked by address; the certificate is still the authority's
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            yield tls, plain, context
        finally:
            process.terminate()


@pytest.mark.skipif(NGINX is None, reason="needs nginx")
def test_behind_nginx_everything_works_as_before(tmp_path: Path, node: Running) -> None:
    with proxied(tmp_path, node) as (tls, plain, trust):
        origin = f"https://127.0.0.1:{tls}"
        config = json.loads(_first_answer(f"{origin}/config.json", trust))
        assert config["rpc_url"] == "https://foreman.example/api"
        body = b'{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
        headers = {"content-type": "application/json", "origin": "https://foreman.example"}
        request = urllib.request.Request(f"{origin}/api", body, headers)
        with urllib.request.urlopen(request, context=trust) as reply:
            assert json.load(reply)["result"] == hex(node.node.settings.chain_id)
            assert reply.headers["access-control-allow-origin"] == "https://foreman.example"
            assert reply.headers["strict-transport-security"]
        request = urllib.request.Request(f"{origin}/api", body, {**headers, "origin": "https://evil.example"})
        with pytest.raises(urllib.error.HTTPError, match="403") as refused:
            urllib.request.urlopen(request, context=trust)
        refused.value.close()
        with urllib.request.urlopen(f"{origin}/events", context=trust, timeout=10) as stream:
            assert stream.readline() == b"retry: 1000\n", "news comes at once, and not when a buffer is full"
        with pytest.raises(urllib.error.HTTPError, match="308") as moved:
            _no_redirect(f"http://127.0.0.1:{plain}/config.json")
        assert moved.value.headers["location"] == "https://foreman.example/config.json"
        moved.value.close()


def _first_answer(url: str, trust: ssl.SSLContext) -> bytes:
    deadline = time.monotonic() + 20
    while True:
        try:
            with urllib.request.urlopen(url, context=trust) as reply:
                return bytes(reply.read())
        except urllib.error.HTTPError:
            raise
        except OSError:
            assert time.monotonic() < deadline
            time.sleep(0.05)


def _no_redirect(url: str) -> None:
    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_: Any) -> None:
            return None

    urllib.request.build_opener(Stay).open(url).close()
