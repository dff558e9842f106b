"""Reads one criterion as a subject and what is said of it, and makes a check of it; or says that it cannot."""

import re
from functools import lru_cache

from foreman.judges.offline import (
    kinds_counts,
    kinds_dates,
    kinds_equality,
    kinds_json,
    kinds_lists,
    kinds_numbers,
    kinds_text,
)
from foreman.judges.offline.findings import Check, Finding, Predicate, both, either, opposite
from foreman.judges.offline.kinds import BE, HAS, Phrasings
from foreman.judges.offline.operands import KEY
from foreman.judges.offline.page import Page
from foreman.judges.offline.phrases import Phrase, Q, phrase
from foreman.judges.offline.subjects import WHOLE_PAGE, Subject, is_name, subjects

TABLES: tuple[Phrasings, ...] = tuple(
    room.PHRASINGS
    for room in (kinds_text, kinds_json, kinds_counts, kinds_dates, kinds_numbers, kinds_lists, kinds_equality)
)
"""In the order in which phrasings are tried: the particular before the general, equality last."""

KINDS = tuple(dict.fromkeys(rule.kind for table in TABLES for rule in table.rules))
"""The names of all kinds of criterion that can be checked."""

MAX_CRITERION_CHARS = 500
"""Longer ones are essays, and are not taken apart."""
_MAX_JOINTS = 8

_MUST = r"(?:must|shall|should|will|needs? to|has to|have to|ought to|(?:is|are) (?:required|supposed|expected) to)"
_REWRITES = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (r"\b(is|are|does|do|must|should|has|have)n['’]t\b", r"\1 not"),
        (r"\b(?:cannot|can['’]t|can not)\b", "does not"),
        (r"^(?:please )?(?:make sure|ensure|verify|check|confirm)(?: that)? ", ""),
        (r"^(?:length|size|format|content|type|style): ", ""),
        (r"\b(?:the )?json (?:is|be) (valid|well-formed)\b", r"the page is \1 json"),
        (r"^(?:it is (?:required|necessary) that|the requirement is that|acceptance:|criterion:) ", ""),
        (rf"\b(?:{_MUST}|may|(?:is|are) to) (?:not|never) be\b", "is not"),
        (rf"\b(?:{_MUST}|may) (?:not|never)\b", "does not"),
        (rf"\b{_MUST} be\b", "is"),
        (rf"\b{_MUST} ", ""),
        (r"\b(?:clearly|explicitly|correctly|actually|also|really|simply|always|therefore|properly) ", ""),
    )
)

_JOINT = re.compile(
    r"(?P<joint>, and |, or |, but |; and |; | and | or | but |, |\.? (?=with |without )| which | that )", re.IGNORECASE
)
_VERB = re.compile(
    rf"(?:{HAS}|{BE}|{kinds_text.MENTIONS}|does not \w+|starts? with|ends? with)(?: only| exactly)? ", re.IGNORECASE
)
_NOT = re.compile(r"(?P<is>is|are) not (?P<rest>.+)|(?:does|do) not (?P<does>.+)", re.IGNORECASE)
_THERE = re.compile(
    rf"(?:there (?:is|are|exists?|be) )(?P<rest>.+?)(?: (?:in|on|inside) (?:the )?(?:list |array |"
    rf"key )?(?P<key>{KEY}))?",
    re.IGNORECASE,
)
_NONE = re.compile(r"no (?P<rest>.+?)(?: (?:is|are)(?: (?:present|there|used|allowed|included))?)?", re.IGNORECASE)
_PASSIVE = re.compile(
    rf"(?:the )?(?:words?|phrases?|texts?|strings?|sentences?|terms?|names?)? ?(?P<what>{Q}(?:(?:, and |, |"
    rf" and | or ){Q})*)"
    r" (?:both |all )?(?P<not>(?:is|are|does|do) (?:not|never) |never )?(?:(?:is|are|be) )?"
    r"(?:present|mentioned|included|contained|quoted|shown|stated|found|there|appears?|occurs?|used)"
    r"(?P<times> (?:exactly |at least |at most )?(?:once|twice|\w+ times))?(?: (?:on|in|at) (?:the )?\w+)?",
    re.IGNORECASE,
)
_KEYS_THERE = re.compile(
    rf"(?:the |both |all )*(?:required |following |top-level |json )*(?P<noun>keys?|fields?|properties|attributes?):? "
    rf"(?P<keys>{KEY}(?:(?:, and |, | and ){KEY})*) (?:(?:all|both) )?"
    r"(?:(?:is|are|be) (?:all |both )?(?:present|there|given|provided|included|defined|set)|exists?)"
    r"(?: (?:in|on) the \w+(?: \w+)?)?",
    re.IGNORECASE,
)
_OF_A_LIST = frozenset(("order", "no repetition", "sequence", "sums", "count", "members", "emptiness", "presence"))
"""What is said of a list as a whole, also where its members are spoken of: "all entries of x are different"."""


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
        self._kinds: dict[str, str] = {}

    def sentence(self, text: str) -> Check | None:
        """A whole sentence: of one of the usual shapes, or several joined."""
        if text not in self._sentences:
            self._sentences[text] = None  # what leads back to itself has no meaning
            simple = self._turned(text) or self._with_subject(text) or self._without_subject(text)
            self._sentences[text] = simple or self._joined(text)
        return self._sentences[text]

    def _turned(self, text: str) -> Check | None:
        """Sentences that are turned around: "there are", "no", "X is mentioned", "keys a and b are present"."""
        if found := _THERE.fullmatch(text):
            whole = text.split(" ", 2)[2]
            return self._on_page(f"has {whole}") or self._in_value(found["key"], f"has {found['rest']}")
        if found := _NONE.fullmatch(text):
            return self._on_page(f"has no {found['rest']}") or self._on_page(f"does not contain {found['rest']}")
        if found := _PASSIVE.fullmatch(text):
            verb = "does not contain" if found["not"] else "contains"
            return self._on_page(f"{verb} {found['what']}{found['times'] or ''}")
        if found := _KEYS_THERE.fullmatch(text):
            return self._on_page(f"has keys {found['keys']}")
        return None

    def _on_page(self, said: str) -> Check | None:
        predicate = self.predicate(said)
        return WHOLE_PAGE.check(predicate) if predicate else None

    def _in_value(self, key: str | None, said: str) -> Check | None:
        predicate = self.predicate(said) if key and is_name(key) else None
        if predicate is None or key is None:
            return None
        name = self._phrase.unquote(key)
        return Subject(name, lambda page: page.find(name), key != name).check(predicate)

    def _with_subject(self, text: str) -> Check | None:
        for subject, rest in subjects(text, self._phrase):
            if predicate := self.predicate(rest):
                kind = self._kinds.get(rest)
                whole = subject.each and (kind in _OF_A_LIST or (subject.loose and kind == "equality"))
                return (subject._replace(each=False) if whole else subject).check(predicate)
        return None

    def _without_subject(self, text: str) -> Check | None:
        for said in (text, f"has {text}", f"is {text}"):
            if predicate := self._plain(said):
                return WHOLE_PAGE.check(predicate)
        return None

    def predicate(self, text: str) -> Predicate | None:
        """What is said of a subject: one thing, its opposite, or several joined."""
        if text not in self._predicates:
            self._predicates[text] = None
            self._predicates[text] = self._plain(text) or self._negated(text) or self._joined_predicate(text)
        return self._predicates[text]

    def _plain(self, text: str) -> Predicate | None:
        for table in TABLES:
            if reading := table.read(text, self._phrase):
                self._kinds[text] = reading[0]
                return reading[1]
        return None

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
