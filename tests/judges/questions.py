"""Prompts as the shipped contracts write them, so that judges are asked what they will be asked."""

import json
from typing import Any

from contracts.shared.fence import clean, fenced
from foreman.judges.offline import Offline

GOOD = '{"primes":[2,3,5,7,11,13,17,19,23,29],"sum":129}'
ORDER = {
    "title": "First ten primes",
    "spec": "Publish a JSON object with key primes holding the first ten prime numbers in ascending order and key sum "
    "holding their sum.",
    "criteria": "1) The page is valid JSON or contains one JSON object.\n2) primes is exactly the first ten primes in "
    "ascending order.\n3) sum equals the sum of primes.",
    "url": "https://demo.example.org/primes.json",
    "note": "",
}


def payout_prompt(evidence: str, **fields: str) -> str:
    """The question of an order; fields replace those of the primes order."""
    blocks = ORDER | fields | {"evidence": evidence}
    return fenced({name: clean(text) for name, text in blocks.items()}) + "\n\nJudge.\n\nanswer: foreman/payout/1\n"


def ruling_prompt(criteria: list[str], *pages: str, sources: tuple[str, ...] = (), **fields: str) -> str:
    """The question of a milestone; an empty page is one that could not be reached."""
    numbered = "\n".join(f"[{index}] {text}" for index, text in enumerate(criteria))
    blocks = {"title": "Milestone", "criteria": numbered, "claim": "It is delivered as agreed."} | fields
    for index, text in enumerate(pages):
        shown = f"shown: {len(text)} of {len(text)} characters" if text else "unreachable"
        source = sources[index] if index < len(sources) else f"url: https://e.example/{index}\nstatus: 200\n{shown}"
        blocks |= {f"source {index}": source, f"evidence {index}": text}
    return fenced({name: clean(text) for name, text in blocks.items()}) + "\n\nanswer: verdict/ruling/1\nRule."


def same_prompt(one: str, other: str) -> str:
    return fenced({"rationale 0": one, "rationale 1": other}) + "\n\nanswer: verdict/same/1\nSAME or DIFFERENT?"


def judged(prompt: str) -> dict[str, Any]:
    """The offline judge's answer, read."""
    answer: dict[str, Any] = json.loads(Offline().answer(prompt))
    return answer


def paid(evidence: str, **fields: str) -> int:
    return int(judged(payout_prompt(evidence, **fields))["payout_percent"])
