"""Criteria about equality: with a number, a text, another value of the page, a sum, or one of several."""

from decimal import localcontext

from foreman.judges.offline.findings import Finding, Predicate, decide, show, unmet
from foreman.judges.offline.kinds import BE, Phrasings, Words
from foreman.judges.offline.kinds_numbers import against
from foreman.judges.offline.operands import number_of, read_operand, same
from foreman.judges.offline.page import MISSING, Page

PHRASINGS = Phrasings()
says = PHRASINGS.says


@says(
    "equality",
    rf"(?:{BE} |has (?:a |the )?value (?:of )?|reads )?(?:exactly |precisely |strictly )?"
    r"(?:equal to |equals? (?:to )?|the same as |identical to |matche?s? |set to |= ?|== ?|: ?)(?:exactly )?(?P<a>.+)",
    rf"(?:{BE}|has (?:a |the )?value(?: of)?|reads) (?:exactly |precisely )?(?P<a>.+)",
    r"(?:adds? up|sums?(?: up)?|totals?|amounts?|comes?) to (?:exactly )?(?P<total>.+)",
    r"totals? (?:exactly )?(?P<total>.+)",
)
def _equality(words: Words) -> Predicate | None:
    summed = "total" in words.match.re.groupindex
    operand = read_operand(words["total" if summed else "a"], words.phrase)
    if operand is None:
        return None

    def judge(value: object, other: object) -> Finding:
        if summed and isinstance(value, list):
            numbers = [number_of(item) for item in value]
            if None in numbers:
                return unmet("the list holds more than numbers")
            with localcontext(prec=60):
                value = sum(number for number in numbers if number is not None)
        holds = same(value, other)
        return decide(holds, f"{show(value)} is {'' if holds else 'not '}{show(other)}")

    compared = against(operand, judge)
    word = words["total" if summed else "a"]

    def predicate(value: object, page: Page) -> Finding:
        # "status is done": a word that is no value of the page may be the value itself; if it is not, nobody can say.
        if isinstance(value, str) and value.casefold() == word.casefold():
            return decide(True, f"it is {show(value)}")
        return compared(value, page)

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
