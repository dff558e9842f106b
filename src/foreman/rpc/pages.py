"""What a GET is answered with: health, the network's description, the web app or a word on how to get it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import Receive, Scope, Send

from foreman import __version__
from foreman.address import checksum
from foreman.errors import Refused
from foreman.rpc.door import Door
from foreman.rpc.files import AppFiles
from foreman.rpc.front import Front
from foreman.rpc.gate import Headers, Visitor
from foreman.transaction import CONSENSUS_MAIN

if TYPE_CHECKING:
    from foreman.rpc.metrics import Figures

SHELL = {
    "x-content-type-options": "nosniff",
    "content-security-policy": "frame-ancestors 'none'",
    "cache-control": "no-cache",
}
"""No page is guessed at, framed, or kept without asking."""

FRONT_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Foreman</title>
<h1>Foreman</h1>
<p>This is a GenLayer network on one machine. Clients speak JSON-RPC to it: <code>POST /api</code>.</p>
<p><a href="/health">/health</a> says how it is, <a href="/config.json">/config.json</a> what it is,
<a href="/events">/events</a> what happens.</p>
<p>The web app is not part of this installation. In a clone of the repository:
<code>cd frontend &amp;&amp; npm ci &amp;&amp; npm run dev</code>, then open <code>http://localhost:3000</code>.</p>
</html>
"""


class Pages:
    """The pages of one network, and of what stands in `front` beside it."""

    def __init__(self, door: Door, front: Front, streams: Callable[[], int]) -> None:
        """`streams` says how many follow /events."""
        self._door = door
        self._streams = streams
        self._figures: Figures | None = None
        self._files = AppFiles(front.web) if front.web is not None else None
        self._samples = list(front.samples)

    async def answer(self, scope: Scope, receive: Receive, send: Send, visitor: Visitor) -> None:
        """Answer a GET or HEAD. Raises `Refused` `no_such_page`."""
        path = scope["path"]
        if path == "/health":
            health = self._door.node.health()
            await self._json(health, 200 if health["takes_writes"] else 503, scope, receive, send, visitor.cors)
        elif path == "/health/live":
            alive = self._door.node.alive()
            await self._json({"alive": alive}, 200 if alive else 503, scope, receive, send, visitor.cors)
        elif path == "/metrics" and self._door.settings.metrics:
            await self._metrics(scope, receive, send)
        elif path == "/config.json":
            await self._json(self.config(visitor, _scheme(scope)), 200, scope, receive, send, visitor.cors)
        elif path == "/api":
            raise Refused("method_not_allowed", "JSON-RPC is asked with POST", "POST a request as application/json")
        elif self._files is not None:
            await self._file(self._files, scope, receive, send)
        elif path == "/":
            await _send(HTMLResponse(FRONT_PAGE, headers=SHELL), scope, receive, send)
        else:
            raise _no_such_page(path)

    async def _metrics(self, scope: Scope, receive: Receive, send: Send) -> None:
        """In a thread: it reads the database, and the first time it loads what writes the page."""
        text, kind = await self._door.in_thread(self._figures_now)
        await Response(text, headers={"content-type": kind, "cache-control": "no-store"})(scope, receive, send)

    def _figures_now(self) -> tuple[bytes, str]:
        from foreman.rpc import metrics

        if self._figures is None:
            self._figures = metrics.Figures(self._door.node, self._door.meter, self._streams)
        return self._figures.text(), metrics.CONTENT_TYPE

    def config(self, visitor: Visitor, scheme: str) -> dict[str, Any]:
        """What the web app and tools need to know of this network, seen from where the visitor stands."""
        settings = self._door.settings
        return {
            "network": "local",
            "chain_id": settings.chain_id,
            "rpc_url": f"{scheme}://{visitor.host}/api",
            "events_url": f"{scheme}://{visitor.host}/events",
            "consensus_main": checksum(CONSENSUS_MAIN),
            "contracts": self._door.node.contracts(),
            "dev": settings.dev,
            "finality_window": settings.finality_window,
            "seats": settings.seats,
            "samples": self._samples,
            "version": __version__,
        }

    async def _json(self, value: Any, status: int, scope: Scope, receive: Receive, send: Send, cors: Headers) -> None:
        response = JSONResponse(value, status, headers={"cache-control": "no-store"})
        response.raw_headers.extend(cors)
        await response(scope, receive, send)

    async def _file(self, files: AppFiles, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            response = await files.get_response(files.get_path(scope), scope)
        except HTTPException as error:
            raise _no_such_page(scope["path"]) from error
        await _send(response, scope, receive, send)


def _no_such_page(path: str) -> Refused:
    return Refused(
        "no_such_page",
        f"there is no page {path[:80]!r}",
        "see /, /health, /health/live, /metrics, /config.json and /events; JSON-RPC is POST /api",
    )


def _scheme(scope: Scope) -> str:
    """http, or https when whoever forwards a port to us says so. It decides addresses we print, and nothing else."""
    forwarded = any(header == (b"x-forwarded-proto", b"https") for header in scope["headers"])
    return "https" if forwarded else "http"


async def _send(response: Response, scope: Scope, receive: Receive, send: Send) -> None:
    for name, value in SHELL.items():
        response.headers.setdefault(name, value)
    await response(scope, receive, send)
