"""The evidence of a live run: one page per role, with criteria that fit it and the verdict that must come of them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from foreman.cli.stage import jobs
from foreman.errors import BadInput


@dataclass(frozen=True, slots=True)
class Role:
    """A page, what is asked of it, and between which payout percentages an honest verdict lies, both included."""

    url: str
    title: str
    spec: str
    criteria: tuple[str, ...]
    low: int
    high: int

    @property
    def host(self) -> str:
        """For an agreement's allowlist."""
        return urlsplit(self.url).hostname or ""

    @property
    def criteria_text(self) -> str:
        return "\n".join(f"- {criterion}" for criterion in self.criteria)


def _local(job: jobs.Job, low: int, high: int, page: str = "", scheme: str = "http") -> Role:
    url = f"{scheme}://work.example/{page or job.page}"
    return Role(url, job.title, job.spec, job.criteria, low, high)


LOCAL = {
    "full": _local(jobs.FULL, 100, 100),
    "partial": _local(jobs.PARTIAL, 60, 60),
    "rejected": _local(jobs.APPEALED, 0, 49, "glossary-draft.json"),
    "agreement": _local(jobs.FULL, 100, 100, scheme="https"),
}
"""The demo's pages, which the embedded network serves under a mapped name; its offline judge answers exactly."""

_RFC_2606 = "https://www.rfc-editor.org/rfc/rfc2606.txt"
_RFC_1149 = "https://www.rfc-editor.org/rfc/rfc1149.txt"

_RESERVED = (
    'The page contains "Reserved Top Level DNS Names"',
    'The page contains ".test"',
    'The page contains ".invalid"',
    'The page contains ".localhost"',
    'The page contains "example.com"',
)

LIVE = {
    "full": Role(_RFC_2606, "Reserved names", "The text of the RFC that reserves top level names.", _RESERVED, 80, 100),
    "partial": Role(
        _RFC_2606,
        "Reserved names, with extras",
        "A text that reserves top level names, with a price list and a table of phone numbers.",
        (*_RESERVED[:3], "The page contains a price list in euro", "The page contains a table of phone numbers"),
        40,
        80,
    ),
    "rejected": Role(
        _RFC_1149,
        "Water levels",
        "A week of water levels at one bridge, one reading a day, as JSON.",
        ("The page is valid JSON", 'It has the keys "station" and "readings"', "It lists exactly 7 water levels"),
        0,
        49,
    ),
    "agreement": Role(
        _RFC_2606, "Reserved names", "The text of the RFC that reserves top level names.", _RESERVED, 100, 100
    ),
}
"""RFCs never change once they are published, so a pinned one is evidence that any validator can fetch for years."""


def choose(defaults: Mapping[str, Role], given: list[str]) -> dict[str, Role]:
    """Defaults with the pages that `ROLE=URL` arguments replace. Raises `BadInput` for an unknown role or no URL."""
    chosen = dict(defaults)
    for text in given:
        role, equals, url = text.partition("=")
        if role not in chosen or not equals or urlsplit(url).scheme not in ("http", "https"):
            raise BadInput(
                "bad_evidence",
                f"{text[:200]!r} names no evidence",
                f"write ROLE=URL, where ROLE is one of {', '.join(chosen)}",
            )
        if role == "agreement" and urlsplit(url).scheme != "https":
            raise BadInput("bad_evidence", "the evidence of an agreement needs https", "write agreement=https://...")
        chosen[role] = replace(chosen[role], url=url)
    return chosen
