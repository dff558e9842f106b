"""docs/quickstart.md, "Command by command", typed in a clean clone with a fresh virtual environment.

The quick form, part of every run, does not copy the gigabyte that `make test` has just installed from the same locks:
the fresh environment sees those packages, `npm ci` compares its lock with links to them, and a part of the long suites
is run. With FOREMAN_SLOW=1 everything is installed anew and run whole.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import pytest

from foreman.localnet.localnet import build
from foreman.localnet.serve import Running, listen
from foreman.settings import Settings
from foreman.transaction import Kind
from tests.clients.terminal import NEW_ACCOUNT, converse, genlayer
from tests.test_docs import read, section

ROOT = Path(__file__).parents[1]
WHOLE = bool(os.environ.get("FOREMAN_SLOW"))
TOOLS = (
    "bash",
    "cat",
    "cksum",
    "cp",
    "dirname",
    "env",
    "find",
    "flock",
    "mkdir",
    "readlink",
    "rm",
    "sort",
    "tr",
    "xargs",
)
PART_OF_THE_TESTS = {} if WHOLE else {"PYTEST_ADDOPTS": "-k test_foreman.py"}
pytestmark = pytest.mark.timeout(900)

TYPED = {
    "pip install -r requirements.txt",
    "genvm-lint check contracts/foreman.py",
    "pytest tests/direct -q",
    "genlayer network set localnet",
    "genlayer deploy",
    "cd frontend && cp .env.example .env.local",
    "npm ci && npm run dev",
    "npm test",
    "python scripts/e2e_live.py",
}
"""Every line of the page that a test below types."""


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A clean clone, a fresh virtual environment, and a shell in the clone."""

    clone: Path
    environment: dict[str, str]

    def type(self, line: str, seconds: float = 300, **more: str) -> "subprocess.CompletedProcess[str]":
        """One line of the page, as it stands there."""
        assert line in TYPED, f"the page does not say {line!r}"
        return self.shell(line, seconds, **more)

    def shell(self, line: str, seconds: float = 300, **more: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            ["/bin/bash", "-c", line],
            cwd=self.clone,
            env={**self.environment, **more},
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is committed, and nothing else."""
    place = tmp_path_factory.mktemp("newcomer") / "a clone"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(place)], check=True, capture_output=True)
    return place


@pytest.fixture(scope="module")
def newcomer(clone: Path) -> Newcomer:
    """The first line of the page has been typed."""
    venv = clone.parent / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True, capture_output=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "FOREMAN_"))}
    path = [str(venv / "bin"), os.environ["PATH"]]
    if not WHOLE:
        (packages,) = (venv / "lib").glob("python*/site-packages")
        (packages / "seen.pth").write_text(sysconfig.get_path("purelib") + "\n")
        path.insert(1, str(Path(sys.executable).parent))
    environment |= {"PATH": ":".join(path), "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_COMPILE": "1"}
    somebody = Newcomer(clone, environment)
    installed = somebody.type("pip install -r requirements.txt", 800)
    assert installed.returncode == 0, installed.stdout[-1500:] + installed.stderr[-1500:]
    return somebody


@pytest.fixture(scope="module")
def web_packages() -> Path:
    """What scripts/web-packages has installed from the lock; `make test` does that first."""
    ended = subprocess.run([str(ROOT / "scripts" / "web-packages"), "test"], capture_output=True, check=False)
    if ended.returncode:
        assert not os.environ.get("FOREMAN_REQUIRE_WEB"), ended.stderr.decode()
        pytest.skip("the web app's packages cannot be had here: " + ended.stderr.decode()[-500:])
    return ROOT / "frontend" / "node_modules"


def test_the_page_says_what_is_typed_here() -> None:
    told = section(read("docs/quickstart.md"), "## Command by command")
    lines = [line.strip() for line in re.findall(r"^    (.+)$", told, re.M)]
    assert sorted(line for line in lines if not line.startswith("#")) == sorted(TYPED)


def test_the_contract_passes_the_linter(newcomer: Newcomer, tmp_path: Path) -> None:
    """The whole check downloads the network's SDK; without the internet its first half is run, and that is said."""
    checked = newcomer.type("genvm-lint check contracts/foreman.py", HOME=str(tmp_path))
    told = checked.stdout + checked.stderr
    assert "Lint passed" in told, told
    if "Failed to load SDK" in told:
        linted = newcomer.shell("genvm-lint lint contracts/foreman.py", HOME=str(tmp_path))
        assert linted.returncode == 0, linted.stdout
        print("no internet: `genvm-lint lint` was run instead of `check`")
    else:
        assert checked.returncode == 0, told


def test_the_tests_of_the_contracts_pass(newcomer: Newcomer) -> None:
    ended = newcomer.type("pytest tests/direct -q", 800, **PART_OF_THE_TESTS)
    assert ended.returncode == 0, ended.stdout[-3000:]
    passed = re.search(r"(\d+) passed", ended.stdout)
    assert passed is not None
    assert int(passed[1]) > (1000 if WHOLE else 100)


def test_the_live_run_goes_through(newcomer: Newcomer) -> None:
    ended = newcomer.type("python scripts/e2e_live.py")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    told = json.loads((newcomer.clone / "reports" / "e2e-report.json").read_text())
    assert (told["ok"], told["conserved"]) == (True, True)
    assert newcomer.shell("git status --porcelain").stdout == "", "a run leaves nothing to commit"


def test_genlayer_deploy_deploys_both_contracts(clone: Path, tmp_path: Path) -> None:
    """In a terminal. The test's network has a port of its own, which --rpc tells; the page's has the CLI's default."""
    cli = genlayer()
    environment = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "TERM": "xterm"}
    code, shown = converse([cli, "network"], cwd=clone, env=environment)
    assert "set [network]" in shown, "today's CLI answers the bare command with its subcommands"
    code, shown = converse([cli, "network", "set", "localnet"], cwd=clone, env=environment)
    assert code == 0, shown
    with Running(build(Settings(port=0))) as running:
        before = set(running.node.contracts().values())
        command: list[str | Path] = [cli, "deploy", "--rpc", running.url]
        code, shown = converse(command, NEW_ACCOUNT, cwd=clone, env=environment)
        assert code == 0, shown
        places = dict(re.findall(r"(\w+)\.py is at (0x[0-9a-fA-F]{40})", shown))
        assert set(places) == {"foreman", "verdict_escrow"}
        for name, address in places.items():
            raw = bytes.fromhex(address[2:])
            assert running.node.code(raw) == (ROOT / "contracts" / f"{name}.py").read_bytes()
            sent = [one.transaction for one in running.node.history(raw, 5)]
            assert [one.kind for one in sent] == [Kind.DEPLOY]
        assert not before & set(places.values())


