"""A connection to a GenLayer network: read, sign, send, wait. What a contract means is in orders.py."""

import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from foreman import calldata
from foreman.address import checksum, parse_address
from foreman.sdk import envelope
from foreman.sdk.account import Account
from foreman.sdk.failures import NotInTime
from foreman.sdk.result import Result, read_result
from foreman.sdk.transport import Transport
from foreman.transaction import CONSENSUS_MAIN

PATIENCE = 300.0
"""Seconds to wait for a decision: two judge deadlines of 120 s (spec.md section 3) and a margin."""

FIRST_PAUSE, LONGEST_PAUSE = 0.01, 1.0
"""Seconds between two looks at an undecided transaction: quick for a local network, gentle to a live one."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A transaction that the network has taken. Nothing is said yet about how it ends."""

    client: "Client"
    hash: str

    def wait(self, final: bool = False, patience: float = PATIENCE) -> Result:
        """Wait until it is decided (or final). A result is not yet a success: see `Result.ok`. Raises `NotInTime`."""
        return self.client.wait(self.hash, final, patience)

    def value(self, patience: float = PATIENCE) -> calldata.Value:
        """Wait, and return what the contract returned. Raises `Reverted` and `Undetermined`."""
        return self.wait(patience=patience).check().value


class Client:
    """One network. Safe to use from several threads; each account's transactions keep the order they are sent in."""

    def __init__(self, url: str, transport: Transport | None = None) -> None:
        self.transport = transport or Transport(url)
        self._sending: dict[bytes, threading.Lock] = defaultdict(threading.Lock)

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connections."""
        self.transport.close()

    def call(self, method: str, *params: Any) -> Any:
        """Ask by method name, for what has no word of its own here."""
        return self.transport.call(method, *params)

    @cached_property
    def chain_id(self) -> int:
        return int(self.call("eth_chainId"), 16)

    @cached_property
    def config(self) -> Mapping[str, Any]:
        """What an embedded network tells about itself: `/config.json`."""
        found: Mapping[str, Any] = self.transport.get("/config.json")
        return found

    def balance(self, address: bytes) -> int:
        """Wei."""
        return int(self.call("eth_getBalance", checksum(address), "latest"), 16)

    def nonce(self, address: bytes) -> int:
        """The next nonce of an account, pending transactions counted."""
        return int(self.call("eth_getTransactionCount", checksum(address), "latest"), 16)

    def read(
        self, contract: bytes, method: str, *args: calldata.Value, sender: bytes = bytes(20), final: bool = False
    ) -> calldata.Value:
        """Call a view. Raises `RpcFailed` when the contract refuses."""
        return self._ask("read", contract, method, args, sender, 0, final)

    def simulate(
        self, sender: bytes, contract: bytes, method: str, args: Sequence[calldata.Value] = (), value: int = 0
    ) -> calldata.Value:
        """Try a write up to its first question to a jury, without sending it. Raises `RpcFailed` when it would fail."""
        return self._ask("write", contract, method, args, sender, value, False)

    def write(
        self, account: Account, contract: bytes, method: str, args: Sequence[calldata.Value] = (), value: int = 0
    ) -> Sent:
        """Sign and send a call. `value` is wei."""
        payload = envelope.call_payload(method, args)
        return self.send(account, CONSENSUS_MAIN, value, envelope.add_transaction(account.address, contract, payload))

    def deploy(self, account: Account, source: bytes, args: Sequence[calldata.Value] = ()) -> Sent:
        """Sign and send a deployment; `Result.contract` is where it stands."""
        payload = envelope.deploy_payload(source, args)
        data = envelope.add_transaction(account.address, envelope.NO_CONTRACT, payload)
        return self.send(account, CONSENSUS_MAIN, 0, data)

    def transfer(self, account: Account, to: bytes, value: int) -> Sent:
        """Sign and send GEN to an address. `value` is wei."""
        return self.send(account, to, value, b"")

    def send(self, account: Account, to: bytes, value: int, data: bytes) -> Sent:
        """Sign with the next nonce and hand over the raw transaction."""
        with self._sending[account.address]:
            raw = account.sign_transaction(self.chain_id, self.nonce(account.address), to, value, data)
            return Sent(self, str(self.call("eth_sendRawTransaction", "0x" + raw.hex())))

    def result(self, hash: str) -> Result:
        """What is known about a transaction right now."""
        raw = self.call("eth_getTransactionByHash", hash)
        return read_result(hash, raw if isinstance(raw, Mapping) else {})

    def wait(self, hash: str, final: bool = False, patience: float = PATIENCE) -> Result:
        """Look until it is decided (or final), also over statuses of other networks that are not known here."""
        deadline = time.monotonic() + patience
        pause = FIRST_PAUSE
        while True:
            result = self.result(hash)
            if result.final if final else result.decided:
                return result
            if time.monotonic() + pause > deadline:
                raise NotInTime(hash, result.status, patience)
            time.sleep(pause)
            pause = min(pause * 1.5, LONGEST_PAUSE)

    def events(self, after: int | None = None) -> Iterator[dict[str, Any]]:
        """Follow status changes and seats of an embedded network; `after` resumes behind a cursor."""
        return self.transport.stream("/events" if after is None else f"/events?after={after}")

    def _ask(
        self,
        kind: str,
        contract: bytes,
        method: str,
        args: Sequence[calldata.Value],
        sender: bytes,
        value: int,
        final: bool,
    ) -> calldata.Value:
        question = {
            "type": kind,
            "to": checksum(contract),
            "from": checksum(sender),
            "data": "0x" + envelope.call_payload(method, args).hex(),
            "value": hex(value),
            "transaction_hash_variant": "latest-final" if final else "latest-nonfinal",
        }
        answer = self.call("gen_call", question)
        if isinstance(answer, Mapping):  # newer networks wrap it (facts sheet 8.7)
            answer = answer.get("data")
        return calldata.decode(bytes.fromhex(str(answer).removeprefix("0x")))


def address_of(text: str) -> bytes:
    """The 20 bytes behind an address as people and networks write it."""
    return parse_address(text)
