"""Criteria about numbers: comparison, range, equality, sums, and what kind of number it is."""

from collections.abc import Callable
from decimal import Decimal

from foreman.judges.offline.findings import Finding, Predicate, decide, show, unknown, unmet
from foreman.judges.offline.kinds import BE, Phrasings, Words
from foreman.judges.offline.operands import KEY, Operand, number_of, read_operand
from foreman.judges.offline.page import MISSING, Page
from foreman.judges.offline.phrases import N

PHRASINGS = Phrasings()
says = PHRASINGS.says

_COMPARED = {
    "at least": ">=",
    "no less than": ">=",
    "not less than": ">=",
    "greater than or equal to": ">=",
    "a minimum of": ">=",
    ">=": ">=",
    "≥": ">=",
    "at most": "<=",
    "no more than": "<=",
    "not more than": "<=",
    "no greater than": "<=",
    "not greater than": "<=",
    "less than or equal to": "<=",
    "up to": "<=",
    "a maximum of": "<=",
    "<=": "<=",
    "≤": "<=",
    "more than": ">",
    "greater than": ">",
    "larger than": ">",
    "higher than": ">",
    "bigger than": ">",
    "above": ">",
    "over": ">",
    "exceeds": ">",
    "exceed": ">",
    "exceeding": ">",
    ">": ">",
    "less than": "<",
    "smaller than": "<",
    "lower than": "<",
    "fewer than": "<",
    "below": "<",
    "under": "<",
    "<": "<",
}
_OPS = "|".join(sorted(_COMPARED, key=len, reverse=True))
_SAID = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}

Number = int | Decimal


def compare(sign: str, left: Number, right: Number) -> bool:
    if sign == ">=":
        return left >= right
    if sign == "<=":
        return left <= right
    return left > right if sign == ">" else left < right


def against(operand: Operand, judge: Callable[[object, object], Finding]) -> Predicate:
    """A predicate that needs the operand's value first."""

    def predicate(value: object, page: Page) -> Finding:
        other = operand.resolve(page)
        if other is MISSING:
            return unknown(f"the page gives no single value for {operand.label}")
        if not isinstance(value, Page):
            return judge(value, other)
        finding = judge(value.honest.strip(), other)
        # A page that is one value can be compared; of any other nobody can say which value is meant.
        is_value = finding.state == "met" or number_of(value.honest.strip()) is not None
        return finding if is_value else unknown("the page is more than one value")

    return predicate


def compared(sign: str, operand: Operand) -> Predicate:
    """`>=`, `<=`, `>` or `<` an operand."""

    def judge(value: object, other: object) -> Finding:
        left, right = number_of(value), number_of(other)
        if right is None:
            return unknown(f"{operand.label} is no number")
        if left is None:
            return unmet(f"{show(value)} is no number")
        if operand.label.endswith("%") and not isinstance(value, str) and 0 < left <= 1 < right:
            return unknown(f"{show(left)} may be a share or a percentage")
        holds = compare(sign, left, right)
        return decide(holds, f"{show(left)} is {'' if holds else 'not '}{_SAID[sign]} {show(right)}")

    return against(operand, judge)


@says("comparison", rf"(?:{BE} |has (?:a |the )?value )?(?:of )?(?P<op>{_OPS}) ?(?P<a>.+)")
def _comparison(words: Words) -> Predicate | None:
    operand = read_operand(words["a"], words.phrase)
    return compared(_COMPARED[words["op"].lower()], operand) if operand else None


@says(
    "comparison", rf"{BE} (?P<a>{N}) or (?P<more>more|higher|greater|larger|above|over|less|lower|fewer|smaller|below)"
)
def _or_more(words: Words) -> Predicate | None:
    operand = read_operand(words["a"], words.phrase)
    upwards = words["more"].lower() in ("more", "higher", "greater", "larger", "above", "over")
    return compared(">=" if upwards else "<=", operand) if operand else None


