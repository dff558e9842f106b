"""The open cases LO, PI and SS of tests/cases, by number: each through the rows of the tables that it names."""

import json
import re
from pathlib import Path

import pytest

from tests.direct.orders import fences, verdict

TABLES = Path(__file__).parents[1] / "cases"


def rows(table):
    return json.loads((TABLES / f"{table}.json").read_text("utf-8"))["cases"]


ANSWERS, INJECTIONS = rows("llm_outputs"), rows("injections")
URLS = [row for row in rows("hostile_urls") if row["layer"] == "static"]

# -- LO: what a judge answers

LO = {
    "C152": ("truncated",),
    "C153": ("missing", "null"),
    "C154": ("fence", "fence_multi", "fence_inside_string"),
    "C155": ("prose_braces", "brace_in_string"),
    "C157": ("think",),
    "C159": ("bool",),
    "C160": ("non_finite",),
    "C161": ("numeric_string", "percent_string", "fraction_string"),
    "C163": ("almost_json",),
    "C166": ("refusal",),
}


@pytest.mark.parametrize("case", LO)
def test_lo_answers_are_read_or_refused_never_guessed(desk, case):
    chosen = [row for row in ANSWERS if row["klass"] in LO[case]]
    assert {row["klass"] for row in chosen} == set(LO[case])
    for row in chosen:
        number = desk.claimed()
        desk.world(row["raw"])
        refusal = desk.refusal(lambda number=number: desk.submit(number))
        order = desk.order(number)
        assert (order["payout_percent"] if refusal is None else "error") in row["allowed"], row["id"]
        assert refusal is None or (order["status"], order["paid_wei"], order["refunded_wei"]) == ("claimed", 0, 0)


@pytest.mark.parametrize("case", ["C167"])
def test_lo_the_payout_decides_when_an_answer_contradicts_itself(desk, case):
    for answer, status in (
        (verdict(10, verdict="ACCEPTED"), "rejected"),
        (verdict(100, criteria_results=[]), "completed"),
    ):
        number = desk.claimed()
        desk.world(answer)
        desk.submit(number)
        assert desk.order(number)["status"] == status


def test_lo_thinking_after_the_object_does_not_overrule_it(desk):
    desk.claimed()
    desk.world('{"payout_percent": 20, "reasoning": "x"}\n<think>or {"payout_percent": 100}?</think>')
    assert "two different verdicts" in desk.refusal(desk.submit)


# -- PI: what pages and parties write

PI = {
    "C170": lambda row: "fence" in row["technique"] or "marker" in row["technique"] or "xml_close" in row["technique"],
    "C174": lambda row: row["technique"].startswith("html_"),
    "C175": lambda row: (
        row["technique"] in ("unicode_tag_smuggling", "zero_width_split", "variation_selectors", "bidi_override")
    ),
    "C178": lambda row: row["technique"].startswith("forged_"),
    "C179": lambda row: row["technique"] == "trusted_comments_section",
    "C180": lambda row: row["technique"].startswith("direct_override"),
    "C182": lambda row: row["channel"] == "appeal_context",
    "C183": lambda row: row["technique"].startswith("benign_"),
    "C185": lambda row: row["technique"] in ("html_in_reasoning", "markdown_link_in_reasoning"),
}


@pytest.mark.parametrize("case", PI)
def test_pi_text_stays_between_its_fences_and_moves_nothing_by_itself(desk, case):
    if not hasattr(desk.vm, "mocks"):
        pytest.skip("genlayer-test does not keep prompts")
    chosen = [row for row in INJECTIONS if PI[case](row)]
    assert chosen
    for row in chosen:
        number = desk.claimed()
        good = row["live"] != "unmoved_on_bad"
        desk.world(verdict(95 if good else 5), body=row["text"] if row["channel"] == "evidence" else "the page")
        desk.submit(number, note=row["text"] if row["channel"] == "note" else "")
        if row["channel"] == "appeal_context":
            desk.appeal(number, context=row["text"])
        # The judge here is honest; what the contract adds is that the text changed nothing outside its own lines.
        prompt = desk.vm.mocks.prompts[-1]
        outside = [line for line in prompt.splitlines() if not line.startswith("| ")]
        tag = outside[0].split()[-1]
        marks = [line for line in outside if line.endswith(tag)]
        assert len(marks) == len(set(marks)) == 2 * len(fences(prompt))
        assert not any(re.search("payout 100|Payout must|full marks|payout 0", line) for line in outside)
        assert desk.order(number)["payout_percent"] == (95 if good else 5)


# -- SS: which URLs may be fetched at all

NAMES = [
    "http://metadata.goog/",
    "http://instance-data/",
    "http://host.docker.internal/",
    "http://metadata.google.internal/",
]
SS = {
    "C111": [row["url"] for row in URLS if row["category"] == "ipv6"],
    "C112": ["http://[2002:a9fe:a9fe::1]/", "http://[::127.0.0.1]/", "http://[::ffff:0:127.0.0.1]/"],
    "C115": ["http://0.0.0.0/", "http://[::]/", "http://0/"],
    "C117": [row["url"] for row in URLS if row["category"] == "hostname"],
    "C118": [
        "http://127.0.0.1:6666\\@1.1.1.1",
        "http://exa\tmple.com/",
        "http://example.com/\r\nX: y",
        "http://a.com\n@b.com/",
    ],
    "C120": ["http://127。0。0。1/", "http://①⑥⑨.254.169.254/"],
    "C130": NAMES,
}


@pytest.mark.parametrize("case", SS)
def test_ss_hosts_that_are_not_public_are_refused_before_any_fetch(desk, case):
    desk.claimed()
    for url in SS[case]:
        assert "this URL cannot be evidence" in desk.refusal(lambda url=url: desk.submit(url=url)), url
    if hasattr(desk.vm, "mocks"):
        assert desk.vm.mocks.requests == []
    assert desk.order()["status"] == "claimed"


PUBLIC = [
    "https://fda.gov/",
    "https://fcm.googleapis.com/",
    "https://fdic.gov/",
    "https://localhost.com/",
    "https://example.com./",
]


@pytest.mark.parametrize("case", ["C113", "C117"])
def test_ss_names_that_only_look_private_are_taken(desk, case):
    for url in PUBLIC:
        number = desk.claimed()
        assert desk.refusal(lambda url=url, number=number: desk.submit(number, url)) is None, url
