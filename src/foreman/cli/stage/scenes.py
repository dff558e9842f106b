"""The nine scenes of the demo, in the order they are played."""

from collections.abc import Callable

from foreman.cli.stage import jobs
from foreman.cli.stage.stage import Stage

DRAFT = "glossary-draft.json"


def full_acceptance(stage: Stage) -> None:
    """Every criterion is met: the provider gets the whole escrow."""
    row = stage.open(jobs.FULL)
    stage.claim(row)
    stage.deliver(row)
    stage.close(row)


def partial_credit(stage: Stage) -> None:
    """Three of five criteria are met: the escrow splits 60 to 40."""
    row = stage.open(jobs.PARTIAL)
    stage.claim(row)
    stage.deliver(row)
    stage.close(row)


def rejected_then_appealed(stage: Stage) -> None:
    """A draft is rejected; its author completes it at the same address, and the client has it judged again."""
    row = stage.open(jobs.APPEALED)
    stage.evidence.publish(row.job.page, DRAFT)
    stage.claim(row)
    stage.deliver(row)
    first = stage.as_client.get(row.number)
    stage.expect(row, first.status == "rejected", f"the draft is rejected at {first.payout_percent} % ({first.status})")
    stage.evidence.publish(row.job.page, row.job.page)
    stage.appeal(row, "The glossary is complete now: six terms, reviewed, with sources.")
    stage.close(row)


def abandoned_and_reclaimed(stage: Stage) -> None:
    """The provider gives the order back, takes it again, and delivers."""
    row = stage.open(jobs.RECLAIMED)
    stage.claim(row)
    stage.as_provider.abandon(row.number).value()
    reopened = stage.as_client.get(row.number).status
    stage.expect(row, reopened == "open", f"an abandoned order is open again ({reopened})")
    stage.board.says(row, "abandoned, open again")
    stage.claim(row)
    stage.deliver(row)
    stage.close(row)


def cancelled(stage: Stage) -> None:
    """Nobody has claimed: the client takes the escrow back."""
    row = stage.open(jobs.CANCELLED)
    stage.as_client.cancel(row.number).value()
    stage.close(row)


def expired(stage: Stage) -> None:
    """The provider claims and never delivers; before the deadline nobody can expire it, after it anyone can."""
    row = stage.open(jobs.EXPIRED)
    stage.claim(row)
    stage.refused(row, stage.as_client.expire(row.number), "deadline")
    stage.travel(row.job.days)
    stage.board.says(row, "a day later, the deadline has passed")
    stage.as_client.expire(row.number).value()
    stage.close(row)


def expiry_must_wait(stage: Stage) -> None:
    """While the seats wait for a slow page the deadline passes, and the client tries to expire the order first."""
    row = stage.open(jobs.OVERTAKEN)
    stage.claim(row)
    page, before = row.job.page, stage.evidence.requests(row.job.page)
    release = stage.evidence.hold(page)
    delivery = stage.send_delivery(row)
    arrived = stage.evidence.wait_for(page, before + 1, 10.0)
    stage.expect(row, arrived > before, "the seats are fetching the page")
    stage.travel(row.job.days)
    expiry = stage.as_client.expire(row.number)
    stage.board.says(row, "past the deadline; the expiry waits")
    early = stage.network.result(expiry.hash)
    judging = stage.network.result(delivery.hash)
    stage.expect(row, not judging.decided, f"the delivery is still being judged ({judging.status.lower()})")
    stage.expect(row, not early.decided, f"the expiry waits for the delivery before it ({early.status.lower()})")
    release.set()
    stage.judged(row, delivery, before)
    stage.refused(row, expiry, "completed")
    stage.close(row)


def hostile_urls_refused(stage: Stage) -> None:
    """Deliveries that aim the validators at private places fail before anything is fetched."""
    row = stage.open(jobs.HOSTILE)
    stage.claim(row)
    log = len(stage.evidence.log)
    for url in jobs.HOSTILE_URLS:
        stage.refused(row, stage.as_provider.submit(row.number, url), "URL")
    stage.expect(row, len(stage.evidence.log) == log, "nothing was fetched")
    stage.board.says(row, f"{len(jobs.HOSTILE_URLS)} hostile URLs refused")
    stage.as_provider.abandon(row.number).value()
    stage.as_client.cancel(row.number).value()
    stage.close(row)


def injection_earns_its_honest_part(stage: Stage) -> None:
    """The same notes as in the second scene, with a hidden order to pay in full: the same percentage."""
    row = stage.open(jobs.INJECTED)
    stage.claim(row)
    stage.deliver(row)
    honest = next(twin.number for twin in stage.rows if twin.job is jobs.PARTIAL)
    plain, injected = stage.as_client.get(honest), stage.as_client.get(row.number)
    earns = f"the page earns {injected.payout_percent} %, its honest part {plain.payout_percent} %"
    stage.expect(row, abs(plain.payout_percent - injected.payout_percent) <= stage.tolerance, earns)
    flags = injected.raw.get("red_flags")
    stage.expect(row, bool(flags), f"what the page tried is on the record ({len(flags or ())} red flags)")
    stage.close(row)


SCENES: tuple[Callable[[Stage], None], ...] = (
    full_acceptance,
    partial_credit,
    rejected_then_appealed,
    abandoned_and_reclaimed,
    cancelled,
    expired,
    expiry_must_wait,
    hostile_urls_refused,
    injection_earns_its_honest_part,
)
