"""`GET /metrics`: the figures of this node in Prometheus' own text, made when somebody asks.

Imported with the first question, because prometheus-client takes a twentieth of a second to load. Nothing is counted
here: node and door keep plain numbers of their own, and a registry per door reads them. No figure names a caller, an
order or an address, and every label comes from a list that has an end.
"""

from collections.abc import Callable, Iterable, Mapping

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from foreman import __version__
from foreman.calldata import encode_call
from foreman.errors import ForemanError
from foreman.money import GEN
from foreman.node.health import REASONS
from foreman.node.measures import Endings, Histogram
from foreman.node.node import Node, Query
from foreman.receipt import Status
from foreman.rpc.meter import Meter
from foreman.transaction import Kind

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

MOST_STATS = 32
"""Entries of a contract's own statistics that are shown."""


class Figures(Collector):
    """Everything one node and its door have counted, at the moment it is asked. `streams` says how many follow."""

    def __init__(self, node: Node, meter: Meter, streams: Callable[[], int]) -> None:
        self._node = node
        self._meter = meter
        self._streams = streams
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(self)
        ProcessCollector(registry=self._registry)

    def text(self) -> bytes:
        """The whole page. It reads the database: not for the event loop."""
        return generate_latest(self._registry)

    def collect(self) -> Iterable[Metric]:
        """Every family, once."""
        yield _gauge("foreman_build", "Always 1; the release is its label.", {(__version__,): 1}, "version")
        yield from _transactions(self._node)
        yield from _jury(self._node)
        yield from _health(self._node)
        yield from _door(self._meter, self._streams())
        yield from _orders(self._node)


def _transactions(node: Node) -> Iterable[Metric]:
    measures = node.measures
    yield _counter("foreman_recorded", "Transactions that were taken.", {(): measures.changes[Status.PENDING]})
    yield _counter(
        "foreman_transactions",
        "Transactions decided, by status and by how the run ended.",
        dict(measures.decided),
        "status",
        "result",
    )
    yield _counter("foreman_finalized", "Transactions that became final.", {(): measures.changes[Status.FINALIZED]})
    yield _histogram("foreman_transaction_seconds", "From recorded to decided.", {(): measures.lives})
    yield _histogram("foreman_commit_seconds", "From the first row written to on disk.", {(): measures.commits})
    yield _counter("foreman_failed_commits", "Commits the database did not take.", {(): measures.failed_commits})
    yield _gauge("foreman_book_queue", "Pieces of work that wait for the next commit.", {(): node.waiting_for_book})


def _jury(node: Node) -> Iterable[Metric]:
    seats = node.jury.seats
    judges = {(seat.judge.name,): seat.judge.endings for seat in seats}
    pages = {(): seats[0].fetcher.endings}
    sittings = {(): node.jury.sittings}
    yield _gauge("foreman_seats", "Seats of the jury.", {(): len(seats)})
    yield _gauge("foreman_questions_lost", "Questions that were given up and are still out.", {(): node.jury.lost})
    yield _counter("foreman_sittings", "Blocks judged, by the status they came to.", _counts(sittings), "status")
    yield _histogram("foreman_sitting_seconds", "From asked to decided, waiting included.", _times(sittings))
    yield _counter("foreman_judge_answers", "Questions to judges, by ending.", _counts(judges), "judge", "outcome")
    yield _histogram("foreman_judge_seconds", "What a judge took, failures included.", _times(judges), "judge")
    yield _counter("foreman_fetches", "Pages asked for by seats, by ending.", _counts(pages), "outcome")
    yield _histogram("foreman_fetch_seconds", "What a page took, failures included.", _times(pages))


