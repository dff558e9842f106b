"""The house keeps its own rules, and each rule is proven to bite by planting what it forbids."""

import subprocess
from pathlib import Path

import pytest

from tests import architecture

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("rule", architecture.RULES)
def test_the_repository_keeps_the_rule(rule: str) -> None:
    assert list(architecture.RULES[rule](ROOT)) == []


def test_no_tracked_file_tells_of_one_machine() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    files = [ROOT / name for name in listed.decode().split("\0") if name]
    assert list(architecture.leaks(ROOT, [path for path in files if path.is_file()])) == []


def test_the_map_names_every_room() -> None:
    rooms = {path.name for path in (ROOT / "src" / "foreman").iterdir() if path.is_dir() and any(path.glob("*.py"))}
    assert rooms <= set(architecture.MAY_IMPORT)


BLOCK = "# <shared urls>\n" + "# line\n" * 100 + "# </shared>\n"

PLANTS = [
    pytest.param(
        "imports",
        "src/foreman/node/queue.py",
        "from foreman.state import store\n",
        "node imports state",
        id="bad import",
    ),
    pytest.param(
        "imports", "src/foreman/sdk/client.py", "import foreman.node.node\n", "sdk imports node", id="import inside"
    ),
    pytest.param(
        "imports", "src/foreman/rpc/app.py", "def f():\n    from foreman import sdk\n", "rpc imports sdk", id="hidden"
    ),
    pytest.param(
        "imports", "src/foreman/money.py", "from foreman.node import node\n", "a word imports node", id="word"
    ),
    pytest.param("imports", "src/foreman/fetch/web.py", "from . import guard\n", "relative import", id="relative"),
    pytest.param("imports", "src/foreman/types.py", "", "not one of the words", id="eleventh word"),
    pytest.param("imports", "src/foreman/attic/box.py", "", "attic is not on the map", id="unknown room"),
    pytest.param(
        "contract imports", "contracts/foreman.py", "import httpx\n", "a contract imports httpx", id="contract"
    ),
    pytest.param("walls", "src/foreman/node/node.py", "# line\n" * 401, "401 lines", id="401 lines"),
    pytest.param("walls", "tests/node/test_node.py", "# line\n" * 401, "401 lines", id="tests too"),
    pytest.param("walls", "contracts/foreman.py", "# line\n" * 601, "601 lines", id="601 lines of contract"),
    pytest.param("walls", "contracts/foreman.py", BLOCK + "# line\n" * 601, "601 lines", id="beside a shared block"),
    pytest.param("walls", "frontend/app/page.tsx", "// line\n" * 401, "401 lines", id="web app"),
    pytest.param(
        "walls", "src/foreman/node/node.py", "def f():\n" + "    x = 1\n" * 40, "f has 41 lines", id="long function"
    ),
    pytest.param("first sentences", "src/foreman/node/node.py", "import os\n", "does not open", id="no docstring"),
    pytest.param("first sentences", "src/foreman/node/node.py", '"""node"""\n', "does not open", id="no sentence"),
    pytest.param("drawers", "src/foreman/node/utils.py", "", "utils says nothing", id="drawer"),
    pytest.param("drawers", "src/foreman/common/x.py", "", "common says nothing", id="drawer folder"),
    pytest.param("sql", "src/foreman/node/node.py", "q = 'SELECT seq FROM changes'\n", "SQL outside", id="sql"),
    pytest.param("sql", "src/foreman/cli/doctor.py", "import sqlite3\n", "imports sqlite3", id="sqlite3"),
    pytest.param(
        "citations", "src/foreman/urls.py", '"""As plan.md says."""\n', ":1: there is no plan.md", id="in a docstring"
    ),
    pytest.param("citations", "tests/test_x.py", "x = 1  # docs/plan.md 3.1\n", "no docs/plan.md", id="in a comment"),
    pytest.param(
        "citations",
        "src/foreman/x.py",
        'class A:\n    b: int\n    """See docs/decisions/0099-x.md."""\n',
        ":3: there is no docs/decisions/0099-x.md",
        id="below an attribute",
    ),
    pytest.param("citations", "frontend/lib/x.ts", "/** a\n * (Plan.md, 3) */\n", "no Plan.md", id="in the web app"),
    pytest.param("citations", "docs/x.md", "a\n\nas [told](plan.md#3)\n", ":3: there is no plan.md", id="on a page"),
    pytest.param("citations", "docs/x.md", "## 1. A\n\nsee docs/x.md 2\n", "no section 2", id="a section"),
    pytest.param("citations", "docs/x.md", "### 1.1 A\n\nx.md 1.1, 1.2\n", "no section 1.2", id="the second section"),
    pytest.param(
        "citations", "src/foreman/x.py", "X = 'Facts' ' sheet 3'\n".replace("' '", ""), "'Facts", id="elsewhere"
    ),
]


