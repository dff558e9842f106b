"""Criteria about how many: words, characters, lines, entries, keys, links and other things that can be counted."""

import re
from collections.abc import Callable
from typing import NamedTuple

from foreman.judges.offline.dates import dates_in
from foreman.judges.offline.findings import Finding, Predicate, decide, show, unknown, unmet
from foreman.judges.offline.kinds import BE, HAS, LONG, WITHIN, Phrasings, Words
from foreman.judges.offline.kinds_text import EMAIL, URL
from foreman.judges.offline.operands import number_of
from foreman.judges.offline.page import Page
from foreman.judges.offline.phrases import QUANT, Interval, N, read_quantity

PHRASINGS = Phrasings()
says = PHRASINGS.says

_SENTENCE = re.compile(r"[.!?]+(?=\s|$)")
_BULLET = re.compile(r"^[ \t]*(?:[-*•–]|\d{1,4}[.)]) +\S", re.MULTILINE)
_HEADING = re.compile(r"^#{1,6} +\S", re.MULTILINE)
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?![\w])")


_MEMBERS = ("key", "field", "propert", "member")


class Unit(NamedTuple):
    """How a thing is counted in text. `limits` also count what was cut as a directive: padding is padding."""

    pattern: str
    count: Callable[[str], int]


def _sentences(text: str) -> int:
    return len(_SENTENCE.findall(text)) or int(bool(text.strip()))


