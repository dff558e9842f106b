"""More orders behind those of real transactions, row by row: exactly what real transactions would write, only faster.

Order `n` differs from the one a round earlier in its number, its title, its nonces and the bytes its accounts sign. Its
record is copied through the contract's own storage, indexes and totals are written by the contract's own methods, and
its three transactions are signed. `tests/bench/test_filled.py` compares every table with that of real transactions.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.filled import PAIRS, Signers, rounds
from bench.load import TITLE
from foreman.address import keccak256
from foreman.calldata import encode_call
from foreman.execution import Outcome, Reads
from foreman.localnet.shipped import shipped
from foreman.node.genesis import shipped_address
from foreman.receipt import Receipt, Record, Status
from foreman.runtime.loader import Loader
from foreman.runtime.overlay import Overlay
from foreman.runtime.plans import SPACE_AT
from foreman.runtime.views.records import copy_record
from foreman.state.store import SqliteStore

ROUNDS = 50
"""Rounds in one commit."""


def stamp(folder: Path, orders: int, pairs: int = PAIRS) -> None:
    """Bring a directory in which `filled.fill` made one round to so many orders."""
    source = shipped()["foreman"]
    address = shipped_address("foreman", source)
    store = SqliteStore(folder)
    try:
        store._connection.execute("PRAGMA synchronous = OFF")
        with Loader(lambda digest: True).borrow(source, lambda codes: None) as module:
            stamps = Stamps(store, address, module.cls, pairs)
            for numbers in rounds(pairs, orders, pairs * ROUNDS):
                with store.transaction():
                    stamps.write(numbers)
    finally:
        store.close()


class Stamps:
    """The first round's orders and transactions, and how they are copied."""

    def __init__(self, store: SqliteStore, address: bytes, cls: type, pairs: int) -> None:
        self._store = store
        self._address = address
        self._class = cls
        self._signers = Signers(address, pairs)
        self._models: list[list[Record]] = [[], [], []]
        for call in range(3):
            for number in range(pairs):
                model = store.record(keccak256(self._signers.sign(number, call)))
                assert model is not None
                self._models[call].append(model)
        self._position, self._block = store.last_position()[0], store.height()

    def write(self, numbers: range) -> None:
        """Everything that these orders leave behind."""
        overlay = Overlay(self._address, self._store, Reads(), writable=True)
        contract: Any = object.__new__(self._class)
        contract.__dict__[SPACE_AT] = overlay
        for number in numbers:
            self._order(contract, number)
        self._store.write(self._address, overlay.writes())
        for together in rounds(numbers.start, numbers.stop, self._signers.pairs):
            for call in range(3):
                for number in together:
                    self._transaction(number, call)

    def _order(self, contract: Any, number: int) -> None:
        order = copy_record(contract.orders[number % self._signers.pairs])
        order.id, order.title = number, f"{TITLE}, part {number}"
        contract.orders[number] = order
        for index, key in (
            (contract.by_status, order.status),
            (contract.by_client, order.client),
            (contract.by_provider, order.provider),
        ):
            contract._list(index, key, number)
        contract._rate(order.provider, completed=1, total_earned_wei=order.paid_wei)
        contract.volume_wei += order.escrow_wei
        contract.payouts_wei += order.paid_wei
        contract.refunds_wei += order.refunded_wei
        contract.verdicts += 1
        client, provider = (bytes(each.as_bytes) for each in (order.client, order.provider))
        self._store.debit(client, order.escrow_wei - order.refunded_wei)
        self._store.credit(provider, order.paid_wei)
        for spender in (client, provider, provider):
            self._store.spend_nonce(spender)

    def _transaction(self, number: int, call: int) -> None:
        model = self._models[call][number % self._signers.pairs]
        method, args, _ = self._signers.calls(number)[call]
        signer = self._signers.signer(number, call)
        nonce, digest = signer.nonce, keccak256(self._signers.sign(number, call))
        self._position += 1
        self._block += 1
        assert model.receipt is not None
        asked = replace(model.transaction, hash=digest, nonce=nonce, calldata=encode_call(method, args))
        copy = replace(
            model, transaction=asked, position=self._position, block=self._block,
            receipt=self._receipt(model.receipt, digest, number if call == 0 else None),
        )  # fmt: skip
        self._store.save(copy)
        for status in (Status.PENDING, Status.FINALIZED):
            self._store.log(digest, status, copy.recorded_at)

    @staticmethod
    def _receipt(model: Receipt, digest: bytes, created: int | None) -> Receipt:
        if created is not None:
            return replace(model, outcome=Outcome.returned(created))
        decisions = tuple(
            replace(one, rounds=tuple(
                replace(turn, leader=int.from_bytes(digest[:8]) % len(turn.ballots)) for turn in one.rounds
            ))
            for one in model.decisions
        )  # fmt: skip
        return replace(model, decisions=decisions)
