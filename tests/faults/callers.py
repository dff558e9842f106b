"""Accounts that send without a pause until the node is gone, and remember what it acknowledged."""

import http.client
import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from foreman import calldata
from foreman.address import keccak256, parse_address
from foreman.money import GEN
from foreman.sdk.account import Account
from foreman.sdk.envelope import add_transaction, call_payload
from foreman.transaction import CONSENSUS_MAIN

CRITERIA = "- The page is there"


class Gone(Exception):
    """The node does not answer any more."""


class Wire:
    """One connection to the node's door."""

    def __init__(self, url: str, contract: str) -> None:
        self.address = contract
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)

    def ask(self, method: str, *params: Any) -> Any:
        """The result, or the error object of a refusal. Raises `Gone`."""
        answer = self._post(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
        return answer.get("result", answer.get("error"))

    def _post(self, body: str) -> Any:
        try:
            self._connection.request("POST", "/api", body, {"Content-Type": "application/json"})
            return json.loads(self._connection.getresponse().read())
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Gone from error

    def ask_all(self, method: str, params: Sequence[Sequence[Any]]) -> list[Any]:
        """The results of one method, a hundred in a request. Raises `Gone`."""
        found: list[Any] = []
        for at in range(0, len(params), 100):
            calls = [
                {"jsonrpc": "2.0", "id": 1, "method": method, "params": list(each)} for each in params[at : at + 100]
            ]
            found += [answer.get("result", answer.get("error")) for answer in self._post(json.dumps(calls))]
        return found

    def view(self, method: str, *args: Any) -> Any:
        data = "0x" + call_payload(method, args).hex()
        call = {"type": "read", "to": self.address, "from": "0x" + "00" * 20, "data": data}
        return calldata.decode(bytes.fromhex(self.ask("gen_call", call)))

    def close(self) -> None:
        self._connection.close()


@dataclass
class Sent:
    """A signed call, and whether the node has said that it has it."""

    raw: bytes
    method: str
    order: int
    value: int
    acknowledged: bool = False

    @property
    def hash(self) -> str:
        return "0x" + keccak256(self.raw).hex()


class Caller:
    """One account. It sends the next call as soon as the last one is acknowledged, and does not wait for decisions."""

    def __init__(self, name: str, share: int, of: int) -> None:
        self.account = Account(keccak256(name.encode()))
        self.sent: list[Sent] = []
        self.errors: list[Any] = []
        self.share, self.of = share, of
        self.acknowledged = threading.Semaphore(0)

    def run(self, wire: Wire) -> None:
        """Send until the node is gone."""
        try:
            self.resend(wire)
            while self.work(wire):
                pass
        except Gone:
            pass
        except Exception as error:  # noqa: BLE001  # told by the test
            self.errors.append(error)
        finally:
            wire.close()

    def resend(self, wire: Wire) -> None:
        """What was on its way when the node died may or may not be there: the same bytes again settle it."""
        for one in self.sent:
            if not one.acknowledged:
                self._submit(wire, one)

    def work(self, wire: Wire) -> bool:
        raise NotImplementedError

    def send(self, wire: Wire, method: str, order: int, args: Sequence[Any], value: int = 0) -> None:
        data = add_transaction(self.account.address, parse_address(wire.address), call_payload(method, args))
        raw = self.account.sign_transaction(61127, len(self.sent), CONSENSUS_MAIN, value, data)
        self.sent.append(Sent(raw, method, order, value))
        self._submit(wire, self.sent[-1])

    def _submit(self, wire: Wire, one: Sent) -> None:
        while (answer := wire.ask("eth_sendRawTransaction", "0x" + one.raw.hex())) != one.hash:
            if answer.get("data", {}).get("code") != "too_many_pending":
                raise RuntimeError(answer)
        one.acknowledged = True
        self.acknowledged.release()


class Client(Caller):
    """Creates orders."""

    def work(self, wire: Wire) -> bool:
        value = (10 + len(self.sent)) * GEN // 1000 + len(self.sent)
        title = f"order {len(self.sent)} of {self.account}"
        self.send(wire, "create_order", -1, [title, "Some work", CRITERIA, 30], value)
        return True


class Provider(Caller):
    """Claims its share of the orders and delivers each."""

    def work(self, wire: Wire) -> bool:
        number = len(self.sent) // 2 * self.of + self.share
        if len(self.sent) % 2:
            self.send(wire, "submit_deliverable", number, [number, f"https://page.example/{number}", ""])
        elif wire.view("get_order_count") > number:
            self.send(wire, "claim_order", number, [number])
        return True
