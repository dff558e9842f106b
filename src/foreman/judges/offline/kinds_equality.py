"""Criteria about equality: with a number, a text, another value of the page, a sum, or one of several."""

import re

from foreman.judges.offline.findings import Finding, Predicate, decide, show, unknown, unmet
from foreman.judges.offline.kinds import BE, HAS, Phrasings, Words
from foreman.judges.offline.kinds_numbers import against
from foreman.judges.offline.operands import KEY, aggregate, read_operand, same
from foreman.judges.offline.page import MISSING, Page

PHRASINGS = Phrasings()
says = PHRASINGS.says


@says(
    "equality",
    rf"(?:{BE} |has (?:a |the )?value (?:of )?|reads )?(?:exactly |precisely |strictly )?"
    r"(?:equal to |equals? (?:to )?|the same as |identical to |matche?s? |set to |= ?|== ?|: ?)(?:exactly )?(?P<a>.+)",
    rf"(?:{BE}|has (?:a |the )?value(?: of)?|reads) (?:exactly |precisely )?(?P<a>.+)",
)
def _equality(words: Words) -> Predicate | None:
    operand = read_operand(words["a"], words.phrase)
    if operand is None:
        return None
    compared = against(operand, _equal)
    word = words["a"]

    def predicate(value: object, page: Page) -> Finding:
        # "status is done": a word that is no value of the page may be the value itself; if it is not, nobody can say.
        if isinstance(value, str) and value.casefold() == word.casefold():
            return decide(True, f"it is {show(value)}")
        return compared(value, page)

    return predicate


def _equal(value: object, other: object) -> Finding:
    holds = same(value, other)
    return decide(holds, f"{show(value)} is {'' if holds else 'not '}{show(other)}")


@says(
    "sums",
    r"(?:adds? up|sums?(?: up)?|totals?|amounts?|comes?) to (?:exactly )?(?P<a>.+)",
    r"totals? (?:exactly )?(?P<a>.+)",
)
def _adds_up(words: Words) -> Predicate | None:
    operand = read_operand(words["a"], words.phrase)

    def judge(value: object, other: object) -> Finding:
        if not isinstance(value, list):
            return _equal(value, other)
        total = aggregate("sum", value)
        return unmet("the list holds more than numbers") if total is MISSING else _equal(total, other)

    return against(operand, judge) if operand else None


@says(
    "keys present",
    rf"(?:{HAS}) (?P<keys>(?:an? |the |its |some )?{KEY}(?:(?:, and |, | and )(?:an? |the |its |some )?{KEY})*)",
)
def _has_members(words: Words) -> Predicate | None:
    """ "Each user has an id and a name": only of an object, because of anything else it may mean anything."""
    names = [name.split(" ")[-1] for name in re.split(r", and |, | and ", words["keys"])]
    names = [words.phrase.unquote(name) for name in names]

    def predicate(value: object, page: Page) -> Finding:
        holder = page.root if isinstance(value, Page) else value
        if not isinstance(holder, dict):
            return unknown("nobody can say where that would stand")
        missing = [name for name in names if name not in holder]
        if missing and isinstance(value, Page):
            return unknown(f"there is no key {missing[0]}, and perhaps none is meant")
        return decide(not missing, f"there is no key {missing[0]}" if missing else f"{', '.join(names)}: there")

    return predicate


@says("equality", rf"{BE} (?:one|any|either) of (?:the following:? ?|the values? )?(?P<a>.+)")
def _one_of(words: Words) -> Predicate | None:
    parts = [part for part in _split_list(words["a"]) if part]
    operands = [read_operand(part, words.phrase) for part in parts]
    if not parts or None in operands:
        return None

    def predicate(value: object, page: Page) -> Finding:
        options = [operand.resolve(page) for operand in operands if operand]
        # A word that is no value of the page is the option itself.
        options = [part if option is MISSING else option for part, option in zip(parts, options, strict=True)]
        return decide(any(same(value, option) for option in options), f"it is {show(value)}")

    return predicate


def _split_list(text: str) -> list[str]:
    """`a, b and c` as three."""
    for joint in (", and ", ", or ", " and ", " or ", "; ", "/"):
        text = text.replace(joint, ", ")
    return [part.strip(" ()[]") for part in text.split(",")]
