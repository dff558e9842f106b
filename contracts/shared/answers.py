"""Reads the one JSON object a judge was asked for out of whatever it wrote, and refuses to guess.

`scripts/share.py` copies everything below the imports.
"""

import json
import math
import re

MAX_ANSWER_CHARS = 400_000  # far beyond any honest answer; bounds the work on a runaway one
MAX_OPENINGS = 256  # brackets tried before giving up on an answer that is mostly brackets

_THOUGHT = re.compile(r"\s*<(think|thinking|thought|reasoning)>", re.IGNORECASE)
_OPENING = re.compile(r"[{\[]")
_ATTEMPT = re.compile(
    r"""\{\s*["'\u201c]|\[\s*\{"""
)  # this bracket was meant as JSON, so what follows is not free prose
_PERCENT = re.compile(r"\s*([+-]?[0-9]{1,9}(?:\.[0-9]{1,9})?)\s*%?\s*")


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def _no_twins(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("the answer names a key twice")
    return found


def _objects(text: str) -> list[dict[str, object]]:
    """Every JSON object that stands on its own in the text; one begun and broken spoils the whole answer."""
    decoder = json.JSONDecoder(strict=False, parse_constant=_no_constant, object_pairs_hook=_no_twins)
    found: list[dict[str, object]] = []
    at, tries = 0, 0
    while opening := _OPENING.search(text, at):
        at, tries = opening.start(), tries + 1
        if tries > MAX_OPENINGS:
            raise ValueError("the answer is mostly brackets")
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            if _ATTEMPT.match(text, at):
                raise ValueError("the answer holds a broken JSON object") from None
            value, end = None, at + 1
        if isinstance(value, dict):
            found.append(value)
        at = end
    return found


def read_answer(text: object, key: str) -> dict[str, object]:
    """The one JSON object that has `key`, also inside a fence or prose; ValueError when there is none, or two."""
    if not isinstance(text, str) or len(text) > MAX_ANSWER_CHARS:
        raise ValueError("the answer is not text of a sane length")
    if thought := _THOUGHT.match(text):
        end = text.lower().find(f"</{thought[1].lower()}>")
        text = text[end:] if end >= 0 else ""
    found = [value for value in _objects(text) if key in value]
    if not found:
        raise ValueError(f"the answer has no JSON object with {key}")
    if any(value != found[0] for value in found):
        raise ValueError("the answer holds two different verdicts")
    return found[0]


def whole_percent(value: object) -> int:
    """A number, or a string that is nothing but one, clamped to 0..100 and cut downwards; else ValueError."""
    if isinstance(value, str) and (digits := _PERCENT.fullmatch(value)):
        value = float(digits[1])
    if isinstance(value, bool) or not isinstance(value, int | float) or not -math.inf < value < math.inf:
        raise ValueError("the payout is not a number")
    return int(min(max(value, 0), 100))
