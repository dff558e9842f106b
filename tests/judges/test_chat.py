"""The chat judge against a server of its own kind: decent, slow, busy, broken, and one that never stops talking."""

import base64
import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from foreman.errors import JudgeError
from foreman.judges.chat import Chat, estimate_tokens
from foreman.judges.providers import ChatSettings
from tests.fetch.servers import Answer, Line, Seen, Server, page, serving


def spoken(text: object, reason: str = "stop") -> bytes:
    """A decent answer of a chat server."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": reason}
    body = json.dumps({"id": "x", "object": "chat.completion", "model": "m", "choices": [choice]}).encode()
    return page(body, Content_Type="application/json")


def failed(status: int, code: str = "", message: str = "no", **headers: str) -> bytes:
    body = json.dumps({"error": {"message": message, "code": code, "type": "error"}}).encode()
    return page(body, f"{status} Failed", Content_Type="application/json", **headers)


class Pauses(list[float]):
    """Remembers the pauses instead of making them."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


def judge(server: Server, pause: Callable[[float], None] | None = None, **settings: Any) -> Chat:
    base: dict[str, Any] = {
        "url": f"http://127.0.0.1:{server.port}/v1",
        "model": "qwen3",
        "key": "secret",
        "seconds": 5.0,
    }
    return Chat("vllm:qwen3", ChatSettings(**base | settings), Pauses() if pause is None else pause)


def failure(server: Server, pause: Pauses | None = None, prompt: str = "?", **settings: Any) -> JudgeError:
    with pytest.raises(JudgeError) as caught:
        judge(server, pause, **settings).answer(prompt)
    return caught.value


def test_a_question_goes_out_whole_and_its_answer_comes_back() -> None:
    with Server(serving(spoken('{"payout_percent": 90}'))) as server:
        assert judge(server, temperature=0.0, max_tokens=321).answer("Judge.") == '{"payout_percent": 90}'
    [seen] = server.seen
    assert (seen.method, seen.path) == ("POST", "/v1/chat/completions")
    assert seen.headers["authorization"] == "Bearer secret"
    assert seen.headers["accept-encoding"] == "identity"
    sent = json.loads(seen.body)
    assert sent == {
        "model": "qwen3",
        "messages": [{"role": "user", "content": "Judge."}],
        "temperature": 0.0,
        "max_tokens": 321,
    }


def test_a_model_that_takes_no_temperature_is_told_none() -> None:
    with Server(serving(spoken("yes"))) as server:
        judge(server, temperature=None, tokens_field="max_completion_tokens", max_tokens=9).answer("?")
    sent = json.loads(server.seen[0].body)
    assert "temperature" not in sent
    assert (sent["max_completion_tokens"], "max_tokens" in sent) == (9, False)


def test_pictures_go_along() -> None:
    picture = b"\x89PNG\r\n\x1a\n"
    with Server(serving(spoken("a cat"))) as server:
        assert judge(server).answer("What is this?", (picture,)) == "a cat"
    text, image = json.loads(server.seen[0].body)["messages"][0]["content"]
    assert text == {"type": "text", "text": "What is this?"}
    assert image["image_url"]["url"] == "data:image/png;base64," + base64.b64encode(picture).decode()


@pytest.mark.parametrize("plain", [True, False])
def test_what_is_meant_for_one_provider_does_not_go_to_another(monkeypatch: pytest.MonkeyPatch, plain: bool) -> None:
    for name, value in (
        ("ORG_ID", "org"),
        ("PROJECT_ID", "project"),
        ("CUSTOM_HEADERS", "X-Own: secret"),
        ("API_KEY", "sk"),
    ):
        monkeypatch.setenv(f"OPENAI_{name}", value)
    with Server(serving(spoken("yes"))) as server:
        judge(server, plain=plain, key="").answer("?")
    sent = server.seen[0].headers
    assert "sk" not in sent["authorization"].split()
    assert {"openai-organization", "openai-project", "x-own"} & sent.keys() == (
        set() if plain else {"openai-organization", "openai-project", "x-own"}
    )


