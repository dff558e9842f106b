"""Every kind of checkable criterion is understood in several phrasings, and decides by what the page says."""

import time
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreman.judges.offline.findings import State
from foreman.judges.offline.grammar import KINDS, TABLES, read
from foreman.judges.offline.page import Page
from tests.judges.phrasings import MET, UNTOLD

ROWS = [pytest.param(*row, id=f"{kind}: {row[0]}") for kind, rows in MET.items() for row in rows]
NAMED = frozenset({"primes", "sum", "name", "date", "users"})


@pytest.mark.parametrize(("criterion", "good", "bad"), ROWS)
def test_a_phrasing_is_met_by_one_page_and_not_by_another(criterion: str, good: str, bad: str) -> None:
    check = read(criterion)
    assert check is not None, "not understood"
    assert check(Page(good, NAMED)).state is State.MET
    finding = check(Page(bad, NAMED))
    assert finding.state is State.UNMET
    assert finding.why


@pytest.mark.parametrize("criterion", UNTOLD, ids=lambda text: text[:40])
def test_what_no_program_can_check_is_never_decided(criterion: str) -> None:
    check = read(criterion)
    for page in ('{"primes":[2,3],"sum":129}', "some text", "The tone is friendly"):
        assert check is None or check(Page(page)).state is State.UNKNOWN


def test_there_are_many_kinds_each_with_examples() -> None:
    assert len(KINDS) >= 20
    assert set(KINDS) - {"equality"} <= set(MET), "a kind without an example"
    assert min(Counter(rule.kind for table in TABLES for rule in table.rules).values()) >= 1
    assert sum(len(rows) for rows in MET.values()) >= 170


def test_a_criterion_is_understood_to_its_last_word_or_not_at_all() -> None:
    for criterion in ("The page is valid JSON", "sum equals 129", "at most 100 words", "primes is sorted"):
        assert read(criterion) is not None
        assert read(criterion + " in a way that pleases the client") is None


@pytest.mark.parametrize(
    ("criterion", "page"),
    [
        pytest.param("temperature is at least 20", "It was warm.", id="no such value"),
        pytest.param("sum equals total", '{"sum": 5}', id="nothing to compare with"),
        pytest.param("The list has 3 items", "prose", id="no list"),
    ],
)
def test_what_the_page_does_not_tell_is_not_decided(criterion: str, page: str) -> None:
    check = read(criterion)
    assert check is not None
    assert check(Page(page)).state is State.UNKNOWN


def test_a_key_that_the_order_speaks_of_is_known_to_be_missing() -> None:
    check = read("total is at least 20")
    assert check is not None
    assert check(Page("It was warm.", frozenset({"total"}))).state is State.UNMET


def test_a_bare_word_is_the_value_where_it_is_and_decides_nothing_where_it_is_not() -> None:
    check = read("status is done")
    assert check is not None
    assert check(Page('{"status":"done"}')).state is State.MET
    assert check(Page('{"status":"open"}')).state is State.UNKNOWN
    assert check(Page('{"status":"open","done":"open"}')).state is State.MET, "done is another value of the page"


def test_two_values_of_one_name_are_none() -> None:
    check = read("sum equals 129")
    assert check is not None
    assert check(Page('{"sum":129}\n{"sum":129}')).state is State.MET
    assert check(Page('{"sum":129}\n{"sum":5}', NAMED)).state is State.UNMET


JOINTS = [
    "a and ",
    "contains 'x', 'y' and ",
    "has keys a, ",
    "every a of every b of ",
    "or and or ",
    "is not ",
    "1 to 2 and ",
]


@pytest.mark.parametrize("piece", JOINTS)
def test_a_criterion_of_nothing_but_joints_is_read_soon(piece: str) -> None:
    text = (piece * 500)[:500]
    read.cache_clear()
    before = time.thread_time()
    read(text)
    assert time.thread_time() - before < 0.2


@given(st.text(max_size=200))
def test_any_text_can_be_asked_for_and_any_page_be_given(text: str) -> None:
    check = read(text)
    if check is not None:
        assert check(Page(text)).state in State


@given(
    st.sampled_from([row[0] for rows in MET.values() for row in rows]),
    st.text(max_size=300) | st.recursive(st.none() | st.integers() | st.text(max_size=5), st.lists).map(str),
)
def test_every_known_criterion_decides_any_page_without_a_crash(criterion: str, page: str) -> None:
    check = read(criterion)
    assert check is not None
    assert check(Page(page, NAMED)) == check(Page(page, NAMED))
