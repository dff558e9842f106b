"""What can go wrong between a client and a network, each with a code, a sentence and a hint.

ForemanError
├── Unreachable    `unreachable`: no answer; nothing is known about what was sent
├── RpcFailed      the network answered with a JSON-RPC error; `code` is the network's own word for it if it has one
│   └── BadAnswer  `bad_answer`: something answered, but not as a GenLayer network does
├── Reverted       `reverted`: the contract refused; nothing changed
├── Undetermined   `undetermined`: the validators did not agree, or the transaction was cancelled; nothing changed
└── NotInTime      `not_decided_in_time`: still undecided when patience ended; it may yet happen
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from foreman.errors import ForemanError
from foreman.sdk.networks import LOOPBACK

AWAY = "is this machine connected, and is that the address of the network? `foreman doctor --network` asks it again"
NOTHING_CHANGED = "the contract refused; its state is as before"


class Unreachable(ForemanError):
    """The network did not answer. What was sent may have arrived: `id` or `hash` say how to go on."""

    def __init__(self, url: str, why: str, id: str = "", hash: str = "") -> None:
        hint = AWAY if urlsplit(url).hostname not in LOOPBACK else "is the network running? `foreman up` starts one"
        if id:
            hint = f"it may have arrived; try again with the id {id}: the same id never sends twice"
        elif hash:
            hint = f"transaction {hash} was sent and may still complete; wait for it, do not send it anew"
        super().__init__("unreachable", f"no answer from {url}: {why}", hint)
        self.url = url
        self.why = why
        self.id = id
        self.hash = hash


class RpcFailed(ForemanError):
    """A JSON-RPC error. `number` is the wire number, `data` what came with it."""

    def __init__(self, method: str, number: int, message: str, data: object = None) -> None:
        told: Mapping[str, Any] = data if isinstance(data, Mapping) else {}
        code, hint = str(told.get("code") or "rpc_error"), str(told.get("hint") or "")
        if hint:
            message = message.removesuffix(f" ({hint})")  # the message carries the hint for clients that show no data
        super().__init__(code, message, hint or (NOTHING_CHANGED if code == "execution_reverted" else ""))
        self.method = method
        self.number = number
        self.data = data


class BadAnswer(RpcFailed):
    """Something answered that does not speak as a GenLayer network does.

    `number` is an HTTP status or 0, never negative: it proves nothing about what was sent.
    """

    def __init__(self, url: str, what: str, number: int = 0) -> None:
        hint = "is this the address of a GenLayer network's JSON-RPC?"
        super(RpcFailed, self).__init__("bad_answer", f"{url} answered with {what}", hint)
        self.method = ""
        self.number = number
        self.data = None


class Reverted(ForemanError):
    """The contract refused. The transaction stands on the network and changed nothing."""

    def __init__(self, reason: str, hash: str = "", hint: str = "") -> None:
        super().__init__("reverted", reason or "the contract failed without a reason", hint or NOTHING_CHANGED)
        self.hash = hash


class Undetermined(ForemanError):
    """The network decided nothing: validators disagreed, timed out, or the transaction was cancelled."""

    def __init__(self, status: str, hash: str) -> None:
        sentence = f"the validators did not agree (the transaction ended {status})"
        super().__init__("undetermined", sentence, "nothing changed; it can be sent again")
        self.status = status
        self.hash = hash


class NotInTime(ForemanError):
    """Patience ended first. The transaction may still be decided."""

    def __init__(self, hash: str, status: str, seconds: float) -> None:
        sentence = f"transaction {hash} is still {status or 'unknown'} after {seconds:g} s"
        hint = "it may still complete: wait for the same hash again, do not send it anew"
        super().__init__("not_decided_in_time", sentence, hint)
        self.hash = hash
        self.status = status
