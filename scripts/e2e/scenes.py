"""The stories of a run, in the order they are played; each ends with every wei somewhere it belongs."""

from collections.abc import Callable

from foreman.cli.stage.jobs import HOSTILE_URLS
from foreman.errors import ForemanError
from foreman.sdk.agreements import MilestoneState
from scripts.e2e.run import Failed, Run, Scene

ESCROW = 10_000_000_000_000_007
"""0.01 GEN and 7 wei: enough above the minimum, little to lose, and no percentage divides it evenly."""

TOO_LITTLE = 10**15 - 1
"""One wei below the contract's minimum escrow."""

GROUNDS = "Please read the page once more against each criterion as it is written."
CLAIM = "Delivered as agreed; the page named here shows all of it."


def full(run: Run, scene: Scene) -> None:
    """happy path: a delivery that meets every criterion is paid"""
    _delivered(run, scene, "full", "completed")


def partial(run: Run, scene: Scene) -> None:
    """partial credit: the escrow splits by the agreed percentage"""
    number = _delivered(run, scene, "partial", "completed" if run.place.own else "")
    order = run.as_client.get(number)
    scene.expect(
        order.paid_wei == ESCROW * order.payout_percent // 100 and order.paid_wei + order.refunded_wei == ESCROW,
        f"{order.payout_percent} % of {ESCROW} wei is {order.paid_wei} wei, the client gets {order.refunded_wei}",
    )


