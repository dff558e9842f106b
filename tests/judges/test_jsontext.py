"""JSON is found where it stands, exactly, and what would make a program crash or toil is no JSON."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreman.judges.offline.jsontext import MAX_DEPTH, spans, whole
from tests.judges.questions import paid


def values(text: str) -> list[object]:
    return [span.value for span in spans(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param('{"a": 1}', [{"a": 1}], id="alone"),
        pytest.param('see {"a": 1}, and [2]!', [{"a": 1}, [2]], id="among text"),
        pytest.param('```json\n{"a": {"b": [1]}}\n```', [{"a": {"b": [1]}}], id="fenced, nested once"),
        pytest.param('{ not json {"a": 1}', [{"a": 1}], id="after a stray bracket"),
        pytest.param("{'a': 1} [x]", [], id="not JSON"),
        pytest.param('{"a": NaN} [Infinity]', [], id="no numbers"),
        pytest.param('{"a": "}"} {"b": "\\"}"}', [{"a": "}"}, {"b": '"}'}], id="brackets in texts"),
        pytest.param('{"a": 0.1}', [{"a": Decimal("0.1")}], id="exact"),
        pytest.param('{"a": 1e500}', [], id="beyond any measure"),
        pytest.param("[" + "9" * 5000 + "]", [], id="endless digits"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_json_is_found_where_it_stands(text: str, found: list[object]) -> None:
    assert values(text) == found


@pytest.mark.parametrize("depth", [MAX_DEPTH, MAX_DEPTH + 1, 900, 3000])
def test_depth_is_bounded(depth: int) -> None:
    text = "[" * depth + "]" * depth
    is_json, _ = whole(text)
    assert is_json == bool(values(text)) == (depth <= MAX_DEPTH)


@pytest.mark.parametrize("depth", [60, 300, 900, 3000])
@pytest.mark.parametrize("criterion", ["a equals b", "a has no duplicates", "a is sorted", "every entry of a equals b"])
def test_no_depth_makes_a_check_crash(depth: int, criterion: str) -> None:
    deep = "[" * depth + "]" * depth
    assert paid(f'{{"a": [{deep}, {deep}], "b": {deep}}}', criteria=criterion) in (0, 100)


@given(st.text(alphabet='{}[]",:1 a\\', max_size=300))
def test_what_is_found_is_json_and_in_order(text: str) -> None:
    end = 0
    for span in spans(text):
        assert span.start >= end
        end = span.end
        assert whole(text[span.start : span.end]) == (True, span.value)
