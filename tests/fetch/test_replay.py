"""Scripted and recorded pages behave like a fetcher, count what they are asked, and never touch a network."""

import pytest

from foreman.errors import WebError
from foreman.fetch.replay import Recorder, Replay, Scripted, page
from foreman.ports import WebRequest

A, B = WebRequest("GET", "https://a.example/"), WebRequest("GET", "https://b.example/")


def test_a_mapping_answers_by_url_in_turn_and_counts() -> None:
    web = Scripted({A.url: ["one", b"two", page("no", 404, content_type="text/html")], B.url: "always"})
    assert [web.fetch(A).body for _ in range(4)] == [b"one", b"two", b"no", b"no"]
    assert web.fetch(A).headers == {"content-type": "text/html"}
    assert web.fetch(B).body == b"always"
    assert (web.count, web.requests[0]) == (6, A)


def test_a_list_answers_in_order_and_a_function_as_it_likes() -> None:
    web = Scripted(["one", WebError("timeout", "the page took too long")])
    assert web.fetch(A).body == b"one"
    with pytest.raises(WebError, match="too long"):
        web.fetch(B)
    assert Scripted(lambda request: request.url).fetch(B).body == B.url.encode()


def test_an_unknown_page_is_an_error() -> None:
    with pytest.raises(WebError) as caught:
        Scripted({}).fetch(A)
    assert caught.value.code == "dns_failed"


def test_a_recorded_tape_plays_the_same_answers() -> None:
    recorder = Recorder(Scripted({A.url: ["one", "two"], B.url: WebError("timeout", "the page took too long")}))
    for request in (A, A, B):
        try:
            recorder.fetch(request)
        except WebError:
            continue
    replay = Replay(recorder.tape)
    assert [replay.fetch(A).body for _ in range(3)] == [b"one", b"two", b"two"]
    with pytest.raises(WebError, match="too long"):
        replay.fetch(B)
    with pytest.raises(WebError, match="on the tape"):
        replay.fetch(WebRequest("POST", A.url))
    assert replay.count == 5
