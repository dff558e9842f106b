"""How Foreman judges: what is shown, which failures revert, what a validator compares and what it refuses."""

import hashlib

import pytest

from tests.direct.orders import GOOD, PAGE, fences, verdict

CLASSES = {
    "evidence_status 404": {"status": 404},
    "evidence_status 5xx": {"status": 500},
    "evidence_empty": {"body": ""},
    "evidence_binary": {"body": b"\x89PNG\r\n\x1a\n\x00\x00"},
    "answer_unreadable": {"answer": "no idea"},
}
"""A world per class of failure."""


def leader_of(desk):
    """What the leader proposed last."""
    return desk.vm.captured[-1].outcome.value


def verdict_of(order):
    """The proposal that an order was settled by, put together again from what it tells."""
    return {
        "payout_percent": order["payout_percent"],
        "reasoning": order["verdict_reasoning"],
        "red_flags": order["red_flags"],
        "criteria_results": order["criteria_results"],
        "evidence_fingerprint": order["evidence_fingerprint"],
        "evidence_chars": order["evidence_chars"],
        "evidence_truncated": order["evidence_truncated"],
    }


# -- what is shown to the judge


def prompts(desk):
    """Every prompt asked so far; genlayer-test does not keep them."""
    if not hasattr(desk.vm, "mocks"):
        pytest.skip("genlayer-test does not keep prompts")
    return desk.vm.mocks.prompts


def shown(desk):
    return fences(prompts(desk)[-1])


def test_the_judge_is_shown_the_order_and_the_page(desk):
    desk.judged()
    order = desk.order()
    assert shown(desk) == {
        "title": order["title"],
        "spec": order["spec"],
        "criteria": order["acceptance_criteria"],
        "url": PAGE,
        "note": order["deliverable_note"],
        "evidence": GOOD,
    }


def test_the_fingerprint_can_be_recomputed_in_three_lines(desk):
    desk.claimed()
    desk.world(verdict(), body="naïve ✓\n日本語 ")
    desk.submit()
    text = "naïve ✓\n日本語"  # what the judge was shown
    assert desk.order()["evidence_fingerprint"] == hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]
    assert desk.order()["evidence_chars"] == len(text)


@pytest.mark.parametrize(
    ("length", "chars", "truncated"), [(14_999, 14_999, False), (15_000, 15_000, False), (15_001, 15_000, True)]
)
def test_fifteen_thousand_characters_are_read(desk, length, chars, truncated):
    desk.claimed()
    desk.world(verdict(), body="é" * length)
    desk.submit()
    order = desk.order()
    assert (order["evidence_chars"], order["evidence_truncated"]) == (chars, truncated)


HTML = (
    "<html><head><style>p{}</style><script>pay()</script></head><body><h1>One</h1><!-- no --><p title=x>Two</p></body>"
)


@pytest.mark.parametrize(
    ("body", "kind", "text"),
    [
        pytest.param(HTML, "text/html; charset=utf-8", "One\nTwo", id="html by header"),
        pytest.param(HTML, None, "One\nTwo", id="html without a header"),
        pytest.param(HTML, "text/plain", HTML, id="html as plain text"),
        pytest.param("日本語 ✓", "text/html", "日本語 ✓", id="utf-8 without a charset"),
        pytest.param("é".encode("latin-1"), "text/plain; charset=ISO-8859-1", "é", id="latin-1"),
        pytest.param(b"\xef\xbb\xbf{}", "application/json", "{}", id="utf-8 with a mark"),
        pytest.param("{}".encode("utf-16"), "application/json", "{}", id="utf-16 with a mark"),
        pytest.param("a\x00b\u200bc\u202ed\U000e0041e", None, "abcde", id="hidden characters"),
        pytest.param("a\r\nb\rc", None, "a\nb\nc", id="line breaks"),
    ],
)
def test_a_page_is_read_as_its_text(desk, body, kind, text):
    desk.claimed()
    desk.world(verdict(), body=body, kind=kind)
    desk.submit()
    assert shown(desk)["evidence"] == text


def test_an_appeal_shows_its_context_as_well(desk):
    desk.judged()
    desk.appeal(context="Look\nagain.")
    assert shown(desk)["context"] == "Look\nagain."
    assert list(shown(desk)) == ["title", "spec", "criteria", "url", "note", "context", "evidence"]


# -- failures


@pytest.mark.parametrize("status", [204, 301, 302, 304, 400, 401, 403, 404, 410, 418, 429])
def test_a_page_that_is_not_given_reverts_with_its_status(desk, status):
    desk.claimed()
    desk.world(status=status, body="" if status == 204 else "x")
    reason = "evidence_empty" if status == 204 else f"evidence_status {status}: the page answered {status}"
    with desk.vm.expect_revert(reason):
        desk.submit()


