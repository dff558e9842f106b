"""The work orders of the demo: what is asked for, the page that is delivered, and what must come of it."""

from dataclasses import dataclass

from foreman.money import parse_gen


@dataclass(frozen=True, slots=True)
class Job:
    """One order of the demo. `status` and `percent` are what it must end with; criteria are checked one by one."""

    title: str
    shows: str
    spec: str
    criteria: tuple[str, ...]
    gen: str
    days: int
    status: str
    percent: int = 0
    page: str = ""

    @property
    def escrow_wei(self) -> int:
        return parse_gen(self.gen)

    @property
    def criteria_text(self) -> str:
        return "\n".join(f"- {criterion}" for criterion in self.criteria)


RELEASE_NOTES = (
    "The page contains a date",
    'The page contains "Added"',
    'The page contains "Fixed"',
    'The page contains "Upgrade guide"',
    'The page contains "Known issues"',
)

FULL = Job(
    title="River gauge readings",
    shows="full acceptance",
    spec="A week of water levels at Old Mill Bridge, one reading a day, as JSON.",
    criteria=(
        "The page is valid JSON",
        'It has the keys "station", "unit", "licence" and "readings"',
        'The list "readings" has exactly 7 entries',
        '"unit" equals "cm"',
        'The page contains "CC BY 4.0"',
    ),
    gen="2",
    days=30,
    status="completed",
    percent=100,
    page="gauge.json",
)

PARTIAL = Job(
    title="Release notes for Tide 2.4",
    shows="partial credit",
    spec="Release notes with what was added and fixed, an upgrade guide and known issues.",
    criteria=RELEASE_NOTES,
    gen="1",
    days=30,
    status="completed",
    percent=60,
    page="notes.html",
)

APPEALED = Job(
    title="Glossary of escrow",
    shows="rejected, then won on appeal",
    spec="A reviewed glossary of at least six terms with its sources, as JSON.",
    criteria=(
        '"language" equals "en"',
        'The list "terms" has at least 6 entries',
        'The list "sources" has at least 2 entries',
        '"reviewed" is a date',
    ),
    gen="1.5",
    days=30,
    status="completed",
    percent=100,
    page="glossary.json",
)

RECLAIMED = Job(
    title="Safety notice, translated",
    shows="abandoned, claimed again, delivered",
    spec="The pump safety notice in plain English, with a contact address and the day of translation.",
    criteria=(
        'The page contains "Safety notice"',
        'The page contains "safety@pumps.example"',
        "The page contains a date",
        "The page has at most 120 words",
    ),
    gen="0.8",
    days=30,
    status="completed",
    percent=100,
    page="notice.html",
)

CANCELLED = Job(
    title="Logo for a ferry line",
    shows="cancelled before anyone claimed",
    spec="A logo as SVG, two colours.",
    criteria=("The page contains an SVG image",),
    gen="3",
    days=30,
    status="cancelled",
)

EXPIRED = Job(
    title="Weekly market digest",
    shows="expired undelivered, refunded",
    spec="A digest of last week's grain prices.",
    criteria=("The page has at least 200 words",),
    gen="1.2",
    days=1,
    status="expired",
)

OVERTAKEN = Job(
    title="Sensor calibration log",
    shows="an expiry must wait for the verdict",
    spec="A calibration log of sensor T-117 with at least four points, as JSON.",
    criteria=(
        "The page is valid JSON",
        'The list "points" has at least 4 entries',
        '"max_error" is at most 0.05',
        '"passed" equals true',
    ),
    gen="2.5",
    days=3,
    status="completed",
    percent=100,
    page="calibration.json",
)

HOSTILE = Job(
    title="Mirror of a status page",
    shows="hostile URLs refused, none fetched",
    spec="A public mirror of the status page.",
    criteria=("The page has at least 20 words",),
    gen="0.5",
    days=30,
    status="cancelled",
)

INJECTED = Job(
    title="Release notes, 2nd supplier",
    shows="injected orders earn nothing extra",
    spec="Release notes with what was added and fixed, an upgrade guide and known issues.",
    criteria=RELEASE_NOTES,
    gen="1",
    days=30,
    status="completed",
    percent=60,
    page="notes-injected.html",
)

JOBS = (FULL, PARTIAL, APPEALED, RECLAIMED, CANCELLED, EXPIRED, OVERTAKEN, HOSTILE, INJECTED)
"""In the order they are played; the contract numbers them from 0."""

HOSTILE_URLS = (
    "http://169.254.169.254/latest/meta-data/",
    "http://localhost:4000/api",
    "http://0x7f.1/",
    "https://user:secret@work.example/gauge.json",
)
"""What the hostile delivery tries: a metadata service, this machine by name and in disguise, a URL with a password."""
