"""Criteria about lists: their order, their members, that nothing repeats, and well-known sequences."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import count, islice, pairwise
from typing import Any

from foreman.judges.offline.dates import date_of
from foreman.judges.offline.findings import Finding, Predicate, decide, show, unknown, unmet
from foreman.judges.offline.kinds import BE, HAS, Phrasings, Words
from foreman.judges.offline.kinds_numbers import is_prime
from foreman.judges.offline.operands import ITEMS, KEY, number_of, read_operand, same
from foreman.judges.offline.page import MISSING, Page, find_in
from foreman.judges.offline.phrases import N, read_number

PHRASINGS = Phrasings()
says = PHRASINGS.says

_MAX_SEQUENCE = 5000
_EXACT = 10**25
"""Numbers up to here are the same when their digits are; beyond, Decimal would round."""
_UP = (
    r"ascending|increasing|rising|alphabetical|alphabetic|chronological|numerical|numeric|lexicographic|natural|correct"
)
_DOWN = r"descending|decreasing|falling|reverse(?: alphabetical| chronological)?"
_UPWARDS = (
    rf"(?:{_UP}|smallest to largest|low(?:est)? to high(?:est)?|a to z|oldest to newest|oldest first|"
    rf"smallest first|lowest first)"
)
_DOWNWARDS = (
    rf"(?:{_DOWN}|largest to smallest|high(?:est)? to low(?:est)?|z to a|newest to oldest|"
    rf"newest first|largest first|highest first)"
)
_WAY = rf"(?P<strict>strictly )?(?:(?P<up>{_UPWARDS})|(?P<down>{_DOWNWARDS}))(?: order| sequence)?(?: order)?"
_ORDER = rf"(?:in |by |from )?(?:an? |the )?{_WAY}"


def as_list(value: object, page: Page) -> list[object] | None:
    """The list that is spoken of: a list itself, or the list that the page is."""
    if isinstance(value, Page):
        value = page.root
    return value if isinstance(value, list) else None


def _sortable(items: list[object]) -> list[Any] | None:
    """Numbers, days, or texts in one case; None for a mixture."""
    for read in (number_of, date_of):
        keys = [read(item) for item in items]
        if None not in keys:
            return list(keys)
    return (
        [item.casefold() for item in items if isinstance(item, str)] if all(isinstance(i, str) for i in items) else None
    )


def ordered(items: list[object], down: bool, strict: bool) -> Finding:
    """Are the items in order?"""
    keys = _sortable(items)
    if keys is None and all(isinstance(item, dict | list) for item in items):
        return unknown("nobody says by what the entries are ordered")
    if keys is None:
        return unmet("the list mixes kinds that have no order")
    upwards: list[Any] = keys[::-1] if down else keys
    for one, other in pairwise(upwards):
        if one > other or (strict and one == other):
            return unmet(f"{show(one)} stands {'after' if down else 'before'} {show(other)}")
    return decide(True, f"{len(items)} items in order")


@says(
    "order",
    rf"{BE} (?:correctly |numerically )?(?:sorted|ordered|arranged|listed|given)(?:,? {_ORDER})?(?: by (?:its |"
    rf"their |the )?(?P<by>{KEY}))?"
    rf"(?:,? {_ORDER.replace('strict>', 'strict2>').replace('up>', 'up2>').replace('down>', 'down2>')})?",
    rf"{BE} in (?:an? |the )?{_WAY}(?: by (?:its |their |the )?(?P<by>{KEY}))?",
    rf"{BE} {_WAY}",
)
def _order(words: Words) -> Predicate | None:
    parts = words.match.groupdict()
    by = words.phrase.unquote(parts.get("by") or "")
    down = bool(parts.get("down") or parts.get("down2"))
    strict = bool(parts.get("strict") or parts.get("strict2"))

    def predicate(value: object, page: Page) -> Finding:
        items = as_list(value, page)
        if items is None:
            return unmet(f"{show(value)} is no list") if not isinstance(value, Page) else unknown("the page is no list")
        if by:
            items = [find_in(item, by) for item in items]
            if MISSING in items:
                return unmet(f"an entry has no {by}")
        return ordered(items, down, strict)

    return predicate


@says(
    "no repetition",
    rf"{BE} (?:all |pairwise |mutually )*(?:unique|distinct|different|free of (?:duplicates|repetitions?))",
    rf"(?:{HAS}) (?:no|zero) (?:duplicate|repeated|double)s?(?: {ITEMS})?",
    rf"(?:{HAS}) only (?:unique|distinct|different)(?: {ITEMS})?",
    rf"does not (?:repeat|(?:contain|have|include) (?:any )?duplicates?)(?: {ITEMS})?",
    rf"{BE} without (?:duplicates|repetitions?)",
)
def _unique(words: Words) -> Predicate:
    def predicate(value: object, page: Page) -> Finding:
        items = as_list(value, page)
        if items is None:
            return unmet(f"{show(value)} is no list") if not isinstance(value, Page) else unknown("the page is no list")
        seen: set[str] = set()
        for item in items:
            number = number_of(item) if not isinstance(item, str) else None
            key = f"#{Decimal(number).normalize()}" if number is not None and -_EXACT < number < _EXACT else repr(item)
            if key in seen:
                return unmet(f"{show(item)} occurs twice")
            seen.add(key)
        return decide(True, f"{len(items)} different items")

    return predicate


def _primes() -> Iterator[int]:
    return (number for number in count(2) if is_prime(number))


def _fibonacci() -> Iterator[int]:
    one, other = 0, 1
    while True:
        yield one
        one, other = other, one + other


SEQUENCES: dict[str, Callable[[], Iterator[int]]] = {
    "prime": _primes,
    "even": lambda: count(2, 2),
    "odd": lambda: count(1, 2),
    "natural": lambda: count(1),
    "positive": lambda: count(1),
    "square": lambda: (number * number for number in count(1)),
    "cube": lambda: (number**3 for number in count(1)),
    "triangular": lambda: (number * (number + 1) // 2 for number in count(1)),
    "fibonacci": _fibonacci,
    "power of two": lambda: (1 << number for number in count()),
}
_SEQUENCE = (
    r"(?P<seq>primes?|prime numbers?|even numbers?|odd numbers?|natural numbers?|positive integers?|"
    r"positive even numbers?|"
    r"positive odd numbers?|squares?|square numbers?|perfect squares?|cubes?|cube numbers?|perfect cubes?|"
    r"triangular numbers?|"
    r"fibonacci numbers?|powers of (?:two|2))"
)
_TAIL = rf"(?:,? (?:in|sorted in|listed in|arranged in) (?:an? |the )?{_WAY})?(?:,? (?:and|with) nothing else)?"
_IS_OR_HAS = rf"(?:(?:{BE}|equals?|{HAS}|matche?s?) )?(?P<only>exactly |precisely |only )?(?:all )?(?:of )?(?:the )?"


def _named(text: str) -> Callable[[], Iterator[int]]:
    word = text.lower().replace("perfect ", "").removeprefix("positive ")
    if word.startswith("integer"):
        word = "positive"
    if word.startswith("powers"):
        word = "power of two"
    return next(make for name, make in SEQUENCES.items() if word.startswith(name))


@says(
    "sequence",
    rf"{_IS_OR_HAS}first (?P<n>{N}) {_SEQUENCE}{_TAIL}",
    rf"{_IS_OR_HAS}{_SEQUENCE} (?P<below>below|under|less than|smaller than|up to|not above|at most) (?P<n>{N}){_TAIL}",
    rf"{_IS_OR_HAS}(?:whole |natural |consecutive )?(?:numbers|integers) (?:from )?(?P<a>{N}) (?:to|through|"
    rf"up to|-|–) (?P<n>{N}){_TAIL}",
)
def _sequence(words: Words) -> Predicate | None:
    parts = words.match.groupdict()
    number = read_number(words["n"])
    if not isinstance(number, int) or not 0 < number <= _MAX_SEQUENCE:
        return None
    if parts.get("a"):
        start = read_number(parts["a"])
        if not isinstance(start, int) or not 0 <= number - start < _MAX_SEQUENCE:
            return None
        expected = list(range(start, number + 1))
    elif below := (parts.get("below") or "").lower():
        top = number if below in ("up to", "not above", "at most") else number - 1
        expected = [item for item in islice(_named(words["seq"])(), number + 1) if item <= top]
    else:
        expected = list(islice(_named(words["seq"])(), number))
    return _equals_sequence(expected, bool(parts.get("down")), any(parts.get(way) for way in ("up", "down")))


def _equals_sequence(expected: list[int], down: bool, in_order: bool) -> Predicate:
    """Exactly these numbers, in the order that is asked for; in any when none is."""

    def predicate(value: object, page: Page) -> Finding:
        items = as_list(value, page)
        if items is None:
            return unmet(f"{show(value)} is no list") if not isinstance(value, Page) else unknown("the page is no list")
        wanted = expected[::-1] if down else expected
        if same(items, wanted):
            return decide(True, f"{len(items)} numbers, as asked")
        numbers = [number_of(item) for item in items]
        if None not in numbers and sorted(number for number in numbers if number is not None) == sorted(wanted):
            return decide(not in_order, f"the right numbers{' in the wrong order' if in_order else ''}")
        wrong = next((one for one, other in zip(items, wanted, strict=False) if not same(one, other)), None)
        return unmet(
            f"{show(wrong)} is wrong" if wrong is not None else f"{len(items)} numbers instead of {len(wanted)}"
        )

    return predicate


@says(
    "members",
    rf"(?:{HAS}|mentions?) (?P<a>{N}(?:(?:, and |, | and ){N})*)",
    rf"(?:{HAS}|mentions?) (?P<all>all (?:of )?)?(?:the )?(?:numbers?|values?|entries|entry|items?|elements?|"
    rf"members?|strings?|integers?) (?P<a>.+)",
)
def _members(words: Words) -> Predicate | None:
    parts = words["a"].replace(", and ", ", ").replace(" and ", ", ").split(", ")
    operands = [read_operand(part, words.phrase) for part in parts]
    if None in operands:
        return None

    def predicate(value: object, page: Page) -> Finding:
        items = as_list(value, page)
        for operand, part in zip(operands, parts, strict=True):
            wanted = operand.resolve(page) if operand else MISSING
            wanted = part if wanted is MISSING else wanted
            if items is not None:
                if not any(same(item, wanted) for item in items):
                    return unmet(f"{show(wanted)} is not in the list")
            elif isinstance(value, Page):
                if str(wanted) not in page.words:
                    return unmet(f"{show(wanted)} is not on the page")
            else:
                return unmet(f"{show(value)} is no list")
        return decide(True, "all of them are there")

    return predicate
