# v0.2.16
# { "Depends": "py-genlayer:1jb45aa8ynh2a9c9xn3b7qqh8sm5q93hwfp7jqmwsfhh8jpz09h6" }
"""A small contract that touches every part of the core: records, maps, arrays, money, blocks."""

import datetime
import json
import typing
from dataclasses import dataclass

from genlayer import *


@gl.evm.contract_interface
class _Recipient:
    class View:
        pass

    class Write:
        pass


@allow_storage
@dataclass
class Entry:
    title: str
    owner: Address
    amount: u256
    score: u8
    tags: DynArray[str]


class Ledger(gl.Contract):
    name: str
    count: u32
    entries: TreeMap[u32, Entry]
    balances: TreeMap[Address, u256]

    def __init__(self, name: str):
        self.name = name

    @gl.public.write.payable
    def add(self, title: str, tags: list) -> int:
        number = int(self.count)
        self.entries[number] = Entry(title, gl.message.sender_address, gl.message.value, 0, tags)
        self.count = number + 1
        held = self.balances.get(gl.message.sender_address, 0)
        self.balances[gl.message.sender_address] = held + gl.message.value
        return number

    @gl.public.write
    def judge(self, number: int, url: str) -> int:
        entry = self.entries[number]
        title = str(entry.title)

        def leader() -> dict:
            page = gl.nondet.web.get(url)
            answer = gl.nondet.exec_prompt(f"{title}: {page.body.decode()}")
            return {"score": int(json.loads(answer)["score"]), "status": page.status}

        def validator(result) -> bool:
            if not isinstance(result, gl.vm.Return):
                return False
            return abs(leader()["score"] - result.calldata["score"]) <= 5

        found = gl.vm.run_nondet_unsafe(leader, validator)
        entry.score = found["score"]
        return found["score"]

    @gl.public.write
    def pay(self, to: str, amount: int) -> None:
        _Recipient(Address(to)).emit_transfer(value=u256(amount))

    @gl.public.write
    def fail(self, how: str) -> None:
        self.name = "changed"
        if how == "user":
            raise gl.vm.UserError("refused")
        raise ValueError("crashed")

    @gl.public.view
    def show(self, number: int) -> dict[str, typing.Any]:
        entry = self.entries[number]
        return {
            "title": entry.title,
            "owner": entry.owner.as_hex,
            "amount": entry.amount,
            "score": entry.score,
            "tags": list(entry.tags),
        }

    @gl.public.view
    def page(self) -> list[str]:
        return [entry.title for entry in self.entries.values()]

    @gl.public.view
    def total(self) -> int:
        return self.balance

    @gl.public.view
    def now(self) -> str:
        return datetime.datetime.now().isoformat()