def appealed(run: Run, scene: Scene) -> None:
    """rejection, then an appeal: the second verdict is final, and the deposit is settled"""
    number = _delivered(run, scene, "rejected", "rejected")
    first = run.as_client.get(number)
    evidence = run.place.evidence
    if evidence is not None:  # its author completes the page, so the appeal must turn the verdict
        evidence.publish("glossary-draft.json", "glossary.json")
    run.done(scene, "the client appeals with a deposit", run.as_client.appeal(number, GROUNDS, yes=True), ESCROW)
    order = run.as_client.get(number)
    scene.expect(order.raw["appeal_used"] is True, "the appeal is used up")
    scene.expect(order.deposit_wei == ESCROW, "the deposit is exactly the escrow")
    more = max(0, ESCROW * order.payout_percent // 100 - ESCROW * first.payout_percent // 100)
    scene.expect(
        order.paid_wei == first.paid_wei + more,
        f"from {first.payout_percent} % to {order.payout_percent} %: the provider gets {more} wei more",
    )
    if run.place.own:
        scene.expect(order.status == "completed", f"the completed page wins on appeal ({order.status})")


def abandoned(run: Run, scene: Scene) -> None:
    """abandon: an order that is given back is open again, and counts against the provider"""
    number = run.payment("full", ESCROW, scene)
    before = run.as_client.reputation(run.provider.address)["abandoned"]
    run.done(scene, "the provider claims", run.as_provider.claim(number))
    run.done(scene, "the provider gives it back", run.as_provider.abandon(number))
    after = run.as_client.reputation(run.provider.address)["abandoned"]
    scene.expect(after == before + 1, f"abandoned orders of the provider: {before}, then {after}")
    run.done(scene, "the client cancels", run.as_client.cancel(number))
    _ends(run, scene, number, "cancelled")


def cancelled(run: Run, scene: Scene) -> None:
    """cancel: the client alone takes an unclaimed escrow back, whole"""
    number = run.payment("full", ESCROW, scene)
    run.refused(scene, "a stranger cannot cancel", run.as_provider.cancel(number), "client")
    run.done(scene, "the client cancels", run.as_client.cancel(number))
    _ends(run, scene, number, "cancelled")
    scene.expect(run.as_client.get(number).refunded_wei == ESCROW, "the whole escrow is refunded")


def hostile(run: Run, scene: Scene) -> None:
    """hostile URLs: refused before anything is fetched"""
    number = run.payment("full", ESCROW, scene)
    run.done(scene, "the provider claims", run.as_provider.claim(number))
    evidence = run.place.evidence
    before = len(evidence.log) if evidence else 0
    for url in HOSTILE_URLS:
        run.refused(scene, f"refused: {url}", run.as_provider.submit(number, url), "URL")
    if evidence:
        scene.expect(len(evidence.log) == before, "the page server has seen no request")
    run.done(scene, "the provider gives it back", run.as_provider.abandon(number))
    run.done(scene, "the client cancels", run.as_client.cancel(number))
    _ends(run, scene, number, "cancelled")


def failed_payment(run: Run, scene: Scene) -> None:
    """a payment that fails: sent without a trial, to see where its value ends"""
    role = run.roles["full"]
    args = [role.title, role.spec, role.criteria_text, 2]
    sent = run.as_client.client.write(run.client, run.foreman, "create_order", args, TOO_LITTLE)
    run.refused(scene, "one wei below the minimum escrow is refused", sent, "escrow", TOO_LITTLE)


def agreement(run: Run, scene: Scene) -> None:
    """an agreement with a milestone: funded, delivered, ruled, accepted, withdrawn"""
    number = _agreement(run, scene)
    role = run.roles["agreement"]
    sent = run.as_payee.submit(number, 0, CLAIM, [role.url])
    run.done(scene, "the provider delivers a claim and its page", sent)
    run.judged(scene, "the network rules", lambda: run.as_payer.adjudicate(number, 0))
    ruling = run.as_payer.milestone(number, 0)
    scene.expect(ruling.verdict == "APPROVE", f"the ruling is APPROVE (it is {ruling.verdict})")
    loser = run.as_payer if ruling.verdict == "APPROVE" else run.as_payee
    run.done(scene, "who lost accepts the ruling", loser.accept(number, 0))
    state = run.as_payer.milestone(number, 0).state
    scene.expect(state is MilestoneState.RELEASED, f"the milestone is released (it is {state.name.lower()})")
    _withdraw(run, scene)


def expired(run: Run, scene: Scene) -> None:
    """expiry: after the deadline anyone refunds the client"""
    number = run.payment("full", ESCROW, scene, days=1)
    run.done(scene, "the provider claims", run.as_provider.claim(number))
    run.refused(scene, "before the deadline nobody can expire it", run.as_client.expire(number), "deadline")
    run.place.client.call("sim_increaseTime", 86_400)
    run.done(scene, "a day later anyone can", run.as_provider.expire(number))
    _ends(run, scene, number, "expired")


def overdue(run: Run, scene: Scene) -> None:
    """an overdue milestone: the payer takes it back"""
    number = _agreement(run, scene)
    run.refused(scene, "not before it is due", run.as_payer.cancel_overdue(number, 0), "due")
    run.place.client.call("sim_increaseTime", 3 * 86_400)
    run.done(scene, "three days later the payer takes it back", run.as_payer.cancel_overdue(number, 0))
    state = run.as_payer.milestone(number, 0).state
    scene.expect(state is MilestoneState.REFUNDED, f"the milestone is refunded (it is {state.name.lower()})")
    _withdraw(run, scene)


Story = Callable[[Run, Scene], None]
STORIES: tuple[Story, ...] = (
    *(full, partial, appealed, abandoned, cancelled, hostile, failed_payment, agreement),
    *(expired, overdue),
)
NEED_OUR_CLOCK: frozenset[Story] = frozenset({expired, overdue})
SKIPPED = "needs days to pass, and the clock of this network is not ours to turn"


def play(run: Run, tell: Callable[[Scene], None]) -> list[Scene]:
    """Play everything this network can; an expected error ends its own scene and no other."""
    scenes = []
    for story in STORIES:
        scene = Scene(story.__name__, story.__doc__ or "")
        scenes.append(scene)
        if story in NEED_OUR_CLOCK and not run.place.own:
            scene.skipped = SKIPPED
        else:
            try:
                story(run, scene)
            except Failed:
                pass  # the step that failed is already there
            except ForemanError as error:
                scene.expect(False, f"{error.code}: {error}")
        tell(scene)
    return scenes


def _delivered(run: Run, scene: Scene, name: str, status: str) -> int:
    """An order with the role's page, opened, claimed and judged; its number. Without a status either will do."""
    role = run.roles[name]
    number = run.payment(name, ESCROW, scene)
    run.done(scene, "the provider claims", run.as_provider.claim(number))
    run.judged(scene, f"the jury judges {role.url}", lambda: run.as_provider.submit(number, role.url, "As agreed."))
    order = run.as_client.get(number)
    within = role.low <= order.payout_percent <= role.high
    scene.expect(within, f"pays {order.payout_percent} % (expected {role.low} to {role.high} %): {order.reasoning}")
    if status:
        _ends(run, scene, number, status)
    return number


def _ends(run: Run, scene: Scene, number: int, status: str) -> None:
    found = run.as_client.get(number).status
    scene.expect(found == status, f"order {number} is {status} (it is {found})")


def _agreement(run: Run, scene: Scene) -> int:
    """An agreement with one funded milestone, due in two days; its number."""
    role = run.roles["agreement"]
    sent = run.as_payer.create(run.provider.address, run.arbiter, role.title, [role.host])
    number = int(str(run.done(scene, "the payer drafts an agreement", sent).value))
    due = run.hour() + 48
    sent = run.as_payer.add_milestone(number, role.title, role.criteria, ESCROW, due)
    run.done(scene, "the payer adds a milestone", sent)
    run.done(scene, "the payer funds it", run.as_payer.fund(number, ESCROW), ESCROW)
    run.funded += ESCROW
    run.agreements.append(number)
    return number


def _withdraw(run: Run, scene: Scene) -> None:
    """Whoever has a credit takes it out."""
    for name, party, account in (("payer", run.as_payer, run.client), ("provider", run.as_payee, run.provider)):
        credit = party.credit(account.address)
        if credit:
            run.done(scene, f"the {name} withdraws {credit} wei", party.withdraw())
            run.withdrawn[account.address] += credit
