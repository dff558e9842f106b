"""Reading a judge's answer: every row of the table, and the shapes between them."""

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.shared.answers import MAX_ANSWER_CHARS, MAX_OPENINGS, read_answer, whole_percent

CASES = json.loads((Path(__file__).parents[1] / "cases" / "llm_outputs.json").read_text("utf-8"))["cases"]

CHOSEN = {"L019": 49, "L020": 99} | dict.fromkeys(["L091", "L092", "L093", "L095"], "error")
"""Where this project's choice differs from the row's preferred outcome: numbers are cut downwards, and what is not JSON
is neither repaired nor guessed at. Each is in the row's `allowed`."""


def outcome(raw: object) -> int | str:
    try:
        return whole_percent(read_answer(raw, "payout_percent").get("payout_percent"))
    except ValueError:
        return "error"


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_the_reader_answers_as_the_table_says(case):
    found = outcome(case["raw"])
    assert found in case["allowed"], case["why"]
    assert found not in case.get("forbidden", [])
    assert found == CHOSEN.get(case["id"], case["preferred"]), case["why"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param('{"k": 1}', {"k": 1}, id="bare"),
        pytest.param('x {"a": {"k": 1}} {"k": 2} y', {"k": 2}, id="only what stands on its own counts"),
        pytest.param('{"k": 1} {"k": 1.0}', {"k": 1}, id="twice the same"),
        pytest.param('{"other": 1} {"k": 2}', {"k": 2}, id="beside another object"),
        pytest.param('see [1] and {this}: {"k": 2}', {"k": 2}, id="brackets of prose"),
        pytest.param('[] {"k": 2}', {"k": 2}, id="after a list"),
        pytest.param('{"k": "a\nb\tc"}', {"k": "a\nb\tc"}, id="raw breaks in a string"),
        pytest.param('<think>{"k": 9}</think>{"k": 2}', {"k": 2}, id="thought first"),
        pytest.param(' <THINKING>{"k": 9}</Thinking>{"k": 2}', {"k": 2}, id="thought in capitals"),
        pytest.param('<thought>x</thought> {"k": 2}', {"k": 2}, id="another word for it"),
        pytest.param('<reasoning>x</reasoning> {"k": 2}', {"k": 2}, id="and another"),
        pytest.param('{"k": "<think>{no}</think>"}', {"k": "<think>{no}</think>"}, id="thought inside a string"),
        pytest.param('a <think>{"k": 2}', {"k": 2}, id="a thought that is quoted"),
        pytest.param('{"k": null}', {"k": None}, id="a key without a value is there"),
    ],
)
def test_one_object_is_found(text, found):
    assert read_answer(text, "k") == found


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param(None, "not text", id="none"),
        pytest.param({"k": 1}, "not text", id="object"),
        pytest.param('{"k": 1}' + " " * MAX_ANSWER_CHARS, "sane length", id="too long"),
        pytest.param("", "no JSON object with k", id="empty"),
        pytest.param('{"K": 1}', "no JSON object with k", id="another key"),
        pytest.param('{"k": 1} {"k": 2}', "two different verdicts", id="two values"),
        pytest.param('{"k": 1, "a": 1} {"k": 1}', "two different verdicts", id="two objects"),
        pytest.param('{"k": 1} {"k": 1} {"k": 2}', "two different verdicts", id="the third differs"),
        pytest.param('{"k": 1, "k": 1}', "broken JSON object", id="a key twice"),
        pytest.param('{"k": 1, "a": {"b": 1, "b": 2}}', "broken JSON object", id="a key twice inside"),
        pytest.param('{"k": NaN}', "broken JSON object", id="not a number"),
        pytest.param('{"k": -Infinity}', "broken JSON object", id="infinity"),
        pytest.param('{"k": 1', "broken JSON object", id="cut"),
        pytest.param('{"a": [{"k": 1}]', "broken JSON object", id="cut around an object"),
        pytest.param("{'a': [{\"k\": 1}]}", "broken JSON object", id="single quotes around an object"),
        pytest.param('{ \u201ca\u201d: {"k": 1}}', "broken JSON object", id="curly quotes around an object"),
        pytest.param('[ {"k": 1}', "broken JSON object", id="a list cut around an object"),
        pytest.param('[{"k": 1}]', "no JSON object with k", id="inside a list"),
        pytest.param('<think>{"k": 1}', "no JSON object with k", id="thought without end"),
        pytest.param('<think>{"k": 1}</thinking>', "no JSON object with k", id="thought with another end"),
        pytest.param("[" * 100_000, "mostly brackets", id="nested without end"),
        pytest.param('{"k":' + "[" * 100_000, "broken JSON object", id="nested in an object"),
    ],
)
def test_no_single_object_is_an_error(text, reason):
    with pytest.raises(ValueError, match=reason):
        read_answer(text, "k")


def test_brackets_are_tried_up_to_a_limit():
    assert read_answer("{}" * (MAX_OPENINGS - 1) + '{"k": 1}', "k") == {"k": 1}
    with pytest.raises(ValueError, match="mostly brackets"):
        read_answer("{}" * MAX_OPENINGS + '{"k": 1}', "k")


def test_the_longest_answer_is_read():
    text = '{"k": 1}'
    assert read_answer(text + " " * (MAX_ANSWER_CHARS - len(text)), "k") == {"k": 1}


@pytest.mark.parametrize("piece", ["[", "{", "[1,", "[{", '{"a":', "[[1],", "<think>", "```", '"', "\\"])
def test_no_answer_takes_long_to_refuse(piece):
    began = time.process_time()
    with pytest.raises(ValueError, match="the answer"):
        read_answer((piece * MAX_ANSWER_CHARS)[:MAX_ANSWER_CHARS], "k")
    assert time.process_time() - began < 1


@given(st.text(), st.integers(0, 100), st.text())
def test_prose_around_an_object_never_changes_it(before, percent, after):
    text = f'{before}{{"payout_percent": {percent}}}{after}'
    try:
        found = read_answer(text, "payout_percent")
    except ValueError:
        return
    assert found == {"payout_percent": percent}


@pytest.mark.parametrize(
    ("value", "percent"),
    [
        (0, 0), (100, 100), (101, 100), (-1, 0), (49.99, 49), (50.0, 50), (99.99, 99), (-0.5, 0),
        (10**400, 100), (-(10**400), 0),
        (1e308, 100),
        ("85", 85), (" 85 % ", 85), ("85.9%", 85), ("+5", 5), ("-5", 0), ("\n85\n", 85), ("0", 0), ("100.0", 100),
    ],
)  # fmt: skip
def test_a_number_is_clamped_and_cut_downwards(value, percent):
    assert whole_percent(value) == percent
    assert type(whole_percent(value)) is int


ODD = [
    None,
    True,
    False,
    [],
    {},
    "",
    "x",
    "85 points",
    "8/10",
    "85%%",
    "1e2",
    "0x55",
    ".5",
    "5.",
    "٨٥",
    "１",
    "nan",
    "inf",
]
ODD += ["1" * 10, "1." + "1" * 10, "- 5", "8 5", float("nan"), float("inf"), float("-inf"), b"85", 1j]


@pytest.mark.parametrize("value", ODD, ids=repr)
def test_what_is_no_number_is_refused(value):
    with pytest.raises(ValueError, match="the payout is not a number"):
        whole_percent(value)
