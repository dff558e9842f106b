"""Judges the criteria of one question and writes the answer in the shape that was asked for."""

import json
import re
from typing import NamedTuple

from foreman.judges.offline import criteria as texts
from foreman.judges.offline.directives import directives
from foreman.judges.offline.findings import Finding, State, both, either, unknown
from foreman.judges.offline.grammar import read
from foreman.judges.offline.page import Page
from foreman.judges.offline.phrases import phrase
from foreman.judges.offline.prompt import Asked

MAX_REASONING = 1000
MAX_RATIONALE = 1200
"""The contract's cap on a rationale (docs/agreements.md)."""
MAX_FLAGS = 10
MAX_FLAG = 200
MAX_CHECK = 300
"""The contract's caps on red flags and on a criterion in the checklist."""
MAX_EVIDENCE = 15_000
"""The contract's cap on evidence; a page this long may have been cut."""

_KEY_WORDS = re.compile(
    r"\b(?:keys?|fields?|property|properties|columns?|attributes?|lists?|arrays?) (?:named |called )?([A-Za-z_][\w-]*)"
)
_SHOWN = re.compile(r"^shown: (\d+) of (\d+) characters$", re.MULTILINE)
_AND = re.compile(r"(?:,| and) ([A-Za-z_]\w*)")
_AUTHORS = {
    "grounds": "the appellant",
    "note": "the provider",
    "claim": "the provider",
    "url": "the provider",
    "evidence": "the evidence page",
}


class Judged(NamedTuple):
    """One criterion and how it ended; `void` ones were not judged at all."""

    text: str
    finding: Finding
    void: bool = False

    @property
    def met(self) -> bool:
        return not self.void and self.finding.state is State.MET


def payout(asked: Asked) -> str:
    """The share of criteria that are met, rounded down. What cannot be told counts as unmet, and is said."""
    evidence = asked.text("evidence")
    page = Page(evidence, _named(asked), cut=len(evidence) >= MAX_EVIDENCE)
    criteria = texts.split(asked.text("criteri"))
    if len(criteria) > texts.MAX_CRITERIA:
        criteria = [asked.text("criteri")]
    judged = [_judge(text, [page], 0) for text in criteria]
    if all(one.void for one in judged):
        # The task says: if no criterion is left, judge whether the spec is fulfilled.
        judged += [one for one in (_judge(text, [page], 0) for text in texts.split(asked.text("spec"))) if not one.void]
    counted = [one for one in judged if not one.void]
    percent = 100 * sum(one.met for one in counted) // len(counted) if counted else 0
    return json.dumps(
        {
            "payout_percent": percent,
            "reasoning": _summary(judged, MAX_REASONING),
            "red_flags": _flags(asked, judged, [page], "the client"),
            "criteria_results": [{"criterion": _clip(one.text, MAX_CHECK), "met": one.met} for one in judged],
        },
        ensure_ascii=False,
    )


def ruling(asked: Asked) -> str:
    """One checked criterion that is false rejects; else one that cannot be checked is insufficient evidence."""
    pages, unreachable = _pages(asked)
    judged = [_judge(text, pages, unreachable) for text in texts.numbered(asked.text("criteri"))]
    counted = [(index, one) for index, one in enumerate(judged) if not one.void]
    false = [index for index, one in counted if one.finding.state is State.UNMET]
    untold = any(one.finding.state is State.UNKNOWN for _, one in counted)
    verdict = "REJECT" if false else "INSUFFICIENT_EVIDENCE" if untold or not counted else "APPROVE"
    summary = _summary(judged, MAX_RATIONALE - 200)
    flags = _flags(asked, judged, pages, "the payer")
    rationale = f"{summary} Red flags: {'; '.join(flags)}" if flags else summary
    return json.dumps(
        {
            "verdict": verdict,
            "confidence": 50 if verdict == "INSUFFICIENT_EVIDENCE" else 100,
            "unmet_criteria": false,
            "rationale": _clip(f"Checked by program. {rationale}", MAX_RATIONALE),
        },
        ensure_ascii=False,
    )


