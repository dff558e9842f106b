"""Fetchers without a network, for tests and benchmarks: pages from a script, and pages recorded and played back."""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence

from foreman.errors import WebError
from foreman.ports import Fetcher, WebRequest, WebResponse

Page = WebResponse | WebError | str | bytes
"""A response as it is, an error to raise, or the body of a 200 (text as UTF-8)."""

Script = Mapping[str, "Page | Sequence[Page]"] | Sequence[Page] | Callable[[WebRequest], Page]


def page(body: str | bytes, status: int = 200, **headers: str) -> WebResponse:
    """A response; `content_type="text/html"` becomes the header `content-type`."""
    raw = body.encode() if isinstance(body, str) else body
    return WebResponse(status, {name.replace("_", "-").lower(): value for name, value in headers.items()}, raw)


class Scripted:
    """Answers from a script: a page per URL, a list in order (the last one stays), or a function of the request.

    Counts what it is asked. Safe for many threads.
    """

    def __init__(self, script: Script) -> None:
        self._script = script
        self._lock = threading.Lock()
        self._turns: dict[str, int] = {}
        self.requests: list[WebRequest] = []

    @property
    def count(self) -> int:
        """How many requests came in."""
        return len(self.requests)

    def fetch(self, request: WebRequest) -> WebResponse:
        """Raises the `WebError` of the script, and `dns_failed` for a URL that it does not know."""
        with self._lock:
            self.requests.append(request)
        answer = self._answer(request)
        if isinstance(answer, WebError):
            raise WebError(answer.code, answer.sentence, answer.hint)
        return answer if isinstance(answer, WebResponse) else page(answer)

    def _answer(self, request: WebRequest) -> Page:
        script = self._script
        if callable(script):
            return script(request)
        if not isinstance(script, Mapping):
            return self._in_turn("", script)
        found = script.get(request.url)
        if found is None:
            return WebError("dns_failed", "no such page in the script")
        if isinstance(found, WebResponse | WebError | str | bytes):
            return found
        return self._in_turn(request.url, found)

    def _in_turn(self, key: str, pages: Sequence[Page]) -> Page:
        with self._lock:
            index = self._turns.get(key, 0)
            self._turns[key] = index + 1
        return pages[min(index, len(pages) - 1)]


class Recorder:
    """Passes requests on and keeps every answer, errors too, so that `Replay` can play them."""

    def __init__(self, inner: Fetcher) -> None:
        self._inner = inner
        self.tape: list[tuple[WebRequest, WebResponse | WebError]] = []

    def fetch(self, request: WebRequest) -> WebResponse:
        """As the fetcher behind it does."""
        try:
            response = self._inner.fetch(request)
        except WebError as error:
            self.tape.append((request, error))
            raise
        self.tape.append((request, response))
        return response


class Replay(Scripted):
    """Plays a tape: equal requests get their answers in the order they were recorded, the last one again and again."""

    def __init__(self, tape: Iterable[tuple[WebRequest, WebResponse | WebError]]) -> None:
        self._tape: dict[tuple[object, ...], list[WebResponse | WebError]] = {}
        for request, answer in tape:
            self._tape.setdefault(request.key, []).append(answer)
        self._played: dict[tuple[object, ...], int] = {}
        super().__init__(self._play)

    def _play(self, request: WebRequest) -> Page:
        answers = self._tape.get(request.key)
        if answers is None:
            return WebError("dns_failed", "no such request on the tape")
        with self._lock:
            index = self._played.get(request.key, 0)
            self._played[request.key] = index + 1
        return answers[min(index, len(answers) - 1)]
