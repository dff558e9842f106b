"""Hosts and models at their worst, before a real `foreman up`: what becomes of the order, of its money, of the node.

All rows are delivered at once, because the slowest take a fetch's whole deadline. None may disturb another.
"""

import gzip
import itertools
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest

from foreman.judges.scripted import payout
from foreman.money import GEN
from tests.faults.callers import CRITERIA, Caller, Wire
from tests.faults.up import PERCENT, Manner, Up, chat, memory
from tests.fetch.servers import Answer, Line, Seen, Server, page, serving
from tests.fetch.test_bounds import drip_body, drip_headers, say_nothing
from tests.judges.test_chat import failed, hang, spoken, stream_for_ever

JUDGE_SECONDS = 4
PAGE = b"The page is there, as agreed."
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
MOST_MEMORY = 600 << 20
"""Bytes; the node is below 200 MB at rest, and every page and answer is cut at a megabyte or two."""


# hosts


def endless(line: Line, seen: Seen) -> None:
    line.send(HEAD + b"\r\n")
    while True:
        line.send(b"water level " * 1000)


def bomb(line: Line, seen: Seen) -> None:
    """Two hundred megabytes of words in one answer of 200 kB."""
    line.send(HEAD + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"water level " * 17_000_000, 1))


def circle(line: Line, seen: Seen) -> None:
    line.send(page(b"", "302 Found", Location="/there" if seen.path == "/" else "/"))


def changing() -> Answer:
    """Another page for everyone who asks."""
    turn = itertools.count()
    return lambda line, seen: line.send(page(b"Version %d of the page." % next(turn), Content_Type="text/plain"))


def failing() -> Answer:
    turn = itertools.count()
    return lambda line, seen: line.send(page(b"", f"{(500, 502, 503)[next(turn) % 3]} Failed"))


def rude(line: Line, seen: Seen) -> None:
    line.send(b"HTTP/1.1 200 OK\r\nContent-Le")
    line.reset()


# models


def by_version(line: Line, seat: int, prompt: str) -> None:
    """As a judge that reads: every version of the page is worth something else."""
    number = next(word for word in range(100) if f"Version {word} " in prompt)
    line.send(spoken(payout(number * 20 % 101)))


def opinion(line: Line, seat: int, prompt: str) -> None:
    line.send(spoken(payout(seat * 24)))


def busy_at_first() -> Manner:
    asked: dict[int, int] = {}

    def answer(line: Line, seat: int, prompt: str) -> None:
        asked[seat] = asked.get(seat, 0) + 1
        line.send(failed(429, Retry_After="0.2") if asked[seat] <= 2 else spoken(payout(PERCENT)))

    return answer


def of_seats(manner: Answer, *seats: int) -> Manner:
    """Only these seats' models behave so."""

    def answer(line: Line, seat: int, prompt: str) -> None:
        if seat in seats:
            manner(line, Seen("POST", "/", {}, b""))
        else:
            line.send(spoken(payout(PERCENT)))

    return answer


ALL = (0, 1, 2, 3, 4)


@dataclass(frozen=True)
class Row:
    """One order. `ends` is the status of its delivery, `why` the start of a revert's reason, empty for a verdict."""

    name: str
    ends: str
    why: str = ""
    host: Answer | None = None
    judge: Manner | None = None
    truncated: bool = False


