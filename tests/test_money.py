"""Amounts: read exactly or refused, printed exactly, and never a float in between."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreman.errors import BadInput
from foreman.money import GEN, MAX_WEI, format_gen, parse_gen


@pytest.mark.parametrize(
    ("text", "wei"),
    [
        pytest.param("0", 0, id="nothing"),
        pytest.param("1", GEN, id="one"),
        pytest.param("1.5", 3 * GEN // 2, id="a half"),
        pytest.param("1.50", 3 * GEN // 2, id="a zero that says nothing"),
        pytest.param("0001", GEN, id="zeros in front"),
        pytest.param("0.000000000000000001", 1, id="one wei"),
        pytest.param("0.1", 10**17, id="what a float cannot hold"),
        pytest.param("9007199254740993", 9007199254740993 * GEN, id="beyond 2**53"),
        pytest.param("  7 ", 7 * GEN, id="spaces around"),
        pytest.param(format_gen(MAX_WEI), MAX_WEI, id="the most there is"),
    ],
)
def test_an_amount_is_read_exactly(text: str, wei: int) -> None:
    assert parse_gen(text) == wei


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param(" ", id="blank"),
        pytest.param("-1", id="negative"),
        pytest.param("+1", id="a sign"),
        pytest.param("1e18", id="an exponent"),
        pytest.param("1,5", id="a comma"),
        pytest.param("1_000", id="an underscore"),
        pytest.param("1 000", id="a space inside"),
        pytest.param(".5", id="nothing before the point"),
        pytest.param("5.", id="nothing after the point"),
        pytest.param("1.2.3", id="two points"),
        pytest.param("0x10", id="hex"),
        pytest.param("NaN", id="NaN"),
        pytest.param("inf", id="infinity"),
        pytest.param("1.0000000000000000001", id="19 decimals"),
        pytest.param("١", id="digits of another script"),
        pytest.param("1\n2", id="two lines"),
        pytest.param("1 GEN", id="a unit"),
        pytest.param(format_gen(MAX_WEI + 1), id="a wei too many"),
        pytest.param("9" * 5_000, id="5,000 digits"),
        pytest.param("9" * 1_000_000, id="a million digits"),
    ],
)
def test_anything_else_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse_gen(text)
    assert refused.value.code == "bad_amount"
    assert len(str(refused.value)) < 500, "an error does not repeat a million digits"


@given(st.integers(0, MAX_WEI))
def test_what_is_printed_reads_back_as_the_same_amount(wei: int) -> None:
    text = format_gen(wei)
    assert parse_gen(text) == wei
    assert "e" not in text.lower()
    assert not (text.endswith("0") and "." in text), "no digit that says nothing"


@given(st.integers(1, MAX_WEI))
def test_a_negative_amount_is_shown_as_one(wei: int) -> None:
    assert format_gen(-wei) == "-" + format_gen(wei)


@given(st.text(max_size=60))
def test_no_text_does_anything_but_get_read_or_refused(text: str) -> None:
    try:
        assert 0 <= parse_gen(text) <= MAX_WEI
    except BadInput:
        pass
