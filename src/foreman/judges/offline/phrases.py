"""The small words of criteria: quoted texts, numbers in digits and words, quantities such as "at least three"."""

import re
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import NamedTuple

_QUOTED = re.compile(r"\"([^\"]*)\"|“([^”]*)”|`([^`]*)`|«([^»]*)»|‘([^’]*)’|(?<!\w)'([^']*)'(?!\w)")
_TOKENS = re.compile("[\ue000\ue001]")
_GAPS = re.compile(r"\s+")

Q = "\ue000\\d+\ue001"
"""Pattern of a quoted text, which stands in a phrase as a token: what is inside quotes is never read as grammar."""

_UNITS = [
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
]
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS = {word: value for value, word in enumerate(_UNITS)}
_WORDS |= {word: 10 * (index + 2) for index, word in enumerate(_TENS)}
_WORDS |= {"a dozen": 12, "one hundred": 100, "a hundred": 100, "one thousand": 1000, "a thousand": 1000}
_COMPOUND = rf"(?:{'|'.join(_TENS)})[- ](?:{'|'.join(_UNITS[1:10])})"

N = rf"(?:[-+]?[$€£]?\d[\d,_]*(?:\.\d+)?%?|\b(?:{_COMPOUND}|{'|'.join(sorted(_WORDS, key=len, reverse=True))})\b)"
"""Pattern of a number."""

_LEAST = "at least|no fewer than|no less than|not fewer than|not less than|a minimum of|minimum|min|>=|≥"
_MOST = (
    "at most|no more than|not more than|up to|a maximum of|maximum|max|no greater than|not greater than|no longer than|"
    "not longer than|not over|not above|<=|≤"
)
_MORE = "exceeds|exceed|more than|greater than|larger than|higher than|longer than|bigger than|above|over|>"
_LESS = "less than|fewer than|smaller than|lower than|shorter than|below|under|<"
_EXACT = "exactly|precisely|a total of|equal to|="
_SOME = {"a": 1, "an": 1, "some": 1, "any": 1, "several": 2, "multiple": 2}

QUANT = (
    rf"(?:(?:(?:{_LEAST}|{_MOST}|{_MORE}|{_LESS}|{_EXACT}) ?)?{N}(?: or (?:more|fewer|less))?"
    rf"|between {N} and {N}|(?:from )?{N} ?(?:to|-|–) ?{N}|no|a single|exactly a|{'|'.join(_SOME)})"
)
"""Pattern of a quantity in front of a noun."""

_RANGE = re.compile(rf"(?:between |from )?({N}) ?(?:and|to|-|–) ?({N})", re.IGNORECASE)
_BOUND = re.compile(
    rf"(?:({_LEAST}|{_MOST}|{_MORE}|{_LESS}|{_EXACT}) ?)?({N})( or (?:more|fewer|less))?", re.IGNORECASE
)
_DIRECTIONS = {word: sign for words, sign in ((_LEAST, ">="), (_MOST, "<="), (_MORE, ">"), (_LESS, "<"), (_EXACT, "="))
               for word in words.split("|")}  # fmt: skip


class Interval(NamedTuple):
    """How many: bounds included, None for no bound."""

    low: int | Decimal | None
    high: int | Decimal | None

    def holds(self, number: int | Decimal) -> bool:
        return (self.low is None or number >= self.low) and (self.high is None or number <= self.high)

    def __str__(self) -> str:
        if self.low == self.high:
            return "none" if self.low == 0 else f"exactly {self.low}"
        if self.high is None:
            return f"at least {self.low}"
        return f"at most {self.high}" if not self.low else f"{self.low} to {self.high}"


class Phrase(NamedTuple):
    """A criterion with its quoted texts taken out."""

    text: str
    quoted: tuple[str, ...]

    def unquote(self, text: str) -> str:
        """Put quoted texts back, without their quotes."""
        return re.sub(Q, lambda token: self.quoted[int(token[0][1:-1])], text)


def phrase(text: str) -> Phrase:
    """One line of single spaces, quoted texts as tokens."""
    quoted: list[str] = []

    def keep(found: re.Match[str]) -> str:
        quoted.append(next(group for group in found.groups() if group is not None))
        return f"\ue000{len(quoted) - 1}\ue001"

    taken = _QUOTED.sub(keep, _TOKENS.sub("", text))
    return Phrase(_GAPS.sub(" ", taken).strip(), tuple(quoted))


@lru_cache(maxsize=4096)
def read_number(text: str) -> int | Decimal | None:
    """`1,000`, `3.5`, `40%` (as 40), `$5` and `twenty-five`; None for anything else."""
    word = text.strip().lower()
    if word in _WORDS:
        return _WORDS[word]
    tens, _, units = word.replace("-", " ").partition(" ")
    if tens in _TENS and units in _WORDS:
        return _WORDS[tens] + _WORDS[units]
    digits = re.sub(r"[,_$€£%+]", "", word)
    if not re.fullmatch(r"-?\d{1,400}(?:\.\d{1,400})?", digits, re.ASCII):
        return None
    try:
        return int(digits) if "." not in digits else Decimal(digits)
    except (ValueError, InvalidOperation):
        return None


def read_quantity(text: str) -> Interval | None:
    """What `QUANT` matched, as bounds; None when it makes no sense (five to three)."""
    word = text.strip().lower()
    if word == "no":
        return Interval(0, 0)
    if word in ("a single", "exactly a"):
        return Interval(1, 1)
    if word in _SOME:
        return Interval(_SOME[word], None)
    if found := _RANGE.fullmatch(word):
        low, high = read_number(found[1]), read_number(found[2])
        return Interval(low, high) if low is not None and high is not None and low <= high else None
    found = _BOUND.fullmatch(word)
    number = read_number(found[2]) if found else None
    if found is None or number is None:
        return None
    return _bounds(_DIRECTIONS.get(found[1] or "=", "="), number, found[3] or "")


def _bounds(direction: str, number: int | Decimal, suffix: str) -> Interval | None:
    if suffix:
        return Interval(number, None) if suffix.endswith("more") else Interval(0, number)
    if direction == "=":
        return Interval(number, number)
    if direction == ">=":
        return Interval(number, None)
    if direction == "<=":
        return Interval(0, number)
    if not isinstance(number, int):
        return None  # more than 2.5 things: not a count
    return Interval(number + 1, None) if direction == ">" else Interval(0, number - 1)
