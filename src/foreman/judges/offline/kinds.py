"""The kinds of criterion that can be checked, and the tables their phrasings are kept in."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from foreman.judges.offline.findings import Predicate
from foreman.judges.offline.phrases import Phrase

BE = r"(?:is|are|be|being)"
HAS = (
    r"(?:has|have|contains?|includes?|holds?|lists?|consists? of|(?:is|are|be) made (?:up )?of|comprises?|features?|"
    r"provides?|shows?|offers?|carries|carry|gives?|names?|with)"
)
WITHIN = r"(?: (?:on|in) (?:the |its )?(?:page|text|document|list|array|object))?"
LONG = r"(?: long| in length| in total| altogether| overall)?"


@dataclass(frozen=True, slots=True)
class Words:
    """A phrasing that matched: its parts by name, quoted texts still as tokens."""

    match: re.Match[str]
    phrase: Phrase

    def __getitem__(self, name: str) -> str:
        return (self.match[name] or "").strip()

    def plain(self, name: str) -> str:
        """A part with its quoted texts put back."""
        return self.phrase.unquote(self[name])


class Rule(NamedTuple):
    """One phrasing of one kind."""

    kind: str
    pattern: re.Pattern[str]
    build: "Build"


Build = Callable[[Words], Predicate | None]


class Phrasings:
    """The phrasings of some kinds, in the order in which they are tried."""

    def __init__(self) -> None:
        self.rules: list[Rule] = []

    def says(self, kind: str, *patterns: str) -> Callable[[Build], Build]:
        """Add phrasings of what is said about a subject. The function makes the predicate, or None when the parts do
        not make sense after all, and then the next phrasing is tried.
        """

        def register(build: Build) -> Build:
            self.rules.extend(Rule(kind, re.compile(pattern, re.IGNORECASE), build) for pattern in patterns)
            return build

        return register

    def read(self, text: str, phrase: Phrase) -> tuple[str, Predicate] | None:
        """The first way to understand a text as something said about a subject, with its kind."""
        for rule in self.rules:
            if found := rule.pattern.fullmatch(text):
                predicate = rule.build(Words(found, phrase))
                if predicate is not None:
                    return rule.kind, predicate
        return None
