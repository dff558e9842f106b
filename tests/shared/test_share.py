"""Shared blocks are one text: the copies are fresh, a stale one is named, and a missing import is told."""

import ast
from pathlib import Path

import pytest

from scripts import share

ROOT = Path(__file__).parents[2]


def test_every_copy_is_fresh(capsys):
    assert share.main(["--check"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("path", "blocks"),
    [
        ("contracts/foreman.py", ["payout", "urls", "fence", "answers"]),
        ("src/foreman/urls.py", ["urls"]),
    ],
)
def test_the_blocks_stand_where_they_are_needed(path, blocks):
    text = (ROOT / path).read_text("utf-8")
    assert share.MARKED.findall(text) == blocks


@pytest.fixture
def workshop(tmp_path, monkeypatch):
    """A tree with one block and one contract that has it."""
    (tmp_path / "contracts" / "shared").mkdir(parents=True)
    (tmp_path / "src" / "foreman").mkdir(parents=True)
    block = '"""Says one."""\n\nimport re\nfrom json import loads as read\n\nONE = 1\n\n\ndef two():\n    return 2\n'
    (tmp_path / "contracts" / "shared" / "one.py").write_text(block)
    monkeypatch.setattr(share, "ROOT", tmp_path)
    monkeypatch.setattr(share, "SHARED", tmp_path / "contracts" / "shared")
    return tmp_path


TARGET = (
    '"""A contract."""\n\nimport re\nfrom json import loads as read\n\n# <shared one>\nOLD = 0\n# </shared>\nEND = 1\n'
)


def test_a_stale_copy_is_named_and_then_filled(workshop, capsys):
    contract = workshop / "contracts" / "a.py"
    contract.write_text(TARGET)
    assert share.main(["--check"]) == 1
    assert capsys.readouterr().out == "contracts/a.py: stale, run scripts/share.py\n"
    assert contract.read_text() == TARGET
    assert share.main([]) == 0
    filled = contract.read_text()
    assert filled == TARGET.replace("OLD = 0\n", "ONE = 1\n\n\ndef two():\n    return 2\n\n\n")
    ast.parse(filled)
    assert share.main(["--check"]) == 0


@pytest.mark.parametrize(("missing", "name"), [("import re\n", "re"), ("from json import loads as read\n", "read")])
def test_an_import_that_a_block_needs_is_told(workshop, missing, name):
    (workshop / "contracts" / "a.py").write_text(TARGET.replace(missing, ""))
    with pytest.raises(ValueError, match=f"block one needs an import of {name}"):
        share.main([])


@pytest.mark.parametrize("name", ["foreman", "verdict_escrow"])
def test_a_contract_is_plain_ascii(name: str) -> None:
    """genlayer-py encodes a source as ASCII when it asks for its schema, and gltest deploys through that."""
    assert (ROOT / "contracts" / f"{name}.py").read_text("utf-8").isascii()