@pytest.mark.parametrize(("rule", "where", "text", "complaint"), PLANTS)
def test_what_a_rule_forbids_turns_it_red(tmp_path: Path, rule: str, where: str, text: str, complaint: str) -> None:
    plant(tmp_path, where, text)
    found = list(architecture.RULES[rule](tmp_path))
    assert len(found) == 1, found
    assert complaint in found[0]
    assert Path(where).name in found[0]


LEAKS = ["see ^root^x", "cd ^work^main", "'^home^ann^x'", "https:^^pypi.^org^simple", "pip --index-^url x"]
"""With a mark inside, so that this file does not hold what it forbids."""


@pytest.mark.parametrize("line", LEAKS)
def test_a_path_of_one_machine_or_an_index_address_is_found(tmp_path: Path, line: str) -> None:
    plant(tmp_path, "docs/x.md", line.replace(".^", ".").replace("-^", "-").replace("^", "/"))
    assert len(list(architecture.leaks(tmp_path, [tmp_path / "docs/x.md"]))) == 1


@pytest.mark.parametrize("line", ["https://shop.example/home/x/7", "tests/home/x/y", "~/home/x/y", "the /api path"])
def test_ordinary_paths_and_addresses_are_no_leak(tmp_path: Path, line: str) -> None:
    plant(tmp_path, "docs/x.md", line)
    assert list(architecture.leaks(tmp_path, [tmp_path / "docs/x.md"])) == []


@pytest.mark.parametrize("where", ["src/foreman/money.py", "src/foreman/rpc/app.py", "tests/test_x.py"])
def test_a_file_that_keeps_every_rule_passes(tmp_path: Path, where: str) -> None:
    plant(
        tmp_path,
        where,
        '"""Says what it is for."""\n\nimport os\n\nfrom foreman import errors\n\n\ndef f() -> None:\n    errors, os\n',
    )
    for rule in architecture.RULES.values():
        assert list(rule(tmp_path)) == []


@pytest.mark.parametrize(
    ("where", "text"),
    [
        pytest.param(
            "src/foreman/x.py", '"""By README.md, docs/a.md 1 and 1.2, a.md, and docs/a.md, step 9."""\n', id="there"
        ),
        pytest.param(
            "src/foreman/x.py",
            'def f():\n    """`--spec @spec.md` reads a file."""\n    return "own.md"\n',
            id="no page",
        ),
        pytest.param("frontend/lib/x.ts", 'open("https://a.example/own.md"); // docs/a.md 1\n', id="an address"),
        pytest.param(
            "docs/decisions/0001-a.md", "[1](../a.md#1-one) `reports/a.md` https://a.example/own.md\n", id="relative"
        ),
    ],
)
def test_what_is_there_may_be_cited(tmp_path: Path, where: str, text: str) -> None:
    plant(tmp_path, "README.md", "")
    plant(tmp_path, "docs/a.md", "## 1. One\n\n### 1.2 Two\n")
    plant(tmp_path, where, text)
    assert list(architecture.citations(tmp_path)) == []


def test_copied_blocks_do_not_count_against_a_contracts_wall(tmp_path: Path) -> None:
    plant(tmp_path, "contracts/foreman.py", "# line\n" * 590 + BLOCK)
    assert list(architecture.walls(tmp_path)) == []


def plant(root: Path, where: str, text: str) -> None:
    """Write a file below an otherwise empty copy of the house."""
    path = root / where
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
