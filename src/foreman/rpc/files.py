"""The built web app's files: packed once per file for clients that take gzip, and kept as long as their name allows."""

import gzip
import re
from functools import lru_cache
from pathlib import Path

import anyio.to_thread
from starlette.datastructures import Headers
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

NAMED_BY_CONTENT = "/_next/static/"
"""Below it a file's name carries the hash of what is in it (Next.js), so a copy never gets stale."""

FOR_A_YEAR = "public, max-age=31536000, immutable"

PACKED = frozenset((".html", ".txt", ".js", ".css", ".json", ".svg", ".map", ".webmanifest", ".xml"))
"""What gets smaller; fonts and pictures are packed already."""

SMALLEST, LARGEST = 1_024, 4 * 1024 * 1024
"""Bytes: below, the headers weigh more than what is saved; above, one file would fill the cache."""

_TAKES_GZIP = re.compile(r"(?:^|[,\s])(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)", re.IGNORECASE)


class AppFiles(StaticFiles):
    """A folder of files; directories are answered with their index.html, unknown names with 404.html."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, html=True)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Raises `HTTPException` as Starlette does."""
        response = await super().get_response(path, scope)
        if isinstance(response, RedirectResponse):
            response.headers["location"] = _with_slash(scope)
        if scope["path"].startswith(NAMED_BY_CONTENT) and response.status_code < 400:
            response.headers["cache-control"] = FOR_A_YEAR
        if isinstance(response, FileResponse) and Path(response.path).suffix in PACKED:
            response.headers["vary"] = "accept-encoding"
            if _wants_packed(Headers(scope=scope)):
                return await _packed(response)
        return response


def _with_slash(scope: Scope) -> str:
    """The same page by its folder. Relative to the host, because a proxy in front may speak https where we do not; and
    one slash only, because two would name another host.
    """
    path, query = str(scope["path"]), bytes(scope["query_string"]).decode("latin-1")
    return "/" + path.lstrip("/\\") + "/" + (f"?{query}" if query else "")


def _wants_packed(headers: Headers) -> bool:
    """A part of a file (Range) is a part of the file as it is."""
    return "range" not in headers and _TAKES_GZIP.search(headers.get("accept-encoding", "")) is not None


async def _packed(response: FileResponse) -> Response:
    """The same response in gzip; as it was when the file is too small or too large to be worth it."""
    assert response.stat_result is not None, "Starlette's own lookup has it"
    if not SMALLEST <= response.stat_result.st_size <= LARGEST:
        return response
    body = await anyio.to_thread.run_sync(_pack, str(response.path), response.stat_result.st_mtime_ns)
    packed = Response(body, response.status_code, media_type=response.media_type)
    for name in ("last-modified", "vary", "cache-control", "content-type"):
        if name in response.headers:
            packed.headers[name] = response.headers[name]
    packed.headers["etag"] = "W/" + response.headers["etag"]
    packed.headers["content-encoding"] = "gzip"
    return packed


@lru_cache(maxsize=1_024)
def _pack(path: str, _changed: int) -> bytes:
    """A file packed, once for each state of it. An app has some hundred files, about 4 MB packed."""
    return gzip.compress(Path(path).read_bytes(), 9, mtime=0)