TEXT_UNITS: dict[str, Unit] = {
    "words": Unit(r"words?", lambda text: len(text.split())),
    "characters": Unit(r"(?:characters?|chars?|symbols)", len),
    "letters": Unit(r"letters?", lambda text: sum(map(str.isalpha, text))),
    "digits": Unit(r"digits?", lambda text: sum(map(str.isdigit, text))),
    "lines": Unit(r"(?:non-?empty )?lines?", lambda text: sum(bool(line.strip()) for line in text.split("\n"))),
    "sentences": Unit(r"sentences?", _sentences),
    "paragraphs": Unit(r"paragraphs?", lambda text: sum(bool(part.strip()) for part in _PARAGRAPH.split(text))),
    "headings": Unit(r"(?:headings?|headlines?|section headings?)", lambda text: len(_HEADING.findall(text))),
    "bullets": Unit(
        r"(?:bullets?|bullet points?|list items?|numbered items?|bulleted items?)",
        lambda text: len(_BULLET.findall(text)),
    ),
    "links": Unit(r"(?:https? )?(?:links?|urls?|hyperlinks?|web addresses)", lambda text: len(URL.findall(text))),
    "emails": Unit(r"(?:e-?mails?|e-?mail addresses|e-?mail address)", lambda text: len(EMAIL.findall(text))),
    "dates": Unit(r"(?:valid )?dates?", lambda text: len(dates_in(text))),
    "code blocks": Unit(r"(?:code blocks?|fenced code blocks?)", lambda text: text.count("```") // 2),
    "question marks": Unit(r"(?:question marks?|questions?)", lambda text: text.count("?")),
}
_TEXT_UNIT = rf"(?P<unit>{'|'.join(unit.pattern for unit in TEXT_UNITS.values())})"
_ENTRY = (
    r"(?P<entry>numbers?|integers?|strings?|objects?|keys?|fields?|properties|values?|entries|entry|"
    r"elements?|items?|members?|rows?|records?|results?)"
)
_KIND = r"(?:(?:distinct|different|unique|separate|numbered) )?"


def unit_of(text: str) -> Unit | None:
    return next((unit for unit in TEXT_UNITS.values() if re.fullmatch(unit.pattern, text, re.IGNORECASE)), None)


@says(
    "length of text",
    rf"(?:{HAS}|{BE}|counts?|spans?|uses?|runs? to|links? to|cites?|"
    rf"mentions?) (?P<n>{QUANT}) {_KIND}{_TEXT_UNIT}{LONG}{WITHIN}",
    rf"(?:{HAS}|{BE}) (?:of )?(?:a |the )?(?:total )?(?P<unit>word|character|line|sentence|paragraph|digit|"
    rf"letter|link) (?:count|length|limit) (?:of )?(?:{BE} )?(?P<n>{QUANT})",
    rf"(?:{HAS}) (?:a |the )?(?:total )?length of (?P<n>{QUANT})(?: {_TEXT_UNIT})?",
    rf"{BE} (?P<n>(?:longer|shorter) than {N}) {_TEXT_UNIT}",
    rf"(?P<n>exceeds? {N}) {_TEXT_UNIT}",
)
def _text_length(words: Words) -> Predicate | None:
    quantity = read_quantity(words["n"])
    name = words["unit"] or "characters"
    unit = unit_of(name)
    if quantity is None or unit is None:
        return None

    def predicate(value: object, page: Page) -> Finding:
        if isinstance(value, Page):
            finding = _within(quantity, unit.count(page.honest.strip()), unit.count(page.text.strip()), name)
            open_end = quantity.high is not None if finding.state == "met" else quantity.low is not None
            return unknown("the page is longer than what is shown") if page.cut and open_end else finding
        if isinstance(value, list) and not words["unit"]:
            return _within(quantity, len(value), len(value), "entries")
        if not isinstance(value, str):
            return unmet(f"{show(value)} is no text")
        number = unit.count(value)
        return _within(quantity, number, number, name)

    return predicate


def _within(quantity: Interval, honest: int, everything: int, name: str) -> Finding:
    """What is delivered must reach the lower bound; everything on the page must stay below the upper one."""
    enough = quantity.low is None or honest >= quantity.low
    number = honest if not enough else everything
    bounded = quantity.high is None or everything <= quantity.high
    return decide(enough and bounded, f"{number} {name}, asked is {quantity}")


@says(
    "count",
    rf"(?:{HAS}|{BE}|counts?|totals?) (?P<n>{QUANT}) {_KIND}{_ENTRY}{LONG}{WITHIN}",
    rf"(?:{HAS}) (?:a |the )?(?:length|size|count) (?:of )?(?:{BE} )?(?P<n>{QUANT})(?: {_ENTRY})?",
    rf"{BE} (?P<n>{QUANT}) (?:{_ENTRY} )?long",
    rf"{BE} (?:an? )?(?:valid )?(?:json )?(?:list|array) (?:of|with|holding|containing) (?P<n>{QUANT}) "
    rf"{_KIND}{_ENTRY}{LONG}",
)
def _entries(words: Words) -> Predicate | None:
    quantity = read_quantity(words["n"])
    if quantity is None:
        return None
    if re.match(BE, words.match[0], re.IGNORECASE) and words["n"].lower() in ("a", "an"):
        return None  # "is an integer" says what it is, not how many
    entry = (words.match.groupdict().get("entry") or "entries").lower()

    def predicate(value: object, page: Page) -> Finding:
        number = count_entries(value, page, entry)
        if number is None:
            return unknown(f"nobody can say what counts as {entry} here")
        return decide(quantity.holds(number), f"{number} {entry}, asked is {quantity}")

    return predicate


def count_entries(value: object, page: Page, entry: str) -> int | None:
    """How many entries of a kind; None when the page does not make clear what an entry is."""
    if isinstance(value, Page):
        if entry.startswith(("number", "integer")) and not isinstance(page.root, list):
            return len(_NUMBER.findall(page.honest))
        value = page.root
        if isinstance(value, dict) and not entry.startswith(_MEMBERS):
            named = page.find(entry)  # "two items" of an object are those of its list of that name
            return len(named) if isinstance(named, list) else None
        if not isinstance(value, list | dict):
            bullets = len(_BULLET.findall(page.honest))
            return bullets or None
    if isinstance(value, dict):
        return len(value)
    if isinstance(value, str):
        return None
    if not isinstance(value, list):
        return None
    if entry.startswith(("number", "integer")):
        return sum(number_of(item) is not None for item in value)
    if entry.startswith("string"):
        return sum(isinstance(item, str) for item in value)
    if entry.startswith("object"):
        return sum(isinstance(item, dict) for item in value)
    return len(value)
