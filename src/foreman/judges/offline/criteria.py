"""Splits acceptance criteria into single ones, and knows those that speak to the judge instead of about the page."""

import re

from foreman.judges.offline.directives import fold
from foreman.judges.offline.phrases import phrase

MAX_CRITERIA = 40
"""More than this are judged together as one that nobody can check; 2,000 characters hold about 40 short ones."""

_MARK = re.compile(
    r"^\s*(?:(?:criterion |ac[- ]?)?(?:\(?\[?\d{1,3}[\]).:]\)?|\(?[a-zA-Z][).])|[-*•–+](?: \[[ xX]?\])?|\[[ xX]?\])\s+"
)
_INLINE = re.compile("(?:^|(?<=\\s))\\(?(\\d{1,2})[).] ?(?=[^\\W\\d_]|[\"'`“\ue000])")
_SENTENCE_END = re.compile(
    r"(?<=[.!?])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<!\betc\.)(?<!\bincl\.)(?<!\bapprox\.)(?<!\bmax\.)(?<!\bmin\.)"
    "\\s+(?=[^\\W\\d_]|[\"'`“(\ue000])|;\\s+"
)
_WORD = re.compile(r"\w")
_HEADER = re.compile(r"^[^.!?]{0,80}:\s*$")

_OUTPUT = re.compile(
    r"\bpay[- ]?outs?\b|\bpayout_percent\b|\bred_flags\b|\bcriteria_results\b|\b(?:verdict|ruling)\b|"
    r"\b(?:judge|evaluator|reviewer|grader|validator|adjudicator|arbiter|assessor|ai model|language model|llm)s?\b"
    r"(?=.{0,80}\b(?:must|should|shall|has to|is to|will|may|ignore|return|answer|output|give|award|score|"
    r"rate|pay|approve|accept|reject|mark|treat|decide)\b)|"
    r"\b(?:full|maximum|zero|half) (?:marks|score|credit|payment|points)\b|"
    r"\b(?:score|rate|grade|mark|award|give|pay) (?:this|it|the (?:delivery|work|order|provider|page)|"
    r"at least|exactly|0|100|zero|full)\b|"
    r"\b(?:return|answer|output|respond with|reply with|print) (?:only )?(?:the (?:number|score|"
    r"value) )?(?:\d{1,3}|approve|reject|same|different|met|unmet|json|true|false)\b|"
    r"\b(?:approve|accept|reject) (?:this|the|any|every|whatever)\b(?=.{0,40}\b(?:delivery|work|order|"
    r"milestone|submission|deliverable|regardless|delivered)\b)|"
    r"\bregardless of (?:the )?(?:delivery|evidence|page|content|result|what)|\bwhatever (?:is|was) delivered\b|"
    r"\b(?:ignore|disregard|forget|skip|override) .{0,40}\b(?:criteria|criterion|instructions?|rules?|"
    r"evidence|above|previous|other|check)\b|"
    r"\b(?:all|every|each|this) (?:other )?criteri(?:a|on) (?:is|are|counts? as|must be) (?:met|satisfied|"
    r"fulfilled|void|unmet|failed)\b|"
    r"\byou (?:must|should|shall|are|have to|will)\b"
)


def split(text: str) -> list[str]:
    """Single criteria, in order: numbered, bulleted, one per line, or sentences and parts between semicolons."""
    lines = [line for line in text.split("\n") if line.strip()]
    marked = any(_MARK.match(line) for line in lines)
    items: list[str] = []
    for line in lines:
        if marked and not _MARK.match(line) and items and line[:1].isspace():
            items[-1] += " " + line.strip()  # a continued item
        elif not (_HEADER.match(line) and len(lines) > 1):
            items.append(line)
    if len(items) == 1:
        items = _by_numbers(items[0])
    if len(items) == 1 and not marked:
        items = sentences(items[0])
    found = (_MARK.sub("", item).strip() for item in items)
    return [item for item in found if _WORD.search(item)]


def _by_numbers(line: str) -> list[str]:
    """`1) this 2) that` in one line: cut where the numbers count up from one."""
    taken = phrase(line)
    starts: list[int] = []
    for mark in _INLINE.finditer(taken.text):
        if int(mark[1]) == len(starts) + 1:
            starts.append(mark.start())
    if len(starts) < 2 or starts[0] != 0:
        return [line]
    ends = [*starts[1:], len(taken.text)]
    parts = (taken.text[start:end].strip() for start, end in zip(starts, ends, strict=True))
    return [_requoted(part, taken.quoted) for part in parts]


def numbered(text: str) -> list[str]:
    """The criteria of a milestone: `[0] first`, `[1] second`, each in its line, so that the numbers stay theirs."""
    items: list[str] = []
    for line in text.split("\n"):
        mark = f"[{len(items)}] "
        if line.startswith(mark):
            items.append(line[len(mark) :])
        elif items:
            items[-1] += " " + line.strip()
    return items


def sentences(text: str) -> list[str]:
    """The sentences of one criterion, and its parts between semicolons; quoted texts are never cut."""
    taken = phrase(text)
    return [_requoted(part, taken.quoted) for part in _SENTENCE_END.split(taken.text) if _WORD.search(part)]


def _requoted(text: str, quoted: tuple[str, ...]) -> str:
    def back(token: re.Match[str]) -> str:
        inside = quoted[int(token[0][1:-1])]
        return f'"{inside}"' if '"' not in inside else f"`{inside}`"

    return re.sub("\ue000\\d+\ue001", back, text)


def is_void(criterion: str) -> bool:
    """Does it address the judge, or name a score or an output? What stands in quotes is only talked about."""
    return _OUTPUT.search(fold(phrase(criterion).text)) is not None
