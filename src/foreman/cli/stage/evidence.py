"""A real HTTP server on loopback for evidence pages, with a log of requests; it can hold a page back until released."""

import threading
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle
from pathlib import Path
from typing import Any

PAGES = Path(__file__).parent / "pages"
"""The deliverables of the demo, as files."""

HOST = "work.example"
"""The public-looking name the pages are served under, through the host map."""

KINDS = {".html": "text/html; charset=utf-8", ".json": "application/json"}
SAMPLES = tuple(
    {"title": title, "url": f"http://{HOST}/{page}", "note": note}
    for page, title, note in (
        ("gauge.json", "A good gauge file", "meets every criterion of its order"),
        ("notes.html", "Partial release notes", "meets three of five"),
        ("glossary-draft.json", "A poor glossary", "meets one of four"),
        ("notes-injected.html", "Notes that give orders", "tries to direct the verdict"),
    )
)
"""What a development network serves, so that a newcomer can play both sides without the internet."""

HOLD_SECONDS = 15.0
"""How long a held page waits for its release; below the 20 s that a fetch may take."""


class _Server(ThreadingHTTPServer):
    """Accepts whole juries at once: fifty seats of one delivery may ring in the same moment."""

    daemon_threads = True
    request_queue_size = 256


@dataclass
class Evidence:
    """The pages of a folder on a free port of 127.0.0.1; `with Evidence(folder) as evidence:`."""

    folder: Path = PAGES
    log: deque[str] = field(default_factory=lambda: deque(maxlen=100_000))
    """The path of each request, in the order they came; the oldest fall out of a very long one."""

    def __post_init__(self) -> None:
        self._published: dict[str, Iterator[str]] = {}
        self._held: dict[str, threading.Event] = {}
        self._came = threading.Condition()
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self.port: int = self._server.server_address[1]

    @property
    def mapping(self) -> str:
        """The host map entry that leads here."""
        return f"{HOST}:80:127.0.0.1:{self.port}"

    @property
    def mappings(self) -> tuple[str, str]:
        """The same for http and for https, which agreements ask for."""
        return self.mapping, f"{HOST}:443:127.0.0.1:{self.port}"

    def url(self, page: str) -> str:
        return f"http://{HOST}/{page}"

    def publish(self, page: str, *files: str) -> None:
        """From now on serve `file` at the address of `page`: its author has changed it. Of several files every request
        gets the next one.
        """
        self._published["/" + page] = cycle(files)

    def hold(self, page: str) -> threading.Event:
        """Let every request for this page wait until the returned event is set."""
        return self._held.setdefault("/" + page, threading.Event())

    def requests(self, page: str) -> int:
        """How often a page was asked for."""
        return Counter(self.log)["/" + page]

    def wait_for(self, page: str, count: int, seconds: float) -> int:
        """Wait until a page was asked for `count` times, and return how often it was."""
        with self._came:
            self._came.wait_for(lambda: self.requests(page) >= count, seconds)
        return self.requests(page)

    def read(self, path: str) -> bytes | None:
        """The bytes behind a path, None when there is no such page."""
        with self._came:
            self.log.append(path)
            file = self.folder / next(self._published.get(path, iter(())), path.removeprefix("/"))
            self._came.notify_all()
        if path in self._held:
            self._held[path].wait(HOLD_SECONDS)
        return file.read_bytes() if file.parent == self.folder and file.is_file() else None

    def __enter__(self) -> "Evidence":
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for held in self._held.values():
            held.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _handler(evidence: Evidence) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """Answers GET with a page of the folder."""

        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = evidence.read(self.path)
            status = 404 if body is None else 200
            self.send_response(status)
            self.send_header("Content-Type", KINDS.get(Path(self.path).suffix, "text/plain; charset=utf-8"))
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, format: str, *args: Any) -> None:
            """The log is a list, not a stream on stderr."""

    return Handler
