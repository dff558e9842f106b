"""The kinds of criterion that can be checked, and the table their phrasings are registered in."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from foreman.judges.offline.findings import Predicate
from foreman.judges.offline.phrases import Phrase

BE = r"(?:is|are|be|being)"
HAS = (
    r"(?:has|have|contains?|includes?|holds?|lists?|consists? of|(?:is|are|be) made (?:up )?of|comprises?|features?|"
    r"provides?|shows?|offers?|carries|carry|gives?|names?|with)"
)
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
    build: Callable[[Words], Predicate | None]


_RULES: list[Rule] = []


def says(
    kind: str, *patterns: str
) -> Callable[[Callable[[Words], Predicate | None]], Callable[[Words], Predicate | None]]:
    """Register phrasings of what is said about a subject. The function makes the predicate, or None when the parts do
    not make sense after all, and then the next phrasing is tried.
    """

    def register(build: Callable[[Words], Predicate | None]) -> Callable[[Words], Predicate | None]:
        _RULES.extend(Rule(kind, re.compile(pattern, re.IGNORECASE), build) for pattern in patterns)
        return build

    return register


def readings(text: str, phrase: Phrase) -> Iterator[Predicate]:
    """Every way to understand a text as something said about a subject, best first."""
    for rule in _RULES:
        if found := rule.pattern.fullmatch(text):
            predicate = rule.build(Words(found, phrase))
            if predicate is not None:
                yield predicate


def kinds() -> list[str]:
    """The names of all kinds, in the order they are tried."""
    return list(dict.fromkeys(rule.kind for rule in _RULES))
