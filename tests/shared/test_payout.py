"""Why a page could not be had, as every engine may tell it, becomes one sentence for people."""

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from contracts.shared.fence import short_text

SOURCE = Path(__file__).parents[2] / "contracts" / "shared" / "payout.py"


@pytest.fixture(scope="module")
def reason_of() -> Callable[[Exception], str]:
    """The function alone: the rest of the block needs the contract SDK."""
    tree = ast.parse(SOURCE.read_text())
    tree.body = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "reason_of"]
    found: dict[str, Any] = {"short_text": short_text}
    exec(compile(tree, str(SOURCE), "exec"), found)
    reason: Callable[[Exception], str] = found["reason_of"]
    return reason


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        pytest.param([{"causes": ["dns_failed"], "ctx": {"message": "no address"}}], "no address", id="sentence"),
        pytest.param([{"causes": ["timeout", "x"], "ctx": {}}], "timeout, x", id="codes only"),
        pytest.param([{"causes": ["timeout"], "ctx": {"message": ""}}], "timeout", id="empty sentence"),
        pytest.param([{"causes": ["timeout"], "ctx": "odd"}], "timeout", id="odd context"),
        pytest.param([{"causes": ["timeout"]}], "timeout", id="no context"),
        pytest.param([{}], "", id="nothing in it"),
        pytest.param(["plain words", "more"], "plain words", id="text"),
        pytest.param([], "", id="nothing at all"),
        pytest.param(["x" * 300], "x" * 200, id="cut"),
        pytest.param(["a\x1b[31mb"], "a[31mb", id="control characters go"),
    ],
)  # fmt: skip
def test_one_sentence(reason_of: Callable[[Exception], str], told: list[Any], sentence: str) -> None:
    assert reason_of(RuntimeError(*told)) == sentence
