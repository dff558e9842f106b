"""Finds the JSON in a page, whole or among other text, exactly and in time that grows with the page's length only."""

import json
import re
from decimal import Decimal
from typing import NamedTuple

_OPENING = re.compile(r"\{\s{0,20}[\"}]|\[\s{0,20}[\[{\"\-\dtfn\]]")
_WORK_PER_CHAR = 6
"""Characters the parser may look at per character of page, all attempts together; nested openings cost most."""
MAX_OPENINGS = 1000
"""Brackets that are tried. A page of 15,000 characters holds about as many objects of any use."""
MAX_DEPTH = 64
"""JSON nested deeper than this does not count as JSON; walks over values may recurse this far."""
_MAX_DEPTH_COST = 20_000
"""What an attempt is charged that ran out of stack."""


class Span(NamedTuple):
    """One JSON object or array in a text."""

    start: int
    end: int
    value: object


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def _number(text: str) -> object:
    """Fractions exactly; exponents beyond any honest number are refused, as they make arithmetic endless."""
    value = Decimal(text)
    if value and abs(value.adjusted()) > 400:
        raise ValueError("a number beyond any measure")
    return value


_DECODER = json.JSONDecoder(parse_constant=_no_constant, parse_float=_number)


def whole(text: str) -> tuple[bool, object]:
    """Is the text, spaces around it apart, one JSON value? And which."""
    try:
        value = _DECODER.decode(text)
    except (ValueError, RecursionError):
        return False, None
    return (True, value) if _shallow(value) else (False, None)


def _shallow(value: object) -> bool:
    """Is nothing nested deeper than `MAX_DEPTH`? Found out without recursion."""
    level: list[object] = [value]
    for _ in range(MAX_DEPTH + 1):
        if not level:
            return True
        inner: list[object] = []
        for node in level:
            if isinstance(node, dict):
                inner.extend(node.values())
            elif isinstance(node, list):
                inner.extend(node)
        level = inner
    return False


def spans(text: str) -> list[Span]:
    """Every JSON object or array that stands on its own in the text, outermost only, in order."""
    found: list[Span] = []
    at = 0
    budget = _WORK_PER_CHAR * len(text) + 10_000
    tries = 0
    while budget > 0 and tries < MAX_OPENINGS and (opening := _OPENING.search(text, at)):
        start = opening.start()
        tries += 1
        try:
            value, at = _DECODER.raw_decode(text, start)
            budget -= at - start
            if _shallow(value):
                found.append(Span(start, at, value))
        except json.JSONDecodeError as error:
            budget -= max(error.pos - start, 1)
            at = start + 1
        except (ValueError, RecursionError):
            budget -= _MAX_DEPTH_COST
            at = start + 1
    return found
