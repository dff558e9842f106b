"""Fetch one page as a seat would: public hosts only, each redirect checked, within the same limits."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from foreman.errors import WebError
from foreman.fetch.hosts import HostMap
from foreman.fetch.web import Web
from foreman.ports import Fetcher, WebRequest, WebResponse
from foreman.sdk.evidence import shown


def look(url: str, host_map: Iterable[str] = ()) -> WebResponse:
    """GET a page now. `host_map`: entries like `--resolve` of `foreman up`. Raises `WebError` and `BadInput`."""
    return Web(HostMap.parse(host_map)).fetch(WebRequest("GET", url))


def evidence_reader(fetcher: Fetcher) -> Callable[[str], Mapping[str, Any]]:
    """What reads a page for people: `url`, and either what a judge would be shown of it now (`text`, its length `chars`
    in characters, its `fingerprint`, whether it was `truncated`, where it was `mapped` to) or the `reason` why there is
    nothing to show.
    """

    def read(url: str) -> Mapping[str, Any]:
        try:
            page = fetcher.fetch(WebRequest("GET", url))
            text = shown(page.status, page.headers, page.body)
        except WebError as error:
            return {"url": url, "reason": error.sentence}
        except ValueError as reason:
            return {"url": url, "reason": str(reason)}
        return {
            "url": url,
            "fingerprint": text.fingerprint,
            "chars": text.chars,
            "truncated": text.truncated or page.truncated,
            "text": text.text,
            "mapped": page.mapped,
        }

    return read