def same(asked: Asked) -> str:
    """SAME only for equal text: what two different sentences have in common, a program cannot tell."""
    texts_asked = [text for _, text in asked.blocks]
    return "SAME" if len(texts_asked) >= 2 and len(set(texts_asked)) == 1 else "DIFFERENT"


def _named(asked: Asked) -> frozenset[str]:
    """The keys that the order speaks of."""
    named: set[str] = set()
    for _, text in asked.texts("criteri", "spec", "title"):
        taken = phrase(text)
        named.update(taken.quoted)
        for found in _KEY_WORDS.finditer(taken.text):
            named.add(found[1])
            named.update(_AND.findall(taken.text[found.end() : found.end() + 80]))
    return frozenset(named)


def _pages(asked: Asked) -> tuple[list[Page], int]:
    """The pages that could be read, and how many could not: those are shown empty."""
    named = _named(asked)
    sources = dict(asked.texts("source"))
    blocks = asked.texts("evidence")
    pages = [
        Page(text, named, cut=_is_cut(sources.get(name.replace("evidence", "source"), "")))
        for name, text in blocks
        if text.strip()
    ]
    return pages, len(blocks) - len(pages)


def _is_cut(source: str) -> bool:
    """Does the line that tells what is shown of a page tell of more?"""
    shown = _SHOWN.search(source)
    return shown is not None and shown[1] != shown[2]


def _judge(criterion: str, pages: list[Page], unreachable: int) -> Judged:
    """Several pages are one delivery: a criterion is met where one page meets it, and false when none can."""
    if texts.is_void(criterion):
        return Judged(criterion, unknown("it speaks to the judge, and is void"), void=True)
    checks = [read(sentence) for sentence in texts.sentences(criterion)]
    if not checks or None in checks:
        return Judged(criterion, unknown("no program can check this"))
    if not pages:
        return Judged(criterion, unknown("there is no page to check it on"))
    finding = either([both([check(page) for check in checks if check]) for page in pages])
    if unreachable and finding.state is State.UNMET:
        finding = unknown(f"{finding.why}, and a page could not be reached")
    return Judged(criterion, finding)


def _summary(judged: list[Judged], cap: int) -> str:
    """What became of each criterion, the whole never longer than the cap."""
    if not judged:
        return "There are no criteria to check, so nothing is met."
    counted = [one for one in judged if not one.void]
    head = f"{sum(one.met for one in counted)} of {len(counted)} criteria are met."
    room = max(40, (cap - len(head)) // len(judged) - 24)
    lines = [_line(index, one, room) for index, one in enumerate(judged)]
    return _clip(" ".join([head, *lines]), cap)


def _line(number: int, one: Judged, room: int) -> str:
    """Criteria count from 0, as in the contracts, the command and the web app."""
    ending = "void" if one.void else str(one.finding.state)
    note = " (counts as unmet)" if not one.void and one.finding.state is State.UNKNOWN else ""
    return f"[{number}] {ending}{note}: {_clip(one.finding.why, room)}."


def _flags(asked: Asked, judged: list[Judged], pages: list[Page], client: str) -> list[str]:
    """Everything that tried to direct the verdict, with its author."""
    flags = [
        f'criterion {index}, written by {client}, speaks to the judge and is void: "{one.text}"'
        for index, one in enumerate(judged)
        if one.void
    ]
    flags += [f'the evidence page tries to direct the verdict: "{text}"' for page in pages for text in page.directives]
    for name, text in asked.blocks:
        author = next((author for word, author in _AUTHORS.items() if word in name.lower()), client)
        if "evidence" not in name.lower() and "criteri" not in name.lower():
            flags += [
                f'{author} tries to direct the verdict in the {name.lower()}: "{said}"' for said in directives(text)
            ]
    shown = [_clip(flag, MAX_FLAG) for flag in dict.fromkeys(flags)]
    return shown if len(shown) <= MAX_FLAGS else [*shown[: MAX_FLAGS - 1], f"and {len(shown) - MAX_FLAGS + 1} more"]


def _clip(text: str, cap: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= cap else line[: cap - 1] + "…"
