"""Criteria about JSON: that it is valid, how many objects it has, their keys, and the types of values."""

import re
from collections.abc import Callable, Iterator
from decimal import Decimal

from foreman.judges.offline.dates import date_of
from foreman.judges.offline.findings import Finding, Predicate, decide, show, unknown, unmet
from foreman.judges.offline.jsontext import whole
from foreman.judges.offline.kinds import BE, HAS, WITHIN, Phrasings, Words
from foreman.judges.offline.kinds_text import EMAIL, URL
from foreman.judges.offline.operands import KEY, number_of, read_operand, same
from foreman.judges.offline.page import MISSING, Page
from foreman.judges.offline.phrases import QUANT, read_quantity

PHRASINGS = Phrasings()
says = PHRASINGS.says

_TOUCHED = "a member of it tries to direct the verdict"


@says(
    "valid JSON",
    rf"(?:(?:{BE} |{HAS} |parses? as |returns? |is written in |is formatted as )?(?:as )?(?:an? |some )?"
    r"(?:valid|well-?formed|parsable|parseable|proper|strict|correct) json)(?: (?P<what>object|array|list|"
    r"document|text|file|data|format))?",
    rf"(?:{BE}|parses? as|returns?) (?:an? )?json(?: (?P<what>object|array|list|document|text|file))?",
    r"(?:can be parsed|parses?|is parsable|is parseable|loads?) as (?:an? )?(?:valid )?json(?: (?P<what>object|"
    r"array|list|document))?",
)
def _valid(words: Words) -> Predicate:
    what = (words.match.groupdict().get("what") or "").lower()
    embedded = re.match(HAS, words.match[0], re.IGNORECASE)

    def predicate(value: object, page: Page) -> Finding:
        if not isinstance(value, Page):
            return _type_of("object" if what == "object" else "array" if what in ("array", "list") else "json")(value)
        if page.tainted:
            return unmet(_TOUCHED)
        if embedded and page.values:
            return decide(True, "there is JSON on the page")
        is_json, root = whole(page.text.strip())
        if not is_json:
            return unknown("the page is longer than what is shown") if page.cut else unmet("the page is not valid JSON")
        if what == "object" and not isinstance(root, dict):
            return unmet("the page is JSON, but no object")
        if what in ("array", "list") and not isinstance(root, list):
            return unmet("the page is JSON, but no list")
        return decide(page.root is not MISSING, "the page is valid JSON")

    return predicate


@says(
    "JSON objects",
    rf"(?:{HAS}|{BE}) (?P<n>{QUANT}) (?:valid |well-?formed )?json (?P<what>objects?|arrays?|lists?|values?){WITHIN}",
    rf"(?:{HAS}) (?P<n>{QUANT}) (?P<what>objects?|arrays?) in json(?: format)?",
)
def _objects(words: Words) -> Predicate | None:
    quantity = read_quantity(words["n"])
    if quantity is None:
        return None
    wanted = dict if words["what"].startswith("object") else list if words["what"][0] in "al" else (dict, list)

    def predicate(value: object, page: Page) -> Finding:
        if page.tainted:
            return unmet(_TOUCHED)
        values = page.values
        # One JSON list of three objects holds three objects.
        if wanted is dict and len(values) == 1 and isinstance(values[0], list):
            values = [item for item in values[0] if isinstance(item, dict)]
        number = sum(isinstance(item, wanted) for item in values)
        return decide(quantity.holds(number), f"the page has {number}, asked is {quantity}")

    return predicate


_KEYS = r"(?:keys?|fields?|properties|property|attributes?|members?|columns?)"
_LIST = rf"{KEY}(?:(?:, and |, or |, | and |/){KEY})*"
_VALUED = r"(?: ?(?:with (?:the )?value(?: of)?|set to|equal to|equals|holding the value|=|:) ?(?P<a>.+))?"


@says(
    "keys present",
    rf"(?:{HAS}|defines?|exposes?) (?:the |an? |at least (?:the )?|all (?:of )?(?:the )?|"
    rf"both )?(?P<only>exactly |only )?(?:the )?"
    rf"(?:following )?(?:top-level |required |json )?{_KEYS}:? (?:named |called )?(?P<keys>{_LIST}){_VALUED}",
    rf"(?:{HAS}|defines?) (?:an? |the )?(?P<keys>{KEY}) (?:key|field|property|attribute|member|column){_VALUED}",
    rf"(?:{HAS}|defines?) (?P<only>only )?(?:the )?(?P<keys>{_LIST}) (?:as )?{_KEYS}",
)
def _keys(words: Words) -> Predicate | None:
    names = [words.phrase.unquote(name) for name in _split_keys(words["keys"])]
    parts = words.match.groupdict()
    operand = read_operand(parts["a"], words.phrase) if parts.get("a") else None
    if parts.get("a") and operand is None:
        return None

    def predicate(value: object, page: Page) -> Finding:
        holders = _holders(value, page)
        if not holders:
            return unmet(
                "there is no JSON object on the page" if isinstance(value, Page) else f"{show(value)} is no object"
            )
        for name in names:
            if not any(name in holder for holder in holders):
                return unmet(f"there is no key {name}")
        if parts.get("only") and not any(holder.keys() == set(names) for holder in holders):
            return unmet("there are other keys besides")
        if operand:
            wanted = operand.resolve(page)
            return decide(
                any(same(holder.get(names[-1]), wanted) for holder in holders), f"{names[-1]} against {show(wanted)}"
            )
        return decide(True, f"{', '.join(names)}: there")

    return predicate


