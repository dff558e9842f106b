"""What the documentation says of agreements is what the contract does: limits, methods, tests, and the lifted core."""

import ast
import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import pytest

from foreman.localnet.direct import DirectVM
from tests.direct.agreements import CLAIM, CONTRACT, PAGE, WHY, spoken
from tests.direct.seats import Core

ROOT = Path(__file__).parents[2]
AGREEMENTS = (ROOT / "docs" / "agreements.md").read_text("utf-8")
LIFTING = (ROOT / "docs" / "lifting-the-consensus-core.md").read_text("utf-8")
README = (ROOT / "contracts" / "README.md").read_text("utf-8")
SOURCE = (ROOT / CONTRACT).read_text("utf-8")
SCHEMA = json.loads((ROOT / "tests" / "golden" / "schema" / "verdict_escrow.json").read_text("utf-8"))


def section(heading: str) -> str:
    return AGREEMENTS.partition(f"## {heading}\n")[2].partition("\n## ")[0]


def constants() -> dict[str, Any]:
    """The numbers that the contract's module binds by name."""
    names: dict[str, Any] = {}
    for node in ast.parse(SOURCE).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).isupper():
            try:
                exec(compile(ast.Module([node], []), CONTRACT, "exec"), names)
            except NameError:
                continue  # made by a function
    return names


LIMITS = re.findall(r"^\| `([A-Z_]+)` \| (\d+) \| (.+) \|$", section("Limits and their reasons"), flags=re.MULTILINE)


@pytest.mark.parametrize(("name", "value", "why"), LIMITS)
def test_each_limit_has_the_printed_value_and_a_reason(name: str, value: str, why: str) -> None:
    assert constants()[name] == int(value)
    assert len(why) > 10


def test_every_limit_is_printed() -> None:
    limits = {name for name in constants() if re.match(r"(MAX|MIN)_|.*_HOURS$|APPEAL_BOND_BPS", name)}
    others = {"MAX_ID", "MAX_HOUR", "MIN_ARGUMENT"}  # the width of fields; said in words
    shared = {
        name
        for name in limits
        if f"\n{name}" in "".join(p.read_text("utf-8") for p in (ROOT / "contracts/shared").glob("*.py"))
    }
    assert limits - others - (shared - {"MAX_BODY_CHARS", "MIN_RATIONALE", "MAX_RATIONALE"}) == {
        name for name, _, _ in LIMITS
    }


def test_every_method_is_described_with_its_arguments() -> None:
    told = dict(re.findall(r"^\| `(\w+)\(([^)]*)\)` \|", section("Methods"), flags=re.MULTILINE))
    assert told == {
        name: ", ".join(parameter for parameter, _ in method["params"]) for name, method in SCHEMA["methods"].items()
    }


def test_value_is_asked_for_where_the_contract_takes_it() -> None:
    paying = re.findall(
        r"^\| `(\w+)\(.*\)` \| [^|]+ \| (?:exactly the sum|the bond) \|", section("Methods"), flags=re.MULTILINE
    )
    assert set(paying) == {name for name, method in SCHEMA["methods"].items() if method.get("payable")}


def test_the_tiers_are_those_of_the_rule() -> None:
    core = Core()
    row = next(line for line in section("How a ruling is made").splitlines() if line.startswith("| confidence"))
    assert tuple(int(number) for number in re.findall(r"\d+", row)) == core.CONFIDENCE_TOLERANCE
    words = {"half": 5000, "three quarters": 7500, "all": 10_000}
    row = next(line for line in section("How a ruling is made").splitlines() if line.startswith("| criteria"))
    assert tuple(words[word] for word in re.findall(r"half|three quarters|all(?= of)", row)) == core.UNMET_JACCARD_MIN


def test_the_printed_shared_hosts_are_the_refused_ones() -> None:
    assert constants()["SHARED_HOSTS"].strip() in section("Limits and their reasons")
    printed = " ".join(constants()["PUBLIC_SUFFIXES"][:-1]).replace(" ", ", ")
    assert f"{printed} or {constants()['PUBLIC_SUFFIXES'][-1]}" in section("Limits and their reasons").replace(
        "\n", " "
    )


@pytest.mark.parametrize("page", [AGREEMENTS, README], ids=["docs/agreements.md", "contracts/README.md"])
def test_every_test_that_is_named_exists(page: str) -> None:
    written = "".join(path.read_text("utf-8") for path in (ROOT / "tests" / "direct").glob("test_*.py"))
    named = set(re.findall(r"`(test_\w+)`", page))
    assert {name for name in named if f"def {name}(" not in written} == set()
    assert len(named) > 8


def test_every_test_file_of_this_contract_is_in_the_matrix() -> None:
    here = {path.name for path in (ROOT / "tests" / "direct").glob("test_verdict_escrow*.py")}
    assert set(re.findall(r"tests/direct/(test_\w+\.py)", section("Test matrix"))) == here


# Lifting the core


def lifted(tmp_path: Path) -> Path:
    """The contract that the page shows, with its blocks filled in by the script that the page names."""
    spec = importlib.util.spec_from_file_location("share", ROOT / "scripts" / "share.py")
    assert spec is not None
    assert spec.loader is not None
    share = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(share)
    path = tmp_path / "grant.py"
    path.write_text(share.filled(re.findall(r"```python\n(.*?)```", LIFTING, flags=re.DOTALL)[0]), "utf-8")
    return path


def test_ten_lines_and_the_blocks_are_a_contract_that_rules(
    direct_vm: DirectVM, direct_deploy: Any, tmp_path: Path
) -> None:
    grant = direct_deploy(str(lifted(tmp_path)))
    direct_vm.mock_web("example.com", {"status": 200, "body": "One, two, three, four, five."})
    answer = {"verdict": "REJECT", "confidence": 80, "unmet_criteria": [0], "rationale": WHY}
    direct_vm.mock_llm("verdict/ruling/1", spoken(answer))
    assert grant.judge(PAGE, CLAIM) == "REJECT"
    assert direct_vm.run_validator(leader_result=answer) is True
    assert direct_vm.run_validator(leader_result={**answer, "confidence": 59}) is False
    assert direct_vm.run_validator(leader_result={**answer, "verdict": "APPROVE", "unmet_criteria": []}) is False


def test_the_class_of_the_page_is_ten_lines_long() -> None:
    shown = re.findall(r"```python\n(.*?)```", LIFTING, flags=re.DOTALL)[0]
    body = shown.partition("class Grant")[2].partition("\n\n\n")[0]
    assert len([line for line in body.splitlines() if line.strip()]) <= 10


def test_every_function_that_the_page_names_is_in_the_block() -> None:
    core = Core()
    for name, parameters in re.findall(r"^\| `(\w+)\(([^)]*)\)`", LIFTING, flags=re.MULTILINE):
        code = getattr(core, name).__code__
        assert ", ".join(code.co_varnames[: code.co_argcount]) == parameters
