"""What the door answers is written down: a golden file per method, and the same examples in docs/rpc.md."""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from foreman.rpc.dispatch import NUMBERS, Method
from foreman.rpc.gate import STATUS
from foreman.rpc.table import METHODS, NOT_OFFERED
from tests.rpc.examples import tell

DOC = Path(__file__).parents[2] / "docs" / "rpc.md"
LONGEST = 100
"""Characters of a string in the documentation; the golden files have it whole."""

Examples = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Examples:
    return tell(tmp_path_factory.mktemp("state"))


def test_every_method_has_an_example(examples: Examples) -> None:
    assert set(examples) == {method.name for method in METHODS}


@pytest.mark.parametrize("method", [method.name for method in METHODS])
def test_a_reply_is_what_it_was(examples: Examples, golden: Callable[[str, str], None], method: str) -> None:
    golden(f"rpc/{method}.json", json.dumps(examples[method], indent=2) + "\n")


def test_the_documentation_shows_the_same_examples(examples: Examples) -> None:
    text = DOC.read_text(encoding="utf-8")
    shown = with_examples(text, examples)
    if os.environ.get("FOREMAN_GOLDEN") == "write":
        DOC.write_text(shown, encoding="utf-8")
        text = shown
    assert text == shown, "docs/rpc.md shows other examples; `make golden` rewrites them"


def with_examples(text: str, examples: Examples) -> str:
    """The documentation with the block after each `<!-- example: NAME -->` written anew."""

    def block(found: re.Match[str]) -> str:
        example = examples[found[1]]
        asked = json.dumps(short({key: example["request"][key] for key in ("method", "params")}))
        reply = short({key: value for key, value in example["reply"].items() if key in ("result", "error")})
        return f"<!-- example: {found[1]} -->\n```json\n{asked}\n{json.dumps(reply, indent=1)}\n```\n"

    return re.sub(r"<!-- example: (\w+) -->\n```json\n.*?\n```\n", block, text, flags=re.DOTALL)


def short(value: Any) -> Any:
    """The same value with long strings cut."""
    if isinstance(value, str):
        return value if len(value) <= LONGEST else value[: LONGEST - 20] + f"... ({len(value)} characters)"
    if isinstance(value, list):
        return [short(item) for item in value]
    return {key: short(item) for key, item in value.items()} if isinstance(value, dict) else value


def heading(method: Method) -> str:
    """How the documentation introduces a method."""
    names = [f"{param.name}?" if param.optional else param.name for param in method.params]
    return f"### {method.name} [{', '.join(names)}]" + (" (development networks)" if method.dev else "")


def test_the_documentation_has_every_method_in_the_order_of_the_table() -> None:
    headings = [line for line in DOC.read_text(encoding="utf-8").splitlines() if line.startswith("### ")]
    assert headings == [heading(method) for method in METHODS]


def test_every_section_says_what_the_method_does_and_who_calls_it() -> None:
    sections = re.split(r"^### ", DOC.read_text(encoding="utf-8").split("\n## ")[2], flags=re.MULTILINE)[1:]
    for method, section in zip(METHODS, sections, strict=True):
        said = (method.run.__doc__ or "").strip().split("\n\n")[0]
        assert " ".join(said.split()) in " ".join(section.split()), f"{method.name}: its docstring is not told"
        assert re.search(r"^Called by: \w", section, re.MULTILINE), method.name
        assert f"<!-- example: {method.name} -->" in section


def test_the_documentation_has_every_number_and_every_status() -> None:
    text = DOC.read_text(encoding="utf-8")
    for code, number in NUMBERS.items():
        assert re.search(rf"^\| {number} \|.*`{code}`", text, re.MULTILINE), code
    for code, status in STATUS.items():
        assert re.search(rf"^\| {status} \|.*`{code}`", text, re.MULTILINE), code
    for name in NOT_OFFERED:
        assert f"`{name}`" in text, name
