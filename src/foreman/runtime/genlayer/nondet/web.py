"""`gl.nondet.web`: requests through the seat's fetcher (docs/genlayer.md 6.5), which decides what may be asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from foreman.errors import WebError
from foreman.ports import WebRequest, WebResponse
from foreman.runtime.current import frame
from foreman.runtime.genlayer.lazy import lazily
from foreman.runtime.genlayer.nondet.errors import Image, NondetException
from foreman.runtime.page import visible_text

__all__ = ["Image", "Response", "delete", "get", "head", "patch", "post", "render", "request"]


@dataclass
class Response:
    """What came back. Not 2xx is no error."""

    status: int
    headers: dict[str, bytes]
    body: bytes | None


def _ask(method: str, url: str, body: Any, headers: Mapping[str, Any]) -> Response:
    seat = frame().seat()
    if isinstance(body, str):
        body = body.encode()
    if not isinstance(url, str) or not isinstance(method, str) or not isinstance(body, bytes | None):
        raise SystemError("2: inval")
    texts = {name: value.decode("latin-1") if isinstance(value, bytes) else value for name, value in headers.items()}
    if not all(isinstance(text, str) for pair in texts.items() for text in pair):
        raise SystemError("2: inval")
    found = _fetched(seat, WebRequest(method, url, texts, body))
    headers_found = {name: value.encode("latin-1", "replace") for name, value in found.headers.items()}
    return Response(found.status, headers_found, found.body)


def _fetched(seat: Any, request: WebRequest) -> WebResponse:
    try:
        return seat.web(request)  # type: ignore[no-any-return] # as the port says
    except WebError as error:
        raise NondetException([error.code], {"url": request.url, "message": error.sentence}) from None


@lazily
def request(url: str, *, method: str, body: Any = None, headers: Mapping[str, Any] | None = None) -> Response:
    """One HTTP request. Raises `NondetException` when there is no answer at all."""
    return _ask(method, url, body, headers or {})


@lazily
def get(url: str, *, headers: Mapping[str, Any] | None = None) -> Response:
    return _ask("GET", url, None, headers or {})


@lazily
def post(url: str, *, body: Any = None, headers: Mapping[str, Any] | None = None) -> Response:
    return _ask("POST", url, body, headers or {})


@lazily
def delete(url: str, *, body: Any = None, headers: Mapping[str, Any] | None = None) -> Response:
    return _ask("DELETE", url, body, headers or {})


@lazily
def head(url: str, *, body: Any = None, headers: Mapping[str, Any] | None = None) -> Response:
    return _ask("HEAD", url, body, headers or {})


@lazily
def patch(url: str, *, body: Any = None, headers: Mapping[str, Any] | None = None) -> Response:
    return _ask("PATCH", url, body, headers or {})


@lazily
def render(url: str, *, mode: str = "text", wait_after_loaded: str = "0ms") -> str | Image:
    """A page as its visible text or its HTML. No script runs and nothing is drawn here, so a screenshot is refused."""
    seat = frame().seat()
    if mode not in ("text", "html", "screenshot"):
        raise SystemError("2: inval")
    if mode == "screenshot":
        raise NondetException(["SCREENSHOT_NOT_OFFERED"], {"url": url, "message": "there is no browser here"})
    found = _fetched(seat, WebRequest("GET", url))
    if found.status >= 400:
        raise NondetException(["WEBPAGE_LOAD_FAILED"], {"url": url, "status": found.status})
    text = found.body.decode("utf-8", "replace")
    return text if mode == "html" else visible_text(text)
