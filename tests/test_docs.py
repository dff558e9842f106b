"""The documentation is under test: every command, option, judge, setting, error and dependency is in it; links lead."""

import re
import subprocess
import sys
import textwrap
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from foreman.cli import main as command
from foreman.cli import show
from foreman.cli.exits import Exit
from foreman.cli.main import COMMANDS
from foreman.cli.stage.evidence import Evidence
from foreman.judges import TABLE
from foreman.judges.providers import PROVIDERS
from foreman.localnet.localnet import build
from foreman.localnet.serve import Running
from foreman.settings import Limits, Settings
from tests.judges.phrasings import MET

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
GOLDEN_HELP = ROOT / "tests" / "golden" / "cli"


def read(name: str) -> str:
    """A page, from the root of the repository."""
    return (ROOT / name).read_text(encoding="utf-8")


def section(page: str, heading: str) -> str:
    """The part of a page below a heading, up to the next one of the same depth."""
    found = re.search(rf"^{re.escape(heading)}$\n(.*?)(?=^{heading.split()[0]} |\Z)", page, re.M | re.S)
    assert found, f"there is no section {heading!r}"
    return found[1]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_every_option_is_documented(name: str) -> None:
    told = section(read("docs/cli.md"), f"## foreman {name}")
    options = set(re.findall(r"^\s+(?:-h, )?(--[a-z-]+)", (GOLDEN_HELP / f"{name}.txt").read_text(), re.M)) - {"--help"}
    assert options or name == "completion", "a command without options is a surprise"
    assert {option for option in options if f"`{option}" not in told} == set()
    assert set(re.findall(r"^\| `(--[a-z-]+)", told, re.M)) == options


def test_every_exit_code_is_documented() -> None:
    told = section(read("docs/cli.md"), "## Exit codes")
    assert {int(code) for code in re.findall(r"^\| (\d+) \|", told, re.M)} == set(map(int, Exit))


@pytest.mark.parametrize("name", TABLE)
def test_every_judge_is_documented(name: str) -> None:
    assert f"`{name}" in read("docs/judges.md")


@pytest.mark.parametrize("kind", [Settings, Limits])
def test_every_setting_is_documented(kind: type) -> None:
    told = read("docs/settings.md")
    rows = {field.name: re.search(rf"^\| `{field.name}` \| `.+` \| (.+) \|$", told, re.M) for field in fields(kind)}
    assert {name for name, row in rows.items() if row is None or not row[1].strip()} == set()


