"""A connection to a GenLayer network: read, sign, send, wait. What a contract means is in orders.py."""

import hashlib
import secrets
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

from foreman import calldata
from foreman.address import checksum, keccak256, parse_address
from foreman.errors import BadInput, ForemanError
from foreman.sdk import envelope
from foreman.sdk.account import Account
from foreman.sdk.failures import BadAnswer, NotInTime, RpcFailed, Unreachable
from foreman.sdk.known import is_known
from foreman.sdk.networks import Network, find_network
from foreman.sdk.outbox import Outbox, Posted, same_write
from foreman.sdk.result import Result, read_result
from foreman.sdk.stream import events, watch
from foreman.sdk.transport import Transport

PATIENCE = 300.0
"""Seconds to wait for a decision: two judge deadlines of 120 s (docs/judges.md) and a margin."""

FIRST_PAUSE, LONGEST_PAUSE = 0.01, 1.0
"""Seconds between two looks at an undecided transaction: quick for a local network, gentle to a live one."""

BACK = 60.0
"""Seconds that a network may be away from whoever watches it: a restart takes less than one."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A transaction that the network has taken. Nothing is said yet about how it ends."""

    client: "Client"
    hash: str
    id: str = ""
    """Its client's name for it: sending again under the same id gives this hash and sends nothing new."""

    def wait(self, final: bool = False, patience: float = PATIENCE) -> Result:
        """Wait until it is decided (or final). A result is not yet a success: see `Result.ok`. Raises `NotInTime`."""
        return self.client.wait(self.hash, final, patience)

    def value(self, patience: float = PATIENCE) -> calldata.Value:
        """Wait, and return what the contract returned. Raises `Reverted` and `Undetermined`."""
        return self.wait(patience=patience).check().value


