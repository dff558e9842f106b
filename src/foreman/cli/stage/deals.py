"""The milestones of the agreements' demo: what is agreed, the page that is delivered, and what must come of it."""

from dataclasses import replace

from foreman.cli.stage import jobs

APPROVED = replace(jobs.FULL, shows="approved and accepted", status="released")
FLIPPED = replace(jobs.APPEALED, shows="rejected, an appeal flips it", status="released")
FORFEITED = replace(
    jobs.PARTIAL, shows="rejected twice, the bond is forfeit", status="refunded", percent=0, page="tide.html"
)
UNPROVEN = replace(
    jobs.RECLAIMED,
    title="Safety notice, in good style",
    shows="three attempts prove nothing, refunded",
    criteria=(*jobs.RECLAIMED.criteria, "The translation is a pleasure to read"),
    status="refunded",
    percent=0,
)
DEADLOCKED = replace(
    jobs.PARTIAL,
    title="Tide 2.4, third edition",
    shows="deadlock, settled by the arbiter",
    gen="2",
    status="released",
    percent=100,
)
ABANDONED = replace(
    jobs.PARTIAL,
    title="Tide 2.4, fourth edition",
    shows="the arbiter stays away, the last ruling stands",
    gen="3",
    status="refunded",
    percent=0,
)
STALLED = replace(
    jobs.OVERTAKEN, shows="a stalled review, another attempt", gen="0.5", status="released", page="log.json"
)
DEALS = (APPROVED, FLIPPED, FORFEITED, UNPROVEN, DEADLOCKED, ABANDONED, STALLED)
