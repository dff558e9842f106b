"""What a value is compared with: a number, a text, a date, a list, another value of the page, or a sum of some."""

import datetime
import json
import re
import statistics
from collections.abc import Callable
from decimal import Decimal, localcontext
from math import prod
from typing import NamedTuple

from foreman.judges.offline import dates
from foreman.judges.offline.jsontext import whole
from foreman.judges.offline.page import MISSING, Page
from foreman.judges.offline.phrases import N, Phrase, Q, read_number

KEY = rf"(?:{Q}|[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*|\[\d*\])*)"
"""Pattern of the name of a value: quoted, or a word, or a path such as `items[0].price` or `items[].price`."""

ITEMS = (
    r"(?:numbers?|values?|entries|entry|elements?|items?|members?|integers?|prices?|amounts?|rows?|records?|objects?)"
)

_OF = re.compile(
    rf"(?:the )?(?:arithmetic |numeric |exact )?(?P<what>sum|total|product|average|mean|median|minimum|min|"
    rf"smallest|lowest|"
    rf"maximum|max|largest|highest|greatest|number|count|length|size|first|last)(?: (?:value|{ITEMS}))? (?:of|"
    rf"in|over|across) "
    rf"(?:all |the |its |every |each )*(?:{ITEMS} (?:in|of|from|under) (?:the )?)?(?:(?:list|array|field|key) )?"
    rf"(?P<key>{KEY})(?: (?:list|array|field|key|values|entries|items|numbers))?",
    re.IGNORECASE,
)
_VALUE = re.compile(
    rf"(?:(?:the )?(?:value|content|text|field|key|number) (?:of |in |at |under )?)?(?:the )?(?:key |"
    rf"field )?(?P<key>{KEY})"
    rf"(?: (?:field|key|value))?",
    re.IGNORECASE,
)
_NOT_KEYS = frozenset(
    [
        *("a", "an", "the", "it", "its", "of", "no", "not", "and", "or", "page", "text"),
        *("valid", "empty", "all", "each", "every", "any", "this", "that"),
    ]
)
_CONSTANTS = {"true": True, "false": False, "null": None, "none": None}


class Operand(NamedTuple):
    """Something to compare with. `resolve` gives MISSING when the page does not have it."""

    label: str
    resolve: Callable[[Page], object]


def read_operand(text: str, phrase: Phrase) -> Operand | None:
    """Understand an operand; None when it is none."""
    word = text.strip()
    constant = _constant(word, phrase)
    if constant is not MISSING:
        return Operand(phrase.unquote(word), lambda page: constant)
    if found := _OF.fullmatch(word):
        what, key = found["what"].lower(), phrase.unquote(found["key"])
        return Operand(phrase.unquote(word), lambda page: aggregate(what, named_or_listed(key, page)))
    found = _VALUE.fullmatch(word)
    if found is None or found["key"].lower() in _NOT_KEYS:
        return None
    name = phrase.unquote(found["key"])
    return Operand(name, lambda page: page.find(name))


def find_aggregate(text: str) -> re.Match[str] | None:
    """A sum, an average and the like at the front of a sentence, with its parts `what` and `key`."""
    found = _OF.match(text)
    return found if found and text[found.end() : found.end() + 1] == " " else None


def named_or_listed(key: str, page: Page) -> object:
    """The value of a name; "the numbers", "the entries" without such a name are the list that the page is."""
    value = page.find(key)
    return page.root if value is MISSING and isinstance(page.root, list) and re.fullmatch(ITEMS, key) else value


def _constant(word: str, phrase: Phrase) -> object:
    """A value that is written out in the criterion; MISSING when it is not one."""
    if re.fullmatch(N, word, re.IGNORECASE):
        return read_number(word)
    if found := re.fullmatch(rf"(?:the )?(?:number|integer|value|total) ({N})", word, re.IGNORECASE):
        return read_number(found[1])
    if re.fullmatch(Q, word):
        return phrase.unquote(word)
    if found := re.fullmatch(rf"(?:the )?(?:string|text|word|phrase|value) ({Q})", word, re.IGNORECASE):
        return phrase.unquote(found[1])
    if word.lower() in _CONSTANTS:
        return _CONSTANTS[word.lower()]
    if word[:1] in ("[", "{"):
        is_json, value = whole(re.sub(Q, lambda token: json.dumps(phrase.unquote(token[0])), word))
        return value if is_json else MISSING
    day = dates.read_date(word)
    return MISSING if day is None else day


def aggregate(what: str, value: object) -> object:
    """A sum, an average, a count and so on of a list; MISSING when the value does not have one."""
    if what in ("number", "count", "length", "size"):
        return len(value) if isinstance(value, list | dict | str) else MISSING
    if not isinstance(value, list) or (not value and what not in ("sum", "total", "product")):
        return MISSING
    if what in ("first", "last"):
        return value[0 if what == "first" else -1]
    numbers = [item for item in map(number_of, value) if item is not None]
    if len(numbers) != len(value):
        return MISSING
    return _computed(what, numbers)


def _computed(what: str, numbers: list[int | Decimal]) -> object:
    if what in ("minimum", "min", "smallest", "lowest"):
        return min(numbers)
    if what in ("maximum", "max", "largest", "highest", "greatest"):
        return max(numbers)
    with localcontext(prec=60):
        exact = all(isinstance(number, int) for number in numbers)
        if what == "product":
            return prod(numbers) if exact else prod(map(Decimal, numbers))
        if what == "median":
            return statistics.median(sorted(map(Decimal, numbers)))
        total = sum(numbers) if exact else sum(map(Decimal, numbers), Decimal())
        return total if what in ("sum", "total") else Decimal(total) / len(numbers)


def number_of(value: object) -> int | Decimal | None:
    """A value as a number: JSON numbers, and texts that are nothing but one. Booleans are no numbers."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | Decimal):
        return value
    return read_number(value) if isinstance(value, str) and len(value) < 64 else None


def same(one: object, other: object) -> bool:
    """Equality as a reader would have it: 5 is 5.0, fractions to nine digits, lists item by item, booleans apart."""
    if isinstance(one, bool) or isinstance(other, bool) or one is None or other is None:
        return one is other
    if isinstance(one, datetime.date) or isinstance(other, datetime.date):
        return dates.date_of(one) == dates.date_of(other) is not None
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, str) and isinstance(other, str):
        return one.strip() == other.strip()
    left, right = number_of(one), number_of(other)
    if left is None or right is None:
        return False
    if isinstance(left, int) and isinstance(right, int):
        return left == right
    with localcontext(prec=450):
        one_exact, other_exact = Decimal(left), Decimal(right)
        return abs(one_exact - other_exact) <= Decimal("1e-9") * max(Decimal(1), abs(one_exact))
