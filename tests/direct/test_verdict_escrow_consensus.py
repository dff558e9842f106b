"""The tiered rule of VerdictEscrow: which proposals a seat agrees with, per round, at each boundary."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.direct.agreements import APPROVE, CLAIM, GROUNDS, INSUFFICIENT, PAGE, REJECT, WHY, Play, ruling, spoken
from tests.direct.seats import Core, Return, Seat, UserError, VMError

CORE = Core()
CRITERIA = [f"Criterion number {i}" for i in range(12)]
PAGES = {PAGE: (200, b"What the page says.")}
NO_RULING = "the judge gave no usable ruling"


def case(round_no: int) -> tuple[Any, ...]:
    return "The report", CRITERIA, CLAIM, GROUNDS if round_no > 1 else "", round_no, [PAGE]


def seat(answer: object, same: object = "SAME") -> Seat:
    """A seat whose judge gives one ruling, and one word when it is asked to compare."""
    text = answer if isinstance(answer, str) else json.dumps(answer)
    return Seat(lambda prompt: same if "verdict/same/1" in prompt else text, PAGES)


def vote(leader: object, validator: object, round_no: int = 1, same: object = "SAME") -> object:
    proposal = CORE.proposal(seat(leader), *case(round_no))
    return CORE.vote(seat(validator, same), proposal, *case(round_no))


NEAR = [(1, 20), (2, 12), (3, 6)]


@pytest.mark.parametrize(("round_no", "points"), NEAR)
@pytest.mark.parametrize("verdict", [APPROVE, REJECT, INSUFFICIENT])
@pytest.mark.parametrize("sign", [1, -1])
def test_confidence_may_differ_by_a_band_that_narrows(round_no: int, points: int, verdict: str, sign: int) -> None:
    leader = ruling(verdict, 50)
    assert vote(leader, ruling(verdict, 50 + sign * points), round_no) is True
    assert vote(leader, ruling(verdict, 50 + sign * (points + 1)), round_no) is False


OVERLAP = [
    # round, what the leader says is unmet, what the validator says, agreed
    pytest.param(1, [0], [0], True, id="round 1, the same"),
    pytest.param(1, [0, 1], [0], True, id="round 1, 1 of 2"),
    pytest.param(1, [0, 1, 2], [0], False, id="round 1, 1 of 3"),
    pytest.param(1, [0, 1], [1, 2], False, id="round 1, 1 of 3, crossed"),
    pytest.param(1, [0, 1, 2], [1, 2, 3], True, id="round 1, 2 of 4"),
    pytest.param(1, [0], [1], False, id="round 1, nothing in common"),
    pytest.param(1, list(range(12)), list(range(6)), True, id="round 1, 6 of 12"),
    pytest.param(1, list(range(12)), list(range(5)), False, id="round 1, 5 of 12"),
    pytest.param(2, [0, 1, 2, 3], [0, 1, 2], True, id="round 2, 3 of 4"),
    pytest.param(2, [0, 1, 2], [0, 1], False, id="round 2, 2 of 3"),
    pytest.param(2, [0, 1], [0], False, id="round 2, 1 of 2"),
    pytest.param(2, list(range(12)), list(range(9)), True, id="round 2, 9 of 12"),
    pytest.param(2, list(range(12)), list(range(8)), False, id="round 2, 8 of 12"),
    pytest.param(3, [0, 1], [1, 0], True, id="round 3, the same in another order"),
    pytest.param(3, list(range(12)), list(range(11)), False, id="round 3, 11 of 12"),
]


@pytest.mark.parametrize(("round_no", "leader", "validator", "agreed"), OVERLAP)
def test_the_same_criteria_must_have_failed(
    round_no: int, leader: list[int], validator: list[int], agreed: bool
) -> None:
    assert vote(ruling(REJECT, unmet=leader), ruling(REJECT, unmet=validator), round_no) is agreed
    assert vote(ruling(REJECT, unmet=validator), ruling(REJECT, unmet=leader), round_no) is agreed


@pytest.mark.parametrize("round_no", [1, 2, 3])
@pytest.mark.parametrize("leader", [APPROVE, REJECT, INSUFFICIENT])
@pytest.mark.parametrize("validator", [APPROVE, REJECT, INSUFFICIENT])
def test_the_verdict_is_equal_or_there_is_none(round_no: int, leader: str, validator: str) -> None:
    assert vote(ruling(leader), ruling(validator), round_no) is (leader == validator)


def test_rounds_beyond_the_third_are_as_strict_as_the_third() -> None:
    """For whoever lifts the core and allows more rounds."""
    assert vote(ruling(confidence=50), ruling(confidence=56), 9) is True
    assert vote(ruling(confidence=50), ruling(confidence=57), 9) is False
    assert vote(ruling(REJECT, unmet=[0, 1]), ruling(REJECT, unmet=[0]), 9) is False


ONLY_PROSE = "Another reader wrote this in quite other words, at length."


def test_prose_is_never_compared_in_the_first_round() -> None:
    validator = seat(ruling(rationale=ONLY_PROSE), "DIFFERENT")
    assert CORE.vote(validator, Return(ruling()), *case(1)) is True
    assert len(validator.asked) == 1


SAME = [
    *[pytest.param(word, True, id=repr(word)) for word in ("SAME", "same", "Same", " SAME\n", "SAME.", '"SAME"')],
    *[pytest.param(word, True, id=repr(word)) for word in ("'same'", '"SAME."', '"SAME".', "`SAME`", "“SAME”")],
    *[pytest.param(word, False, id=repr(word)) for word in ("DIFFERENT", "", "SAME..", "SAME!", "SAME, I think")],
    *[pytest.param(word, False, id=repr(word)) for word in ("NOT SAME", "NOT THE SAME", "SAMENESS", "S A M E")],
    *[
        pytest.param(word, False, id=repr(word))
        for word in ("SAME\nDIFFERENT", "SAME or DIFFERENT", "ſame", "ＳＡＭＥ")
    ],
    *[pytest.param(word, False, id=repr(word)) for word in ('{"answer": "SAME"}', "SAME:", "**SAME**", ".SAME", "-")],
    pytest.param(True, False, id="a boolean"),
    pytest.param(None, False, id="nothing"),
    pytest.param({"SAME": "SAME"}, False, id="an object"),
]


@pytest.mark.parametrize("round_no", [2, 3])
@pytest.mark.parametrize(("word", "agreed"), SAME)
def test_on_appeal_the_reasons_must_be_the_same_and_the_answer_is_read_whole(
    round_no: int, word: object, agreed: bool
) -> None:
    assert vote(ruling(), ruling(rationale=ONLY_PROSE), round_no, same=word) is agreed


@pytest.mark.parametrize("round_no", [2, 3])
def test_reasons_are_compared_only_when_the_decision_agrees(round_no: int) -> None:
    validator = seat(ruling(REJECT))
    assert CORE.vote(validator, Return(ruling()), *case(round_no)) is False
    assert len(validator.asked) == 1


MISSHAPEN = [
    pytest.param({**ruling(), "extra": 1}, id="a key too many"),
    *[pytest.param({k: v for k, v in ruling().items() if k != key}, id=f"no {key}") for key in ruling()],
    pytest.param(ruling("approve"), id="lower-case verdict"),
    pytest.param(ruling(" APPROVE"), id="a space in the verdict"),
    pytest.param(ruling("ACCEPT"), id="unknown verdict"),
    pytest.param({**ruling(), "verdict": ["APPROVE"]}, id="verdict in a list"),
    pytest.param(ruling(confidence="90"), id="confidence as text"),
    pytest.param(ruling(confidence=101), id="confidence above 100"),
    pytest.param(ruling(confidence=-1), id="confidence below 0"),
    pytest.param(ruling(confidence=True), id="boolean confidence"),
    pytest.param(ruling(confidence=None), id="no confidence"),
    pytest.param(ruling(unmet=[0]), id="an approval with unmet criteria"),
    pytest.param(ruling(REJECT, unmet=[]), id="a rejection without"),
    pytest.param(ruling(REJECT, unmet=[1, 0]), id="unsorted"),
    pytest.param(ruling(REJECT, unmet=[0, 0]), id="twice the same"),
    pytest.param(ruling(REJECT, unmet=[0, 12]), id="out of range"),
    pytest.param(ruling(REJECT, unmet=[12]), id="only out of range"),
    pytest.param(ruling(REJECT, unmet=[-1, 0]), id="negative"),
    pytest.param(ruling(REJECT, unmet=["0"]), id="index as text"),
    pytest.param(ruling(REJECT, unmet=[False]), id="boolean index"),
    pytest.param(ruling(REJECT, unmet={"0": 1}), id="unmet is a dict"),
    pytest.param(ruling(REJECT, unmet=7), id="unmet is a number"),
    pytest.param(ruling(INSUFFICIENT, unmet=[0]), id="insufficient with unmet criteria"),
    pytest.param(ruling(rationale="too short to audit"), id="rationale of 18"),
    pytest.param(ruling(rationale="x" * 1201), id="rationale of 1201"),
    pytest.param(ruling(rationale=f" {WHY}"), id="rationale with a space in front"),
    pytest.param(ruling(rationale=WHY + "\u202e"), id="rationale with a bidi mark"),
    pytest.param(ruling(rationale=WHY + "\x00"), id="rationale with a control character"),
    pytest.param(ruling(rationale=7), id="rationale is a number"),
    pytest.param("APPROVE", id="a bare word"),
    pytest.param([ruling()], id="a list"),
    pytest.param(None, id="nothing"),
    pytest.param(True, id="true"),
    pytest.param({}, id="an empty object"),
]


@pytest.mark.parametrize("payload", MISSHAPEN)
@pytest.mark.parametrize("round_no", [1, 2, 3])
def test_a_proposal_that_is_no_ruling_is_refused_before_anything_is_asked(payload: object, round_no: int) -> None:
    agreeable = payload if isinstance(payload, dict) else ruling()
    validator = seat(agreeable)
    assert CORE.vote(validator, Return(payload), *case(round_no)) is False
    assert validator.asked == []


LIMITS = [ruling(rationale="x" * 20), ruling(rationale="x" * 1200), ruling(confidence=0), ruling(confidence=100)]


@pytest.mark.parametrize("payload", [*LIMITS, ruling(REJECT, unmet=list(range(12)))])
def test_a_proposal_at_the_limits_is_taken(payload: dict[str, Any]) -> None:
    assert CORE.vote(seat(payload), Return(payload), *case(1)) is True


@pytest.mark.parametrize(
    "leader",
    [
        UserError("boom"),
        UserError(""),
        UserError(NO_RULING),
        VMError("exit_code 1"),
        VMError("timeout"),
        None,
        "APPROVE",
    ],
    ids=repr,
)
@pytest.mark.parametrize("round_no", [1, 2])
def test_a_failed_leader_is_not_agreed_with_by_a_seat_that_can_rule(leader: object, round_no: int) -> None:
    assert CORE.vote(seat(ruling()), leader, *case(round_no)) is False


FAILURES = [
    pytest.param(UserError(NO_RULING), True, id="the same failure"),
    pytest.param(UserError(NO_RULING + " "), False, id="a failure in other words"),
    pytest.param(UserError("boom"), False, id="another failure"),
    pytest.param(VMError("exit_code 1"), False, id="a crash"),
    pytest.param(VMError(NO_RULING), False, id="a crash with the same words"),
    pytest.param(Return(ruling()), False, id="a ruling"),
    pytest.param(Return({"verdict": NO_RULING}), False, id="no ruling and no failure"),
]


@pytest.mark.parametrize(("leader", "agreed"), FAILURES)
def test_a_seat_without_a_ruling_agrees_with_the_same_failure_only(leader: object, agreed: bool) -> None:
    assert CORE.vote(seat("I cannot help with that."), leader, *case(1)) is agreed


SAID = [
    # what a judge writes, and the ruling that is read from it (None: none)
    pytest.param(json.dumps(ruling()), ruling(), id="bare"),
    pytest.param(f"```json\n{json.dumps(ruling())}\n```", ruling(), id="fenced"),
    pytest.param(spoken(ruling()) + "\nThat is all.", ruling(), id="in prose"),
    pytest.param(ruling("approve "), ruling(), id="verdict in lower case"),
    pytest.param({**ruling(), "note": "more"}, ruling(), id="another key is dropped"),
    pytest.param({k: v for k, v in ruling().items() if k != "unmet_criteria"}, ruling(), id="no list of unmet"),
    pytest.param(ruling(REJECT, unmet=[2, 0, 2, 99, -1]), ruling(REJECT, unmet=[0, 2]), id="sorted, once, in range"),
    pytest.param(ruling(REJECT, unmet=["1", "x", None, True, 1.5]), ruling(REJECT, unmet=[1]), id="indices as text"),
    pytest.param(ruling(REJECT, unmet=[11, 12]), ruling(REJECT, unmet=[11]), id="the last index"),
    pytest.param(ruling(APPROVE, unmet=[99]), ruling(), id="an approval with an index that does not exist"),
    pytest.param(ruling(INSUFFICIENT, unmet=[0, 1]), ruling(INSUFFICIENT), id="insufficient lists nothing"),
    pytest.param(ruling(confidence=150), ruling(confidence=100), id="confidence clamped from above"),
    pytest.param(ruling(confidence=-5), ruling(confidence=0), id="confidence clamped from below"),
    pytest.param(ruling(confidence=79.9), ruling(confidence=79), id="confidence cut downwards"),
    pytest.param(ruling(confidence="80"), ruling(confidence=80), id="confidence as text"),
    pytest.param(ruling(rationale="y" * 1300), ruling(rationale="y" * 1200), id="rationale cut"),
    pytest.param(ruling(rationale=f"  {WHY}\u200b "), ruling(), id="rationale cleaned"),
    pytest.param(ruling(rationale="z" * 20), ruling(rationale="z" * 20), id="rationale of 20"),
    pytest.param(ruling(rationale="z" * 19), None, id="rationale of 19"),
    pytest.param(ruling(rationale="z" * 19 + "\u200b"), None, id="rationale of 19 that can be seen"),
    pytest.param(ruling(rationale=None), None, id="no rationale"),
    pytest.param(ruling(APPROVE, unmet=[0]), None, id="an approval with unmet criteria"),
    pytest.param(ruling(REJECT, unmet=[]), None, id="a rejection without"),
    pytest.param(ruling(REJECT, unmet=[99]), None, id="a rejection with nothing that exists"),
    pytest.param(ruling(REJECT, unmet="0"), None, id="unmet is text"),
    pytest.param(ruling("MAYBE"), None, id="unknown verdict"),
    pytest.param({**ruling(), "verdict": None}, None, id="null verdict"),
    pytest.param(ruling(confidence="high"), None, id="confidence in words"),
    pytest.param(ruling(confidence=None), None, id="null confidence"),
    pytest.param(ruling(confidence=True), None, id="boolean confidence"),
    pytest.param('{"verdict": "APPROVE", "confidence": NaN, "rationale": "long enough to be read"}', None, id="NaN"),
    pytest.param('{"verdict": "APPROVE", "confidence": 1e999, "rationale": "long enough to be read"}', None, id="inf"),
    pytest.param(json.dumps(ruling()) + json.dumps(ruling(REJECT)), None, id="two verdicts"),
    pytest.param('{"verdict": "APPROVE", "verdict": "REJECT"}', None, id="one key twice"),
    pytest.param("I'm sorry, I can't judge this.", None, id="a refusal"),
    pytest.param("APPROVE", None, id="a bare word"),
    pytest.param("", None, id="nothing"),
    pytest.param(json.dumps(ruling())[:-2], None, id="cut off"),
    pytest.param("[" * 100_000, None, id="brackets without end"),
]


@pytest.mark.parametrize(("said", "read"), SAID)
def test_what_is_read_from_a_judges_words(said: object, read: dict[str, Any] | None) -> None:
    proposal = CORE.proposal(seat(said), *case(1))
    if read is None:
        assert isinstance(proposal, UserError)
        assert proposal.message == NO_RULING
    else:
        assert proposal == Return(read)


RULINGS = st.builds(
    lambda verdict, confidence, unmet: ruling(verdict, confidence, sorted(unmet) if verdict == REJECT else []),
    st.sampled_from([APPROVE, REJECT, INSUFFICIENT]),
    st.integers(0, 100),
    st.sets(st.integers(0, 11), min_size=1),
)


@given(RULINGS, RULINGS, st.sampled_from([1, 2, 3]))
def test_agreement_is_mutual_and_never_grows_with_the_round(
    one: dict[str, Any], other: dict[str, Any], round_no: int
) -> None:
    agreed = CORE.same_decision(one, other, round_no)
    assert agreed is CORE.same_decision(other, one, round_no)
    assert not agreed or round_no == 1 or CORE.same_decision(one, other, round_no - 1)
    assert CORE.same_decision(one, one, round_no)
    union, both = set(one["unmet_criteria"]) | set(other["unmet_criteria"]), None
    both = set(one["unmet_criteria"]) & set(other["unmet_criteria"])
    share = len(both) / len(union) if union else 1.0
    near = abs(one["confidence"] - other["confidence"]) <= {1: 20, 2: 12, 3: 6}[round_no]
    assert agreed is (one["verdict"] == other["verdict"] and near and share >= {1: 0.5, 2: 0.75, 3: 1.0}[round_no])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=30) | st.sampled_from([APPROVE, REJECT, WHY]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from([*ruling(), "x"]), inner, max_size=5),
    max_leaves=12,
)


@given(JSON, st.integers(1, 12))
def test_whatever_a_leader_sends_is_a_ruling_or_refused_and_never_a_crash(value: Any, criteria: int) -> None:
    if CORE.is_ruling(value, criteria):
        assert set(value) == set(ruling())
        assert value["verdict"] in (APPROVE, REJECT, INSUFFICIENT)
        assert all(type(i) is int and 0 <= i < criteria for i in value["unmet_criteria"])
        assert (value["verdict"] == REJECT) == bool(value["unmet_criteria"])


# In the contract


@pytest.mark.parametrize("round_no", [1, 2, 3])
def test_the_contract_rules_by_the_milestones_round(play: Play, round_no: int) -> None:
    """One seat with another confidence: the band is that of the round the milestone is in."""
    n = play.ruled(*[APPROVE] * round_no)
    points = dict(NEAR)[round_no]
    for gap, agreed in ((points, True), (points + 1, False)):
        play.judge(ruling(confidence=90 - gap, rationale=ONLY_PROSE))
        assert play.vm.run_validator() is agreed
    assert play.look(n)["round_no"] == round_no


@pytest.mark.parametrize("said", ["I refuse.", spoken(ruling(APPROVE, unmet=[0])), spoken({"verdict": "APPROVE"})])
def test_without_a_ruling_the_transaction_reverts_and_the_milestone_waits(play: Play, said: str) -> None:
    n = play.active()
    play.submit(n)
    play.judge(said)
    play.refused(play.stranger, "adjudicate", n, 0, why=NO_RULING)
    play.rule(n, verdict=APPROVE)
    assert play.rulings(n)[0]["verdict"] == APPROVE


def test_a_ruling_is_stored_as_it_was_agreed(play: Play) -> None:
    n = play.active()
    play.submit(n)
    play.rule(n, verdict=REJECT, confidence=77, unmet=[2, 0])
    assert play.rulings(n) == [
        {
            "attempt": 1,
            "round_no": 1,
            "verdict": REJECT,
            "confidence": 77,
            "unmet": [0, 2],
            "rationale": WHY,
            "ruled_at_hour": play.hour,
            "by_arbiter": False,
        }
    ]