def test_a_contract_that_is_refused_fails_the_command(clone: Path, tmp_path: Path) -> None:
    """A deployment that the network does not take must not look like one."""
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(clone / "deploy", elsewhere / "deploy")
    (elsewhere / "contracts").mkdir()
    for name in ("foreman", "verdict_escrow"):
        source = (clone / "contracts" / f"{name}.py").read_text()
        (elsewhere / "contracts" / f"{name}.py").write_text(source + "\n# not a shipped contract any more\n")
    environment = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "TERM": "xterm"}
    with Running(build(Settings(port=0))) as running:
        command: list[str | Path] = [genlayer(), "deploy", "--rpc", running.url]
        code, shown = converse(command, NEW_ACCOUNT, cwd=elsewhere, env=environment)
    assert code == 1, shown
    assert "is at 0x" not in shown


def test_the_web_app_answers_and_its_tests_pass(clone: Path, web_packages: Path) -> None:
    """Lines of the page in one shell, since each stands in the folder of the one before."""
    first, second, third = "cd frontend && cp .env.example .env.local", "npm ci && npm run dev", "npm test"
    assert {first, second, third} <= TYPED
    port = _free_port()
    environment = {**os.environ, "PORT": str(port), "CI": "1", "NO_COLOR": "1"}
    if not WHOLE:
        _linked(web_packages, clone / "frontend" / "node_modules")
        environment["npm_config_dry_run"] = "true"  # `npm ci` compares lock and packages, and leaves them as they are
    with open(clone.parent / "dev.log", "w+") as log:
        shell = subprocess.Popen(
            ["/bin/bash", "-c", f"{first}\n{second}"],
            cwd=clone,
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            page = _answer(f"http://127.0.0.1:{port}/", shell, 700)
        except AssertionError:
            log.seek(0)
            print(log.read()[-3000:])
            raise
        finally:
            os.killpg(shell.pid, signal.SIGTERM)
            shell.wait(timeout=30)
    assert "Foreman" in page
    names = set(re.findall(r"^(\w+)=", (clone / "frontend" / ".env.local").read_text(), re.M))
    assert names == {f"NEXT_PUBLIC_{name}" for name in ("CONTRACT_ADDRESS", "AGREEMENTS_ADDRESS", "NETWORK", "RPC_URL")}
    if WHOLE:
        tested = subprocess.run(
            third.split(), cwd=clone / "frontend", env=environment, capture_output=True, check=False
        )
        assert tested.returncode == 0, tested.stdout.decode()[-3000:]
    else:
        assert f"{third} --silent --prefix frontend" in read("scripts/test"), "it was run before this"


@pytest.fixture
def bare_path(tmp_path: Path) -> str:
    """A PATH with what a container image has, but no Node."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in TOOLS:
        found = shutil.which(tool)
        if found:
            (tools / tool).symlink_to(found)
    (tools / "python3.12").symlink_to(sys.executable)
    return str(tools)


def test_a_new_container_is_ready_for_the_demo(clone: Path, bare_path: str) -> None:
    """What a Codespace runs when it is made, for real; the web app's half is below."""
    told = json.loads((clone / ".devcontainer" / "devcontainer.json").read_text())
    assert told["forwardPorts"] == [Settings().port, 3000]
    environment = {**os.environ, "PATH": bare_path, "FOREMAN_PYTHON": sys.executable, "PIP_NO_COMPILE": "1"}
    ended = subprocess.run(
        [str(clone / told["postCreateCommand"])], env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert "the network runs without it" in ended.stderr
    assert ended.stdout.endswith("Ready: make demo\n")
    again = {**environment, "PATH": f"{bare_path}:{os.environ['PATH']}"}
    demo = subprocess.run(["make", "demo", "ARGS=--json"], cwd=clone, env=again, capture_output=True, check=False)
    assert demo.returncode == 0, demo.stderr
    assert json.loads(demo.stdout)["ok"] is True


@pytest.mark.slow
def test_a_new_container_has_the_web_app(clone: Path, web_packages: Path) -> None:
    """The same where Node is: what `make up` serves is built."""
    environment = {**os.environ, "FOREMAN_PYTHON": sys.executable}
    command = [str(clone / ".devcontainer" / "create")]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert "Foreman" in (clone / "frontend" / "out" / "index.html").read_text()


def _linked(packages: Path, place: Path) -> None:
    """Hard links where the file system has them, else copies."""
    if subprocess.run(["cp", "-al", str(packages), str(place)], capture_output=True, check=False).returncode:
        shutil.rmtree(place, ignore_errors=True)
        subprocess.run(["cp", "-a", str(packages), str(place)], check=True, capture_output=True)


def _free_port() -> int:
    with listen("127.0.0.1", 0) as door:
        return int(door.getsockname()[1])


def _answer(url: str, server: "subprocess.Popen[bytes]", seconds: float) -> str:
    """The page, once the server is there."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        assert server.poll() is None, "the server has ended"
        try:
            with urllib.request.urlopen(url, timeout=60) as response:
                return str(response.read().decode())
        except OSError:
            time.sleep(0.5)
    raise AssertionError(f"no answer from {url}")
