"""One event is one line, whatever others wrote into it; no secret, no end of memory, and nobody waits for a log."""

import io
import json
import logging
import threading
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreman.errors import BadInput
from foreman.localnet import logs
from foreman.localnet.logs import Cleaner, JsonLines, TextLines, logging_to

HOSTILE = [
    pytest.param("ok\n2026-01-01T00:00:00Z error   foreman: forged", id="a line of its own"),
    pytest.param("a\r\nb\x0bc\x0cd\x85e\u2028f\u2029g", id="every line end there is"),
    pytest.param("\x1b[2J\x1b]0;title\x07\x9b31m", id="terminal commands"),
    pytest.param("pay \u202e0001\u202c \u2066x\u2069 \u200f", id="turned around"),
    pytest.param('", "level": "error", "x": "', id="JSON"),
    pytest.param("\ud800\udfff \x00\x7f", id="half a character"),
    pytest.param("x" * 1_000_000, id="a megabyte"),
    pytest.param("\u202e" * 1_000_000, id="a megabyte of nothing to see"),
    pytest.param("😀" * 100_000, id="beyond the plane"),
]


def written(format: str, say: Callable[[logging.Logger], None], level: str = "debug", **environment: str) -> str:
    """What a block of logging writes."""
    sink = io.StringIO()
    with logging_to(sink, format, level, environment) as outlet:
        # A logger that only we hear: half a character in what pytest captures cannot be told by its workers.
        log = logging.Logger("foreman.test")
        log.addHandler(outlet)
        say(log)
    return sink.getvalue()


def failing(text: str) -> Callable[[logging.Logger], None]:
    def say(log: logging.Logger) -> None:
        try:
            raise ValueError(text)
        except ValueError:
            log.exception("%s", text, extra={"fields": {f"name{number}": text for number in range(100)}})

    return say


@pytest.mark.parametrize("text", HOSTILE)
def test_what_others_wrote_stays_in_its_json_line(text: str) -> None:
    out = written("json", failing(text))
    assert out.endswith("\n")
    assert len(out.splitlines()) == 1
    assert len(out.encode()) < 48 * 1024
    line = json.loads(out)
    assert (line["level"], line["logger"]) == ("error", "foreman.test")
    assert "ValueError" in line["traceback"] or len(text) > logs.TRACE
    assert len(line) <= 5 + logs.FIELDS
    assert not [sign for sign in out.rstrip("\n") if unseen(sign)]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_others_wrote_stays_in_its_line_for_people(text: str) -> None:
    out = written("text", failing(text))
    first, *rest = out.rstrip("\n").split("\n")
    assert " error   foreman.test: " in first
    assert rest
    assert all(line.startswith("    | ") for line in rest), "a traceback cannot be taken for a line"
    assert len(out.encode()) < 64 * 1024
    assert not [sign for sign in out.replace("\n", "") if unseen(sign)]


def unseen(sign: str) -> bool:
    return unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


@given(st.text(), st.dictionaries(st.sampled_from(["hash", "at", "level", "event", "x"]), st.text(), max_size=5))
def test_any_text_makes_one_json_line_that_reads_back(text: str, fields: dict[str, str]) -> None:
    record = logging.LogRecord("foreman.test", logging.INFO, "", 0, "%s", (text,), None)
    record.fields = fields
    line = JsonLines(Cleaner({})).format(record)
    assert len(line.splitlines()) == 1
    told: dict[str, Any] = json.loads(line)
    assert told["level"] == "info", "a field does not take the place of what the house says"


@pytest.mark.parametrize(
    ("value", "shown"),
    [("0x12", "0x12"), ("two words", '"two words"'), ('a" b="c', '"a\\" b=\\"c"'), ("", '""'), ("a=b", '"a=b"')],
)
def test_where_a_value_ends_is_never_in_doubt(value: str, shown: str) -> None:
    record = logging.LogRecord("foreman.test", logging.INFO, "", 0, "event", None, None)
    record.fields = {"one": value, "two": 2}
    assert TextLines(Cleaner({})).format(record).endswith(f"event one={shown} two=2")


