"""The stage of the orders: a client and a provider with their own keys, and what must become of each order."""

from collections.abc import Mapping
from dataclasses import dataclass

from foreman.cli.stage.board import Row
from foreman.cli.stage.jobs import Job
from foreman.cli.stage.watch import PATIENCE, Watch
from foreman.sdk.account import Account
from foreman.sdk.client import Sent
from foreman.sdk.orders import Orders
from foreman.sdk.result import Result


@dataclass
class Stage(Watch):
    """Plays orders through JSON-RPC and signed transactions only, and remembers what went as it should."""

    contract: bytes
    client: Account
    provider: Account
    tolerance: int = 0
    """Points a verdict may be off: 0 for judges that compute it, 15 (the contract's own) for models."""

    def __post_init__(self) -> None:
        super().__post_init__()
        orders = Orders(self.network, self.contract)
        self.as_client, self.as_provider = orders.as_account(self.client), orders.as_account(self.provider)

    @property
    def places(self) -> Mapping[str, bytes]:
        return {"client": self.client.address, "provider": self.provider.address, "contract": self.contract}

    def open(self, job: Job) -> Row:
        """The client creates an order and locks the escrow."""
        row = Row(len(self.rows), job)
        self.rows.append(row)
        self.board.begins(row)
        sent = self.as_client.create(job.title, job.spec, job.criteria_text, job.days, job.escrow_wei)
        number = sent.value(PATIENCE)
        self.expect(row, number == row.number, f"the order has number {row.number}, the contract says {number}")
        self.board.says(row, f"open, {job.gen} GEN locked")
        return row

    def claim(self, row: Row) -> None:
        """The provider commits to deliver."""
        self.as_provider.claim(row.number).value(PATIENCE)
        self.board.says(row, "claimed")

    def deliver(self, row: Row) -> Result:
        """The provider delivers the job's page, and the seats judge it; each of them fetches it once."""
        before = self.evidence.requests(row.job.page)
        sent = self.send_delivery(row)
        return self.judged(row, sent, before)

    def send_delivery(self, row: Row) -> Sent:
        self.board.says(row, f"delivered {row.job.page}, judging")
        sent = self.as_provider.submit(row.number, self.evidence.url(row.job.page), "Delivered as agreed.")
        self.follow(row, sent)
        return sent

    def appeal(self, row: Row, context: str) -> Result:
        """The client has the verdict judged once more, with a deposit."""
        before = self.evidence.requests(row.job.page)
        self.board.says(row, "appealed, judging again")
        row.seats.clear()
        sent = self.as_client.appeal(row.number, context)
        self.follow(row, sent)
        return self.judged(row, sent, before)

    def judged(self, row: Row, sent: Sent, requests_before: int) -> Result:
        """Wait for the verdict, and check votes and the evidence log."""
        result = sent.wait(patience=PATIENCE)
        told = f"{result.status.lower()} {result.reason}".rstrip()
        self.expect(row, result.ok, f"the delivery is judged ({told})")
        self.fetched_once(row, requests_before)
        self.agreed(row, result)
        return result

    def close(self, row: Row) -> None:
        """Compare what the contract says now with what the order had to become."""
        job, order = row.job, self.as_client.get(row.number)
        off = abs(order.payout_percent - job.percent)
        self.expect(row, order.status == job.status, f"ends {job.status} (it is {order.status})")
        self.expect(row, off <= self.tolerance, f"ends at {job.percent} % (it is {order.payout_percent} %)")
        self.conclude(row)
