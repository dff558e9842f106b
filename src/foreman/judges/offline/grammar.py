"""Reads one criterion as a subject and what is said of it, and makes a check of it; or says that it cannot."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from foreman.judges.offline import kinds_text  # isort: split

from foreman.judges.offline import kinds_json  # isort: split

from foreman.judges.offline import kinds_counts  # isort: split

from foreman.judges.offline import kinds_dates  # isort: split

from foreman.judges.offline import kinds_lists  # isort: split

from foreman.judges.offline import kinds_equality
from foreman.judges.offline.findings import Check, Finding, Predicate, both, either, opposite, show, unknown, unmet
from foreman.judges.offline.kinds import BE, HAS, readings
from foreman.judges.offline.operands import _OF as AGGREGATE
from foreman.judges.offline.operands import ITEMS, KEY, read_operand
from foreman.judges.offline.page import MISSING, Page, find_in
from foreman.judges.offline.phrases import Phrase, Q, phrase

PHRASINGS = (kinds_text, kinds_json, kinds_counts, kinds_dates, kinds_lists, kinds_equality)
"""Imported in the order in which phrasings are tried: the particular before the general, equality last."""

MAX_CRITERION_CHARS = 500
"""Longer ones are essays, and are not taken apart."""
_MAX_JOINTS = 8
_MAX_ITEMS = 20_000

_REWRITES = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (r"\b(is|are|does|do|must|should|has|have)n['’]t\b", r"\1 not"),
        (r"\b(?:cannot|can['’]t|can not)\b", "does not"),
        (r"^(?:please )?(?:make sure|ensure|verify|check|confirm)(?: that)? ", ""),
        (r"^(?:it is (?:required|necessary) that|the requirement is that|acceptance:|criterion:) ", ""),
        (
            r"\b(?:must|should|shall|may|will|needs? to|has to|have to|ought to|is to|are to) (?:not|never) be\b",
            "is not",
        ),
        (r"\b(?:must|should|shall|may|will|needs? to|has to|have to|ought to) (?:not|never)\b", "does not"),
        (r"\b(?:must|should|shall|will|needs? to|has to|have to|ought to|is required to|are required to) be\b", "is"),
        (r"\b(?:must|should|shall|will|needs? to|has to|have to|ought to|is required to|are required to) ", ""),
        (r"\b(?:clearly|explicitly|correctly|actually|also|really|simply|always|therefore|properly) ", ""),
    )
)

_NOUNS = (
    r"page|deliverable|delivery|evidence|document|response|report|file|output|contents?|body|text|answer|"
    r"result|article|essay|"
    r"summary|submission|website|site|webpage|web page|readme|json|artifact|artefact|page text|payload|whole|it"
)
_PAGE = re.compile(
    r"(?:(?:the|this|that|your|a|an) )?(?:(?:delivered|submitted|linked|final|published|whole|entire|complete|"
    r"public|evidence|"
    r"deliverable|web|json|text|html|returned|fetched|resulting) )*"
    rf"(?P<noun>{_NOUNS})(?:['’]s (?:text|content|body))?"
    r"(?: (?:at|behind|of|under|from) (?:the )?(?:url|link|page|evidence|deliverable|evidence url|"
    r"address))?(?: text| content| body)? ",
    re.IGNORECASE,
)
_KEYS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:the |its )?(?P<sure>value|content|field|key|property|list|array|attribute|member|column|"
        rf"entry)s? (?:(?:of|at|under|for|in) )?"
        rf"(?:the )?(?:key |field |list |array )?(?:named |called )?(?P<key>{KEY}) ",
        rf"(?:the |its |a |an )?(?P<key>{KEY}) (?P<sure>key|field|property|attribute|list|array|column|value|"
        rf"object|string|number) ",
        rf"(?:the |its |all |all the )?(?P<key>{KEY}) (?:(?P<sure>values|entries|items|elements|numbers) )?",
        r"(?:the |its )?(?P<key>[A-Za-z]\w* [A-Za-z]\w*(?: [A-Za-z]\w*)?) ",
    )
)
_EACH = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:every|each|all(?: of)?(?: the)?) (?P<sub>{KEY})s? (?:of|in|from) (?:every|each|"
        rf"all) (?:{ITEMS} )?(?:(?:of|in|from) )?(?:the )?(?P<key>{KEY}) ",
        rf"(?:every|each|all(?: of)?(?: the)?) (?:single )?{ITEMS} (?:of|in|from|under|"
        rf"inside) (?:the )?(?:list |array |key |field )?(?P<key>{KEY})(?: list| array)? ",
        rf"(?:every|each) (?P<key>{KEY}) (?:{ITEMS}) ",
        rf"(?:every|each|all(?: of)?(?: the)?|any) (?:single )?{ITEMS}(?: (?:of|in|on) the (?:list|array|page|"
        rf"json|document))? ",
    )
)
_NOT_KEYS = frozenset(
    [
        *("a", "an", "the", "it", "its", "is", "are", "be", "has", "have", "contains", "no", "not", "every", "each"),
        *("all", "any", "there", "only", "exactly", "at", "least", "most", "and", "or", "if", "when"),
        *("in", "on", "of", "to", "for", "with", "by", "from"),
    ]
)
_JOINT = re.compile(
    r"(?P<joint>, and |, or |, but |; and |; | and | or | but |, |\.? (?=with |without )| which | that )", re.IGNORECASE
)
_VERB = re.compile(
    rf"(?:{HAS}|{BE}|{kinds_text.MENTIONS}|does not \w+|starts with|ends with)(?: only| exactly)? ", re.IGNORECASE
)
_NOT = re.compile(r"(?P<is>is|are) not (?P<rest>.+)|(?:does|do) not (?P<does>.+)", re.IGNORECASE)
_PASSIVE = re.compile(
    rf"(?:the )?(?:words?|phrases?|texts?|strings?|sentences?|terms?|names?)? ?(?P<what>{Q}(?:(?:, and |, |"
    rf" and | or ){Q})*)"
    r" (?:both |all )?(?P<not>(?:is|are|does|do) (?:not|never) |never )?(?:(?:is|are|be) )?"
    r"(?:present|mentioned|included|contained|quoted|shown|stated|found|there|appears?|occurs?|used)"
    r"(?P<times> (?:exactly |at least |at most )?(?:once|twice|\w+ times))?(?: (?:on|in|at) (?:the )?\w+)?",
    re.IGNORECASE,
)
_KEY_LIST = re.compile(
    rf"(?:the |both |all )*(?:required |following |top-level |json )*(?P<noun>keys?|fields?|properties|"
    rf"attributes?)?:? ?"
    rf"(?P<keys>{KEY}(?:(?:, and |, | and ){KEY})*) (?:(?:all|both) )?(?:is|are|exists?|be)(?: (?:all|both))?"
    r"(?: (?:present|there|given|provided|included|defined|set))?(?: (?:in|on) the \w+(?: \w+)?)?",
    re.IGNORECASE,
)


class Subject(NamedTuple):
    """What a criterion speaks of. `sure` says that a value of this name is meant, not some quality of the page."""

    label: str
    resolve: Callable[[Page], object]
    sure: bool = True
    each: bool = False

    def check(self, predicate: Predicate) -> Check:
        def check(page: Page) -> Finding:
            value = self.resolve(page)
            if value is MISSING:
                known = self.sure or self.label in page.named or page.find(self.label.split(".")[0]) is not MISSING
                return (
                    unmet(f"the page gives no single {self.label}")
                    if known
                    else unknown(f"the page names no {self.label}")
                )
            return self._over(value, predicate, page) if self.each else predicate(value, page)

        return check

    def _over(self, value: object, predicate: Predicate, page: Page) -> Finding:
        items = list(value.values()) if isinstance(value, dict) else value
        if not isinstance(items, list):
            return unmet(f"{show(value)} is no list")
        if not items:
            return unmet("the list is empty")
        if len(items) > _MAX_ITEMS:
            return unknown("the list is too long")
        for index, item in enumerate(items):
            finding = unmet("it is missing") if item is MISSING else predicate(item, page)
            if finding.state != "met":
                return Finding(finding.state, f"entry {index + 1}: {finding.why}")
        return Finding(finding.state, f"all {len(items)} entries hold")


WHOLE_PAGE = Subject("page", lambda page: page)


@lru_cache(maxsize=1024)
def read(criterion: str) -> Check | None:
    """The check that a criterion asks for, None when it is not understood to its last word."""
    if len(criterion) > MAX_CRITERION_CHARS:
        return None
    taken = phrase(criterion)
    text = taken.text.rstrip(" .!;:,")
    for pattern, replacement in _REWRITES:
        text = pattern.sub(replacement, text)
    return _Reader(taken).sentence(text.strip())


class _Reader:
    """Reads one phrase; remembers what it has tried, so that the number of joints cannot make it slow."""

    def __init__(self, taken: Phrase) -> None:
        self._phrase = taken
        self._sentences: dict[str, Check | None] = {}
        self._predicates: dict[str, Predicate | None] = {}

    def sentence(self, text: str) -> Check | None:
        if text not in self._sentences:
            self._sentences[text] = None  # what leads back to itself has no meaning
            self._sentences[text] = self._sentence(text)
        return self._sentences[text]

    def _sentence(self, text: str) -> Check | None:
        simple = self._special(text) or self._with_subject(text) or self._without_subject(text)
        return simple or self._joined(text)

    def _special(self, text: str) -> Check | None:
        """Sentences that are turned around: "there are", "no", "X is mentioned", "keys a and b are present"."""
        if found := re.fullmatch(r"there (?:is|are|exists?|must be) (?P<rest>.+)", text, re.IGNORECASE):
            return self._on_page(f"has {found['rest']}")
        if found := re.fullmatch(
            r"no (?P<rest>.+?)(?: (?:is|are)(?: (?:present|there|used|allowed|included))?)?", text, re.IGNORECASE
        ):
            return self._on_page(f"has no {found['rest']}") or self._on_page(f"does not contain {found['rest']}")
        if found := _PASSIVE.fullmatch(text):
            verb = "does not contain" if found["not"] else "contains"
            return self._on_page(f"{verb} {found['what']}{found['times'] or ''}")
        found = _KEY_LIST.fullmatch(text)
        if found and (found["noun"] or not _PAGE.match(text + " ")) and text.split()[-1].lower() not in ("is", "are"):
            return self._on_page(f"has keys {found['keys']}")
        return None

    def _on_page(self, said: str) -> Check | None:
        predicate = self.predicate(said)
        return WHOLE_PAGE.check(predicate) if predicate else None

    def _with_subject(self, text: str) -> Check | None:
        for subject, rest in self._subjects(text):
            if predicate := self.predicate(rest):
                return subject.check(predicate)
        return None

    def _without_subject(self, text: str) -> Check | None:
        for said in (text, f"has {text}", f"is {text}"):
            if predicate := self._plain(said):
                return WHOLE_PAGE.check(predicate)
        return None

    def _subjects(self, text: str) -> list[tuple[Subject, str]]:
        """Every way to cut a subject off the front, best first."""
        found: list[tuple[Subject, str]] = []
        if (cut := AGGREGATE.match(text)) and text[cut.end() : cut.end() + 1] == " ":
            operand = read_operand(cut[0], self._phrase)
            if operand:
                found.append((Subject(operand.label, operand.resolve), text[cut.end() + 1 :]))
        for pattern in _EACH:
            if cut := pattern.match(text):
                found.append((self._each(cut), text[cut.end() :]))
        if cut := _PAGE.match(text):
            found.append((_page_or_key(cut["noun"]), text[cut.end() :]))
        for pattern in _KEYS:
            if (cut := pattern.match(text)) and not set(cut["key"].lower().split()) & _NOT_KEYS:
                key = self._phrase.unquote(cut["key"])
                sure = bool(cut.groupdict().get("sure")) or cut["key"].startswith("\ue000")
                found.append((Subject(key, lambda page, key=key: page.find(key), sure), text[cut.end() :]))  # type: ignore[misc]  # mypy cannot type a default in a lambda
        return found

    def _each(self, cut: re.Match[str]) -> Subject:
        parts = cut.groupdict()
        key = self._phrase.unquote(parts["key"]) if parts.get("key") else ""
        sub = self._phrase.unquote(parts["sub"]) if parts.get("sub") else ""

        def resolve(page: Page) -> object:
            items = page.find(key) if key else page.root
            if sub and isinstance(items, list):
                return [_member(item, sub) for item in items]
            return items

        return Subject(key or "list", resolve, each=True)

    def predicate(self, text: str) -> Predicate | None:
        """What is said of a subject: one thing, its opposite, or several joined."""
        if text not in self._predicates:
            self._predicates[text] = None
            self._predicates[text] = self._plain(text) or self._negated(text) or self._joined_predicate(text)
        return self._predicates[text]

    def _plain(self, text: str) -> Predicate | None:
        return next(readings(text, self._phrase), None)

    def _negated(self, text: str) -> Predicate | None:
        found = _NOT.fullmatch(text)
        inner = self._plain(f"{found['is']} {found['rest']}" if found["is"] else found["does"]) if found else None
        if inner is None:
            return None

        def predicate(value: object, page: Page) -> Finding:
            # What is forbidden is forbidden everywhere, also in what was cut as a directive.
            everything = page.everything
            return opposite(inner(everything if value is page else value, everything))

        return predicate

    def _joined_predicate(self, text: str) -> Predicate | None:
        for joint, left, right in _splits(text):
            first = self.predicate(left)
            second = first and self._continued(left, right)
            if first and second:
                return _combine(joint, first, second)
        return None

    def _continued(self, left: str, right: str) -> Predicate | None:
        """The second half as it stands, or with the verb of the first, or as a sentence of its own."""
        if predicate := self.predicate(right):
            return predicate
        verb = _VERB.match(left)
        if verb and (predicate := self.predicate(verb[0] + right)):
            return predicate
        check = self.sentence(right)
        return (lambda value, page: check(page)) if check else None

    def _joined(self, text: str) -> Check | None:
        for joint, left, right in _splits(text):
            first = self.sentence(left)
            second = first and self.sentence(right)
            if first and second:
                return _either_check(first, second) if " or " in joint else _both_checks(first, second)
        return None


def _member(item: object, name: str) -> object:
    """A member by its name, also when it was spoken of in the plural."""
    found = find_in(item, name)
    return find_in(item, name.removesuffix("s")) if found is MISSING else found


def _page_or_key(noun: str) -> Subject:
    """ "the summary" is the page, unless the page has a value of that name."""

    def resolve(page: Page) -> object:
        value = page.find(noun) if noun.lower() not in ("it", "page", "evidence", "deliverable", "json") else MISSING
        return page if value is MISSING else value

    return Subject("page", resolve)


def _splits(text: str) -> list[tuple[str, str, str]]:
    """(joint, left, right) at each joint; "or" before "and", as "and" binds tighter."""
    joints = list(_JOINT.finditer(text))[:_MAX_JOINTS]
    joints.sort(key=lambda joint: "or" not in joint[0].lower().split())
    return [(f" {joint[0].strip(' ,.;').lower()} ", text[: joint.start()], text[joint.end() :]) for joint in joints]


def _combine(joint: str, first: Predicate, second: Predicate) -> Predicate:
    combine = either if " or " in joint else both
    return lambda value, page: combine([first(value, page), second(value, page)])


def _either_check(first: Check, second: Check) -> Check:
    return lambda page: either([first(page), second(page)])


def _both_checks(first: Check, second: Check) -> Check:
    return lambda page: both([first(page), second(page)])
