"""The demo in a terminal: rows fit 80 columns, every seat shows, and what went wrong stays on the board."""

import io

import pytest
from rich.console import Console

from foreman.cli.stage import jobs, live
from foreman.cli.stage.board import Row
from foreman.cli.stage.live import LiveBoard


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> LiveBoard:
    """A board on an 80-column terminal that nobody watches."""
    monkeypatch.setattr(live, "PACE", 0)
    console = Console(file=io.StringIO(), force_terminal=True, width=80, color_system=None)
    return LiveBoard(console, 5)


def drawn(board: LiveBoard, width: int = 80) -> list[str]:
    """What the board shows now."""
    console = Console(file=io.StringIO(), width=width, color_system=None)
    console.print(board._draw())
    text = console.file.getvalue()  # type: ignore[attr-defined]  # it is the StringIO of the line above
    return [line.rstrip() for line in text.splitlines()]


@pytest.mark.parametrize("width", [80, 120])
def test_every_order_is_one_line_whole(board: LiveBoard, width: int) -> None:
    for number, job in enumerate(jobs.JOBS):
        row = Row(number, job, ok=True)
        board.begins(row)
        for seat in range(5):
            board.heard(row, seat, "offline", "agree")
        board.ends(row)
    lines = drawn(board, width)
    assert len(lines) == len(jobs.JOBS)
    for number, (line, job) in enumerate(zip(lines, jobs.JOBS, strict=True)):
        assert line.startswith(f"✓  {number}  {job.title}")
        assert job.shows in line
        assert line.endswith("●●●●●")
        assert len(line) <= width


def test_each_seat_shows_what_it_said_last(board: LiveBoard) -> None:
    row = Row(0, jobs.FULL)
    board.begins(row)
    assert drawn(board) == ["▸  0  River gauge readings"]
    for seat, word in enumerate(["asking", "answered", "agree", "disagree"]):
        board.heard(row, seat, "offline", word)
    board.says(row, "judging")
    (line,) = drawn(board)
    assert line.endswith("○◐●✗·")
    assert "judging" in line


def test_what_went_wrong_stays_on_the_board(board: LiveBoard) -> None:
    row = Row(0, jobs.FULL)
    board.begins(row)
    row.ok = False
    board.wrong(row, "ends at 100 % (it is 80 %)")
    board.ends(row)
    assert drawn(board) == ["✗  0  River gauge readings         ends at 100 % (it is 80 %)"]


def test_a_large_jury_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "PACE", 0)
    board = LiveBoard(Console(file=io.StringIO(), width=80), 101)
    row = Row(0, jobs.FULL)
    board.begins(row)
    for seat in range(40):
        board.heard(row, seat, "offline", "agree")
    assert drawn(board)[0].endswith("40 of 101")


def test_nothing_is_left_running_after_the_board(board: LiveBoard) -> None:
    with board:
        board.begins(Row(0, jobs.FULL))
    assert not board._live.is_started
