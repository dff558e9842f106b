"""How the web app's tests are run: in CI always, by hand when asked, and never silently left out."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOT_RUN = "!! NOT RUN: the web app's browser tests"


def command(path: Path, does: str) -> None:
    """A command that does this and nothing else."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{does}\n")
    path.chmod(0o755)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder in which what `scripts/test` calls only says that it was called."""
    for name in ("test", "web-e2e"):
        (tmp_path / "scripts").mkdir(exist_ok=True)
        shutil.copy(ROOT / "scripts" / name, tmp_path / "scripts" / name)
    command(tmp_path / "scripts" / "setup", "exit 0")
    command(tmp_path / "scripts" / "web-packages", "echo packages $*")
    command(tmp_path / "scripts" / "web", "echo built; mkdir -p frontend/out; touch frontend/out/index.html")
    command(tmp_path / ".venv" / "bin" / "pytest", 'echo "pytest $*"; exit "${PYTEST_ENDS:-0}"')
    command(tmp_path / "frontend" / "node_modules" / ".bin" / "playwright", 'echo "playwright $*"')
    command(tmp_path / "bin" / "npm", 'echo "npm $*"; case "$*" in *test:e2e) exit "${BROWSER_ENDS:-0}";; esac')
    return tmp_path


def run(clone: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """`scripts/test` with these arguments and nothing of this process's own switches."""
    environment = {"PATH": f"{clone / 'bin'}:{os.environ['PATH']}", **variables}
    return subprocess.run(
        ["bash", str(clone / "scripts" / "test"), *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_the_switch_one_line_says_that_the_browser_tests_did_not_run_and_how(clone: Path) -> None:
    told = run(clone)
    assert told.returncode == 0, told.stderr
    assert told.stderr.count(NOT_RUN) == 1
    assert "make test ARGS=browser" in told.stderr
    assert "test:e2e" not in told.stdout


def test_where_a_browser_is_required_they_run_after_everything_else(clone: Path) -> None:
    told = run(clone, FOREMAN_REQUIRE_BROWSER="1")
    assert told.returncode == 0, told.stderr
    assert NOT_RUN not in told.stderr
    assert told.stdout.index("pytest") < told.stdout.index("built") < told.stdout.index("test:e2e")


@pytest.mark.parametrize(("python", "browser"), [("1", "0"), ("0", "1"), ("5", "1")])
def test_either_failing_fails_the_whole_and_hides_nothing(clone: Path, python: str, browser: str) -> None:
    told = run(clone, FOREMAN_REQUIRE_BROWSER="1", PYTEST_ENDS=python, BROWSER_ENDS=browser)
    assert told.returncode != 0
    assert "pytest" in told.stdout
    assert "test:e2e" in told.stdout


@pytest.mark.parametrize("missing", ["exit 3", "exit 1"], ids=["no Node", "no packages"])
def test_where_a_browser_is_required_nothing_excuses_them(clone: Path, missing: str) -> None:
    command(clone / "scripts" / "web-packages", missing)
    assert run(clone, FOREMAN_REQUIRE_BROWSER="1").returncode != 0
    assert run(clone).returncode == 0


def test_an_app_that_cannot_be_built_is_an_error_too(clone: Path) -> None:
    command(clone / "scripts" / "web", "exit 0")
    told = run(clone, FOREMAN_REQUIRE_BROWSER="1")
    assert told.returncode != 0
    assert "nothing to drive" in told.stderr


def test_by_hand_they_run_alone_and_take_names(clone: Path) -> None:
    told = run(clone, "browser", "orders")
    assert told.returncode == 0, told.stderr
    assert "playwright test orders" in told.stdout
    assert "pytest" not in told.stdout


def test_continuous_integration_requires_the_browser() -> None:
    assert "export FOREMAN_REQUIRE_BROWSER=1" in (ROOT / ".ci" / "run").read_text()
