"""What the demo tells while it plays, as plain lines; live.py shows the same in a terminal."""

from dataclasses import dataclass, field
from typing import Protocol

from foreman.cli.stage.jobs import Job

GLYPHS = {"": "·", "asking": "○", "answered": "◐", "agree": "●", "disagree": "✗", "timeout": "!", "idle": "–"}
"""A seat's last word as one character."""


@dataclass(slots=True)
class Row:
    """One order on the board: what happens to it now, and what each seat said last."""

    number: int
    job: Job
    now: str = ""
    seats: dict[int, str] = field(default_factory=dict)
    ok: bool | None = None
    """None while it is played, then whether everything went as it should."""


class Board(Protocol):
    """Where the demo is shown. Called from the stage's thread, `heard` also from the one that follows the stream."""

    def begins(self, row: Row) -> None: ...

    def says(self, row: Row, text: str) -> None:
        """Something has happened to an order."""

    def heard(self, row: Row, seat: int, judge: str, word: str) -> None:
        """A seat is asked, has answered or has voted."""

    def wrong(self, row: Row, text: str) -> None:
        """Something did not go as it should."""

    def ends(self, row: Row) -> None: ...


class Silent:
    """No board: `--json` speaks at the end."""

    def begins(self, row: Row) -> None:
        pass

    def says(self, row: Row, text: str) -> None:
        row.now = text

    def heard(self, row: Row, seat: int, judge: str, word: str) -> None:
        row.seats[seat] = word

    def wrong(self, row: Row, text: str) -> None:
        pass

    def ends(self, row: Row) -> None:
        pass


class Lines(Silent):
    """One line per event, for pipes, logs and screen readers."""

    def __init__(self, write: "Writer") -> None:
        self._write = write

    def begins(self, row: Row) -> None:
        self._write(f"#{row.number} {row.job.title} ({row.job.gen} GEN): {row.job.shows}")

    def says(self, row: Row, text: str) -> None:
        row.now = text
        self._write(f"   {text}")

    def heard(self, row: Row, seat: int, judge: str, word: str) -> None:
        row.seats[seat] = word
        if word not in ("asking", "answered"):
            self._write(f"   seat {seat} ({judge}): {word}")

    def wrong(self, row: Row, text: str) -> None:
        self._write(f"   WRONG: {text}")


class Writer(Protocol):
    """Prints a line."""

    def __call__(self, text: str, /) -> object: ...