# Busy servers.


def test_a_busy_server_is_asked_again_when_it_says_so() -> None:
    pauses = Pauses()
    with Server(serving(failed(429, Retry_After="2"), failed(503), spoken("yes"))) as server:
        assert judge(server, pauses).answer("?") == "yes"
    assert pauses == [2.0, 1.0]
    assert len(server.seen) == 3


def test_a_date_to_come_back_at_is_understood() -> None:
    pauses = Pauses()
    past = "Thu, 01 Jan 2015 00:00:00 GMT"
    with Server(serving(failed(429, Retry_After=past), failed(429, Retry_After="soon"), spoken("yes"))) as server:
        assert judge(server, pauses).answer("?") == "yes"
    assert pauses == [0.0, 1.0]


@pytest.mark.parametrize("status", [408, 409, 500, 502, 503, 529])
def test_a_failing_server_is_given_up_after_a_few_attempts(status: int) -> None:
    pauses = Pauses()
    with Server(serving(failed(status))) as server:
        error = failure(server, pauses)
    assert (error.code, len(server.seen), len(pauses)) == ("unavailable", 4, 3)
    assert pauses == [0.5, 1.0, 2.0]


def test_a_server_that_stays_busy_is_rate_limited() -> None:
    with Server(serving(failed(429))) as server:
        assert failure(server).code == "rate_limited"


@pytest.mark.parametrize("wait", ["3600", "5", "inf", "1e400"])
def test_nobody_waits_beyond_the_deadline(wait: str) -> None:
    pauses = Pauses()
    with Server(serving(failed(429, Retry_After=wait))) as server:
        assert failure(server, pauses, seconds=2.0).code == "rate_limited"
    assert all(pause < 2 for pause in pauses)


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        pytest.param(failed(401), "auth", id="401"),
        pytest.param(failed(403), "auth", id="403"),
        pytest.param(failed(404), "no_provider", id="unknown model"),
        pytest.param(failed(400, "context_length_exceeded"), "prompt_too_long", id="too long by code"),
        pytest.param(failed(400, "", "the context length is only 4096"), "prompt_too_long", id="too long by text"),
        pytest.param(failed(413), "prompt_too_long", id="413"),
        pytest.param(failed(400, "unsupported_value"), "bad_answer", id="400"),
        pytest.param(failed(422), "bad_answer", id="422"),
        pytest.param(page(b"moved", "302 Found", Location="http://127.0.0.1:9/"), "bad_answer", id="redirect"),
    ],
)
def test_what_no_second_attempt_can_mend_fails_at_once(answer: bytes, code: str) -> None:
    with Server(serving(answer)) as server:
        assert failure(server).code == code
    assert len(server.seen) == 1


def test_no_server_is_unavailable() -> None:
    with Server(serving(b"")) as server:
        gone = judge(server)
    with pytest.raises(JudgeError) as caught:
        gone.answer("?")
    assert caught.value.code == "unavailable"
    assert "secret" not in str(caught.value)


# Servers that talk nonsense.

NONSENSE = [
    pytest.param(b"rubbish", id="no JSON"),
    pytest.param(b"", id="nothing"),
    pytest.param(b"[]", id="a list"),
    pytest.param(b"null", id="null"),
    pytest.param(b'{"choices": []}', id="no choice"),
    pytest.param(b'{"choices": {}}', id="choices are no list"),
    pytest.param(b'{"choices": [{"message": null}]}', id="no message"),
    pytest.param(b'{"choices": ["text"]}', id="a choice is text"),
    pytest.param(b'{"choices": [{"message": {"content": ["a"]}}]}', id="content is a list"),
    pytest.param(b'{"choices": [{"message": {"content": null, "refusal": "no"}}]}', id="refused"),
    pytest.param(b'{"choices": [{"message": {"content": null}}]}', id="no content"),
    pytest.param(b'{"choices": [{"message": {}}]}', id="an empty message"),
    pytest.param(b"[" * 100_000, id="deep"),
    pytest.param(b'\xff\xfe{"choices"', id="not UTF-8"),
]


