"""A page is read again as the contracts read it; a verdict is told seat by seat, however little a network says."""

import ast
import hashlib
from pathlib import Path
from typing import Any

import pytest

from foreman.sdk import evidence
from foreman.sdk.evidence import Seen, compare, page_text
from foreman.sdk.verdict import read_seats

ROOT = Path(__file__).parents[2]
HTML = {"Content-Type": "text/html; charset=utf-8"}


def print_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def test_the_cut_is_the_contracts() -> None:
    tree = ast.parse((ROOT / "contracts" / "foreman.py").read_text("utf-8"))
    found = [
        node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and getattr(node.targets[0], "id", "") == "MAX_EVIDENCE_CHARS"
        and isinstance(node.value, ast.Constant)
    ]
    assert found == [evidence.MAX_EVIDENCE_CHARS]


def test_the_three_lines_of_the_docstring_are_what_compare_does() -> None:
    body = b"<p>Levels\xe2\x80\x8b of <b>May</b></p><script>x</script>" + b"a" * 20_000
    text = page_text(body, HTML)[:15_000]
    fingerprint = hashlib.sha256(text.encode()).hexdigest()[:16]
    now = compare(fingerprint, 200, HTML, body)
    assert (now.seen, now.fingerprint, now.chars) == (Seen.SAME, fingerprint, 15_000)


@pytest.mark.parametrize(
    ("status", "headers", "body", "seen"),
    [
        (200, HTML, b"<p>one</p>", Seen.SAME),
        (200, HTML, b"<p class=new>one</p><!-- x -->", Seen.SAME),
        (206, {}, b"one", Seen.SAME),
        (200, HTML, b"<p>two</p>", Seen.CHANGED),
        (404, HTML, b"<p>one</p>", Seen.GONE),
        (301, {}, b"one", Seen.GONE),
        (200, HTML, b"  ", Seen.GONE),
        (200, {}, b"\x89PNG\r\n\x1a\n", Seen.GONE),
    ],
    ids=["same", "same words", "partial", "other words", "missing", "moved", "empty", "an image"],
)
def test_a_page_is_same_changed_or_gone(status: int, headers: dict[str, str], body: bytes, seen: Seen) -> None:
    now = compare(print_of("one"), status, headers, body)
    assert now.seen is seen
    assert bool(now.reason) == (seen is Seen.GONE)


@pytest.mark.parametrize(
    "raw",
    [
        {},
        {"consensus_data": None},
        {"consensus_data": {"votes": None, "validators": "x", "leader_receipt": [1]}},
        {"consensus_data": {"blocks": [{"rounds": [{"votes": 3}]}]}},
    ],
    ids=["nothing", "null", "nonsense", "nonsense below"],
)
def test_a_network_that_tells_nothing_has_no_seats(raw: dict[str, Any]) -> None:
    assert read_seats(raw) == ()


def test_a_seat_of_a_studio_is_told_without_what_it_would_have_decided() -> None:
    validator = {
        "node_config": {"address": "0x1", "primary_model": {"provider": "openai", "model": "x"}},
        "result": "!",
    }
    (seat,) = read_seats({"consensus_data": {"votes": {"0x1": "agree"}, "validators": [validator]}})
    assert (seat.address, seat.vote, seat.judge, seat.own) == ("0x1", "agree", "openai:x", None)
