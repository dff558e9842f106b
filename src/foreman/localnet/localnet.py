"""Build a network in one process: the database, the runtime, the jury and the node that joins them."""

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from foreman.address import parse_address
from foreman.errors import BadInput
from foreman.fetch.hosts import HostMap
from foreman.fetch.web import Web
from foreman.judges import make_judge
from foreman.localnet.accounts import DEV_ACCOUNTS, START_WEI
from foreman.localnet.shipped import fingerprint, shipped
from foreman.money import parse_gen
from foreman.node.clock import TurnableClock, WallClock
from foreman.node.jury import Jury
from foreman.node.node import Node
from foreman.node.seats import seat_table
from foreman.ports import Clock, Fetcher, Judge
from foreman.runtime.runtime import ContractRuntime
from foreman.settings import Settings
from foreman.state.store import SqliteStore

_SPREAD = 0.05
"""Seconds between the first and the last seat's first request for a page: a small host is not hit by all at once."""

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def build(
    settings: Settings,
    *,
    fetchers: Sequence[Fetcher] | None = None,
    judges: Sequence[Judge] | None = None,
    clock: Clock | None = None,
) -> Node:
    """A network, not started yet. Judges and fetchers are dealt to the seats in turn; by default they come from the
    settings. Raises `BadInput` for settings that do not go together, `StateError` for an unusable directory.
    """
    _check(settings)
    _genesis(settings.genesis)
    judges = judges or [make_judge(name) for name in settings.judges]
    own_web = not fetchers
    fetchers = fetchers or [Web(HostMap.parse(settings.host_map))]
    scratch = tempfile.TemporaryDirectory(prefix="foreman-") if settings.state_dir is None else None
    sources = shipped()
    store = SqliteStore(Path(scratch.name) if scratch is not None else settings.state_dir or Path())
    trusted = {fingerprint(source) for source in (*sources.values(), *store.sources())}
    limits = settings.limits
    runtime = ContractRuntime(
        allowed=lambda digest: settings.allow_contracts or digest in trusted,
        deterministic_seconds=limits.deterministic_seconds,
        block_seconds=limits.block_seconds,
    )
    spread = _SPREAD if own_web else 0.0
    seats = seat_table(settings.seats, judges, fetchers, spread)
    jury = Jury(seats, settings.rotations, limits.judging_at_once, limits.computing_at_once)
    known = {bytes.fromhex(account.address[2:]): START_WEI for account in DEV_ACCOUNTS} if settings.dev else {}
    return Node(
        settings,
        store,
        runtime,
        jury,
        TurnableClock(clock or WallClock()),
        sources,
        {**known, **_genesis(settings.genesis)},
        after_stop=(lambda: None) if scratch is None else scratch.cleanup,
    )


def _genesis(entries: Iterable[str]) -> dict[bytes, int]:
    """Wei by address. Raises `BadInput`."""
    found: dict[bytes, int] = {}
    for entry in entries:
        address, colon, amount = entry.partition(":")
        if not colon:
            hint = "write ADDRESS:GEN, for example 0x...:1000000"
            raise BadInput("bad_genesis", f"{entry[:80]!r} does not say how much", hint)
        found[parse_address(address)] = found.get(parse_address(address), 0) + parse_gen(amount)
    return found


def _check(settings: Settings) -> None:
    if settings.host not in _LOOPBACK and settings.dev:
        raise BadInput(
            "dev_not_on_loopback",
            f"a development network has a faucet and known keys; it does not bind {settings.host}",
            "bind 127.0.0.1, or start with --no-dev",
        )
    if settings.host not in _LOOPBACK and settings.allow_contracts:
        raise BadInput(
            "contracts_not_on_loopback",
            f"contract code runs as this process may; --allow-contracts does not bind {settings.host}",
            "bind 127.0.0.1, or leave --allow-contracts out",
        )
    if settings.test_doubles and not settings.dev:
        raise BadInput(
            "doubles_need_dev",
            "with --test-doubles every caller brings its own jury, so it is for development networks alone",
            "leave --test-doubles or --no-dev out",
        )
    if not 1 <= settings.seats <= 101:
        raise BadInput("bad_seats", f"a jury of {settings.seats} seats", "choose 1 to 101")