def _health(node: Node) -> Iterable[Metric]:
    health, room = node.health(), node.room()
    yield _gauge("foreman_takes_writes", "1 while transactions are taken.", {(): health["takes_writes"]})
    yield _gauge(
        "foreman_trouble",
        "1 for each reason that /health gives.",
        {(name,): name in health["reasons"] for name in REASONS},
        "reason",
    )
    yield _gauge("foreman_undecided", "Transactions on their way.", {(): health["undecided"]})
    yield _gauge(
        "foreman_waiting_for_another", "Transactions behind an earlier one.", {(): health["waiting_for_another"]}
    )
    yield _gauge("foreman_sittings_running", "Blocks in front of the jury.", {(): health["sitting"]})
    yield _gauge("foreman_sittings_waiting", "Blocks that wait for the jury.", {(): health["waiting_for_jury"]})
    yield _gauge("foreman_seats_answering", "Seats whose judge answers.", {(): health["seats_answering"]})
    yield _gauge(
        "foreman_finality_late_seconds", "By how much finality is late.", {(): health["finality_late_seconds"]}
    )
    yield _gauge("foreman_height", "Commits of the chain.", {(): health["height"]})
    yield _gauge("foreman_database_bytes", "Size of the database.", {(): room.database})
    yield _gauge("foreman_log_bytes", "Size of its log.", {(): room.log})
    yield _gauge("foreman_disk_free_bytes", "Room on its disk.", {(): room.free})


def _door(meter: Meter, streams: int) -> Iterable[Metric]:
    yield _counter(
        "foreman_rpc_requests", "JSON-RPC requests by method and ending.", dict(meter.requests), "method", "outcome"
    )
    seconds = {(name,): spent for name, spent in list(meter.seconds.items())}
    yield _counter("foreman_rpc_seconds", "What they took, waiting for commits included.", seconds, "method")
    refused = {(code,): count for code, count in list(meter.refused.items())}
    yield _counter("foreman_http_refused", "Refused before it was a request, by reason.", refused, "code")
    yield _gauge("foreman_streams", "Subscribers to /events.", {(): streams})


def _orders(node: Node) -> Iterable[Metric]:
    """What the work order contract counts of itself (`get_stats`): its words, not ours."""
    address = node.contracts().get("foreman")
    if address is None:
        return
    target = bytes.fromhex(address[2:])
    try:
        outcome = node.query(Query(Kind.CALL, True, bytes(20), target, 0, encode_call("get_stats"))).outcome
    except ForemanError:
        return
    stats = outcome.value if outcome.ok else None
    found = {name: value for name, value in stats.items() if type(value) is int} if isinstance(stats, dict) else {}
    first = list(found.items())[:MOST_STATS]
    counts = {(name,): value for name, value in first if not name.endswith("_wei")}
    sums = {(name.removesuffix("_wei"),): value / GEN for name, value in first if name.endswith("_wei")}
    yield _gauge("foreman_orders", "Work orders by status, and what else the contract counts.", counts, "what")
    yield _gauge("foreman_orders_gen", "Sums over all work orders, in GEN, rounded.", sums, "what")


def _gauge[L: tuple[str, ...]](name: str, told: str, values: Mapping[L, float], *labels: str) -> Metric:
    family = GaugeMetricFamily(name, told, labels=labels)
    for label, value in values.items():
        family.add_metric(label, float(value))
    return family


def _counter[L: tuple[str, ...]](name: str, told: str, values: Mapping[L, float], *labels: str) -> Metric:
    family = CounterMetricFamily(name, told, labels=labels)
    for label, value in values.items():
        family.add_metric(label, float(value))
    return family


def _histogram[L: tuple[str, ...]](name: str, told: str, values: Mapping[L, Histogram], *labels: str) -> Metric:
    family = HistogramMetricFamily(name, told, labels=labels)
    for label, histogram in values.items():
        counts, total = list(histogram.counts), 0
        buckets = []
        for bound, count in zip((*map(str, histogram.bounds), "+Inf"), counts, strict=True):
            total += count
            buckets.append((bound, float(total)))
        family.add_metric(label, buckets, histogram.sum)
    return family


def _counts[L: tuple[str, ...]](endings: Mapping[L, Endings]) -> Mapping[tuple[str, ...], float]:
    return {(*label, ending): count for label, found in endings.items() for ending, count in list(found.counts.items())}


def _times[L: tuple[str, ...]](endings: Mapping[L, Endings]) -> Mapping[L, Histogram]:
    return {label: found.seconds for label, found in endings.items()}
