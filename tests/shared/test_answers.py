"""Reading a judge's answer: every row of the table, and the shapes between them."""

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.shared.answers import MAX_ANSWER_CHARS, MAX_OPENINGS, read_answer, whole_percent

CASES = json.loads((Path(__file__).parents[1] / "cases" / "llm_outputs.json").read_text("utf-8"))["cases"]

CHOSEN = {"L019": 49, "L020": 99} | {
    # Where the table allows an error beside a number, these are errors here: nothing is repaired and nothing guessed.
    row: "error"
    for row in "L091 L092 L093 L095".split()
}
"""Where this project's choice differs from the row's preferred outcome; each is in the row's `allowed`."""


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


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_leader_and_validator_read_the_same_text_alike(case):
    assert outcome(case["raw"]) == outcome(str(case["raw"]))
