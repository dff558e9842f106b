"""What every judge promises, asked of every judge of the table and of those made in code."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from foreman.errors import JudgeError
from foreman.judges import TABLE, make_judge
from foreman.judges.replay import Recorder, Replay
from foreman.judges.scripted import Scripted
from foreman.ports import Judge
from tests.fetch.servers import Server, serving
from tests.judges.questions import GOOD, payout_prompt
from tests.judges.test_chat import spoken

QUESTION = payout_prompt(GOOD)
KEY = "sk-test-secret"
ANSWER = '{"payout_percent": 100}'


def _replay() -> Judge:
    recorder = Recorder(Scripted(ANSWER))
    recorder.answer(QUESTION)
    return Replay(recorder.tape)


MADE: dict[str, Callable[[], Judge]] = {
    "scripted in code": lambda: Scripted(ANSWER),
    "recorder": lambda: Recorder(Scripted(ANSWER)),
    "replay": _replay,
}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """What stands in for every provider of the table."""
    with Server(serving(spoken(ANSWER))) as running:
        yield running


@pytest.fixture(params=[*TABLE, *MADE])
def judge(request: pytest.FixtureRequest, server: Server) -> Judge:
    if request.param in MADE:
        return MADE[request.param]()
    url = f"http://127.0.0.1:{server.port}/v1"
    environment = {f"FOREMAN_{name.upper()}_URL": url for name in TABLE}
    keys = {"OPENAI_API_KEY": KEY, "OPENROUTER_API_KEY": KEY, "FOREMAN_JUDGE_CONTEXT": "100000"}
    return make_judge(TABLE[request.param].example, environment | keys)


class TestJudge:
    def test_it_answers_with_text(self, judge: Judge) -> None:
        answer = judge.answer(QUESTION)
        assert isinstance(answer, str)
        assert "payout_percent" in answer

    def test_it_has_a_name_without_a_key_and_room_for_at_least_one(self, judge: Judge) -> None:
        assert judge.name
        assert KEY not in judge.name
        assert judge.concurrency >= 1

    def test_many_threads_may_ask_at_once(self, judge: Judge) -> None:
        with ThreadPoolExecutor(8) as pool:
            assert len(set(pool.map(judge.answer, [QUESTION] * 16))) == 1


@pytest.mark.parametrize("name", ["offline", "scripted:70"])
def test_a_judge_of_the_shipped_questions_only_says_so_to_any_other(name: str) -> None:
    with pytest.raises(JudgeError) as caught:
        make_judge(name, {}).answer("What is two and two?")
    assert caught.value.code == "no_provider"
