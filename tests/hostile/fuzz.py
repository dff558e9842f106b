"""Requests that almost make sense: every method, every kind of parameter, a little or very wrong; from one seed."""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import rlp  # type: ignore[import-untyped]  # the package ships no types

from foreman import calldata
from foreman.address import Address, checksum, keccak256, parse_address
from foreman.rpc.dispatch import Method, Param
from foreman.rpc.table import METHODS, NOT_OFFERED
from foreman.sdk.account import Account
from foreman.sdk.envelope import add_transaction, deploy_payload
from foreman.transaction import ADD_TRANSACTION_V6, CONSENSUS_MAIN, SUBMIT_APPEAL

ASKED = [*METHODS, *[row for row in METHODS if row.name in ("eth_sendRawTransaction", "gen_call", "sim_call")] * 6]
"""Every method, and those that carry calldata more often."""
STRANGE_TEXT = ("", " ", "\0", "\ud800", "‮evil", "a" * 70_000, "🦖" * 300, "0x", "0X", "0xzz", "-0x1", "0x" + "f" * 65)
DIGITS = "9" * 5_000


class Raw:
    """A piece of JSON as it is written, for what Python would not write."""

    def __init__(self, text: str) -> None:
        self.text = text


class Fuzz:
    """Makes requests from one seed. `contracts` are names of methods by address, `hashes` are of real transactions."""

    def __init__(self, seed: int, contracts: Mapping[str, Sequence[str]], hashes: Sequence[str]) -> None:
        self.chance = random.Random(seed)
        self.contracts = list(contracts)
        self.methods = [name for names in contracts.values() for name in names]
        self.hashes = list(hashes)
        self.kinds: dict[str, Callable[[], Any]] = {
            "address": self.address,
            "digest": lambda: self.pick(self.hashes),
            "data": lambda: "0x" + self.chance.randbytes(self.chance.randrange(0, 300)).hex(),
            "amount": lambda: self.pick([0, 1, 10**18, hex(10**20), "5", 1e21, 2**256 - 1]),
            "count": lambda: self.pick([0, 1, "0x2", 100, 2**31]),
            "flag": lambda: self.pick([True, False]),
            "text": lambda: self.pick(["all", "from", "to", "https://page.example/"]),
            "block": lambda: self.pick(["latest", "earliest", 0, "0x1", {"blockNumber": 3}, 2**62]),
            "moment": lambda: self.pick(["2027-01-31T12:00:00Z", 1_900_000_000]),
            "logs": self.logs,
            "fields": lambda: self.pick([{}, {"genvm_datetime": "2030-01-01T00:00:00Z"}]),
            "call_object": self.call,
        }

    def pick[T](self, options: Sequence[T]) -> T:
        return options[self.chance.randrange(len(options))]

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    @property
    def contract(self) -> str:
        return self.pick(self.contracts)

    # values

    def address(self) -> str:
        return self.pick([self.contract, checksum(self.chance.randbytes(20)), "0x" + self.chance.randbytes(20).hex()])

    def logs(self) -> dict[str, Any]:
        wanted = {"fromBlock": "earliest", "toBlock": self.wrong(0.3), "address": self.address(), "topics": [None]}
        return {name: value for name, value in wanted.items() if self.often(0.7)}

    def strange(self, depth: int = 0) -> Any:
        """Anything JSON can hold, and some that it cannot."""
        kind = self.chance.randrange(12)
        if kind < 2 and depth < 4:
            return [self.strange(depth + 1) for _ in range(self.chance.randrange(4))]
        if kind < 4 and depth < 4:
            return {self.pick(STRANGE_TEXT)[:40]: self.strange(depth + 1) for _ in range(self.chance.randrange(4))}
        if kind == 4:
            return self.pick([Raw(DIGITS), Raw("-" + DIGITS), Raw("1e999"), Raw("NaN"), Raw("[" * 70 + "]" * 70)])
        if kind == 5:
            return self.pick([-1, 2**63, 2**64, -(2**255), 2**256, 10**77, 10**99, 0.5, -0.0, 1e308])
        return self.pick([None, True, False, *STRANGE_TEXT])

    def wrong(self, share: float, right: Any = None) -> Any:
        return self.strange() if self.often(share) else right

    def value(self) -> calldata.Value:
        """An argument as a contract might get it."""
        plain: list[calldata.Value] = [
            0,
            1,
            -1,
            2**256,
            -(2**4000),
            True,
            None,
            "",
            "a" * 5_000,
            b"\0" * 100,
            [[[]]],
            {"a": {"b": [1]}},
        ]
        return self.pick([*plain, Address(self.chance.randbytes(20))])

    # calls and transactions

    def payload(self) -> bytes:
        """Calldata for a method that may be there, sometimes damaged, in its envelope."""
        name = self.pick([*self.methods, "__init__", "__del__", "_private", "nothing", ""])
        raw = calldata.encode_call(name or None, [self.value() for _ in range(self.chance.randrange(5))])
        if self.often(0.4):
            raw = self.damage(raw)
        return bytes(rlp.encode([raw, self.pick([b"", b"\0", b"\1", b"\xff" * 9])]))

    def call(self) -> dict[str, Any]:
        raw = self.payload()
        call: dict[str, Any] = {
            "type": self.pick(["read", "read", "write", "deploy"]),
            "to": self.pick([self.contract] * 4 + [self.address()]),
            "from": self.address(),
            "data": "0x" + (self.damage(raw) if self.often(0.2) else raw).hex(),
            "value": self.pick(["0x0", 1, 10**18]),
            "transaction_hash_variant": self.pick(["latest-nonfinal", "latest-final"]),
        }
        if self.often(0.3):
            call[self.pick(list(call))] = self.strange()
        return call

    def damage(self, raw: bytes) -> bytes:
        """The same with a few bytes changed, cut, doubled or put in."""
        data = bytearray(raw or b"\0")
        for _ in range(self.chance.randrange(1, 5)):
            at = self.chance.randrange(len(data)) if data else 0
            kind = self.chance.randrange(4)
            if kind == 0 and data:
                data[at] ^= 1 << self.chance.randrange(8)
            elif kind == 1:
                del data[at : at + self.chance.randrange(1, 9)]
            elif kind == 2:
                data[at:at] = data[at : at + 20]
            else:
                data[at:at] = self.pick([b"\xff" * 9, b"\xb8\xff", b"\xf9\xff\xff", b"\x00", b"\x80" * 40])
        return bytes(data)

    def transaction(self) -> bytes:
        """A raw transaction of a new account: well signed with strange content, or damaged as a whole."""
        account = Account(keccak256(self.chance.randbytes(16)))
        target = parse_address(self.contract)
        deploys = self.often(0.3)
        payload = deploy_payload(self.chance.randbytes(50), [self.value()]) if deploys else self.payload()
        data = add_transaction(account.address, self.pick([target, target, bytes(20)]), payload)
        if self.often(0.3):
            data = self.damage(data)
        elif self.often(0.1):
            data = self.pick([ADD_TRANSACTION_V6, SUBMIT_APPEAL, b"\0\0\0\0"]) + self.chance.randbytes(200)
        nonce = self.pick([0, 0, 0, 0, 1, 2**63 - 1])
        to = self.pick([CONSENSUS_MAIN] * 6 + [target, bytes(20)])
        raw = account.sign_transaction(self.pick([61127] * 6 + [61999, 1]), nonce, to, self.pick([0] * 6 + [1]), data)
        return self.damage(raw) if self.often(0.3) else raw

    # requests

    def argument(self, param: Param) -> Any:
        right = self.kinds.get(param.read.__name__, lambda: None)()
        return self.wrong(0.25, right)

    def params(self, method: Method) -> Any:
        if method.name == "eth_sendRawTransaction" and self.often(0.8):
            return ["0x" + self.transaction().hex()]
        given = [self.argument(param) for param in method.params if not param.optional or self.often(0.5)]
        if self.often(0.1):
            given.append(self.strange())
        if self.often(0.1):
            return dict(zip([param.name for param in method.params] + ["more"], given, strict=False))
        return self.wrong(0.05, given)

    def request(self) -> dict[str, Any]:
        method = self.pick(ASKED)
        request = {
            "jsonrpc": self.wrong(0.03, "2.0"),
            "id": self.wrong(0.1, self.chance.randrange(1000)),
            "method": self.wrong(0.05, self.pick([method.name] * 100 + list(NOT_OFFERED))),
            "params": self.params(method),
        }
        if self.often(0.03):
            del request[self.pick(list(request))]
        return request

    def body(self) -> bytes:
        """One request, or a few; sometimes the text itself is damaged."""
        whole: Any = self.request()
        if self.often(0.1):
            whole = [self.wrong(0.1, self.request()) for _ in range(self.chance.randrange(6))]
        text = written(whole).encode()
        return self.damage(text) if self.often(0.05) else text


def written(value: Any) -> str:
    """As JSON, with `Raw` pieces as they are."""
    if isinstance(value, Raw):
        return value.text
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(name)}:{written(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(written, value)) + "]"
    return json.dumps(value)