@says("absence", rf"(?:{HAS}) (?:no|neither) {_KEYS} (?:named |called )?(?P<keys>{_LIST}){WITHIN}")
def _no_keys(words: Words) -> Predicate:
    names = [words.phrase.unquote(name) for name in _split_keys(words["keys"])]

    def predicate(value: object, page: Page) -> Finding:
        there = [name for name in names if any(name in holder for holder in _holders(value, page))]
        return decide(not there, f"there is a key {there[0]}" if there else "there is no such key")

    return predicate


def _split_keys(text: str) -> list[str]:
    return re.split(r", and |, or |, | and | or |/", text)


def _holders(value: object, page: Page) -> list[dict[str, object]]:
    """The objects whose keys are meant: of the value, or the honest ones of the page."""
    values = page.values if isinstance(value, Page) else [value]
    return [item for item in values if isinstance(item, dict)]


def _json(value: object) -> bool:
    return isinstance(value, dict | list)


TYPES: dict[str, Callable[[object], bool]] = {
    "json": _json,
    "object": lambda value: isinstance(value, dict),
    "dictionary": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "list": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "text": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "bool": lambda value: isinstance(value, bool),
    "number": lambda value: isinstance(value, int | Decimal) and not isinstance(value, bool),
    "numeric": lambda value: number_of(value) is not None,
    "null": lambda value: value is None,
    "date": lambda value: date_of(value) is not None,
    "url": lambda value: isinstance(value, str) and URL.fullmatch(value.strip()) is not None,
    "email": lambda value: isinstance(value, str) and EMAIL.fullmatch(value.strip()) is not None,
}
_TYPE = (
    r"(?P<type>objects?|dictionary|dictionaries|arrays?|lists?|strings?|texts?|booleans?|bools?|numbers?|numeric|null|"
    r"(?:iso(?:[- ]?8601)? )?(?:formatted )?dates?|https? urls?|urls?|links?|e-?mails?(?: address(?:es)?)?)"
)


def _type_of(name: str) -> Callable[[object], Finding]:
    return lambda value: decide(TYPES[name](value), f"it is {show(value)}")


def _type_name(text: str) -> str:
    word = text.lower().replace("-", "")
    if "date" in word:
        return "date"
    if "url" in word or "link" in word:
        return "url"
    if "mail" in word:
        return "email"
    return "dictionary" if word.startswith("dictionar") else word if word == "null" else word.removesuffix("s")


@says(
    "type",
    rf"(?:{BE}|contains?|holds?|has|is of type|has type|is given as) (?:all |each )?(?:an? |the )?(?:valid |"
    rf"json |single |well-?formed )*{_TYPE}(?: values?)?"
    rf"(?: of (?:only )?(?P<of>{_TYPE.replace('type>', 'inner>')}))?",
    rf"(?:contains?|holds?|has|consists? of) only {_TYPE.replace('type>', 'inner>')}",
)
def _type(words: Words) -> Predicate | None:
    parts = words.match.groupdict()
    outer, inner = parts.get("type"), parts.get("inner")
    if (
        outer
        and re.match(r"contains?|holds?|has ", words.match[0], re.IGNORECASE)
        and "type" not in words.match[0].lower()
    ):
        return None  # "contains a list" is about presence, not about what the value is
    check = TYPES[_type_name(outer)] if outer else TYPES["list"]
    check_inner = TYPES[_type_name(inner)] if inner else None

    def predicate(value: object, page: Page) -> Finding:
        if isinstance(value, Page):
            value = page.root
            if value is MISSING:
                return unknown("the page is no single value")
        if not check(value):
            return unmet(f"it is {show(value)}")
        if check_inner and not all(map(check_inner, _members_of(value))):
            return unmet("not every entry is")
        return decide(True, f"it is {show(value)}")

    return predicate


def _members_of(value: object) -> Iterator[object]:
    return iter(value) if isinstance(value, list) else iter(value.values()) if isinstance(value, dict) else iter(())


@says(
    "presence",
    rf"(?:{BE} )?(?:present|given|provided|there|included|defined|available|listed|set|exists?|"
    rf"existing)(?: on the page| in the (?:page|json|object|document))?",
)
def _present(words: Words) -> Predicate:
    return lambda value, page: decide(True, f"it is {show(value) if not isinstance(value, Page) else 'there'}")


@says(
    "emptiness",
    rf"(?:{BE} )(?P<not>not |non-?)?(?:empty|blank)(?: (?:list|array|string|text|object))?",
    rf"(?:{BE} )an? (?P<not>non-?)empty (?:list|array|string|text|object|page)",
)
def _empty(words: Words) -> Predicate:
    filled = bool(words["not"])

    def predicate(value: object, page: Page) -> Finding:
        content = page.honest.strip() if isinstance(value, Page) else value
        content = content.strip() if isinstance(content, str) else content
        empty = content is None or (isinstance(content, str | list | dict) and not content)
        return decide(empty != filled, "it is empty" if empty else "it is not empty")

    return predicate
