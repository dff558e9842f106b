"""The network that every client meets: real but for its pages, offline judges, and two doors for a test's own story.

A matter of `TASTE` is judged by every seat in its own way, far apart, so nothing is decided. An appeal on the
`GROUNDS` below convinces every seat. Everything else the offline judge decides.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from foreman.fetch.replay import Scripted as Pages
from foreman.judges import make_judge
from foreman.judges.scripted import payout, ruling
from foreman.judges.shapes import RULING, shape_of
from foreman.localnet.localnet import build
from foreman.localnet.serve import Running
from foreman.ports import Judge
from foreman.settings import Settings

ROOT = Path(__file__).parents[2]
CONTRACT = ROOT / "contracts" / "foreman.py"

HOST = "work.example"
GAUGE = json.dumps({"unit": "cm", "levels": [1, 2, 3]})
PAGES = {f"{scheme}://{HOST}/gauge.json": GAUGE for scheme in ("http", "https")}

TASTE = "A matter of taste"
GROUNDS = "The unit stands in the agreement's own annex."

_OFFLINE = make_judge("offline")


@dataclass(frozen=True)
class Seat:
    """The judge of one seat."""

    number: int
    concurrency: int = 64
    seconds: float = 120.0

    @property
    def name(self) -> str:
        return f"panel:{self.number}"

    def answer(self, prompt: str, images: tuple[bytes, ...] = ()) -> str:
        """As the docstring of this file says."""
        if TASTE in prompt:
            return payout(20 * self.number)
        if GROUNDS in prompt and shape_of(prompt) == RULING:
            return ruling("APPROVE")
        return _OFFLINE.answer(prompt, images)


def network(state: Path | None = None, judges: Sequence[Judge] = ()) -> Running:
    """A network with the panel above, or with other judges. Contracts of clients may be deployed on it."""
    settings = Settings(state_dir=state, port=0, allow_contracts=True)
    panel = judges or [Seat(number) for number in range(5)]
    return Running(build(settings, fetchers=[Pages(PAGES)], judges=panel))
