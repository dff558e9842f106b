"""The chapters about Foreman are true: tables against schema, constants and collected tests; the example runs."""

import ast
import importlib
import json
import re
from pathlib import Path

import pytest

from tests.direct.orders import GOOD

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
CHAPTERS = "lifecycle how-adjudication-works contract-api order-object limits security honest-limits migrating faq"
SCHEMA = json.loads((ROOT / "tests" / "golden" / "schema" / "foreman.json").read_text("utf-8"))["methods"]
TREE = ast.parse((ROOT / "contracts" / "foreman.py").read_text("utf-8"))


def rows(chapter, heading):
    """The cells of the first table under a heading row that begins so."""
    text = (DOCS / f"{chapter}.md").read_text("utf-8")
    table = text[text.index(f"| {heading} |") :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table]


def names_in(cell):
    return re.findall(r"`([^`]+)`", cell)


@pytest.mark.parametrize("chapter", CHAPTERS.split())
def test_a_chapter_opens_with_its_title_and_its_links_lead_somewhere(chapter):
    text = (DOCS / f"{chapter}.md").read_text("utf-8")
    assert text.startswith("# ")
    for target in re.findall(r"\]\(([^)#]+)", text):
        assert (DOCS / target).exists(), target


def test_the_api_table_is_the_schema():
    table = {names_in(row[0])[0]: row for row in rows("contract-api", "method")}
    assert set(table) == set(SCHEMA)
    for name, method in SCHEMA.items():
        _, kind, arguments, *_ = table[name]
        assert kind == ("view" if method["readonly"] else "payable" if method["payable"] else "write"), name
        assert [part for part in arguments.split(", ") if part] == [param for param, _ in method["params"]], name


def test_the_order_table_is_the_order(desk):
    table = {names_in(row[0])[0]: row[1] for row in rows("order-object", "field")}
    desk.judged()
    order = desk.order()
    assert set(table) == set(order)
    for field, kind in table.items():
        assert kind.split()[0] == type(order[field]).__name__, field


def constants():
    """The module's whole numbers by name, worked out from its text."""
    found = {}
    for node in TREE.body:
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name | ast.Tuple):
            continue
        targets = node.targets[0].elts if isinstance(node.targets[0], ast.Tuple) else [node.targets[0]]
        try:
            value = eval(compile(ast.Expression(node.value), "limits", "eval"), {"__builtins__": {}}, found)
        except (NameError, TypeError, AttributeError):
            continue
        values = value if isinstance(node.targets[0], ast.Tuple) else [value]
        found |= {target.id: one for target, one in zip(targets, values, strict=True)}
    return {name: value for name, value in found.items() if type(value) is int}


def test_the_limits_table_is_the_constants():
    table = {names_in(row[0])[0]: int(row[1]) for row in rows("limits", "constant")}
    assert table == {name: value for name, value in constants().items() if name not in ("DAY", "LAST_ID")}
    assert all(row[2] for row in rows("limits", "constant"))


def test_the_lifecycle_table_has_the_six_statuses(desk):
    table = {names_in(row[0])[0]: row[1] for row in rows("lifecycle", "status")}
    assert table == {
        status: "yes" if status in ("open", "claimed") else "no"
        for status in ("open", "claimed", "completed", "rejected", "cancelled", "expired")
    }
    events = set(re.findall(r'self\._note\(order, "(\w+)"', (ROOT / "contracts" / "foreman.py").read_text("utf-8")))
    told = (DOCS / "lifecycle.md").read_text("utf-8")
    assert all(event in told for event in events | {"cancelled", "expired"})


def test_the_classes_of_failure_are_told():
    source = (ROOT / "contracts" / "shared" / "payout.py").read_text("utf-8")
    raised = set(re.findall(r'"((?:evidence|answer)_\w+)(?: \{kind\})?:', source))
    assert {names_in(row[0])[0].split()[0] for row in rows("how-adjudication-works", "class of failure")} == raised


def collected():
    found = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        found |= {
            node.name for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.FunctionDef)
        }
    return found


@pytest.mark.parametrize(
    ("text", "heading", "least"),
    [("docs/security.md", "threat", 14), ("docs/security.md", "who", 25), ("contracts/README.md", "threat", 6)],
)
def test_every_row_of_a_security_table_names_a_test_that_exists(text, heading, least):
    body = (ROOT / text).read_text("utf-8")
    table = body[body.index(f"| {heading} |") :].split("\n\n")[0].splitlines()[2:]
    assert len(table) >= least
    known = collected()
    for row in table:
        named = names_in(row.strip("|").split("|")[-1])
        assert named, row
        for name in named:
            assert (ROOT / name).exists() if "/" in name else name in known, name


def test_the_fingerprint_example_runs(desk):
    block = re.search(r"```python\n(.*?)```", (DOCS / "how-adjudication-works.md").read_text("utf-8"), re.DOTALL)[1]
    names = {}
    exec(block.replace('"what the page says, read as in step 3"', repr(GOOD)), names)
    desk.judged()
    assert desk.order()["evidence_fingerprint"] == names["fingerprint"]


def test_the_shared_blocks_stand_alone():
    for name in ("urls", "fence", "answers"):
        module = importlib.import_module(f"contracts.shared.{name}")
        assert module.__doc__
