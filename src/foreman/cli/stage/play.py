"""Puts the demo together: evidence server, network, new keys, the scenes, the audit, and what is printed."""

import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from foreman.address import parse_address
from foreman.cli import show
from foreman.cli.stage.audit import Audit, audit, audit_court, balances, report, succeeded
from foreman.cli.stage.board import Board, Lines, Silent
from foreman.cli.stage.cases import CASES
from foreman.cli.stage.court import Court
from foreman.cli.stage.deals import DEALS
from foreman.cli.stage.evidence import Evidence
from foreman.cli.stage.jobs import JOBS
from foreman.cli.stage.live import LiveBoard, legend, orders_table, proof_table
from foreman.cli.stage.scenes import SCENES
from foreman.cli.stage.stage import Stage
from foreman.cli.stage.watch import Watch
from foreman.errors import ForemanError
from foreman.localnet.localnet import build
from foreman.localnet.serve import Running
from foreman.money import GEN
from foreman.sdk.account import Account
from foreman.sdk.client import Client
from foreman.sdk.failures import Unreachable
from foreman.settings import Settings

START_WEI = 100 * GEN
"""What a client or payer begins with, and a provider of agreements, who posts bonds."""

MODEL_TOLERANCE = 15
"""Points that verdicts of models may be off: what the contract itself allows two seats to differ by."""


def play_orders(judges: tuple[str, ...], seats: int, pages: Path, json: bool) -> bool:
    """Play and print everything; True when every step did what it should and every wei is accounted for."""
    start = time.perf_counter()
    with ExitStack() as stack:
        evidence, network, ear = _house(stack, judges, seats, pages)
        told = f"{len(JOBS)} work orders between two agents, each with a key of its own."
        _opening(network, json, told, judges, seats)
        contract = parse_address(network.config["contracts"]["foreman"])
        tolerance = 0 if set(judges) == {"offline"} else MODEL_TOLERANCE
        board = _board(json, stack, seats)
        stage = Stage(network, evidence, board, seats, contract, Account.create(), Account.create(), tolerance)
        ear.listen(stage.hear)
        _fund(network, stage.client)
        ear.hears.wait(5)
        before = balances(stage)
        for scene in SCENES:
            _scene(stage, scene)
        found = audit(stage, before)
    return _closing(stage, found, time.perf_counter() - start, json, "order")


def play_agreements(pages: Path, json: bool) -> bool:
    """The same for agreements, with five seats and the offline judge, whose every ruling is known beforehand."""
    start = time.perf_counter()
    with ExitStack() as stack:
        evidence, network, ear = _house(stack, ("offline",), 5, pages)
        _opening(network, json, f"{len(DEALS)} agreements between payer, provider and arbiter.", ("offline",), 5)
        contract = parse_address(network.config["contracts"]["verdict_escrow"])
        parties = (Account.create(), Account.create(), Account.create())
        court = Court(network, evidence, _board(json, stack, 5), 5, contract, *parties)
        ear.listen(court.hear)
        for account in (court.payer, court.provider):
            _fund(network, account)
        ear.hears.wait(5)
        before = balances(court)
        for case in CASES:
            _scene(court, case)
        court.withdraw()
        found = audit_court(court, before)
    return _closing(court, found, time.perf_counter() - start, json, "agreement")


def _house(stack: ExitStack, judges: tuple[str, ...], seats: int, pages: Path) -> tuple[Evidence, Client, "Ear"]:
    """An evidence server, a network that reads from it, and an ear at its stream."""
    evidence = stack.enter_context(Evidence(pages))
    settings = Settings(port=0, seats=seats, judges=judges, host_map=evidence.mappings)
    running = Running(build(settings))
    network = stack.enter_context(Client(running.url))
    ear = stack.enter_context(Ear(network))
    stack.enter_context(running)
    return evidence, network, ear


def _opening(network: Client, json: bool, sentence: str, judges: tuple[str, ...], seats: int) -> None:
    if json:
        return
    out = show.out()
    told = f"A network at {network.transport.url}, {seats} seats judging with {', '.join(judges)}."
    out.print(told, style="bold", markup=False)
    out.print(f"{sentence}\n", style="dim")
    if out.is_terminal:
        out.print(legend(), end="\n\n")


def _fund(network: Client, account: Account) -> None:
    network.wait(network.call("sim_fundAccount", str(account), START_WEI)).check()


def _board(json: bool, stack: ExitStack, seats: int) -> Board:
    if json:
        return Silent()
    if show.out().is_terminal:
        return stack.enter_context(LiveBoard(show.out(), seats))
    return Lines(lambda text: show.out().print(text, markup=False, soft_wrap=True))


class Ear:
    """Follows the network's stream on a thread, until the network stops."""

    def __init__(self, network: Client) -> None:
        self._network = network
        self._thread: threading.Thread | None = None
        self.hears = threading.Event()
        """Set with the first event: from then on nothing is missed."""

    def listen(self, hear: Callable[[dict[str, Any]], None]) -> None:
        self._thread = threading.Thread(target=self._follow, args=(hear,), daemon=True)
        self._thread.start()

    def __enter__(self) -> "Ear":
        return self

    def __exit__(self, *_: object) -> None:
        if self._thread is not None:
            self._thread.join(10)

    def _follow(self, hear: Callable[[dict[str, Any]], None]) -> None:
        try:
            for event in self._network.events(after=0):
                self.hears.set()
                hear(event)
        except Unreachable:
            pass  # the network has stopped: the play is over


def _scene[T: (Stage, Court)](play: T, scene: Callable[[T], None]) -> None:
    """Play one scene; when it breaks off, that is a check that failed, and the next one is played all the same."""
    played = len(play.rows)
    try:
        scene(play)
    except ForemanError as problem:
        if len(play.rows) == played:
            raise
        row = play.rows[-1]
        play.expect(row, False, f"the scene breaks off: {show.plain(problem)}")
        play.close(row)


def _closing(play: Watch, found: Audit, seconds: float, json: bool, noun: str) -> bool:
    """The table, the proof, and one sentence; or all of it as JSON. Did everything go as it should?"""
    ok = succeeded(play, found)
    if json:
        show.as_json(report(play, found, seconds))
        return ok
    out = show.out()
    out.print()
    out.print(orders_table(play, found, noun))
    out.print(f"+ the {'deposit of an appeal' if noun == 'order' else 'bonds of appeals'}\n", style="dim")
    out.print(proof_table(found))
    out.print()
    for step in play.steps:
        if not step.ok:
            out.print(f"✗ {noun} {step.order}: {step.sentence}", style="red", markup=False)
    if ok:
        out.print(f"All {len(play.steps)} checks hold, and every wei is accounted for. {seconds:.1f} s.", style="green")
    elif not found.conserved:
        out.print("The books do not balance.", style="bold red")
    return ok