ROWS = [
    Row("decent", "FINALIZED"),
    Row("drips its body", "FINALIZED", "evidence_unreachable: the page took too long", drip_body),
    Row("drips its headers", "FINALIZED", "evidence_unreachable: the page took too long", drip_headers),
    Row("says nothing", "FINALIZED", "evidence_unreachable: the page took too long", say_nothing),
    Row("never ends", "FINALIZED", host=endless, truncated=True),
    Row("is a bomb", "FINALIZED", host=bomb, truncated=True),
    Row(
        "is packed in brotli",
        "FINALIZED",
        "evidence_unreachable: the page came in an encoding",
        serving(page(b"\x0b\x02\x80abc\x03", Content_Encoding="br")),
    ),
    Row("goes in circles", "FINALIZED", "evidence_unreachable: the page redirects more than", circle),
    Row(
        "leads to a cloud's keys",
        "FINALIZED",
        "evidence_unreachable: ",
        serving(page(b"", "302 Found", Location="http://169.254.169.254/latest/meta-data/")),
    ),
    Row(
        "promises more than it sends",
        "FINALIZED",
        "evidence_unreachable: the host does not speak proper HTTP, or cut",
        serving(HEAD + b"Content-Length: 5000\r\n\r\n" + PAGE),
    ),
    Row("sends more than it promises", "FINALIZED", host=serving(HEAD + b"Content-Length: 17\r\n\r\n" + PAGE * 9)),
    Row(
        "names a charset it does not use",
        "FINALIZED",
        host=serving(page("Grüße, naïve 水位".encode(), Content_Type="text/plain; charset=ascii")),
    ),
    Row(
        "names a charset nobody knows",
        "FINALIZED",
        host=serving(page(PAGE, Content_Type="text/plain; charset=x-made-up")),
    ),
    Row("fails in many ways", "FINALIZED", "evidence_status 5xx", failing()),
    Row("hangs up", "FINALIZED", "evidence_unreachable: ", rude),
    Row("changes, and nobody minds", "FINALIZED", host=changing()),
    Row("changes, and judges notice", "UNDETERMINED", host=changing(), judge=by_version),
    Row("all models hang", "LEADER_TIMEOUT", judge=of_seats(hang, *ALL)),
    Row("two models hang", "FINALIZED", judge=of_seats(hang, 1, 3)),
    Row("all models crash", "UNDETERMINED", judge=of_seats(lambda line, seen: line.reset(), *ALL)),
    Row("two models crash", "FINALIZED", judge=of_seats(lambda line, seen: line.reset(), 0, 2)),
    Row("all models talk for ever", "UNDETERMINED", judge=of_seats(stream_for_ever, *ALL)),
    Row("two models talk for ever", "FINALIZED", judge=of_seats(stream_for_ever, 2, 4)),
    Row("models are busy at first", "FINALIZED", judge=busy_at_first()),
    Row("models differ for ever", "UNDETERMINED", judge=opinion),
    Row(
        "models talk nonsense",
        "FINALIZED",
        "answer_unreadable",
        judge=of_seats(serving(spoken("I would rather not say.")), *ALL),
    ),
    Row("models answer with nothing", "FINALIZED", "answer_unreadable", judge=of_seats(serving(spoken(" \n")), *ALL)),
]


def mark(row: Row) -> str:
    """How the chat server knows an order, by its title: nothing of this name stands in another one."""
    return f"order <{row.name}>"


def host_of(row: Row) -> str:
    return f"{row.name.replace(' ', '-').replace(',', '').replace(chr(39), '')}.example.org"


@dataclass
class Outcome:
    """What became of the rows, and of the node."""

    found: Mapping[str, dict[str, Any]]
    orders: Mapping[str, dict[str, Any]]
    balances: Mapping[str, int]
    purse: int
    books: dict[str, Any]
    highest: int
    seconds: float


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outcome]:
    with ExitStack() as stack:
        hosts = {
            host_of(row): stack.enter_context(Server(row.host or serving(page(PAGE, Content_Type="text/plain")))).port
            for row in ROWS
        }
        manners = [(mark(row), row.judge) for row in ROWS if row.judge is not None]
        models = stack.enter_context(Server(chat(manners)))
        state = tmp_path_factory.mktemp("world")
        up = stack.enter_context(Up(state, hosts, models.port, FOREMAN_JUDGE_SECONDS=str(JUDGE_SECONDS)))
        played = play(up)
        up.kill()  # a crash afterwards takes nothing back
        again = stack.enter_context(Up(state, hosts, models.port))
        wire = again.wire()
        for row in ROWS:
            told = wire.ask("eth_getTransactionByHash", played.found[row.name]["hash"])
            assert told == played.found[row.name], f"{row.name} is told otherwise after a restart"
        assert wire.ask("foreman_getBooks") == played.books
        serve_again(wire)
        assert again.health() == "ok"
        wire.close()
        yield played


def serve_again(wire: Wire) -> None:
    """After all that the node does what it did before, without help."""
    client, provider = Caller("client of after", 0, 1), Caller("provider of after", 0, 1)
    wire.ask("sim_fundAccount", str(client.account), GEN)
    client.send(wire, "create_order", -1, ["one more", "Some work", CRITERIA, 30], GEN)
    decided(wire, client)
    provider.send(wire, "claim_order", len(ROWS), [len(ROWS)])
    provider.send(wire, "submit_deliverable", len(ROWS), [len(ROWS), f"https://{host_of(ROWS[0])}/", ""])
    decided(wire, provider)
    assert wire.view("get_order", len(ROWS))["status"] == "completed"


