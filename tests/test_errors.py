"""Errors: each has a code for machines, a sentence for people and a hint for what to do next."""

import ast
from pathlib import Path

import pytest

from foreman import errors
from foreman.errors import BadInput, ForemanError, Refused

SOURCES = sorted((Path(__file__).parents[1] / "src" / "foreman").rglob("*.py"))
CLASSES = {name for name, found in vars(errors).items() if isinstance(found, type) and issubclass(found, ForemanError)}


def test_an_error_prints_its_sentence_and_its_hint() -> None:
    error = Refused("too_low", "that is too low", "aim higher")
    assert (error.code, error.sentence, error.hint) == ("too_low", "that is too low", "aim higher")
    assert str(error) == "that is too low (aim higher)"
    assert str(BadInput("x", "no hint here")) == "no hint here"


def made() -> list[tuple[str, ast.Call]]:
    """Every place in the source that makes an error, with its file and line."""
    found = []
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CLASSES:
                found.append((f"{path.name}:{node.lineno}", node))
    return found


def test_codes_are_stable_words() -> None:
    codes = [
        (where, call.args[0].value)
        for where, call in made()
        if call.args and isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str)
    ]
    assert len(codes) > 30, "the search finds what it is for"
    for where, code in codes:
        assert code.replace("_", "").isalnum(), where
        assert code == code.lower(), where


@pytest.mark.parametrize("name", ["Refused", "BadInput", "NotFound", "StateError"])
def test_what_a_user_can_mend_says_how(name: str) -> None:
    without = [
        where
        for where, call in made()
        if isinstance(call.func, ast.Name) and call.func.id == name and len(call.args) == 2 and not call.keywords
    ]
    assert without == [], "an error without a hint"
