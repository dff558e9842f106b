"""What a criterion speaks of: the page, a value on it, every entry of a list, a sum of some, every link."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from foreman.judges.offline.findings import Check, Finding, Predicate, show, unknown, unmet
from foreman.judges.offline.kinds import BE, HAS
from foreman.judges.offline.kinds_text import MENTIONS, URL
from foreman.judges.offline.operands import ITEMS, KEY, aggregate, find_aggregate, named_or_listed
from foreman.judges.offline.page import MISSING, Page, find_in
from foreman.judges.offline.phrases import Phrase

_MAX_ITEMS = 20_000
_THE = r"(?:the |its |their )?"
_ALL = r"(?:every|each|any|all(?: of)?(?: the)?)"

_PAGE = re.compile(
    r"(?:(?:the|this|that|your|a|an|its) )?(?:(?:delivered|submitted|linked|final|published|whole|entire|"
    r"complete|public|"
    r"evidence|deliverable|web|json|text|html|returned|fetched|resulting) )*"
    r"(?P<noun>page|deliverable|delivery|evidence|document|response|report|file|output|contents?|body|text|"
    r"answer|result|"
    r"article|essay|summary|submission|object|list|array|dictionary|website|site|webpage|readme|json|artifact|artefact|"
    r"payload|whole|it)(?:['’]s (?:text|content|body))?"
    r"(?: (?:at|behind|of|under|from) (?:the )?(?:url|link|page|evidence url|evidence|deliverable|address))?"
    r"(?: (?:text|content|body|itself))? ",
    re.IGNORECASE,
)
_NEVER_A_KEY = ("it", "page", "evidence", "deliverable", "delivery", "json", "whole")

_NAMED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_THE}(?P<sure>values?|contents?|fields?|keys?|property|lists?|arrays?|attributes?|columns?|"
        rf"{ITEMS} (?:of|at|under|for|in|from)) "
        rf"(?:(?:of|at|under|for|in|from) )?(?:the )?(?:key |field |list |array )?(?:named |called )?(?P<key>{KEY})"
        r"(?: (?:field|key|list|array|value))? ",
        rf"(?:the |its |an? )?(?P<key>{KEY}) (?P<sure>key|field|property|attribute|list|array|column|value|"
        rf"object|string|number) ",
        rf"(?:the |its |all |all the )?(?P<key>{KEY}) (?:(?P<sure>values|entries|items|elements|numbers) )?",
        r"(?:the |its )?(?P<key>[A-Za-z]\w* [A-Za-z]\w*(?: [A-Za-z]\w*)?) ",
    )
)
_ITEMS_ONLY = r"(?:numbers|values|entries|elements|items|members|integers|prices|amounts|rows|records|objects)"
_EACH = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_ALL} (?P<noun>{KEY})s? (?:of|in|from) (?:every|each|all) (?:{ITEMS} )?(?:(?:of|in|from) )?(?:the )?"
        rf"(?P<key>{KEY}) ",
        rf"{_ALL} (?:single )?(?P<noun>[a-z][\w-]*) (?:of|in|from|under|inside) (?:the )?(?:list |array |key |field )?"
        rf"(?P<key>{KEY})(?: list| array)? ",
        rf"(?:the |its )?(?P<noun>{KEY})s? of (?:every|each|all)(?: the)? (?P<holder>[a-z][\w-]*?)s? "
        rf"(?:(?:of|in|from) (?:the )?(?P<key>{KEY}) )?",
        rf"(?:every|each) (?P<key>{KEY}) (?:{ITEMS}) ",
        rf"(?:{_ALL} (?:single )?(?P<holder>{ITEMS})|the {_ITEMS_ONLY})(?: (?:of|in|on) the (?:list|array|page|json|"
        r"document))? ",
    )
)
_PLURAL = re.compile(rf"(?:(?:all|the|all the|its) )?(?P<key>{KEY}) (?=are )", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|its|an?|all|all the) ", re.IGNORECASE)
_LINKS = re.compile(rf"(?:{_ALL}|the) (?:links?|urls?) ", re.IGNORECASE)
_WORDS_OF_GRAMMAR = frozenset(
    [
        *(
            "a",
            "an",
            "the",
            "it",
            "its",
            "is",
            "are",
            "be",
            "no",
            "not",
            "every",
            "each",
            "all",
            "any",
            "there",
            "only",
        ),
        *(
            "exactly",
            "at",
            "least",
            "most",
            "and",
            "or",
            "if",
            "when",
            "in",
            "on",
            "of",
            "to",
            "for",
            "with",
            "by",
            "from",
        ),
    ]
)
_ALSO_NOUNS = (
    "name",
    "names",
    "list",
    "state",
    "states",
    "quote",
    "quotes",
    "use",
    "uses",
    "counts",
    "features",
    "offers",
)
_VERB = re.compile(
    rf"{HAS}|{BE}|{MENTIONS}|starts?|begins?|ends?|links?|returns?|parses?|equals?|exceeds?", re.IGNORECASE
)


class Subject(NamedTuple):
    """What a criterion speaks of. `sure` says that a value of this name is meant, not some quality of the page."""

    label: str
    resolve: Callable[[Page], object]
    sure: bool = True
    each: bool = False
    loose: bool = False
    """`each` where there is a list, else the value itself: "tags are strings", "the results are final"."""

    def check(self, predicate: Predicate) -> Check:
        """The check that this is said of the subject."""

        def check(page: Page) -> Finding:
            value = self.resolve(page)
            if value is MISSING:
                return self._missing(page)
            if self.each and not (self.loose and not isinstance(value, list)):
                return self._over(value, predicate, page)
            return predicate(value, page)

        return check

    def _missing(self, page: Page) -> Finding:
        if self.sure or self.label in page.named:
            return unmet(f"the page has no value, or more than one, for {show(self.label)}")
        return unknown(f"the page names no {show(self.label)}")

    def _over(self, value: object, predicate: Predicate, page: Page) -> Finding:
        items = list(value.values()) if isinstance(value, dict) else value
        if not isinstance(items, list):
            return unmet(f"{show(value)} is no list")
        if not items:
            return unmet("there is none")
        if len(items) > _MAX_ITEMS:
            return unknown("the list is too long")
        finding = unmet("")
        for index, item in enumerate(items):
            finding = unmet("it is missing") if item is MISSING else predicate(item, page)
            if finding.state != "met":
                return Finding(finding.state, f"entry {index + 1}: {finding.why}")
        return Finding(finding.state, f"all {len(items)} hold")


WHOLE_PAGE = Subject("page", lambda page: page)


def subjects(text: str, phrase: Phrase) -> Iterator[tuple[Subject, str]]:
    """Every way to cut a subject off the front of a sentence, with what is left, best first."""
    if cut := find_aggregate(text):
        what, key = cut["what"].lower(), phrase.unquote(cut["key"])
        label = phrase.unquote(cut[0])
        yield Subject(label, lambda page: aggregate(what, named_or_listed(key, page))), text[cut.end() + 1 :]
    if cut := _LINKS.match(text):
        yield (
            Subject("link", lambda page: [found[0] for found in URL.finditer(page.text)], each=True),
            text[cut.end() :],
        )
    if (cut := _PLURAL.match(text)) and is_name(cut["key"]):
        key = phrase.unquote(cut["key"])
        sure = cut["key"] != key
        yield Subject(key, lambda page: named_or_listed(key, page), sure, each=True, loose=True), text[cut.end() :]
    for pattern in _EACH:
        if cut := pattern.match(text):
            yield _each(cut, phrase), text[cut.end() :]
    if cut := _PAGE.match(text):
        yield _page_or_value(cut["noun"].lower()), text[cut.end() :]
    for pattern in _NAMED:
        if (cut := pattern.match(text)) and is_name(cut["key"]):
            sure = bool(cut.groupdict().get("sure")) or cut["key"].startswith("\ue000")
            whole = _ARTICLE.sub("", phrase.unquote(cut[0]).strip())
            yield _named(phrase.unquote(cut["key"]), sure, whole), text[cut.end() :]


def is_name(text: str) -> bool:
    """Can this be the name of a value? Words that hold a sentence together cannot, unless they stand in quotes."""
    return not set(text.lower().split()) & _WORDS_OF_GRAMMAR and (text in _ALSO_NOUNS or not _VERB.fullmatch(text))


def _named(key: str, sure: bool, whole: str) -> Subject:
    """A value by its name; "total items" is a name before it is the items of a total."""

    def resolve(page: Page) -> object:
        value = page.find(whole) if whole != key else MISSING
        return page.find(key) if value is MISSING else value

    return Subject(key, resolve, sure)


def _each(cut: re.Match[str], phrase: Phrase) -> Subject:
    parts = cut.groupdict()
    key, noun = phrase.unquote(parts.get("key") or ""), phrase.unquote(parts.get("noun") or "")
    holder = (parts.get("holder") or "").lower()

    def resolve(page: Page) -> object:
        items = page.find(key) if key else _holder(page, holder)
        if noun and isinstance(items, list) and any(_member(item, noun) is not MISSING for item in items):
            return [_member(item, noun) for item in items]
        return items

    return Subject(key or holder or "list", resolve, sure=bool(key), each=True)


def _holder(page: Page, noun: str) -> object:
    """The list whose entries are spoken of: the page's list of that name ("each item" of "items"), else the page."""
    value = page.find(noun) if noun.endswith("s") else page.find(noun + "s") if noun else MISSING
    return value if isinstance(value, list) else page.root


def _member(item: object, noun: str) -> object:
    """A member by its name, also when it was spoken of in the plural: "every age in users", "all ages"."""
    found = find_in(item, noun)
    return find_in(item, noun.removesuffix("s")) if found is MISSING else found


def _page_or_value(noun: str) -> Subject:
    """ "The summary" is the page, unless the page has a value of that name."""

    def resolve(page: Page) -> object:
        value = MISSING if noun in _NEVER_A_KEY else page.find(noun)
        return page if value is MISSING else value

    return Subject("page", resolve)
