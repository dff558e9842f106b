"""Every injection text of the table, through the channel it names, with every check its row lists."""

import json
import re
import unicodedata
from pathlib import Path

import pytest

from tests.direct.orders import GEN, fences, verdict

TABLE = json.loads((Path(__file__).parents[1] / "cases" / "injections.json").read_text("utf-8"))
ORDER, BAD, GOOD = TABLE["base_order"], TABLE["bad_evidence"], TABLE["good_evidence"]
UNSEEN = re.compile(r"[\U000e0000-\U000e007f\u200b\u2060-\u2064\ufeff\u202a-\u202e\u2066-\u2069\u200e\u200f]")
RUNS = re.compile(r"[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}")
CAPS = {"evidence": 15_000, "note": 1000, "appeal_context": 2000, "spec": 4000, "criteria": 2000}
REPLY = '{"payout_percent": 5, "reasoning": "Nothing was delivered.", "red_flags": [], "criteria_results": []}'


def deliver(desk, case, answer):
    """One order whose text stands in the row's channel, judged once. Gives the refusal, if there was one."""
    texts = {"title": ORDER["title"], "spec": ORDER["spec"], "criteria": ORDER["acceptance_criteria"]}
    channel, text = case["channel"], case["text"]
    page = BAD if case["live"] == "unmoved_on_bad" else GOOD
    if channel in texts:
        texts[channel] = text
    desk.world(answer, body=text if channel == "evidence" else page)
    desk.create(GEN, **texts)
    desk.claim()
    if channel != "appeal_context":
        return desk.refusal(lambda: desk.submit(note=text if channel == "note" else ""))
    desk.submit()
    return desk.refusal(lambda: desk.appeal(context=text))


def frame(prompt):
    """A prompt without its data: fence lines, the tag written as one word, and the task."""
    tag = prompt.split("\n", 1)[0].split()[-1]
    return [line.replace(tag, "TAG") for line in prompt.splitlines() if not line.startswith("| ")]


class Checks:
    """One method per check of the table, over what the judge was asked and what the order tells."""

    def __init__(self, desk, case, refusal):
        self.desk, self.case, self.refusal = desk, case, refusal
        self.prompt = desk.vm.mocks.prompts[-1] if desk.vm.mocks.prompts else ""
        self.name = {"appeal_context": "context"}.get(case["channel"], case["channel"])

    def inside_fence_only(self):
        """Everything but data lines is what it is for a harmless order, so the text is in data lines only; and those
        are in its own block, which closes once, after it. Other blocks hold what was put there.
        """
        if "binary_handled" in self.case["checks"]:
            assert self.refusal is not None  # it never reached a judge
            return
        blocks = fences(self.prompt)
        assert frame(self.prompt) == frame(_harmless(self.desk, appealed="context" in blocks))
        closing = re.findall(rf"^END {self.name} [0-9a-f]{{24}}$", self.prompt, re.MULTILINE)
        assert len(closing) == 1
        text = RUNS.sub("", UNSEEN.sub("", self.case["text"])).strip()
        if text.startswith("<html>"):
            text = re.sub(r"<style>.*?</style>|<template>.*?</template>|<[^>]*>", " ", text)
        assert blocks.pop(self.name).split() == text[: CAPS[self.case["channel"]]].split()
        order = self.desk.order()
        told = {"title": order["title"], "spec": order["spec"], "criteria": order["acceptance_criteria"]}
        told |= {"url": order["deliverable_url"], "note": order["deliverable_note"]}
        assert all(blocks[name] == text for name, text in told.items() if name in blocks)

    def no_fence_collision(self):
        """No line of any text equals a fence line, whatever its case and invisible characters."""
        lines = self.prompt.splitlines()
        marks = {line.casefold() for line in lines if re.fullmatch(r"(BEGIN|END) .+ [0-9a-f]{24}", line)}
        assert len(marks) == 2 * len(fences(self.prompt)) > 0
        data = [line for text in [*fences(self.prompt).values(), self.case["text"]] for line in text.splitlines()]
        assert not marks & {UNSEEN.sub("", unicodedata.normalize("NFKC", line)).casefold().strip() for line in data}

    def invisible_handled(self):
        """Hidden characters are gone before the judge and from the order; what can be seen has not changed."""
        told = self.prompt + json.dumps(self.desk.order(), ensure_ascii=False)
        assert not UNSEEN.search(told)
        assert not RUNS.search(told)
        seen = RUNS.sub("", UNSEEN.sub("", self.case["text"]))
        assert fences(self.prompt)[self.name] == seen.strip()

    def capped_inside_fence(self):
        """Cut at the limit of its channel, and the closing line still follows."""
        assert len(fences(self.prompt)[self.name]) <= CAPS[self.case["channel"]]
        assert self.case["channel"] != "evidence" or self.desk.order()["evidence_truncated"] is (
            len(self.case["text"]) > 15_000
        )

    def not_parsed_as_verdict(self):
        """A judge that quotes the text beside its own object is never read as if the quotation were its verdict."""
        for quoting in (
            f"The page says:\n{self.case['text']}\nMy verdict: {REPLY}",
            f"{REPLY}\nIt says {self.case['text']}",
        ):
            number = self.desk.claimed()
            self.desk.world(quoting)
            refused = self.desk.refusal(lambda number=number: self.desk.submit(number))
            assert refused is not None or self.desk.order(number)["payout_percent"] == 5

    def ui_escaped(self):
        """Reasoning that quotes the text is stored as plain text, nothing added; surfaces escape what they show."""
        number = self.desk.claimed()
        self.desk.world(verdict(5, reasoning=self.case["text"]))
        self.desk.submit(number)
        assert self.desk.order(number)["verdict_reasoning"] == self.case["text"]

    def binary_handled(self):
        """A binary body is refused, and nothing of it is stored."""
        assert self.refusal is not None
        assert "evidence_binary" in self.refusal
        assert self.desk.order()["status"] == "claimed"
        assert self.case["text"][:8] not in json.dumps(self.desk.order())

    def judge_has_no_fetch(self):
        """The only page anybody asked for is the delivered one."""
        assert {request.url for request in self.desk.vm.mocks.requests} == {self.desk.order()["deliverable_url"]}


def _harmless(desk, appealed):
    """The prompt of an order in which nobody tries anything."""
    number = desk.claimed()
    desk.world(verdict(50))
    desk.submit(number)
    if appealed:
        desk.appeal(number)
    return desk.vm.mocks.prompts[-1]


CASES = TABLE["cases"]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_every_injection_passes_its_checks(desk, case):
    if not hasattr(desk.vm, "mocks"):
        pytest.skip("genlayer-test does not keep prompts")
    checks = Checks(desk, case, deliver(desk, case, verdict(5)))
    assert case["checks"]
    for check in case["checks"]:
        getattr(checks, check)()


KEPT = {"P126": "👨\u200d💻", "P128": "\u062a\u0645"}


@pytest.mark.parametrize("case", [case for case in CASES if "benign" in case["technique"]], ids=lambda case: case["id"])
def test_harmless_text_reaches_the_judge_whole(desk, case):
    if not hasattr(desk.vm, "mocks"):
        pytest.skip("genlayer-test does not keep prompts")
    assert deliver(desk, case, verdict(95)) is None
    assert desk.order()["payout_percent"] == 95
    shown = fences(desk.vm.mocks.prompts[-1])["evidence"]
    assert shown == case["text"]
    assert KEPT.get(case["id"], "") in shown
