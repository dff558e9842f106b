"""Fetch one page as a seat would: public hosts only, each redirect checked, within the same limits."""

from collections.abc import Iterable

from foreman.fetch.hosts import HostMap
from foreman.fetch.web import Web
from foreman.ports import WebRequest, WebResponse


def look(url: str, host_map: Iterable[str] = ()) -> WebResponse:
    """GET a page now. `host_map`: entries like `--resolve` of `foreman up`. Raises `WebError` and `BadInput`."""
    return Web(HostMap.parse(host_map)).fetch(WebRequest("GET", url))