@pytest.mark.parametrize("body", NONSENSE)
@pytest.mark.parametrize("kind", ["application/json", "text/html"])
def test_nonsense_is_a_bad_answer(body: bytes, kind: str) -> None:
    with Server(serving(page(body, Content_Type=kind))) as server:
        assert failure(server).code == "bad_answer"
    assert len(server.seen) == 1


@pytest.mark.parametrize("text", ["", "   \n\t "], ids=["empty", "L103"])
def test_a_model_that_answers_with_nothing_has_answered(text: str) -> None:
    with Server(serving(spoken(text))) as server:
        assert judge(server).answer("?") == text
    assert len(server.seen) == 1


def test_an_answer_that_was_cut_off_is_none() -> None:
    with Server(serving(spoken('{"payout_percent": 9', "length"))) as server:
        error = failure(server)
    assert error.code == "bad_answer"
    assert "FOREMAN_JUDGE_MAX_TOKENS" in error.hint


def test_what_breaks_off_is_tried_again_and_then_unavailable() -> None:
    with Server(serving(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{")) as server:
        assert failure(server).code == "unavailable"
    assert len(server.seen) == 4


# Servers that never stop.


def endless() -> Iterator[bytes]:
    while True:
        yield b'2000\r\ndata: {"choices": [{"delta": {"content": "and"}}]}' + b" " * (8192 - 50) + b"\r\n"


def stream_for_ever(line: Line, seen: Seen) -> None:
    line.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
    for piece in endless():
        line.send(piece)


def drip(line: Line, seen: Seen) -> None:
    line.send(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    line.drip((b" " for _ in range(100_000)), 0.02)


def drip_headers(line: Line, seen: Seen) -> None:
    line.drip((b"H" for _ in range(100_000)), 0.02)


def hang(line: Line, seen: Seen) -> None:
    line.hang()


@pytest.mark.parametrize("answer", [drip, drip_headers, hang], ids=lambda answer: answer.__name__)
def test_one_deadline_cuts_every_way_to_be_slow(answer: Answer) -> None:
    with Server(answer) as server:
        before = time.monotonic()
        assert failure(server, seconds=0.3).code == "timeout"
        assert time.monotonic() - before < 2


def test_attempts_share_one_deadline() -> None:
    def busy(line: Line, seen: Seen) -> None:
        line.drip(iter([b""]), 0.2)
        line.send(failed(503, Retry_After="0"))

    with Server(busy) as server:
        before = time.monotonic()
        assert failure(server, seconds=0.5, attempts=50).code in ("timeout", "unavailable")
        assert time.monotonic() - before < 2
    assert len(server.seen) <= 4


@pytest.mark.parametrize("answer", [stream_for_ever, serving(page(b"x" * 3_000_000))], ids=["stream", "huge"])
def test_an_answer_of_any_size_is_cut(answer: Answer) -> None:
    with Server(answer) as server:
        before = time.monotonic()
        assert failure(server).code == "bad_answer"
        assert time.monotonic() - before < 3
    assert sum(line.sent for line in server.lines) < 8_000_000


def test_a_compressed_answer_that_nobody_asked_for_is_refused() -> None:
    with Server(serving(page(b"\x1f\x8b", Content_Encoding="gzip"))) as server:
        assert failure(server).code == "bad_answer"


# Prompts that are too long for a model that would cut them silently.


def test_a_prompt_beyond_the_context_is_refused_before_it_is_sent() -> None:
    with Server(serving(spoken("yes"))) as server:
        error = failure(server, prompt="word " * 2000, context=4096, max_tokens=1000)
        assert error.code == "prompt_too_long"
        assert server.seen == []
        assert judge(server, context=4096, max_tokens=1000).answer("word " * 1500) == "yes"


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("abc", 1), ("abcd", 2), ("日本", 2), ("é", 1)])
def test_tokens_are_estimated_on_the_safe_side(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


def test_proxies_of_the_environment_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with Server(serving(spoken("yes"))) as server:
        assert judge(server).answer("?") == "yes"