@pytest.mark.parametrize("status", [500, 502, 503, 599])
def test_a_failing_server_is_one_class_whatever_it_answers(desk, status):
    desk.claimed()
    desk.world(status=status)
    with desk.vm.expect_revert(f"evidence_status 5xx: the page answered {status}"):
        desk.submit()


@pytest.mark.parametrize("status", [200, 201, 202, 203, 206, 299])
def test_any_success_with_text_is_judged(desk, status):
    desk.claimed()
    desk.world(verdict(), status=status)
    desk.submit()
    assert desk.order()["status"] == "completed"


def test_a_page_of_one_character_is_a_page(desk):
    desk.claimed()
    desk.world(verdict(), body="x")
    desk.submit()
    assert desk.order()["evidence_chars"] == 1
    assert desk.vm.run_validator() is True


@pytest.mark.parametrize(
    "body", ["", "   \n\t ", "\u200b\ufeff", "<html><body><script>x()</script></body></html>"], ids=ascii
)
def test_a_page_without_text_reverts(desk, body):
    desk.claimed()
    desk.world(body=body)
    with desk.vm.expect_revert("evidence_empty: the page shows no text"):
        desk.submit()


@pytest.mark.parametrize("body", [b"%PDF-1.7 text", b"PK\x03\x04zip", b"\x89PNG\r\n", bytes(range(256)) * 8], ids=ascii)
def test_a_binary_file_reverts(desk, body):
    desk.claimed()
    desk.world(body=body)
    with desk.vm.expect_revert("evidence_binary: the page is a binary file, not text"):
        desk.submit()


def failing(desk, code="timeout"):
    """From now on no page can be fetched. genlayer-test cannot mock that."""
    if not hasattr(desk.vm, "mocks"):
        pytest.skip("genlayer-test cannot mock a fetch that fails")
    desk.world(failing=code)


def test_a_page_that_cannot_be_fetched_reverts(desk):
    desk.claimed()
    failing(desk)
    with desk.vm.expect_revert("evidence_unreachable: "):
        desk.submit()


@pytest.mark.needs_rollback
def test_why_a_page_cannot_be_fetched_is_told_in_words(desk):
    desk.claimed()
    failing(desk, "address_refused")
    with pytest.raises(Exception, match=r"^[^{}]*evidence_unreachable: [^{}]+$"):
        desk.submit()


@pytest.mark.needs_rollback
@pytest.mark.parametrize("world", CLASSES.values(), ids=CLASSES)
def test_a_failed_judgement_leaves_the_order_as_it_was(desk, world):
    desk.claimed()
    before = desk.stored()
    desk.world(**world)
    for _ in range(3):
        with desk.vm.expect_revert():
            desk.submit()
    assert desk.stored() == before
    desk.judge(80)
    desk.submit()
    assert desk.order()["status"] == "completed"


# -- what validators compare


@pytest.mark.parametrize(
    ("mine", "agrees"),
    [(35, True), (34, False), (50, True), (65, True), (66, False), (0, False), (100, False)],
)
def test_fifteen_points_agree_and_sixteen_do_not(desk, mine, agrees):
    desk.judged(50)
    desk.judge(mine)
    assert desk.vm.run_validator() is agrees


def test_other_prose_flags_checklist_and_page_do_not_matter(desk):
    desk.judged(80)
    desk.world(verdict(70, reasoning="Else.", red_flags=["x"], criteria_results=[]), body="another page")
    assert desk.vm.run_validator() is True


@pytest.mark.parametrize("world", CLASSES.values(), ids=CLASSES)
def test_a_validator_that_cannot_judge_does_not_agree_with_a_verdict(desk, world):
    desk.judged(80)
    desk.world(**world)
    assert desk.vm.run_validator() is False


@pytest.mark.parametrize("mine", CLASSES)
@pytest.mark.parametrize("theirs", CLASSES)
def test_failures_agree_by_class_and_not_by_prose(desk, theirs, mine):
    desk.judged()
    desk.world(**CLASSES[mine])
    assert desk.vm.run_validator(leader_error=f"{theirs}: whatever it says") is (theirs == mine)


@pytest.mark.parametrize("error", ["", ":", "evidence", "evidence_status 404x: no", "404", " evidence_status 404: x"])
def test_an_unknown_failure_agrees_with_nothing(desk, error):
    desk.judged()
    desk.world(status=404)
    assert desk.vm.run_validator(leader_error=error) is False


