"""The programs in docs/sdk.md run as printed, and docs/networks.md lists the networks there are."""

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from foreman.cli.stage.evidence import Evidence
from foreman.localnet.localnet import build
from foreman.localnet.serve import Running
from foreman.sdk.networks import NETWORKS
from foreman.settings import Settings

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def programs() -> dict[str, str]:
    """The first indented block below each heading."""
    text = (DOCS / "sdk.md").read_text("utf-8")
    parts = re.split(r"^#+ (.*)$", text, flags=re.M)[1:]
    blocks = {}
    for heading, body in zip(parts[::2], parts[1::2], strict=True):
        if found := re.search(r"((?:^    .*\n|^\n)+)", body[body.find("\n    ") :], re.M):
            blocks[heading] = textwrap.dedent(found[1])
    return blocks


@pytest.fixture(scope="module")
def network() -> Iterator[tuple[Running, Evidence]]:
    with Evidence() as evidence, Running(build(Settings(port=0, host_map=evidence.mappings))) as running:
        yield running, evidence


def execute(program: str, running: Running, names: dict[str, Any] | None = None) -> dict[str, Any]:
    names = {} if names is None else names
    exec(compile(program.replace('"local"', repr(running.url)), "docs/sdk.md", "exec"), names)
    return names


def test_the_first_program_and_the_recomputation_run(
    programs: dict[str, str],
    network: tuple[Running, Evidence],
    capsys: pytest.CaptureFixture[str],
) -> None:
    running, evidence = network
    names = execute(programs["The Python SDK"], running)
    assert capsys.readouterr().out == "final 100\n"
    order = names["network"].orders.get(names["number"])
    names["network"].close()
    url = f"http://127.0.0.1:{evidence.port}/gauge.json"
    execute(programs["Evidence, computed again"], running, {"url": url, "order": order})
    assert capsys.readouterr().out == "True\n"
    execute(programs["Evidence, computed again"], running, {"url": url.replace("gauge", "log"), "order": order})
    assert capsys.readouterr().out == "False\n"


def test_the_program_for_asyncio_runs(
    programs: dict[str, str], network: tuple[Running, Evidence], capsys: pytest.CaptureFixture[str]
) -> None:
    execute(programs["asyncio"], network[0])
    assert capsys.readouterr().out.strip().isdigit()


def test_the_program_that_follows_the_news_runs(
    programs: dict[str, str], network: tuple[Running, Evidence], capsys: pytest.CaptureFixture[str]
) -> None:
    execute(programs["News"], network[0])
    lines = capsys.readouterr().out.splitlines()
    assert (lines[0], lines[1][:8], lines[-1].split()[-1]) == ("open None None", "change 1", "FINALIZED")


def test_every_network_is_in_its_table() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (\S+) \| `(\S+)` \|", (DOCS / "networks.md").read_text("utf-8"), re.M)
    assert rows == [(one.name, str(one.chain_id or "any"), one.url) for one in NETWORKS]
