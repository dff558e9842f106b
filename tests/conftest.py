"""What holds for every test: nothing leaves this machine, no live model answers, golden files, the browser's count."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from foreman.cli.doctor import find_browser
from tests.doors import DOORS

os.environ["FOREMAN_NO_LIVE_MODELS"] = "1"  # judges read it; child processes inherit it
for name in [name for name in os.environ if name.upper().endswith("_PROXY")]:
    del os.environ[name]
for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL"):  # of `make test`: what tests type is typed by a person
    os.environ.pop(name, None)

GOLDEN = Path(__file__).parent / "golden"
sys.addaudithook(DOORS.hook)

hypothesis_settings.register_profile(
    "fast", max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.register_profile(
    "nightly", max_examples=3000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.load_profile(os.environ.get("FOREMAN_HYPOTHESIS", "fast"))


@pytest.fixture(autouse=True)
def _nothing_leaves_this_machine() -> Iterator[None]:
    """Fail the test whose code tried to reach the world, also when the code swallowed the error it got."""
    DOORS.knocks.clear()
    yield
    if DOORS.knocks:
        pytest.fail(f"tried to leave this machine: {', '.join(DOORS.knocks)}")


@pytest.fixture(scope="session")
def browser() -> str:
    """The path of a Chromium; tests that use it are marked `browser`, so they are skipped and counted without one."""
    found = find_browser()
    assert found is not None, "no Chromium; set FOREMAN_BROWSER to its path"
    return found


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    """Compare a text with `tests/golden/NAME`; `make golden` writes the file instead."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if os.environ.get("FOREMAN_GOLDEN") == "write":
            assert not os.environ.get("CI"), "golden files are rewritten by people, never by CI"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.exists(), f"tests/golden/{name} is missing; `make golden` writes it"
        assert text == path.read_text(encoding="utf-8"), f"tests/golden/{name} differs; `make golden` rewrites it"

    return compare


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without a Chromium, browser tests are skipped and counted; with FOREMAN_REQUIRE_BROWSER they run and fail."""
    if find_browser() is not None or os.environ.get("FOREMAN_REQUIRE_BROWSER"):
        return
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.skip(reason="no browser"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one loud line how many tests did not run for want of a browser."""
    skipped = terminalreporter.stats.get("skipped", [])
    count = sum(1 for report in skipped if "no browser" in str(report.longrepr))
    if count:
        terminalreporter.write_line(
            f"!! {count} BROWSER TESTS DID NOT RUN: no Chromium found; install one, or set FOREMAN_BROWSER.",
            red=True,
            bold=True,
        )
