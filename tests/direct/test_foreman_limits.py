"""Every limit of Foreman at its edge: the last value that is taken, and the first that is refused."""

import pytest

from tests.direct.orders import DAY, GEN, MIN, START


@pytest.mark.parametrize("value", [0, 1, MIN - 1])
def test_less_than_the_minimum_escrow_is_refused(desk, value):
    with desk.vm.expect_revert("attach at least 1000000000000000 wei"):
        desk.create(value)
    assert desk.contract.get_order_count() == 0


def test_the_minimum_escrow_is_enough(desk):
    assert desk.order(desk.create(MIN))["escrow_wei"] == MIN


@pytest.mark.parametrize("days", [1, 365])
def test_a_deadline_of_whole_days_from_1_to_365_is_taken(desk, days):
    assert desk.order(desk.create(days=days))["deadline"] == START + days * DAY


@pytest.mark.parametrize("days", [0, -5, 366, 10**9, 2**256, True, "7", None, [7]], ids=repr)
def test_any_other_deadline_is_refused(desk, days):
    with desk.vm.expect_revert("deadline_days must be a whole number from 1 to 365"):
        desk.create(days=days)


@pytest.mark.parametrize("days", [0, -1, 31, True, "1", None], ids=repr)
def test_an_extension_is_1_to_30_days(desk, days):
    desk.create()
    with desk.vm.expect_revert("extra_days must be a whole number from 1 to 30"):
        desk.extend(days=days)


def test_no_extension_passes_365_days_since_creation(desk):
    desk.create(days=335)
    with desk.vm.expect_revert("an order lives at most 365 days"):
        desk.create(days=336)
        desk.extend(1, 30)
    desk.extend(0, 30)
    with desk.vm.expect_revert("an order lives at most 365 days"):
        desk.extend(0, 1)


@pytest.mark.parametrize("deposit", [0, 1, GEN - 1, GEN + 1, 2 * GEN])
def test_an_appeal_takes_exactly_the_original_escrow(desk, deposit):
    desk.judged()
    with desk.vm.expect_revert(f"attach exactly the original escrow, {GEN} wei"):
        desk.appeal(deposit=deposit)


def test_an_address_may_claim_the_same_order_three_times(desk):
    desk.create()
    for _ in range(3):
        desk.claim()
        desk.abandon()
    with desk.vm.expect_revert("this address has claimed the order 3 times already"):
        desk.claim()
    desk.claim(who=desk.stranger)
    assert desk.record()["abandoned"] == 3


TEXTS = [
    ("title", 120, lambda desk, text: desk.create(title=text)),
    ("spec", 4000, lambda desk, text: desk.create(spec=text)),
    ("acceptance_criteria", 2000, lambda desk, text: desk.create(criteria=text)),
    ("deliverable_note", 1000, lambda desk, text: desk.submit(note=text)),
    ("additional_context", 2000, lambda desk, text: desk.appeal(context=text)),
]


def _ready(desk, name):
    if name == "deliverable_note":
        desk.claimed()
    if name == "additional_context":
        desk.judged()


@pytest.mark.parametrize(("name", "cap", "act"), TEXTS, ids=[name for name, _, _ in TEXTS])
def test_a_cap_counts_trimmed_characters(desk, name, cap, act):
    _ready(desk, name)
    with desk.vm.expect_revert(f"{name} is longer than {cap} characters"):
        act(desk, "é" * (cap + 1))
    act(desk, "  " + "é" * cap + " \n")


@pytest.mark.parametrize("value", [None, 7, True, b"x", ["x"], {}], ids=repr)
@pytest.mark.parametrize(("name", "cap", "act"), TEXTS, ids=[name for name, _, _ in TEXTS])
def test_what_is_not_text_is_refused(desk, name, cap, act, value):
    _ready(desk, name)
    with desk.vm.expect_revert(f"{name} must be text"):
        act(desk, value)


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\u00a0"], ids=repr)
@pytest.mark.parametrize(("name", "cap", "act"), TEXTS[:3], ids=["title", "spec", "acceptance_criteria"])
def test_blank_texts_are_refused(desk, name, cap, act, text):
    with desk.vm.expect_revert(f"{name} must not be blank"):
        act(desk, text)


HIDDEN = [
    "\x00",
    "\x1b",
    "\x7f",
    "\x9f",
    "\u200b",
    "\u200d",
    "\u202e",
    "\u2066",
    "\u00ad",
    "\ufeff",
    "\U000e0041",
    "\u3164",
]


@pytest.mark.parametrize("char", HIDDEN, ids=ascii)
@pytest.mark.parametrize(("name", "cap", "act"), TEXTS[:3], ids=["title", "spec", "acceptance_criteria"])
def test_characters_a_provider_cannot_see_are_refused(desk, name, cap, act, char):
    with desk.vm.expect_revert(f"{name} holds control or invisible characters"):
        act(desk, f"ev{char}il")


@pytest.mark.parametrize("char", ["\n", "\r", "\t", "\u2028", "\x0b", "\x85"], ids=ascii)
def test_a_title_is_one_line(desk, char):
    with desk.vm.expect_revert("title must be a single line"):
        desk.create(title=f"a{char}b")


def test_orthographic_joiners_and_emoji_are_kept(desk):
    title = "نامه\u200cای برای 👨\u200d💻 ❤\ufe0f"
    assert desk.order(desk.create(title=title))["title"] == title


def test_line_breaks_of_every_kind_are_stored_as_one(desk):
    assert desk.order(desk.create(spec="a\r\nb\rc\u2028d"))["spec"] == "a\nb\nc\nd"


def test_note_and_context_may_be_empty(desk):
    desk.claimed()
    desk.submit(note="")
    desk.appeal(context="  ")
    assert desk.order()["deliverable_note"] == ""
    assert desk.order()["timeline"][-2]["detail"] == ""


def test_hidden_characters_of_a_note_are_dropped(desk):
    desk.claimed()
    desk.submit(note="all\u200b good\x00\U000e0041")
    assert desk.order()["deliverable_note"] == "all good"
