"""Scripted judges say what they were told, wait when they should, and fail on demand."""

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from foreman.errors import BadInput, JudgeError
from foreman.judges import make_judge
from foreman.judges.replay import Recorder, Replay
from foreman.judges.scripted import HANG, Scripted, payout, ruling
from tests.judges.questions import GOOD, payout_prompt, ruling_prompt, same_prompt


def code(judge: Scripted | Replay, prompt: str = "?") -> str:
    with pytest.raises(JudgeError) as caught:
        judge.answer(prompt)
    return caught.value.code


def test_a_constant_a_list_a_mapping_and_a_function() -> None:
    assert Scripted("yes").answer("?") == "yes"
    listed = Scripted(["one", JudgeError("unavailable", "down"), "three"])
    assert listed.answer("?") == "one"
    assert code(listed) == "unavailable"
    assert [listed.answer("?"), listed.answer("?")] == ["three", "three"]
    mapped = Scripted({"primes": payout(90), "answer: verdict": ruling("APPROVE")})
    assert json.loads(mapped.answer(payout_prompt(GOOD)))["payout_percent"] == 90
    assert json.loads(mapped.answer(ruling_prompt(["x is 1"], "x")))["verdict"] == "APPROVE"
    assert code(mapped) == code(Scripted([])) == "no_provider"
    assert Scripted(str.upper).answer("abc") == "ABC"
    assert (listed.count, list(mapped.prompts)[-1]) == (4, "?")


def test_a_delay_is_waited_for_by_all_at_once() -> None:
    judge = Scripted("yes", delay=0.2)
    before = time.monotonic()
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(judge.answer, ["?"] * 8)) == {"yes"}
    assert 0.19 < time.monotonic() - before < 1


def test_a_judge_that_hangs_is_cut_at_its_deadline_or_let_go() -> None:
    assert code(Scripted([HANG], seconds=0.05)) == "timeout"
    assert code(Scripted("late", delay=5, seconds=0.05)) == "timeout"
    judge = Scripted([HANG, "next"])
    letting_go = threading.Timer(0.05, judge.release)
    letting_go.start()
    assert code(judge) == "unavailable"
    letting_go.join()
    assert judge.answer("?") == "next"


@pytest.mark.parametrize(
    ("name", "percent", "verdict"),
    [
        ("70", 70, "APPROVE"),
        ("0", 0, "REJECT"),
        ("approve", 100, "APPROVE"),
        ("reject", 0, "REJECT"),
        ("insufficient", 0, "INSUFFICIENT_EVIDENCE"),
    ],
)
def test_a_name_makes_a_judge_for_every_question_of_the_contracts(name: str, percent: int, verdict: str) -> None:
    judge = make_judge(f"scripted:{name}", {})
    assert judge.name == f"scripted:{name}"
    assert json.loads(judge.answer(payout_prompt(GOOD)))["payout_percent"] == percent
    ruled = json.loads(judge.answer(ruling_prompt(["x is 1"], "x")))
    assert ruled["verdict"] == verdict
    assert bool(ruled["unmet_criteria"]) == (verdict == "REJECT")
    assert judge.answer(same_prompt("a", "b")) == "SAME"
    with pytest.raises(JudgeError, match="only the questions"):
        judge.answer("What is two and two?")


@pytest.mark.parametrize("name", ["scripted:", "scripted:101", "scripted:-1", "scripted:x", "scripted:²"])
def test_a_name_that_is_no_script_is_refused(name: str) -> None:
    with pytest.raises(BadInput, match="no script"):
        make_judge(name, {})


def test_a_recorded_tape_plays_the_same_answers() -> None:
    recorder = Recorder(Scripted(["one", JudgeError("timeout", "late"), "three"]))
    for _ in range(3):
        try:
            recorder.answer("?")
        except JudgeError:
            continue
    replay = Replay(recorder.tape)
    assert replay.answer("?") == "one"
    assert code(replay) == "timeout"
    assert [replay.answer("?"), replay.answer("?")] == ["three", "three"]
    assert code(replay, "another question") == "no_provider"
    assert recorder.name == "scripted"
