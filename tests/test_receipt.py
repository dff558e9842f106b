"""Receipts: what is written to the database is read back equal, whatever seats and contracts said."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreman.execution import Code, Emission, Event, On, Outcome, Transfer
from foreman.receipt import (
    NO_OUTCOME,
    Ballot,
    Decision,
    Receipt,
    Round,
    Status,
    Vote,
    receipt_from_json,
    receipt_to_json,
)

TEXT = st.text(st.characters(codec=None), max_size=20)
"""Any text, half surrogate pairs and NUL included: a judge or a page may have written it."""
OUTCOMES = st.builds(Outcome, st.sampled_from(Code), st.binary(max_size=40))
ADDRESSES = st.binary(min_size=20, max_size=20)
WEI = st.integers(0, 2**256 - 1)
MAYBE = st.none() | st.binary(max_size=20)
BALLOTS = st.builds(Ballot, st.integers(0, 100), TEXT, st.sampled_from(Vote), st.none() | OUTCOMES, TEXT, TEXT)
ROUNDS = st.builds(Round, st.integers(0, 100), st.lists(BALLOTS, max_size=4).map(tuple))
DECISIONS = st.builds(
    Decision,
    st.integers(0, 9),
    st.sampled_from(Status),
    st.none() | OUTCOMES,
    st.lists(ROUNDS, max_size=3).map(tuple),
)
EMITTED = st.builds(Transfer, ADDRESSES, WEI, st.binary(max_size=20)) | st.builds(
    Emission, ADDRESSES, st.binary(max_size=20), WEI, st.sampled_from(On), MAYBE
)
EVENTS = st.builds(Event, st.lists(st.binary(min_size=32, max_size=32), max_size=4).map(tuple), st.binary(max_size=20))
RECEIPTS = st.builds(
    Receipt,
    st.sampled_from(Status),
    OUTCOMES,
    st.lists(DECISIONS, max_size=3).map(tuple),
    st.integers(0, 5),
    st.lists(EMITTED, max_size=3).map(tuple),
    st.lists(EVENTS, max_size=3).map(tuple),
    TEXT,
    TEXT,
    st.integers(0, 2**63 - 1),
)


@given(RECEIPTS)
def test_a_receipt_reads_back_equal(receipt: Receipt) -> None:
    text = receipt_to_json(receipt)
    assert receipt_from_json(text) == receipt
    assert text.isascii(), "no character of a page or a judge reaches the database's own text"
    json.loads(text)


@given(RECEIPTS)
def test_equal_receipts_are_equal_texts(receipt: Receipt) -> None:
    assert receipt_to_json(receipt_from_json(receipt_to_json(receipt))) == receipt_to_json(receipt)


@given(OUTCOMES)
def test_an_outcome_is_its_bytes(outcome: Outcome) -> None:
    assert Outcome.from_bytes(outcome.to_bytes()) == outcome
    assert outcome.ok is (outcome.code is Code.RETURN)
    assert isinstance(outcome.text, str)


@pytest.mark.parametrize(
    ("status", "outcome", "ok"),
    [
        pytest.param(Status.ACCEPTED, Outcome.returned(1), True, id="accepted and returned"),
        pytest.param(Status.FINALIZED, Outcome.returned(1), True, id="final and returned"),
        pytest.param(Status.ACCEPTED, Outcome.user_error("no"), False, id="a revert is no success"),
        pytest.param(Status.FINALIZED, Outcome.vm_error("exit_code 1"), False, id="a crash is no success"),
        pytest.param(Status.UNDETERMINED, Outcome.returned(1), False, id="undetermined is no success"),
        pytest.param(Status.CANCELED, NO_OUTCOME, False, id="cancelled"),
        pytest.param(Status.LEADER_TIMEOUT, NO_OUTCOME, False, id="timed out"),
    ],
)
def test_success_is_accepted_and_returned(status: Status, outcome: Outcome, ok: bool) -> None:
    assert Receipt(status, outcome).ok is ok


@pytest.mark.parametrize("status", Status)
def test_decided_is_what_waits_for_nobody(status: Status) -> None:
    waiting = {Status.PENDING, Status.PROPOSING, Status.COMMITTING, Status.REVEALING}
    assert status.decided is (status not in waiting)


@pytest.mark.parametrize(
    "damaged",
    [
        pytest.param(lambda raw: raw.pop("status"), id="a key missing"),
        pytest.param(lambda raw: raw.update(status=99), id="a status nobody knows"),
        pytest.param(lambda raw: raw.update(outcome=""), id="no outcome"),
    ],
)
def test_a_damaged_receipt_is_not_read_as_something_else(damaged: Any) -> None:
    raw = json.loads(receipt_to_json(Receipt(Status.ACCEPTED, Outcome.returned(None))))
    damaged(raw)
    with pytest.raises((KeyError, ValueError, IndexError)):
        receipt_from_json(json.dumps(raw))