class Watch(threading.Thread):
    """The most memory the node ever held."""

    def __init__(self, process: int) -> None:
        super().__init__(daemon=True)
        self._process = process
        self._done = threading.Event()
        self.highest = 0

    def run(self) -> None:
        while not self._done.wait(0.05):
            self.highest = max(self.highest, memory(self._process))

    def stop(self) -> None:
        self._done.set()
        self.join()


def play(up: Up) -> Outcome:
    """Create, claim and deliver every row; wait until each is decided."""
    wire = up.wire()
    client = Caller("world's client", 0, 1)
    providers = [Caller(f"provider of {row.name}", 0, 1) for row in ROWS]
    purse = 1000 * GEN
    wire.ask("sim_fundAccount", str(client.account), purse)
    for number, (row, provider) in enumerate(zip(ROWS, providers, strict=True)):
        client.send(wire, "create_order", -1, [mark(row), "Some work", CRITERIA, 30], (number + 1) * GEN)
        decided(wire, client)
        provider.send(wire, "claim_order", number, [number])
        decided(wire, provider)
    watch = Watch(up.process.pid)
    watch.start()
    begun = time.monotonic()
    for number, (row, provider) in enumerate(zip(ROWS, providers, strict=True)):
        provider.send(wire, "submit_deliverable", number, [number, f"https://{host_of(row)}/", ""])
    found = {row.name: decided(wire, provider) for row, provider in zip(ROWS, providers, strict=True)}
    seconds = time.monotonic() - begun
    orders = {row.name: wire.view("get_order", number) for number, row in enumerate(ROWS)}
    accounts = {"client": client, **dict(zip((row.name for row in ROWS), providers, strict=True))}
    balances = {
        name: int(wire.ask("eth_getBalance", str(caller.account), "latest"), 16) for name, caller in accounts.items()
    }
    books = wire.ask("foreman_getBooks")
    watch.stop()
    assert up.health() in ("ok", "degraded"), "it may say that models are gone, and nothing worse"
    wire.close()
    return Outcome(found, orders, balances, purse, books, watch.highest, seconds)


def decided(wire: Wire, caller: Caller) -> dict[str, Any]:
    """The transaction that was sent last, once it is decided. The test's own timeout ends it otherwise."""
    while True:
        told: dict[str, Any] = wire.ask("eth_getTransactionByHash", caller.sent[-1].hash)
        if told["status"] not in ("PENDING", "PROPOSING"):
            return told
        time.sleep(0.01)  # asking without a pause would be load of its own


def reason(told: dict[str, Any]) -> str:
    """Why a run was reverted, empty when it was not."""
    receipt = (told.get("consensus_data") or {}).get("leader_receipt") or []
    ended = receipt[0] if isinstance(receipt, list) and receipt else {}
    genvm = ended.get("genvm_result") or {}
    return str(genvm.get("error_description") or "")


@pytest.mark.timeout(240)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_order_ends_as_it_must(outcome: Outcome, row: Row) -> None:
    told, order = outcome.found[row.name], outcome.orders[row.name]
    assert told["status"] == row.ends
    judged = row.ends == "FINALIZED" and not row.why
    assert reason(told).startswith(row.why) if row.why else True, reason(told)
    assert order["status"] == ("completed" if judged else "claimed")
    escrow = order["escrow_wei"]
    paid = escrow * PERCENT // 100 if judged else 0
    assert (order["paid_wei"], order["refunded_wei"]) == (paid, escrow - paid if judged else 0)
    assert outcome.balances[row.name] == paid
    if judged:
        assert order["evidence_truncated"] is row.truncated


def test_every_wei_is_where_it_must_be(outcome: Outcome) -> None:
    escrow = sum(order["escrow_wei"] for order in outcome.orders.values())
    back = sum(order["refunded_wei"] for order in outcome.orders.values())
    assert outcome.books["conserved"] is True
    assert {outcome.books[name] for name in ("reserved_wei", "in_flight_wei")} == {"0x0"}
    assert outcome.balances["client"] == outcome.purse - escrow + back


def test_nothing_took_longer_or_more_than_was_agreed(outcome: Outcome) -> None:
    print(f"{len(ROWS)} at once in {outcome.seconds:.1f} s, at most {outcome.highest >> 20} MB")
    assert outcome.seconds < 100, "the slowest have 20 seconds for their page, and the machine may be busy"
    assert outcome.highest < MOST_MEMORY
