"""What people see fits their terminal: nothing is cut, no address or amount is broken, data stays behind its bar."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from foreman.cli import show
from foreman.cli.table import FOLDED, WHOLE, facts, quoted, table
from foreman.localnet.accounts import DEV_ACCOUNTS

Draw = Callable[..., list[str]]
ADDRESSES = [known.address for known in DEV_ACCOUNTS]
RECORDS = ("provider", "completed", "rejected", "disputed", "abandoned", "earned", "reliability")
ORDERS = ("order", "status", "escrow", "paid", "deadline", "title")
AMOUNT = "123456789.123456789012345678 GEN"


@pytest.fixture
def draw(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Draw:
    """`draw(80, table, columns, rows)`: the lines that a terminal of 80 columns shows; 0 is a pipe."""

    def call(width: int, draw: Callable[..., None], *arguments: object) -> list[str]:
        monkeypatch.setenv("COLUMNS", str(width))
        if not width:
            monkeypatch.delenv("COLUMNS")
        show.out.cache_clear()
        draw(*arguments)
        return capsys.readouterr().out.splitlines()

    return call


@pytest.mark.parametrize("width", [120, 80, 60])
@pytest.mark.parametrize(
    ("columns", "rows"),
    [
        (RECORDS, [(one, 4_000_000_000, 7, 0, 12, AMOUNT, "99.99 %") for one in ADDRESSES]),
        (ORDERS, [(10**9, "completed", AMOUNT, "100 %", "2030-01-31 12:00 UTC", "A " + "long title " * 11)]),
        (("seat", "judge", "vote", "its own"), [(ADDRESSES[0], "openai:gpt-5-mini", "agree (proposed)", "50 %")]),
        (("name", "address", "file"), [("me", ADDRESSES[1], "/a/folder/" + "deep/" * 20 + "me.json")]),
    ],
    ids=["records", "orders", "seats", "accounts"],
)
def test_a_table_fits_and_breaks_no_address_and_no_amount(
    width: int, columns: tuple[str, ...], rows: list[tuple[object, ...]], draw: Draw
) -> None:
    lines = draw(width, table, columns, rows)
    assert all(cell_len(line) <= width for line in lines if "/deep/" not in line), lines
    text = "\n".join(lines)
    for row in rows:
        assert all(word in text for cell in row for word in str(cell).split())


def test_many_columns_keep_their_rows_comparable_at_80_columns(draw: Draw) -> None:
    rows = [(one, 3, 0, 1, 0, "2.5 GEN", "75 %") for one in ADDRESSES[:2]]
    assert draw(80, table, RECORDS, rows) == [
        "provider",
        "  completed  rejected  disputed  abandoned  earned   reliability",
        "────────────────────────────────────────────────────────────────",
        ADDRESSES[0],
        "  3          0         1         0          2.5 GEN  75 %",
        ADDRESSES[1],
        "  3          0         1         0          2.5 GEN  75 %",
    ]


def test_where_no_row_fits_each_is_a_list(draw: Draw) -> None:
    rows = [(one, 3, 0, 1, 0, "2.5 GEN", "75 %") for one in ADDRESSES[:2]]
    assert draw(58, table, RECORDS, rows)[:3] == [
        f"provider     {ADDRESSES[0]}",
        "completed    3",
        "rejected     0",
    ]


def test_into_a_pipe_every_row_is_one_line(draw: Draw) -> None:
    rows = [(one, 3, 0, 1, 0, AMOUNT, "a word " * 15) for one in ADDRESSES]
    lines = draw(0, table, RECORDS, rows)
    assert len(lines) == len(rows) + 2
    assert all(line.startswith(one) for line, one in zip(lines[2:], ADDRESSES, strict=True))


def test_no_rows_are_a_sentence(draw: Draw) -> None:
    assert draw(80, table, ORDERS, []) == ["nothing to show"]


texts = st.text(st.characters(codec="utf-8"), max_size=60) | st.sampled_from(
    ["\x1b[31mred", "\u202eabc", "宽字" * 15, "🏴‍☠️ " * 6, "a\tb\nc"]
)


@given(st.integers(30, 160), st.lists(st.tuples(texts, texts, texts), min_size=1, max_size=4))
@settings(max_examples=60)
def test_hostile_cells_stay_in_their_table(width: int, rows: list[tuple[str, str, str]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(width))
        show.out.cache_clear()
        with show.out().capture() as captured:
            table(("one", "two", "three"), rows)
    text = captured.get()
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", text)
    longest = max((cell_len(word) for row in rows for cell in row for word in show.plain(cell).split()), default=0)
    if longest <= FOLDED < WHOLE and width >= 3 * FOLDED + 4:
        assert max(map(cell_len, text.splitlines())) <= width


@pytest.mark.parametrize("width", [80, 60])
def test_what_others_wrote_never_gets_out_from_behind_its_bar(width: int, draw: Draw) -> None:
    """A folded line could begin with anything: `status  completed` must not look as if we had said it."""
    lines = draw(width, quoted, "Note", "x" * (width - 4) + " status completed " + "y " * 200)
    assert lines[1].startswith("Note (written by others")
    assert all(line.startswith("  │ ") and cell_len(line) <= width for line in lines[2:])
    assert "status completed" in "\n".join(lines)


@pytest.mark.parametrize("console", [show.out, show.err], ids=["results", "progress"])
def test_what_looks_like_a_code_for_a_picture_stays_text(
    console: Callable[[], Console], capsys: pytest.CaptureFixture[str]
) -> None:
    """A judge may be called `compatible:m:`, and a folder `x:m:y`."""
    console.cache_clear()  # type: ignore[attr-defined]  # of `functools.cache`
    grid = Table.grid()
    grid.add_row("compatible:m:")
    console().print(grid, "x:m:y", markup=False)
    assert "".join(capsys.readouterr()) == "compatible:m:\nx:m:y\n"
    console.cache_clear()  # type: ignore[attr-defined]  # as above


def test_no_other_console_is_made() -> None:
    made = [path.name for path in Path(show.__file__).parent.rglob("*.py") if "Console(" in path.read_text("utf-8")]
    assert made == ["show.py"]


def test_prose_stays_beside_its_name_and_an_address_in_one_piece(draw: Draw) -> None:
    url = "https://example.com/" + "a" * 100
    lines = draw(40, facts, {"title": "many words " * 6, "url": url, "none": ""})
    assert lines[:2] == ["title  many words many words many words", "       many words many words many words"]
    assert lines[-1] == f"url    {url}"
    narrow = draw(
        50, facts, {"next": f"its provider {ADDRESSES[0]} may deliver", "title": "x" * 90, "with": "a b " * 30}
    )
    assert any(ADDRESSES[0] in line for line in narrow)
    assert [line for line in narrow if line.lstrip().startswith("x")] == [f"       {'x' * 43}", f"       {'x' * 4}"]
    assert narrow[-1] == "with   " + ("a b " * 30).strip()
