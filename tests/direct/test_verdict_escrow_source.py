"""VerdictEscrow as a text: its beats, what makes it portable, its schema, and the linter of the network."""

import ast
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from foreman.runtime.runtime import ContractRuntime

ROOT = Path(__file__).parents[2]
SOURCE = (ROOT / "contracts" / "verdict_escrow.py").read_text("utf-8")
TREE = ast.parse(SOURCE)
OWN = re.sub(r"# <shared \w+>\n.*?# </shared>\n", "", SOURCE, flags=re.DOTALL)
BEATS = ["WHO", "WHEN", "WHAT", "MONEY"]
PAYABLE = {"fund_and_activate", "appeal", "escalate_to_arbiter"}
WRITES = {
    *("create_agreement", "add_milestone", "fund_and_activate", "abandon_draft", "submit_evidence", "adjudicate"),
    *("appeal", "escalate_to_arbiter", "arbiter_ruling", "accept_ruling", "finalize", "cancel_overdue"),
    *("resolve_stalled_review", "resolve_absent_arbiter", "withdraw"),
}
VIEWS = {
    *("get_agreement", "get_agreement_count", "get_agreements_page", "get_agreements_by_party"),
    *("get_milestone", "get_rulings", "credit_of", "config"),
}


def public(kind: str) -> Iterator[ast.FunctionDef]:
    """The public methods of a kind, `write` or `view`."""
    (contract,) = (node for node in TREE.body if isinstance(node, ast.ClassDef) and node.name == "VerdictEscrow")
    for node in contract.body:
        if isinstance(node, ast.FunctionDef) and any(f"public.{kind}" in ast.unparse(d) for d in node.decorator_list):
            yield node


def body_of(method: ast.FunctionDef) -> str:
    return "\n".join(SOURCE.splitlines()[method.lineno : method.end_lineno])


@pytest.mark.parametrize("method", list(public("write")), ids=lambda method: method.name)
def test_every_write_method_has_its_four_beats_in_order(method: ast.FunctionDef) -> None:
    lines = SOURCE.splitlines()
    end = method.end_lineno or 0
    while end < len(lines) and lines[end].strip().startswith("# MONEY"):
        end += 1  # a beat that only says that nothing moves may be the last line
    beats = re.findall(r"# (WHO|WHEN|WHAT|MONEY)\b", "\n".join(lines[method.lineno : end]))
    assert beats == BEATS


@pytest.mark.parametrize("method", list(public("write")), ids=lambda method: method.name)
def test_money_moves_last(method: ast.FunctionDef) -> None:
    """After the line that moves money or holds it, nothing follows but the answer."""
    moving = [
        index
        for index, statement in enumerate(method.body)
        if re.search(r"_settle|_conclude|_pay_out|_hold\(|emit_transfer|escrowed =", ast.unparse(statement))
    ]
    assert moving in ([], [len(method.body) - 1])


def test_the_public_face_is_the_agreed_one() -> None:
    assert {method.name for method in public("write")} == WRITES
    assert {method.name for method in public("view")} == VIEWS
    payable = {m.name for m in public("write") if any("payable" in ast.unparse(d) for d in m.decorator_list)}
    assert payable == PAYABLE


def test_public_annotations_are_those_that_every_sdk_takes() -> None:
    for method in [*public("write"), *public("view")]:
        notes = [
            ast.unparse(note) for note in (*(arg.annotation for arg in method.args.args[1:]), method.returns) if note
        ]
        assert len(notes) == len(method.args.args)
        assert set(notes) <= {"int", "str", "bool", "dict", "list", "None"}
        assert (method.args.vararg, method.args.kwarg, method.args.kwonlyargs) == (None, None, [])
        assert method.args.defaults == []


def test_the_header_is_a_comment_with_version_and_runner() -> None:
    first, second, third = SOURCE.splitlines()[:3]
    assert first == "# v0.2.16"
    assert json.loads(second.removeprefix("# ")) == {
        "Depends": "py-genlayer:1jb45aa8ynh2a9c9xn3b7qqh8sm5q93hwfp7jqmwsfhh8jpz09h6"
    }
    assert third.startswith('"""')


def test_the_constructor_takes_nothing() -> None:
    (init,) = (
        node
        for node in ast.walk(TREE)
        if isinstance(node, ast.FunctionDef) and node.name == "__init__" and "omitted" in ast.unparse(node)
    )
    assert [arg.arg for arg in init.args.args] == ["self"]


def calls() -> Iterator[str]:
    for node in ast.walk(TREE):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func)


# Operations of the SDK that fail somewhere (docs/genlayer.md 3.8, 3.9, 10.2).
def test_nothing_is_used_that_fails_on_some_sdk() -> None:
    used = set(calls())
    assert not {name for name in used if name.startswith(("DynArray", "TreeMap", "Array"))}
    assert not {name for name in used if name.rpartition(".")[2] in ("clear", "compute_if_absent", "popitem", "assign")}
    assert "from __future__" not in SOURCE
    assert "gl.UserError" not in SOURCE
    assert not re.search(r"\.status_code\b", SOURCE)
    assert not re.search(r"self\.balance|\.balance\b", SOURCE), "no rule reads the contract's own balance"


def test_no_global_can_change_so_that_a_module_is_shared_between_runs() -> None:
    for node in TREE.body:
        if isinstance(node, ast.Assign):
            assert not isinstance(node.value, ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp)


def test_nobody_is_above_the_rules() -> None:
    """No caller is compared with a fixed account, and no method changes code or rules."""
    assert not re.search(r"0x[0-9a-fA-F]{40}", SOURCE)
    assert not re.search(r"upgrad|lock_default|storage\.Root|origin_address", SOURCE)
    stored = re.findall(r"^    (\w+): (?:TreeMap|u32)", OWN[OWN.index("class VerdictEscrow") :], flags=re.MULTILINE)
    assert stored == ["agreements", "milestones", "by_party", "credits", "agreement_count"]


def test_judging_reads_nothing_of_the_root_and_no_shared_length() -> None:
    """What a judging method reads before its block is what other transactions must wait for."""
    (adjudicate,) = (method for method in public("write") if method.name == "adjudicate")
    assert set(re.findall(r"self\.(\w+)", ast.unparse(adjudicate))) == {"_milestone", "_record"}
    (milestone,) = (n for n in ast.walk(TREE) if isinstance(n, ast.FunctionDef) and n.name == "_milestone")
    assert set(re.findall(r"self\.(\w+)", ast.unparse(milestone))) == {"milestones"}


def test_our_own_part_keeps_the_wall_of_a_contract() -> None:
    """Shared blocks are counted where they are written, not again where they are copied."""
    assert OWN.count("\n") <= 600


def test_the_schema_is_on_record(golden: Callable[[str, str], None]) -> None:
    schema = ContractRuntime(allowed=lambda digest: True).schema(SOURCE.encode())
    golden("schema/verdict_escrow.json", json.dumps(schema, indent=1) + "\n")


def test_the_linter_of_the_network_passes() -> None:
    lint = Path(sys.executable).with_name("genvm-lint")
    command = [str(lint), "lint", "--json", str(ROOT / "contracts" / "verdict_escrow.py")]
    run = subprocess.run(command, capture_output=True, check=False, text=True)
    report = json.loads(run.stdout)
    assert (run.returncode, report["ok"], report.get("warnings", [])) == (0, True, [])
