"""Orders in every status and milestones in every state, and each write verb as whoever may use it types it."""

from collections.abc import Mapping

from foreman.cli.stage.evidence import HOST
from foreman.localnet.accounts import DEV_ACCOUNTS
from foreman.money import GEN
from foreman.sdk import Account, Foreman

DAY = 86_400
PAYER, PROVIDER, ARBITER, ANYONE = (Account.from_hex(known.key) for known in DEV_ACCOUNTS[:4])
PAGE = f"https://{HOST}/gauge.json"
GROUNDS = "The page was not read to its end."
REASON = "Both pages prove the claim."
GOOD, POOR = '- "unit" equals "cm"', '- "unit" equals "m"'

ORDERS = ("open", "claimed", "completed", "rejected", "cancelled", "expired")
MILESTONES = ("a draft", "awaiting evidence", "under review", "ruled", "released", "refunded", "deadlocked")
MORE = {
    "deliver": (PAGE,),
    "extend": ("3",),
    ("order", "appeal"): ("--context", GROUNDS),
    "appeal": ("--grounds", GROUNDS),
    "escalate": ("--grounds", GROUNDS),
    "submit": ("--claim", "The levels of a week, in full.", "--url", PAGE),
    "rule": ("--approve", "--reason", REASON),
    "add-milestone": ("--title", "Two", "--criterion", "It is valid JSON", "--amount", "1", "--due-in", "30"),
}
WHO = {
    "claim": 3,
    "deliver": 1,
    "abandon": 1,
    "submit": 1,
    "rule": 2,
    "escalate": 1,
    ("agreement", "abandon"): 0,
    ("agreement", "appeal"): 1,
}


def milestone(foreman: Foreman, criterion: str, until: str) -> int:
    """The number of an agreement whose only milestone has come so far."""
    payer, provider = (foreman.as_account(one).agreements for one in (PAYER, PROVIDER))
    number = payer.create(PROVIDER.address, ARBITER.address, "Tide", [HOST]).value()
    assert isinstance(number, int)
    hour = foreman.client.now() // 3600 + 30
    payer.add_milestone(number, "One", [criterion], GEN, hour).value()
    if until == "a draft":
        return number
    payer.fund(number, GEN).value()
    if until == "awaiting evidence":
        return number
    provider.submit(number, 0, "The levels of a week, in full.", [PAGE]).value()
    if until == "under review":
        return number
    provider.adjudicate(number, 0).value()
    if until == "released" or until == "refunded":
        (payer if until == "released" else provider).accept(number, 0).value()
    if until in ("deadlocked", "contested twice"):
        for _ in range(2):
            provider.appeal(number, 0, GROUNDS).value()
            provider.adjudicate(number, 0).value()
    if until == "deadlocked":
        provider.escalate(number, 0, GROUNDS).value()
    return number


def order(foreman: Foreman, status: str) -> int:
    """The number of an order in this status; `expired` needs a clock that was turned on, and comes first."""
    client, provider = foreman.as_account(PAYER).orders, foreman.as_account(PROVIDER).orders
    criteria = POOR if status == "rejected" else GOOD
    number = client.create("Levels", "A week.", criteria, 1 if status == "expired" else 30, GEN).value()
    assert isinstance(number, int)
    if status == "expired":
        foreman.client.call("sim_increaseTime", DAY)
        client.expire(number).value()
    elif status == "cancelled":
        client.cancel(number).value()
    elif status != "open":
        provider.claim(number).value()
        if status != "claimed":
            provider.submit(number, PAGE.replace("https", "http")).value()
    return number


def everything(url: str) -> Mapping[str, int]:
    """The number of an order or an agreement in each state."""
    with Foreman.connect(url) as foreman:
        orders = {status: order(foreman, status) for status in ("expired", *ORDERS[:-1])}
        found = {
            state: milestone(foreman, GOOD[2:] if state == "released" else POOR[2:], state)
            for state in (*MILESTONES, "contested twice")
        }
        closed = foreman.as_account(PAYER).agreements
        number = closed.create(PROVIDER.address, ARBITER.address, "Tide", [HOST]).value()
        assert isinstance(number, int)
        closed.abandon_draft(number).value()
        for status, at in orders.items():
            assert foreman.orders.get(at).status == status
        return {**orders, **found, "closed": number, "active": found["ruled"]}


def typed(noun: str, verb: str, *numbers: object) -> tuple[object, ...]:
    """The verb by whoever may use it in the right state."""
    who = WHO.get((noun, verb), WHO.get(verb, 0))
    more = MORE.get((noun, verb), MORE.get(verb, ()))
    return (noun, verb, *numbers, *more, "--account", f"dev{who}", "--json")