SECRET = "sk-proj-0123456789"


@pytest.mark.parametrize("format", logs.FORMATS)
def test_no_secret_of_the_process_is_written(format: str) -> None:
    text = f"Incorrect API key provided: {SECRET}. See https://ann:hunter2@host.example/x"
    out = written(format, failing(text), OPENAI_API_KEY=SECRET, FOREMAN_VLLM_KEY="short", PATH="/usr/bin")
    assert SECRET not in out
    assert "hunter2" not in out
    assert "[secret]" in out
    assert "host.example" in out


def test_a_secret_is_not_written_in_part_where_a_line_is_cut() -> None:
    clean = Cleaner({"A_TOKEN": SECRET})
    for length in range(40):
        assert "sk-proj" not in clean("x" * length + SECRET, 24)


@pytest.mark.parametrize(
    ("format", "level", "ours", "others"),
    [
        ("text", "", ["warning"], ["warning"]),
        ("json", "", ["info", "warning"], ["warning"]),
        ("text", "debug", ["debug", "info", "warning"], ["warning"]),
        ("json", "error", [], ["warning"]),
    ],
)
def test_levels_are_ours_to_choose_and_others_only_warn(
    format: str, level: str, ours: list[str], others: list[str]
) -> None:
    def say(log: logging.Logger) -> None:
        for name in ("foreman.test", "somebody.else"):
            for word in ("debug", "info", "warning"):
                getattr(logging.getLogger(name), word)(f"{name}={word}")

    out = written(format, say, level)
    assert [word for word in ("debug", "info", "warning") if f"foreman.test={word}" in out] == ours
    assert [word for word in ("debug", "info", "warning") if f"somebody.else={word}" in out] == others


@pytest.mark.parametrize(("format", "level"), [("xml", ""), ("json", "loud"), ("text", "INFO")])
def test_a_format_or_level_that_is_none_is_refused(format: str, level: str) -> None:
    with pytest.raises(BadInput) as error, logging_to(io.StringIO(), format, level):
        pass
    assert (error.value.code, bool(error.value.hint)) == ("bad_log", True)


class Stuck:
    """A terminal that is held until it is let go."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.lines: list[str] = []

    def write(self, text: str) -> None:
        assert self.go.wait(20)
        self.lines.append(text)

    def flush(self) -> None:
        pass


def test_nobody_waits_for_a_reader_that_takes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "WAITING", 100)
    sink = Stuck()
    with logging_to(sink, "json", "info") as outlet:
        for number in range(1000):
            logging.getLogger("foreman.test").info("event %d", number)
        assert outlet.dropped >= 1000 - 100 - 2
        dropped = outlet.dropped
        sink.go.set()
    told = [json.loads(line) for line in sink.lines]
    assert any(line["event"].startswith("nobody took") and line["lines"] == dropped for line in told)
    assert len(told) == 1000 - dropped + 1


class Gone:
    """A pipe whose reader has ended."""

    def write(self, text: str) -> None:
        raise BrokenPipeError

    def flush(self) -> None:
        raise BrokenPipeError


def test_a_reader_that_has_gone_costs_lines_and_nothing_else() -> None:
    with logging_to(Gone(), "json", "info") as outlet:
        for _ in range(10):
            logging.getLogger("foreman.test").info("event")
    assert outlet.dropped == 10


def test_a_thread_that_ends_badly_says_so_in_the_log() -> None:
    def fail() -> None:
        raise RuntimeError("a fault\nof ours")

    def say(log: logging.Logger) -> None:
        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()

    line = json.loads(written("json", say))
    assert line["event"] == "a thread has ended"
    assert "RuntimeError: a fault" in line["traceback"]


def test_afterwards_everything_is_as_it_was() -> None:
    before = (logging.getLogger().handlers[:], logging.getLogger("foreman").level, threading.excepthook)
    with logging_to(io.StringIO()):
        assert logging.getLogger().handlers != before[0]
    assert (logging.getLogger().handlers, logging.getLogger("foreman").level, threading.excepthook) == before