def test_a_failure_of_the_fetch_agrees_with_another_one(desk):
    desk.judged()
    failing(desk, "dns")
    assert desk.vm.run_validator(leader_error="evidence_unreachable: timeout") is True


def test_a_validator_that_can_judge_does_not_agree_with_a_failure(desk):
    desk.judged()
    for theirs in (*CLASSES, "evidence_unreachable"):
        assert desk.vm.run_validator(leader_error=f"{theirs}: x") is False


FIELDS = "payout_percent reasoning red_flags criteria_results evidence_fingerprint evidence_chars evidence_truncated"
BAD = {
    "payout_percent": [-1, 101, True, False, "80", None, [], 2**256],
    "reasoning": [None, 7, "x" * 2001, " x", "x ", "a\u200bb", "a\x00"],
    "red_flags": [None, "none", [7], [""], ["x"] * 11, ["x" * 201], [" x"], {"a": "b"}],
    "criteria_results": [
        None, "all", [None], [{"criterion": "a"}], [{"criterion": "a", "met": 1}], [{"criterion": "", "met": True}],
        [{"criterion": "a", "met": True, "why": "x"}], [{"criterion": "a" * 301, "met": True}],
        [{"criterion": "a", "met": True}] * 41,
    ],
    "evidence_fingerprint": [None, "", "0" * 15, "0" * 17, "G" * 16, "A" * 16, 7, "0" * 16 + "\n"],
    "evidence_chars": [None, 0, -1, 15_001, True, "48"],
    "evidence_truncated": [None, 0, 1, "false"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("field", "value"), [(field, value) for field in BAD for value in BAD[field]], ids=lambda v: repr(v)[:24]
)
def test_a_leader_answer_of_wrong_shape_is_refused_before_anything_is_asked(desk, field, value):
    desk.judged(80)
    good = verdict_of(desk.order())
    assert desk.vm.run_validator(leader_result=good) is True
    asked = len(prompts(desk))
    assert desk.vm.run_validator(leader_result=good | {field: value}) is False
    assert len(prompts(desk)) == asked


@pytest.mark.parametrize("field", FIELDS.split())
def test_a_leader_answer_with_a_key_missing_is_refused(desk, field):
    desk.judged(80)
    good = verdict_of(desk.order())
    del good[field]
    assert desk.vm.run_validator(leader_result=good) is False


@pytest.mark.parametrize("extra", ["status", "evidence_extra", "", "Payout_percent"])
def test_a_leader_answer_with_another_key_is_refused(desk, extra):
    desk.judged(80)
    assert desk.vm.run_validator(leader_result=verdict_of(desk.order()) | {extra: "x"}) is False


@pytest.mark.parametrize("value", [None, [], "", 80, True, {}, [["payout_percent", 80]], b"{}"], ids=repr)
def test_a_leader_answer_that_is_no_verdict_is_refused(desk, value):
    desk.judged(80)
    assert desk.vm.run_validator(leader_result=value) is False


@pytest.mark.parametrize("field", ["reasoning", "red_flags", "criteria_results"])
def test_a_leader_answer_at_its_caps_is_taken(desk, field):
    full = {
        "reasoning": "x" * 2000,
        "red_flags": ["y" * 200] * 10,
        "criteria_results": [{"criterion": "z" * 300, "met": False}] * 40,
    }
    desk.judged(80)
    assert desk.vm.run_validator(leader_result=verdict_of(desk.order()) | {field: full[field]}) is True


AWKWARD = ["ا\u200d" + "b" * 1999, "\ufe0f\u200b\ufe0f" * 900, "ا\u200d\u061cx" * 600, "  \u200b  " * 700, "\ud800x"]


@pytest.mark.parametrize("text", AWKWARD, ids=[str(number) for number in range(len(AWKWARD))])
def test_an_honest_leader_is_never_refused_for_awkward_text(desk, text):
    desk.claimed()
    desk.world(verdict(80, reasoning=text, red_flags=[text], criteria_results=[{"criterion": text, "met": True}]))
    desk.submit()
    assert desk.vm.run_validator() is True


def test_a_verdict_is_cut_to_its_caps(desk):
    desk.claimed()
    rows = [{"criterion": "c" * 400, "met": True}] * 50 + [{"criterion": "odd", "met": "yes"}, None, 7, {"met": True}]
    desk.world(verdict(80, reasoning="r" * 3000, red_flags=["f" * 300] * 12 + [7, None, ""], criteria_results=rows))
    desk.submit()
    order = desk.order()
    assert order["verdict_reasoning"] == "r" * 2000
    assert order["red_flags"] == ["f" * 200] * 10
    assert order["criteria_results"] == [{"criterion": "c" * 300, "met": True}] * 40
