"""The demo in a terminal: one row per order, its seats as they speak, then a table and the proof of conservation."""

import time
from collections import Counter
from types import TracebackType

from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from foreman.cli.stage.audit import Audit, Flow
from foreman.cli.stage.board import GLYPHS, Row, Silent
from foreman.cli.stage.watch import Watch
from foreman.money import format_gen

COLOURS = {"agree": "green", "disagree": "red", "timeout": "yellow", "asking": "dim", "answered": "cyan"}
MOST_DOTS = 15
"""Seats shown one by one; a larger jury is counted."""

PACE = 0.12
"""Seconds a person gets to see each step; without a terminal nobody waits."""


class LiveBoard(Silent):
    """A board that redraws itself ten times a second."""

    def __init__(self, console: Console, seats: int) -> None:
        self._console = console
        self._seats = seats
        self._rows: list[Row] = []
        self._live = Live(console=console, get_renderable=self._draw, refresh_per_second=10, transient=False)

    def __enter__(self) -> "LiveBoard":
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def begins(self, row: Row) -> None:
        self._rows.append(row)

    def says(self, row: Row, text: str) -> None:
        row.now = text
        time.sleep(PACE)

    def wrong(self, row: Row, text: str) -> None:
        row.now = text

    def ends(self, row: Row) -> None:
        time.sleep(PACE)
        if row.ok:
            row.now = row.job.shows

    def _draw(self) -> Table:
        board = Table.grid(padding=(0, 2, 0, 0), expand=True)
        board.add_column(width=1)
        board.add_column(width=1, style="dim")
        board.add_column(width=27, no_wrap=True, overflow="ellipsis")
        board.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
        board.add_column(width=max(min(self._seats, MOST_DOTS), 5), no_wrap=True)
        for row in list(self._rows):
            now = Text(row.now, "dim" if row.ok else "red" if row.ok is False else "")
            board.add_row(_mark(row), str(row.number), row.job.title, now, self._dots(row))
        return board

    def _dots(self, row: Row) -> Text:
        if self._seats > MOST_DOTS:
            agreed = sum(word == "agree" for word in row.seats.values())
            return Text(f"{agreed} of {self._seats}" if row.seats else "")
        dots = Text()
        for seat in range(self._seats) if row.seats else ():
            word = row.seats.get(seat, "")
            dots.append(GLYPHS.get(word, "?"), COLOURS.get(word, "dim"))
        return dots


def legend() -> Text:
    """What the characters of the board mean."""
    words = (("asking", "is asked"), ("answered", "has judged"), ("agree", "agrees"), ("disagree", "differs"))
    line = Text("One mark per seat: ", "dim")
    for name, word in words:
        line.append(GLYPHS[name], COLOURS[name]).append(f" {word}  ", "dim")
    return line


def _mark(row: Row) -> Text:
    if row.ok is None:
        return Text("▸", "cyan")
    return Text("✓", "green") if row.ok else Text("✗", "red")


def orders_table(stage: Watch, found: Audit, first: str = "order") -> Table:
    """One line per order or agreement: what it became, and where its money went. Behind `+`, deposits and bonds."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for name in (first, "status", "percent", "locked", "paid", "refunded", "judge"):
        table.add_column(name, justify="left" if name in ("status", "judge") else "right")
    for row, order in found.orders:
        ballots = stage.ballots.get(row.number, ())
        style = {"completed": "green", "released": "green", "rejected": "red"}.get(order.status, "")
        table.add_row(
            str(order.id),
            Text(order.status, style),
            f"{order.payout_percent} %" if ballots else "–",
            format_gen(order.escrow_wei) + ("" if not order.deposit_wei else f" +{format_gen(order.deposit_wei)}"),
            format_gen(order.paid_wei),
            format_gen(order.refunded_wei),
            Text(", ".join(f"{count} × {name}" for name, count in Counter(b.judge for b in ballots).items()) or "–"),
        )
    return table


def proof_table(found: Audit) -> Table:
    """Every address: what it had, what moved, what it has. Each line adds up, each column of movement sums to zero."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for name in ("", "before", "locked", "paid", "refunded", "after", ""):
        table.add_column(name, justify="left" if name == "" else "right")
    for flow in found.flows:
        table.add_row(*_flow_cells(flow))
    sums = [
        sum(getattr(flow, name) for flow in found.flows) for name in ("before", "locked", "paid", "refunded", "after")
    ]
    cells = [format_gen(sums[0]), *(_moved(wei) for wei in sums[1:4]), format_gen(sums[4])]
    table.add_row("together", *cells, _tick(sums[0] == sums[4] and not any(sums[1:4])), style="bold")
    return table


def _flow_cells(flow: Flow) -> list[str | Text]:
    moved = [_moved(wei) for wei in (flow.locked, flow.paid, flow.refunded)]
    return [
        f"{flow.name:<9}{_short(flow.address)}",
        format_gen(flow.before),
        *moved,
        format_gen(flow.after),
        _tick(flow.holds),
    ]


def _moved(wei: int) -> str:
    return format_gen(wei) if wei <= 0 else "+" + format_gen(wei)


def _tick(holds: bool) -> Text:
    return Text("✓", "green") if holds else Text("✗ does not add up", "bold red")


def _short(address: str) -> str:
    return f"{address[:6]}…{address[-4:]}"