class Client:
    """One network. Safe to use from several threads; each account's transactions keep the order they are sent in."""

    def __init__(self, url: str, transport: Transport | None = None, outbox: Outbox | None = None) -> None:
        """`url` may be the name of a network (networks.py)."""
        self.network: Network = find_network(url)
        self.transport = transport or Transport(self.network.url)
        self.outbox = outbox or Outbox()
        self._sending: dict[bytes, threading.Lock] = defaultdict(threading.Lock)
        self._chain: str | None = None

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
        return self._number("eth_chainId")

    @cached_property
    def config(self) -> Mapping[str, Any]:
        """What an embedded network tells about itself: `/config.json`."""
        found = self.transport.get("/config.json")
        if not isinstance(found, Mapping):
            raise BadAnswer(f"{self.transport.root}/config.json", "something that is not an object")
        return found

    @cached_property
    def embedded(self) -> bool:
        """Is this a network of `foreman up`? Only those give back the value of a call that failed."""
        if self.network.live and self.network.chain_id is not None:
            return False
        try:
            return self.config.get("network") == "local"
        except (RpcFailed, ValueError):
            return False

    @property
    def keeps_failed_value(self) -> bool:
        """Is the value of a call that fails lost to its sender? (docs/genlayer.md 5.3: today's Studio keeps it.)"""
        return not self.embedded

    def birth(self) -> str:
        """What no other chain shares: the first line of an embedded network's journal. Empty where none is told."""
        if not self.embedded:
            return ""
        told = self.call("foreman_getJournal", 0, 1)
        lines = told.get("changes") if isinstance(told, Mapping) else None
        if not isinstance(lines, list) or not all(isinstance(line, Mapping) for line in lines):
            raise BadAnswer(self.network.url, "a journal that cannot be read")
        return " ".join(f"{line.get('hash')} {line.get('at')}" for line in lines[:1])

    def chain(self) -> str:
        """What is kept beside a network belongs to it by this name: its place, and which chain of that place it is."""
        return f"{self.network.place} {self.birth()}".strip()

    def now(self) -> int:
        """Whole seconds since 1970, as contracts see them: a network whose clock turns tells its own."""
        if not (self.embedded and self.config.get("dev")):
            return int(time.time())
        told = self.call("sim_getTime")
        stamp = told.get("timestamp") if isinstance(told, Mapping) else None
        if not isinstance(stamp, int | float):
            raise BadAnswer(self.network.url, "no time to sim_getTime")
        return int(stamp)

    def balance(self, address: bytes) -> int:
        """Wei."""
        return self._number("eth_getBalance", checksum(address), "latest")

    def nonce(self, address: bytes) -> int:
        """The next nonce of an account, pending transactions counted."""
        return self._number("eth_getTransactionCount", checksum(address), "latest")

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
        self,
        account: Account,
        contract: bytes,
        method: str,
        args: Sequence[calldata.Value] = (),
        value: int = 0,
        id: str = "",
    ) -> Sent:
        """Sign and send a call. `value` is wei; `id`: see `send`."""
        data = envelope.add_transaction(account.address, contract, envelope.call_payload(method, args))
        return self.send(account, self.network.consensus_main, value, data, id)

    def deploy(self, account: Account, source: bytes, args: Sequence[calldata.Value] = (), id: str = "") -> Sent:
        """Sign and send a deployment; `Result.contract` is where it stands."""
        payload = envelope.deploy_payload(source, args)
        data = envelope.add_transaction(account.address, envelope.NO_CONTRACT, payload)
        return self.send(account, self.network.consensus_main, 0, data, id)

    def transfer(self, account: Account, to: bytes, value: int, id: str = "") -> Sent:
        """Sign and send GEN to an address. `value` is wei."""
        return self.send(account, to, value, b"", id)

    def send(self, account: Account, to: bytes, value: int, data: bytes, id: str = "") -> Sent:
        """Sign with the next nonce and hand over the raw transaction.

        The same `id` never sends twice: a retry re-sends the bytes that were signed first, and gives the same hash.
        Without one an id is made; `Unreachable` tells it. Raises `BadInput` for an id that named another write, and
        `id_unclear` when a network knows nothing any more of what it has taken under this id.
        """
        self._may_sign(account)
        made, id = not id, id or secrets.token_hex(8)
        what = hashlib.sha256(to + value.to_bytes(32, "big") + data).hexdigest()
        with self._sending[account.address]:
            key, posted = self._posted(account, id, made)
            fresh = None
            if posted is None:
                raw = account.sign_transaction(self.chain_id, self.nonce(account.address), to, value, data)
                fresh = Posted(what, "0x" + raw.hex())
                posted = self.outbox.keep(key, fresh)
            same_write(posted, what, id)
            hash = posted.hash or self._hand_over(key, posted, id, posted is fresh)
            if made:
                self.outbox.drop(key)  # nobody needs it any more: the hash says all
            return Sent(self, hash, id)

    def was_sent(self, account: Account, id: str) -> bool:
        """Was something signed under this id? Then the network may have it, and a retry needs no new simulation."""
        return bool(id) and self._posted(account, id, False)[1] is not None

    def _chain_once(self) -> str:
        """`chain`, asked once: under an id that was made just now nothing of another chain can be kept."""
        if self._chain is None:
            self._chain = self.chain()
        return self._chain

    def _posted(self, account: Account, id: str, made: bool) -> tuple[str, Posted | None]:
        """Under which key an id of this very chain is kept, and what was signed under it, if that still stands."""
        try:
            key = Outbox.key(self._chain_once() if made else self.chain(), account.address, id)
            posted = self.outbox.find(key)
            if posted is None or not posted.hash or self.call("eth_getTransactionByHash", posted.hash):
                return key, posted
            if self.embedded:  # it forgets nothing, so it went back to a snapshot: on this chain it never was
                self.outbox.drop(key)
                return key, None
        except Unreachable as error:
            raise Unreachable(error.url, error.why, "" if made else id) from error
        sentence = f"the write {id} was sent as {posted.hash}, and {self.network.name} knows no such transaction"
        raise ForemanError("id_unclear", sentence, "ask again in a while; if the network was born anew, use a new id")

    def _hand_over(self, key: str, posted: Posted, id: str, first: bool) -> str:
        """Send, for the first time or again. Only the first refusal proves that the network has never taken it."""
        try:
            hash = str(self.call("eth_sendRawTransaction", posted.raw))
        except Unreachable as error:
            raise Unreachable(error.url, error.why, id) from error
        except RpcFailed as error:
            if error.number >= 0:  # something on the way answered, not the network
                raise
            hash = "0x" + keccak256(bytes.fromhex(posted.raw[2:])).hex()
            if first or not self.call("eth_getTransactionByHash", hash):
                self._refused(key, id, hash, first, error)
        self.outbox.taken(key, posted, hash)
        return hash

    def _refused(self, key: str, id: str, hash: str, first: bool, error: RpcFailed) -> NoReturn:
        if first or self.embedded:  # an embedded network forgets no transaction: this one never was
            self.outbox.drop(key)
            raise error
        sentence = f"the write {id} was sent before, and now the network refuses it: {error.sentence}"
        raise ForemanError(
            "id_unclear", sentence, f"look for transaction {hash}; if it never was, use a new id"
        ) from error

    def _may_sign(self, account: Account) -> None:
        if self.network.rollup:
            sentence = f"{self.network.name} is read here, but not written to"
            raise BadInput("writes_not_offered", sentence, "write to it with genlayer-py or the genlayer CLI")
        if is_known(account.address) and self.network.live:
            hint = "make one of your own: `foreman account new NAME`"
            raise BadInput("known_key", f"the key of {account} is known to everyone; {self.network.name} is live", hint)

    def result(self, hash: str) -> Result:
        """What is known about a transaction right now."""
        raw = self.call("eth_getTransactionByHash", hash)
        return read_result(hash, raw if isinstance(raw, Mapping) else {})

    def wait(self, hash: str, final: bool = False, patience: float = PATIENCE) -> Result:
        """Look until it is decided (or final), also over statuses of other networks that are not known here."""
        deadline = time.monotonic() + patience
        pause = FIRST_PAUSE
        while True:
            try:
                result = self.result(hash)
            except Unreachable as error:
                raise Unreachable(error.url, error.why, hash=hash) from error
            if result.final if final else result.decided:
                return result
            if time.monotonic() + pause > deadline:
                raise NotInTime(hash, result.status, patience)
            time.sleep(pause)
            pause = min(pause * 1.5, LONGEST_PAUSE)

    def events(self, after: int | None = None) -> Iterator[dict[str, Any]]:
        """Follow status changes and seats of an embedded network as long as the connection lasts.

        One mapping per event: `event` (`open`, `change`, `seat` or `reset`), its fields (docs/rpc.md), and for a change
        `id`, the cursor. `after` resumes behind a cursor; without it the stream begins now. Raises `Unreachable`.
        """
        return events(self.transport.http, self.transport.root + "/events", after)

    def watch(self, after: int | None = None, patience: float = BACK) -> Iterator[dict[str, Any]]:
        """`events` over restarts and lost connections, resumed behind the last cursor: no change is missed.

        `reset` says that this is another chain, or that it went back. Raises `Unreachable` when the network is away for
        `patience` seconds. Seats are told live only.
        """
        return watch(self.transport.http, self.transport.root + "/events", after, patience)

    def _number(self, method: str, *params: Any) -> int:
        """A reply in hex."""
        told = self.call(method, *params)
        try:
            return int(told, 16)
        except (TypeError, ValueError) as error:
            raise BadAnswer(self.network.url, f"no number to {method}") from error

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
        if isinstance(answer, Mapping):  # newer networks wrap it (docs/genlayer.md 8.7)
            answer = answer.get("data")
        try:
            return calldata.decode(bytes.fromhex(str(answer).removeprefix("0x")))
        except ValueError as error:
            raise BadAnswer(self.network.url, f"no calldata to {method}") from error


def address_of(text: str) -> bytes:
    """The 20 bytes behind an address as people and networks write it."""
    return parse_address(text)
