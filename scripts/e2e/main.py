"""The command: reads its arguments, sees to keys, money and contracts, plays, reports, and says how it went."""

import argparse
import hashlib
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from foreman.address import parse_address
from foreman.errors import ForemanError
from foreman.localnet.shipped import shipped
from foreman.sdk.account import Account
from foreman.sdk.networks import NETWORKS
from scripts.e2e import accounts, report, roles
from scripts.e2e.keys import KEY_FILE, first_key, fund, key_path, new_key
from scripts.e2e.networks import OWN, Place, connect
from scripts.e2e.run import Run, Scene
from scripts.e2e.scenes import ESCROW, play

ROOT = Path(__file__).resolve().parents[2]

KEPT = ROOT / ".state" / "e2e"
"""Where new keys of live networks are written down."""

NEED = {"client": 12 * ESCROW, "provider": ESCROW}
"""Wei: the escrows, deposit and amounts of all scenes with room to spare; the provider pays nothing but a fee."""


def main(arguments: Sequence[str]) -> int:
    """Play, and return the exit code: 0 when everything went as it should, 1 when not, 2 for a bad command line."""
    given = _read(arguments)
    try:
        with ExitStack() as stack:
            place = stack.enter_context(connect(given.network, tuple(given.judge or ["offline"])))
            outcome = _play(place, given)
    except ForemanError as error:
        print(f"error: {error}\n hint: {error.hint}", file=sys.stderr)
        if any(KEPT.glob("*.key")):
            print(f" note: keys that may hold money are in {KEPT}", file=sys.stderr)
        return 1
    for path in report.write(outcome, Path(given.reports)):
        print(f"written: {path}")
    print("everything went as it should" if outcome.ok else "something went wrong: the report says what")
    return 0 if outcome.ok else 1


def _read(arguments: Sequence[str]) -> argparse.Namespace:
    names = ", ".join(network.name for network in NETWORKS if not network.rollup)
    parser = argparse.ArgumentParser(
        prog="e2e_live.py",
        description="Plays the whole life of orders and agreements with fresh contracts, and writes a report.",
        epilog=f"The first key comes from the file that {KEY_FILE} names (keystore or hex), else it is new. "
        "docs/E2E.md has the rest.",
    )
    parser.add_argument("--network", metavar="NAME|URL", default=OWN, help=f"{names}, or a URL [{OWN}]")
    parser.add_argument(
        "--evidence",
        metavar="ROLE=URL",
        action="append",
        default=[],
        help=f"replace the page of a role: {', '.join(roles.LIVE)}; repeatable",
    )
    parser.add_argument("--judge", metavar="NAME", action="append", help="who judges on the local network [offline]")
    parser.add_argument("--reports", metavar="FOLDER", default=str(ROOT / "reports"), help="where to write [reports]")
    parser.add_argument("--patience", metavar="SECONDS", type=float, default=600.0, help="for one decision [600]")
    parser.add_argument("--settle", metavar="SECONDS", type=float, default=3600.0, help="until all is final [3600]")
    return parser.parse_args(arguments)


def _play(place: Place, given: argparse.Namespace) -> report.Outcome:
    chosen = roles.choose(roles.LOCAL if place.own else roles.LIVE, given.evidence)
    started, began = datetime.now(UTC).isoformat(timespec="seconds"), time.monotonic()
    client, provider = first_key(place.live, KEPT), new_key(place.live, KEPT)
    funding = {
        "client": fund(place.client, client, NEED["client"]),
        "provider": fund(place.client, provider, NEED["provider"], client),
    }
    sources = shipped()
    contracts = {name: _deploy(place, client, source, given.patience) for name, source in sources.items()}
    run = Run(
        place=place,
        client=client,
        provider=provider,
        arbiter=Account.create().address,  # must be somebody else, and never has to act
        foreman=contracts["foreman"],
        court=contracts["verdict_escrow"],
        roles=chosen,
        patience=given.patience,
    )
    before = accounts.balances(run)
    scenes = play(run, _tell)
    found = accounts.settle(run, before, 5.0 if place.own else given.settle)
    seconds = time.monotonic() - began
    fingerprints = {name: hashlib.sha256(source).hexdigest() for name, source in sources.items()}
    if place.live:
        _give_back(place, provider, client)
    return report.Outcome(
        run,
        scenes,
        found,
        started,
        seconds,
        place.client.chain_id,
        fingerprints,
        funding,
        place.client.keeps_failed_value,
    )


def _deploy(place: Place, account: Account, source: bytes, patience: float) -> bytes:
    """A fresh contract; where it stands, once the network can answer for it."""
    result = place.client.deploy(account, source).wait(patience=patience).check()
    return parse_address(result.contract)


def _give_back(place: Place, provider: Account, client: Account) -> None:
    """What the second key still holds goes to the first, and its file goes; on trouble the file stays, and is told."""
    path = key_path(provider, KEPT)
    try:
        left = place.client.balance(provider.address)
        if left:
            place.client.transfer(provider, client.address, left).wait(final=True).check()
        path.unlink()
    except (ForemanError, OSError) as error:
        print(f"the second key still holds its money ({error}); the key is in {path}", file=sys.stderr)


def _tell(scene: Scene) -> None:
    word = "skipped" if scene.skipped else "ok" if scene.ok else "FAILED"
    print(f"{word:8}{scene.shows}", flush=True)
    for step in scene.steps:
        if not step.ok:
            print(f"        {step.what} {step.status.lower()} {step.detail}", flush=True)
