"""What every fetcher promises, asked of every implementation."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from foreman.errors import WebError
from foreman.fetch.replay import Recorder, Replay, Scripted
from foreman.fetch.replay import page as scripted_page
from foreman.ports import Fetcher, WebRequest
from tests.fetch.servers import Server, mapped_web, page, pages

GOOD, MISSING, GONE = (f"http://demo.example.org/{name}" for name in ("good", "missing", "gone"))
BODY = b'{"delivered": true}'


def _scripted() -> Scripted:
    return Scripted(
        {
            GOOD: scripted_page(BODY, content_type="application/json"),
            MISSING: scripted_page("no such page", 404),
            GONE: WebError("bad_response", "the host cut its answer short"),
        }
    )


def _replay() -> Replay:
    recorder = Recorder(_scripted())
    for url in (GOOD, MISSING, GONE):
        try:
            recorder.fetch(WebRequest("GET", url))
        except WebError:
            continue
    return Replay(recorder.tape)


@pytest.fixture
def web() -> Iterator[Fetcher]:
    answers = {
        "/good": page(BODY, Content_Type="application/json"),
        "/missing": page(b"no such page", "404 Not Found"),
        "/gone": b"",
    }
    with Server(pages(answers)) as server:
        yield mapped_web(server)


MAKERS: dict[str, Callable[[], Fetcher]] = {
    "scripted": _scripted,
    "recorder": lambda: Recorder(_scripted()),
    "replay": _replay,
}


@pytest.fixture(params=["web", *MAKERS])
def fetcher(request: pytest.FixtureRequest) -> Fetcher:
    found: Fetcher = request.getfixturevalue("web") if request.param == "web" else MAKERS[request.param]()
    return found


class TestFetcher:
    def test_a_page_comes_with_status_headers_and_bytes(self, fetcher: Fetcher) -> None:
        response = fetcher.fetch(WebRequest("GET", GOOD))
        assert (response.status, response.body, response.truncated) == (200, BODY, False)
        assert response.headers["content-type"] == "application/json"
        assert all(name == name.lower() for name in response.headers)

    def test_a_status_is_no_error(self, fetcher: Fetcher) -> None:
        assert fetcher.fetch(WebRequest("GET", MISSING)).status == 404

    def test_a_failure_is_a_web_error_with_a_stable_code(self, fetcher: Fetcher) -> None:
        for _ in range(2):
            with pytest.raises(WebError) as caught:
                fetcher.fetch(WebRequest("GET", GONE))
            assert caught.value.code == "bad_response"

    def test_many_threads_may_ask_at_once(self, fetcher: Fetcher) -> None:
        with ThreadPoolExecutor(8) as pool:
            answers = pool.map(lambda _: fetcher.fetch(WebRequest("GET", GOOD)).body, range(32))
            assert set(answers) == {BODY}