@says(
    "range",
    rf"(?:{BE} |lies |falls |stays |ranges )?(?:an? )?(?P<kind>integer |whole number |number |value )?"
    r"(?P<lead>(?:with)?in the (?:inclusive )?range (?:of |from |between )?|between |from |within |in )"
    rf"(?P<a>{N}|{KEY}) ?(?P<mid>to|and|-|–|\.\.) ?(?P<b>{N}|{KEY})(?:,? \(?(?P<ends>inclusive|exclusive|"
    rf"inclusively)\)?)?",
)
def _range(words: Words) -> Predicate | None:
    low, high = read_operand(words["a"], words.phrase), read_operand(words["b"], words.phrase)
    lead = words["lead"].lower()
    if low is None or high is None or (words["mid"].lower() == "and") != ("between" in lead):
        return None
    exclusive = words["ends"].lower() == "exclusive"
    bounds = _both(compared(">" if exclusive else ">=", low), compared("<" if exclusive else "<=", high))
    if words["kind"].lower() not in ("integer", "whole number"):
        return bounds
    check = number_kind("integer")
    return _both(lambda value, page: check(value), bounds)


def _both(one: Predicate, other: Predicate) -> Predicate:
    def predicate(value: object, page: Page) -> Finding:
        first, second = one(value, page), other(value, page)
        return (
            first
            if first.state != "met"
            else second
            if second.state != "met"
            else decide(True, f"{show(value)} is inside")
        )

    return predicate


def is_prime(number: int) -> bool:
    """Exact below 3.3 * 10^24, where these bases have no liars (Sorenson and Webster, 2015)."""
    if number < 2:
        return False
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
    if any(number % base == 0 for base in bases):
        return number in bases
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    return all(_passes(base, odd, twos, number) for base in bases)


def _passes(base: int, odd: int, twos: int, number: int) -> bool:
    power = pow(base, odd, number)
    if power in (1, number - 1):
        return True
    for _ in range(twos - 1):
        power = power * power % number
        if power == number - 1:
            return True
    return False


MAX_PRIME = 3 * 10**24


def _whole(number: Number) -> int | None:
    return number if isinstance(number, int) else int(number) if number == number.to_integral_value() else None


NUMBER_KINDS: dict[str, Callable[[Number], bool | None]] = {
    "positive": lambda number: number > 0,
    "negative": lambda number: number < 0,
    "non-negative": lambda number: number >= 0,
    "non-positive": lambda number: number <= 0,
    "zero": lambda number: number == 0,
    "non-zero": lambda number: number != 0,
    "even": lambda number: None if (whole := _whole(number)) is None else whole % 2 == 0,
    "odd": lambda number: None if (whole := _whole(number)) is None else whole % 2 == 1,
    "prime": lambda number: None if (whole := _whole(number)) is None or whole > MAX_PRIME else is_prime(whole),
    "whole": lambda number: _whole(number) is not None,
    "integer": lambda number: _whole(number) is not None,
}
_KIND = (
    r"(?:strictly )?(?P<kind>positive|negative|non-?negative|non-?positive|zero|non-?zero|even|odd|prime|"
    r"whole|integer)s?"
)


def number_kind(word: str) -> Callable[[object], Finding]:
    """A check of one value: is it a number of this kind?"""
    name = word.lower().removesuffix("s").replace("non-", "non").replace("non", "non-")

    def check(value: object) -> Finding:
        number = number_of(value)
        if number is None:
            return unmet(f"{show(value)} is no number")
        holds = NUMBER_KINDS[name](number)
        if holds is None:
            fraction = _whole(number) is None
            return unmet(f"{show(number)} is no whole number") if fraction else unknown(f"{show(number)} is too large")
        return decide(holds, f"{show(number)} is {'' if holds else 'not '}{name}")

    return check


@says(
    "kind of number",
    rf"{BE} (?:all |both |each )?(?:an? )?{_KIND}(?: numbers?| integers?| values?)?",
    rf"(?:contains?|holds?|lists?|has|have|consists? of) only {_KIND}(?: numbers?| integers?| values?)?",
)
def _number_kind(words: Words) -> Predicate:
    check = number_kind(words["kind"])

    def predicate(value: object, page: Page) -> Finding:
        if isinstance(value, Page):
            value = value.root if isinstance(value.root, list) else number_of(value.honest.strip())
            if value is None:
                return unknown("the page is neither a list nor a number")
        if isinstance(value, list):
            for item in value:
                if (finding := check(item)).state != "met":
                    return finding
            return decide(bool(value), f"all {len(value)} are" if value else "the list is empty")
        return check(value)

    return predicate
