"""One order through the whole house: signed transactions, real HTTP at both ends, real seats, and money that moves."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from foreman.cli.stage.evidence import HOST, Evidence
from foreman.fetch.hosts import HostMap
from foreman.fetch.web import Web
from foreman.localnet.accounts import DEV_ACCOUNTS
from foreman.localnet.localnet import build
from foreman.localnet.serve import Running
from foreman.money import GEN
from foreman.sdk.account import Account
from foreman.sdk.client import Client, address_of
from foreman.sdk.orders import Orders
from foreman.sdk.result import Result
from foreman.settings import Settings

CLIENT, PROVIDER = (Account.from_hex(known.key) for known in DEV_ACCOUNTS[:2])
CRITERIA = '- The page is valid JSON\n- "unit" equals "cm"'
GOOD, BAD = '{"unit": "cm"}', "Delivery pending."


@contextmanager
def house(tmp_path: Path, pages: list[str]) -> Iterator[tuple[Running, Client, list[Evidence]]]:
    """A network of five seats, each of which finds its own page under the same URL."""
    with ExitStack() as stack:
        sites = []
        for seat, text in enumerate(pages):
            folder = tmp_path / str(seat)
            folder.mkdir()
            (folder / "report.json").write_text(text)
            sites.append(stack.enter_context(Evidence(folder)))
        fetchers = [Web(HostMap.parse([site.mapping])) for site in sites]
        running = stack.enter_context(Running(build(Settings(port=0), fetchers=fetchers)))
        yield running, stack.enter_context(Client(running.url)), sites


def deliver(running: Running, network: Client) -> tuple[Result, Orders, int]:
    orders = Orders(network, address_of(running.node.contracts()["foreman"]))
    number = orders.as_account(CLIENT).create("Gauge", "Water levels", CRITERIA, 30, 2 * GEN).value(20)
    orders.as_account(PROVIDER).claim(number).value(20)
    sent = orders.as_account(PROVIDER).submit(number, f"http://{HOST}/report.json", "as agreed")
    return sent.wait(patience=30), orders, number


def test_every_seat_fetches_once_and_the_money_moves(tmp_path: Path) -> None:
    with house(tmp_path, [GOOD] * 5) as (running, network, sites):
        before = running.node.balance(PROVIDER.address)
        result, orders, number = deliver(running, network)
        assert result.ok
        assert [list(site.log) for site in sites] == [["/report.json"]] * 5
        order = orders.get(number)
        assert (order.status, order.payout_percent, order.paid_wei, order.refunded_wei) == (
            "completed",
            100,
            2 * GEN,
            0,
        )
        assert running.node.balance(PROVIDER.address) - before == 2 * GEN
        assert running.node.books_balance()["conserved"]


def test_a_seat_that_is_given_another_page_dissents_visibly(tmp_path: Path) -> None:
    with house(tmp_path, [GOOD, GOOD, BAD, GOOD, GOOD]) as (running, network, _):
        result, orders, number = deliver(running, network)
        assert result.ok
        assert sorted(ballot.vote for ballot in result.ballots) == ["agree"] * 4 + ["disagree"]
        assert orders.get(number).payout_percent == 100


def test_when_three_seats_read_something_else_nothing_settles(tmp_path: Path) -> None:
    with house(tmp_path, [GOOD, '{"unit": "in"}', BAD, "<p>not here</p>", GOOD]) as (running, network, sites):
        result, orders, number = deliver(running, network)
        assert not result.ok
        assert result.status == "UNDETERMINED"
        order = orders.get(number)
        assert (order.status, order.paid_wei, order.refunded_wei) == ("claimed", 0, 0)
        assert running.node.balance(address_of(running.node.contracts()["foreman"])) == 2 * GEN
        assert {len(site.log) for site in sites} == {1}, "other proposals cost no new fetches"


def test_a_restart_finds_everything_as_it_was(tmp_path: Path) -> None:
    settings = Settings(port=0, state_dir=tmp_path / "state")
    with Running(build(settings)) as running, Client(running.url) as network:
        orders = Orders(network, address_of(running.node.contracts()["foreman"]))
        number = orders.as_account(CLIENT).create("Gäuge ✓", "Water levels", CRITERIA, 30, 2 * GEN).value(20)
        before = orders.get(number).raw
    with Running(build(settings)) as running, Client(running.url) as network:
        again = Orders(network, address_of(running.node.contracts()["foreman"]))
        assert again.get(number).raw == before
        assert again.as_account(PROVIDER).claim(number).wait(patience=20).ok
        assert running.node.books_balance()["conserved"]


def test_evidence_that_cannot_be_read_reverts_and_the_provider_tries_again(tmp_path: Path) -> None:
    with house(tmp_path, [GOOD] * 5) as (running, network, sites):
        for site in sites:
            (site.folder / "report.json").rename(site.folder / "later.json")
        result, orders, number = deliver(running, network)
        assert (result.ok, result.status) == (False, "FINALIZED")
        assert "404" in result.reason
        for site in sites:
            (site.folder / "later.json").rename(site.folder / "report.json")
        assert orders.as_account(PROVIDER).submit(number, f"http://{HOST}/report.json", "").wait(patience=30).ok
        assert orders.get(number).status == "completed"