@pytest.mark.parametrize("script", ["docs.py", "changelog.py"])
def test_what_is_written_from_the_source_is_fresh(script: str) -> None:
    run = subprocess.run(
        [sys.executable, ROOT / "scripts" / script, "--check"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_every_make_target_is_in_contributing() -> None:
    targets = set(re.findall(r"^([a-z]+):.*##", read("Makefile"), re.M)) - {"help"}
    assert set(re.findall(r"^\| `make ([a-z]+)`", read("CONTRIBUTING.md"), re.M)) == targets


def test_every_dependency_has_its_reason_and_the_lists_agree() -> None:
    declared = tomllib.loads(read("pyproject.toml"))["project"]["dependencies"]
    listed = [line for line in read("requirements-run.in").splitlines() if line and not line.startswith("#")]
    build_only = {"hatchling", "editables"}
    assert [line.replace('"', "'") for line in listed if package(line) not in build_only] == declared
    told = section(read("docs/decisions/0008-dependencies.md"), "# What each dependency is for")
    table = {name for row in re.findall(r"^\| ([a-z0-9, -]+) \|", told, re.M) for name in row.split(", ")} - {"package"}
    assert table == {package(line) for line in listed}


def test_both_locks_pin_the_same_releases_with_hashes_and_no_address() -> None:
    run, everything = pins("requirements-run.txt"), pins("requirements.txt")
    assert run
    assert {name: pin for name, pin in run.items() if everything.get(name) != pin} == {}
    for name in ("requirements-run.txt", "requirements.txt"):
        text = read(name)
        assert "://" not in text
        assert text.count("==") <= text.count("--hash=sha256:")


def package(requirement: str) -> str:
    """The name in a requirement."""
    found = re.match(r"[A-Za-z0-9_.-]+", requirement)
    assert found, requirement
    return found[0]


def pins(name: str) -> dict[str, str]:
    """Package to release, of a lock."""
    return dict(re.findall(r"^([a-z0-9_.-]+)==([^\s;\\]+)", read(name), re.M))


PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in [
        *ROOT.glob("*.md"),
        *DOCS.rglob("*.md"),
        *(ROOT / "changes").glob("*.md"),
        *(ROOT / "contracts").glob("*.md"),
    ]
)


@pytest.mark.parametrize("name", PAGES)
def test_every_link_inside_the_repository_leads_somewhere(name: str) -> None:
    broken = []
    for target in re.findall(r"\]\((?!https?:|mailto:)([^)\s]+)\)", read(name)):
        path, _, anchor = target.partition("#")
        page = (ROOT / name).parent / path if path else ROOT / name
        if not page.exists() or (anchor and anchor not in anchors(page)):
            broken.append(target)
    assert broken == []


def anchors(page: Path) -> set[str]:
    """The anchors a page's headings make."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", sorted((DOCS / "decisions").glob("*.md")), ids=lambda path: path.stem)
def test_every_decision_tells_context_choice_and_price(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.fullmatch(r"\d{4}-[a-z0-9-]+", path.stem)
    assert [text.count(f"**{word}.**") for word in ("Context", "Choice", "Price")] == [1, 1, 1]


def test_decisions_are_numbered_without_gaps() -> None:
    numbers = [int(path.stem[:4]) for path in sorted((DOCS / "decisions").glob("*.md"))]
    assert numbers == list(range(1, len(numbers) + 1))


def masked(text: str) -> list[str]:
    """Lines without what differs from run to run: addresses, seconds, trailing spaces, indentation."""
    text = re.sub(r"0x[0-9a-fA-F]{4}…[0-9a-fA-F]{4}", "0x", text)
    text = re.sub(r"All \d+ checks|[\d.]+ s\.", "", text)
    return [line.strip() for line in text.splitlines() if line.strip()]


def test_the_readme_shows_what_the_demo_prints(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    show.out.cache_clear()
    assert command.main(["demo"]) == 0
    printed = masked(capsys.readouterr().out)
    shown = masked(read("README.md").split("ends with\n")[1].split("\nEach verdict")[0])
    assert len(shown) > 15
    assert printed[-len(shown) :] == shown


def test_the_first_screen_of_the_readme_is_a_sentence_and_the_two_commands() -> None:
    lines = read("README.md").splitlines()
    assert lines[0] == "# Foreman"
    assert lines[2].endswith(".")
    assert [line.split("#")[0].strip() for line in lines[4:6]] == ["make demo", "make test"]


def test_the_quickstarts_program_runs(capsys: pytest.CaptureFixture[str]) -> None:
    program = section(read("docs/quickstart.md"), "## Open an order from Python").split("\n`work.example`")[0]
    with Evidence() as evidence, Running(build(Settings(port=0, host_map=evidence.mappings))) as running:
        code = textwrap.dedent(program).replace("http://127.0.0.1:4000/api", running.url)
        names: dict[str, Any] = {}
        try:
            exec(compile(code, "docs/quickstart.md", "exec"), names)
        finally:
            names["network"].close()
    assert capsys.readouterr().out.startswith("completed 100 2 of 2 criteria are met.")


def test_the_offline_judges_kinds_are_documented_with_criteria_that_are_tests() -> None:
    table = section(read("docs/judges.md"), "## The offline judge").split("|---|---|\n")[1]
    told = dict(re.findall(r"^\| (.+?) \| (.+) \|$", table, re.M))
    assert set(told) == set(MET)
    assert {kind for kind, criterion in told.items() if criterion not in {row[0] for row in MET[kind]}} == set()


def test_every_provider_of_models_is_documented_with_its_address_and_key() -> None:
    page = section(read("docs/judges.md"), "## Models")
    for name, provider in PROVIDERS.items():
        row = re.search(rf"^\| `{name}` \|.*$", page, re.M)
        assert row, name
        assert provider.url in row[0]
        assert provider.key in row[0]
