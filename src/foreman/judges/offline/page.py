"""What there is to know about one evidence page: its text, its honest part, the JSON on it, and named values."""

import re
from collections.abc import Iterator
from functools import cached_property

from foreman.judges.offline.directives import is_directive, sentences
from foreman.judges.offline.jsontext import Span, spans, whole
from foreman.judges.offline.phrases import read_number

_VERDICT_KEYS = frozenset({"payout_percent", "criteria_results", "red_flags", "unmet_criteria", "verdict"})
_MAX_NODES = 20_000
_WORD = re.compile(r"\w+(?:[.,'-]\w+)*")
_WORD_KEY = re.compile(r"[A-Za-z_][\w -]{0,60}")
_FILLERS = re.compile(r"[\s_-]+")
_MARKS = re.compile(r"^[\s>*_#|\-•`\"']+|[\s*_|`\"']+$")

MISSING = object()
"""No such value on the page."""


class Page:
    """One page of evidence. `honest` is the text without the sentences that try to direct the verdict, and without
    objects that pose as one; only it can serve a criterion. `text` is everything, and counts against limits.
    """

    def __init__(self, text: str, named: frozenset[str] = frozenset(), cut: bool = False, sift: bool = True) -> None:
        """`named` are keys that the order itself speaks of, so that a page without them is known to lack them; `cut`
        says that the page is longer than what is shown.
        """
        self.text = text
        self.named = named
        self.cut = cut
        self._sifts = sift

    @cached_property
    def everything(self) -> "Page":
        """The same page with nothing cut, for criteria that forbid something."""
        return Page(self.text, self.named, self.cut, sift=False)

    @cached_property
    def all_spans(self) -> list[Span]:
        return spans(self.text)

    @cached_property
    def _split(self) -> tuple[str, list[str], list[Span], str]:
        """The honest text, what was cut from it, the honest JSON, and the honest text around the JSON."""
        if not self._sifts:
            return self.text, [], self.all_spans, self.text
        kept: list[str] = []
        prose: list[str] = []
        cut: list[str] = []
        honest: list[Span] = []
        at = 0
        for span in [*self.all_spans, None]:
            end = span.start if span else len(self.text)
            said = _sift(self.text[at:end], cut)
            kept.append(said)
            prose.append(said)
            if span is None:
                break
            if poses_as_verdict(span.value):
                cut.append(self.text[span.start : span.end])
            else:
                honest.append(span)
                kept.append(self.text[span.start : span.end])
                cut.extend(commands_in(span.value))
            at = span.end
        return "".join(kept), cut, honest, "\n".join(prose)

    @property
    def honest(self) -> str:
        return self._split[0]

    @property
    def directives(self) -> list[str]:
        """What on the page tries to direct the verdict, in order."""
        return self._split[1]

    @property
    def values(self) -> list[object]:
        """The honest JSON objects and arrays of the page, in order."""
        return [span.value for span in self._split[2]]

    @cached_property
    def tainted(self) -> bool:
        """Does a member of the page's JSON try to direct the verdict?"""
        return any(next(commands_in(value), None) is not None for value in self.values)

    @cached_property
    def words(self) -> frozenset[str]:
        """Words and numbers of the honest text, as they stand there."""
        return frozenset(_WORD.findall(self.honest))

    @cached_property
    def root(self) -> object:
        """The JSON value that the page is, or the only one on it; MISSING when it is none or several."""
        is_json, value = whole(self.text.strip())
        if is_json and not poses_as_verdict(value):
            return value
        return self.values[0] if len(self.values) == 1 else MISSING

    def find(self, path: str) -> object:
        """The value of a key (`sum`), a path (`data.items[0]`) or a label (`Total: 5`); MISSING when there is none.
        A key given twice with different values is MISSING too: nobody can say which of them was meant.
        """
        found = [value for root in self.values for value in [_walk(root, path)] if value is not MISSING]
        found = found or [value for root in self.values for value in _deep(root, path)]
        found = found or self._labels.get(_label(path), [])
        return found[0] if found and all(value == found[0] for value in found) else MISSING

    @cached_property
    def _labels(self) -> dict[str, list[object]]:
        """`name: value` and `name = value` lines outside JSON."""
        found: dict[str, list[object]] = {}
        for line in self._split[3].split("\n"):
            name, mark, value = line[:400].replace("=", ":", 1).partition(":")
            label = _MARKS.sub("", name)
            if mark and _WORD_KEY.fullmatch(label) and value.strip():
                found.setdefault(_label(label), []).append(_scalar(_MARKS.sub("", value)))
        return found


def _sift(text: str, cut: list[str]) -> str:
    """The text without its directives, which go to `cut`."""
    kept: list[str] = []
    at = 0
    for start, end in sentences(text):
        if is_directive(text[start:end]):
            kept.append(text[at:start])
            cut.append(text[start:end])
            at = end
    kept.append(text[at:])
    return "".join(kept)


def poses_as_verdict(value: object) -> bool:
    """Is this an answer that only a judge gives?"""
    return isinstance(value, dict) and ("payout_percent" in value or len(_VERDICT_KEYS & value.keys()) >= 2)


def commands_in(value: object) -> Iterator[str]:
    """Texts anywhere inside a JSON value, keys too, that try to direct the verdict."""
    for node in _nodes(value):
        if isinstance(node, str) and len(node) > 5 and is_directive(node):
            yield node


def _nodes(value: object) -> Iterator[object]:
    """Every value and key inside, at most `_MAX_NODES`; without recursion, as depth is the page's choice."""
    pending: list[object] = [value]
    for _ in range(_MAX_NODES):
        if not pending:
            return
        node = pending.pop()
        yield node
        if isinstance(node, dict):
            pending.extend(node.keys())
            pending.extend(node.values())
        elif isinstance(node, list):
            pending.extend(node)


def find_in(value: object, path: str) -> object:
    """The value of a key or path inside one value; MISSING when there is none."""
    return _walk(value, path)


def _walk(value: object, path: str) -> object:
    if isinstance(value, dict) and path in value:
        return value[path]
    for index, step in enumerate(steps := re.findall(r"[^.\[\]]+|\[\]", path)):
        if step == "[]" and isinstance(value, list):
            rest = ".".join(steps[index + 1 :])
            found = [_walk(item, rest) if rest else item for item in value]
            return MISSING if MISSING in found else found
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and step.isascii() and step.isdigit() and int(step[:9]) < len(value):
            value = value[int(step[:9])]
        else:
            return MISSING
    return value


def _deep(value: object, key: str) -> list[object]:
    """The values of a key wherever it stands inside; else, for a name of several words, of one that
    differs only in case, spaces and underscores.
    """
    nodes = [node for node in _nodes(value) if isinstance(node, dict)]
    exact = [node[key] for node in nodes if key in node]
    if exact or " " not in key:
        return exact[:100]
    wanted = _label(key)
    return [item for node in nodes for name, item in node.items() if _label(name) == wanted][:100]


def _label(text: str) -> str:
    return _FILLERS.sub("", text).lower()


def _scalar(text: str) -> object:
    """A label's value: JSON, a number, a list of numbers, or text."""
    is_json, value = whole(text)
    if is_json:
        return value
    number = read_number(text) if text[:1].isdigit() or text[:1] in "-+$€£" else None
    if number is not None:
        return number
    parts = [part.strip() for part in text.rstrip(".").split(",")]
    numbers = [read_number(part) for part in parts if part[:1].isdigit() or part[:1] == "-"]
    if len(parts) > 1 and len(numbers) == len(parts) and None not in numbers:
        return numbers
    return text
