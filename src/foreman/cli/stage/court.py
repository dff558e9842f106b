"""The stage of the agreements: payer, provider and arbiter with their own keys, and where every wei must end."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from foreman.cli.stage.board import Row
from foreman.cli.stage.evidence import HOST
from foreman.cli.stage.jobs import Job
from foreman.cli.stage.watch import PATIENCE, Watch
from foreman.money import format_gen
from foreman.sdk.account import Account
from foreman.sdk.agreements import Agreements, MilestoneState
from foreman.sdk.client import Sent
from foreman.sdk.result import Result

HOUR = 3600
TERM_HOURS = 30 * 24
"""From funding to the day a milestone is due."""

CLAIM = "Delivered as agreed; the page shows all of it."
GROUNDS = "The page meets the criteria as they are written; please read it once more."


@dataclass(slots=True)
class Settled:
    """How one milestone ended. Amounts are wei; the deposit is the sum of all bonds."""

    id: int
    status: str
    payout_percent: int
    escrow_wei: int
    deposit_wei: int = 0
    paid_wei: int = 0
    refunded_wei: int = 0


@dataclass
class Court(Watch):
    """Plays agreements of one milestone each, and keeps its own account of who must get what."""

    contract: bytes
    payer: Account
    provider: Account
    arbiter: Account
    settled: dict[int, Settled] = field(default_factory=dict, kw_only=True)
    posted: dict[bytes, int] = field(default_factory=dict, kw_only=True)
    """Wei that each account has put in, amounts and bonds."""

    def __post_init__(self) -> None:
        super().__post_init__()
        agreements = Agreements(self.network, self.contract)
        self.as_payer, self.as_provider, self.as_arbiter = (
            agreements.as_account(account) for account in (self.payer, self.provider, self.arbiter)
        )

    @property
    def places(self) -> Mapping[str, bytes]:
        parties = {"payer": self.payer, "provider": self.provider, "arbiter": self.arbiter}
        return {name: account.address for name, account in parties.items()} | {"contract": self.contract}

    def open(self, job: Job) -> Row:
        """The payer drafts an agreement with one milestone, and funds it."""
        row = Row(len(self.rows) + 1, job)
        self.rows.append(row)
        self.board.begins(row)
        parties = self.provider.address, self.arbiter.address
        number = self.as_payer.create(*parties, job.title, [HOST]).value(PATIENCE)
        self.expect(row, number == row.number, f"the agreement has number {row.number}, the contract says {number}")
        due = self.hour() + TERM_HOURS
        self.as_payer.add_milestone(number, job.title, job.criteria, job.escrow_wei, due).value(PATIENCE)
        self.as_payer.fund(number, job.escrow_wei).value(PATIENCE)
        self._post(self.payer, job.escrow_wei)
        self.settled[row.number] = Settled(row.number, "", job.percent, job.escrow_wei)
        self.board.says(row, f"funded, {job.gen} GEN locked")
        return row

    def deliver(self, row: Row) -> None:
        """The provider submits its page as evidence."""
        self.as_provider.submit(row.number, 0, CLAIM, [f"https://{HOST}/{row.job.page}"]).value(PATIENCE)
        self.board.says(row, f"delivered {row.job.page}")

    def ask(self, row: Row) -> tuple[Sent, int]:
        """Anyone calls for a ruling, here the payer; with it, how often the page was asked for before."""
        before = self.evidence.requests(row.job.page)
        row.seats.clear()
        sent = self.as_payer.adjudicate(row.number, 0)
        self.follow(row, sent)
        return sent, before

    def rule(self, row: Row, verdict: str) -> Result:
        """The seats must agree on this verdict, each of them after its own look at the page."""
        sent, before = self.ask(row)
        result = sent.wait(patience=PATIENCE)
        self.expect(row, result.ok, f"the network rules ({result.status.lower()} {result.reason})")
        self.fetched_once(row, before)
        self.agreed(row, result)
        said = self.as_payer.milestone(row.number, 0).verdict
        self.expect(row, said == verdict, f"the ruling is {verdict} (it is {said})")
        self.board.says(row, f"ruled: {said.replace('_', ' ').lower()}")
        return result

    def appeal(self, row: Row) -> int:
        """The provider, who has lost, posts a bond for a stricter round; the bond in wei."""
        bond = self._bond(row)
        self.as_provider.appeal(row.number, 0, GROUNDS).value(PATIENCE)
        self.board.says(row, f"appealed with a bond of {format_gen(bond)} GEN")
        return bond

    def escalate(self, row: Row) -> int:
        """After the last round the provider asks the arbiter; the bond in wei."""
        bond = self._bond(row)
        self.as_provider.escalate(row.number, 0, GROUNDS).value(PATIENCE)
        self.board.says(row, "escalated to the arbiter")
        return bond

    def settle(self, row: Row, act: Callable[[], Sent], *, payer: int = 0, provider: int = 0) -> None:
        """What `act` sends must bring each party exactly this much credit, in wei."""
        before = self._credits()
        act().value(PATIENCE)
        after = self._credits()
        for name, want in (("payer", payer), ("provider", provider)):
            got = after[name] - before[name]
            self.expect(row, got == want, f"the {name} is credited {format_gen(want)} GEN (it is {format_gen(got)})")
        found = self.settled[row.number]
        found.paid_wei += provider
        found.refunded_wei += payer

    def close(self, row: Row) -> None:
        """Compare what the contract says now with what the milestone had to become."""
        state = self.as_payer.milestone(row.number, 0).state
        found = self.settled[row.number]
        found.status = state.name.lower()
        if state not in (MilestoneState.RELEASED, MilestoneState.REFUNDED):
            found.payout_percent = 0
        self.expect(row, found.status == row.job.status, f"ends {row.job.status} (it is {found.status})")
        left = int(self.as_payer.get(row.number)["escrowed"])
        self.expect(row, left == 0, f"the agreement holds nothing any more ({format_gen(left)} GEN)")
        together = found.paid_wei + found.refunded_wei
        self.expect(row, together == found.escrow_wei + found.deposit_wei, "amount and bonds went to somebody")
        self.conclude(row)

    def withdraw(self) -> None:
        """Everybody takes out what is theirs."""
        for party in (self.as_payer, self.as_provider):
            party.withdraw().value(PATIENCE)

    def hour(self) -> int:
        """The whole hour that contracts see now."""
        told = self.network.call("sim_getTime")
        return int(told["timestamp"]) // HOUR

    def _bond(self, row: Row) -> int:
        bond = self.as_provider.milestone(row.number, 0).bond
        self._post(self.provider, bond)
        self.settled[row.number].deposit_wei += bond
        return bond

    def _post(self, account: Account, wei: int) -> None:
        self.posted[account.address] = self.posted.get(account.address, 0) + wei

    def _credits(self) -> dict[str, int]:
        return {
            "payer": self.as_payer.credit(self.payer.address),
            "provider": self.as_payer.credit(self.provider.address),
        }
