"""What the node says while it runs: one line an event on stderr, for people or as JSON, never in anybody's way.

Lines are written by a thread of their own from a queue that has an end: a terminal that is held or a full pipe costs
lines, and never a commit. Text that others wrote cannot make a line of its own, colour a terminal, hide a secret of
this process in it, or fill a disk with one event.
"""

import json
import logging
import os
import re
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from queue import Full, Queue
from typing import Any, Protocol

from foreman.errors import BadInput

FORMATS = ("text", "json")
LEVELS = ("debug", "info", "warning", "error")

MESSAGE, VALUE, FIELDS, TRACE = 600, 300, 16, 6_000
"""Characters of a sentence, of one field's value, fields in a line, and characters of a traceback: below 48 KiB
together, where journald cuts.
"""

WAITING = 10_000
"""Lines that may wait for a slow reader; more are dropped and counted."""

CLOSING_SECONDS = 2.0
"""How long the end of the process waits for the last lines to be taken."""

_SECRET_NAMES = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD)$")
_SHORTEST_SECRET = 8
_CREDENTIALS = re.compile(r"(?<=://)[^/\s@]{1,200}@")
_PLAIN = re.compile(r"[\w.:/+@-]+")


class Cleaner:
    """Makes text harmless: secrets of this process out, one line, nothing unseen, no longer than it may be."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        found = (value for name, value in environment.items() if _SECRET_NAMES.search(name))
        self._secrets = sorted({value for value in found if len(value) >= _SHORTEST_SECRET}, key=len, reverse=True)

    def __call__(self, text: object, limit: int) -> str:
        found = str(text)[: 20 * limit]
        for secret in self._secrets:
            found = found.replace(secret, "[secret]")
        found = _CREDENTIALS.sub("[secret]@", found)[: limit + 1]
        seen = "".join(sign if sign.isprintable() else _escaped(sign) for sign in found)
        return seen if len(seen) <= limit else seen[: limit - 1] + "…"


def _escaped(sign: str) -> str:
    code = ord(sign)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


class _Lines(logging.Formatter):
    """What both kinds of line are made of."""

    def __init__(self, clean: Cleaner) -> None:
        super().__init__()
        self._clean = clean

    def _at(self, record: logging.LogRecord) -> str:
        return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")

    def _fields(self, record: logging.LogRecord) -> dict[str, Any]:
        given = getattr(record, "fields", {})
        return {
            name: value if isinstance(value, int | float | bool) else self._clean(value, VALUE)
            for name, value in list(given.items())[:FIELDS]
        }

    def _trace(self, record: logging.LogRecord) -> list[str]:
        """The end of a traceback, where the reason stands."""
        if not record.exc_info:
            return []
        return [self._clean(line, VALUE) for line in self.formatException(record.exc_info)[-TRACE:].splitlines()]


class JsonLines(_Lines):
    """`at level logger event`, then the fields of the event, then `traceback` if there is one."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": self._at(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": self._clean(record.getMessage(), MESSAGE),
        }
        line |= {f"{name}_" if name in line else name: value for name, value in self._fields(record).items()}
        trace = self._trace(record)
        if trace:
            line["traceback"] = "\n".join(trace)[:TRACE]
        return json.dumps(line, ensure_ascii=False, separators=(",", ":"))


class TextLines(_Lines):
    """A line for people; a traceback stands below it, every line of it behind a bar."""

    def format(self, record: logging.LogRecord) -> str:
        fields = "".join(f" {name}={_quoted(str(value))}" for name, value in self._fields(record).items())
        sentence = self._clean(record.getMessage(), MESSAGE)
        head = f"{self._at(record)} {record.levelname.lower():<7} {record.name}: {sentence}{fields}"
        return "\n".join([head, *(f"    | {line}" for line in self._trace(record))])


def _quoted(value: str) -> str:
    """As it is when nobody can mistake where it ends, else in quotes."""
    return value if _PLAIN.fullmatch(value) else json.dumps(value, ensure_ascii=False)


class Sink(Protocol):
    """Where lines go."""

    def write(self, text: str, /) -> object: ...

    def flush(self) -> object: ...


class Outlet(logging.Handler):
    """Takes records from any thread at once and writes them on one of its own."""

    def __init__(self, sink: Sink) -> None:
        super().__init__()
        self._sink = sink
        self._queue: Queue[logging.LogRecord | None] = Queue(WAITING)
        self._thread = threading.Thread(target=self._write, name="log", daemon=True)
        self.dropped = 0
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._queue.put_nowait(record)
        except Full:
            self.dropped += 1

    def _write(self) -> None:
        told = 0
        while (record := self._queue.get()) is not None:
            try:
                self._sink.write(self.format(record) + "\n")
                if self.dropped > told:
                    gone, told = self.dropped - told, self.dropped
                    self._sink.write(self.format(_lost(gone)) + "\n")
                if self._queue.empty():
                    self._sink.flush()
            except (OSError, ValueError):  # the reader has gone, or the disk is full: the node goes on
                self.dropped += 1

    def close(self) -> None:
        """Write what waits, unless nobody takes it."""
        try:
            self._queue.put(None, timeout=CLOSING_SECONDS)
            self._thread.join(CLOSING_SECONDS)
        except Full:
            pass
        super().close()


def _lost(count: int) -> logging.LogRecord:
    record = logging.LogRecord(
        "foreman.log", logging.WARNING, "", 0, "nobody took these lines in time; they are lost", None, None
    )
    record.fields = {"lines": count}
    return record


@contextmanager
def logging_to(
    sink: Sink | None = None,
    format: str = "text",
    level: str = "",
    environment: Mapping[str, str] | None = None,
) -> Iterator[Outlet]:
    """Log to `sink` (stderr) while the block runs. Raises `BadInput` for a format or level that is none.

    Everybody's warnings are written, and of this house what `level` says; empty is `warning` for text, `info` for json.
    """
    if format not in FORMATS:
        raise BadInput("bad_log", f"there is no log format {format[:20]!r}", f"use {' or '.join(FORMATS)}")
    level = level or ("info" if format == "json" else "warning")
    if level not in LEVELS:
        raise BadInput("bad_log", f"there is no log level {level[:20]!r}", f"use {', '.join(LEVELS)}")
    clean = Cleaner(os.environ if environment is None else environment)
    outlet = Outlet(sink or sys.stderr)
    outlet.setFormatter(JsonLines(clean) if format == "json" else TextLines(clean))
    root, ours = logging.getLogger(), logging.getLogger("foreman")
    before = ours.level, threading.excepthook
    root.addHandler(outlet)
    ours.setLevel(level.upper())
    threading.excepthook = _thread_ended
    try:
        yield outlet
    finally:
        root.removeHandler(outlet)
        ours.setLevel(before[0])
        threading.excepthook = before[1]
        outlet.close()


def _thread_ended(ended: threading.ExceptHookArgs) -> None:
    """A thread that ends with an exception says so in the log and not beside it."""
    if ended.exc_value is not None and ended.exc_type is not SystemExit:
        trace = (ended.exc_type, ended.exc_value, ended.exc_traceback)
        logging.getLogger("foreman").error("a thread has ended", exc_info=trace)
