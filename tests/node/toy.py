"""A runtime of a few words, so that the network is tested without contracts: a call is a list of steps.

["read", key]  ["write", key, value]  ["scan", low, high]  ["ask", prompt]  ["copy", from, to]
["pay", to, wei]  ["send", to, wei, steps, on]  ["emit", topic, text]  ["revert", text]  ["crash", text]
["balance", address]  what the address holds becomes part of the next question; it is a premise as keys are
"""

import time
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from foreman import calldata
from foreman.errors import WebError
from foreman.execution import (
    Answer,
    Asking,
    Call,
    Effects,
    Emission,
    Event,
    Execution,
    Finished,
    On,
    Outcome,
    Reads,
    StateView,
    Transfer,
)
from foreman.ports import SeatIO, WebRequest

CODE = b"# a contract of steps"


class ToyBlock:
    """Leads by asking its seat's judge; validates by asking again and comparing."""

    def __init__(self, prompt: str) -> None:
        self.prompt = prompt

    @property
    def fingerprint(self) -> bytes:
        return sha256(self.prompt.encode()).digest()

    def lead(self, io: SeatIO) -> Outcome:
        if self.prompt.startswith("http"):
            try:
                return Outcome.returned(io.web(WebRequest("GET", self.prompt)).body)
            except WebError as error:
                return Outcome.vm_error(error.code)
        answer = io.ask(self.prompt)
        if answer == "crash":
            return Outcome.vm_error("exit_code 1")
        if answer.startswith("error:"):
            return Outcome.user_error(answer)
        return Outcome.returned(answer)

    def validate(self, proposal: Outcome, io: SeatIO) -> bool:
        return proposal == self.lead(io)


class ToyRuntime:
    """Runs steps. `runs` counts how often, `seconds` is what each run takes, `deployment` how deployments end."""

    def __init__(self) -> None:
        self.runs = 0
        self.seconds = 0.0
        self.deployment = Outcome.returned(None)

    def schema(self, code: bytes) -> dict[str, object]:
        return {}

    def run(self, call: Call, view: StateView, answers: Sequence[Answer] = ()) -> Execution:
        self.runs += 1
        if self.seconds:
            time.sleep(self.seconds)
        if call.code is not None:
            return Finished(self.deployment, Effects(code=call.code), Reads(), 0)
        if call.errored:
            return Finished(Outcome.returned(None), Effects({b"errored": str(call.value).encode()}), Reads(), 0)
        return ToyRun(call.contract, view, answers, self.runs).go(calldata.decode(call.calldata))


class ToyRun:
    """One run: what it has read, what it would write, what it has heard."""

    def __init__(self, here: bytes, view: StateView, answers: Sequence[Answer], number: int) -> None:
        self.here = here
        self.view = view
        self.answers = answers
        self.number = number
        self.reads, self.effects, self.used = Reads(), Effects(), 0
        self.heard, self.held = b"", ""

    def go(self, steps: object) -> Execution:
        for step in steps if isinstance(steps, list) else []:
            self.touch(step)
            self.emit(step)
            end = self.question(step) or self.end(step)
            if end is not None:
                return end
        return Finished(Outcome.returned(self.heard), self.effects, self.reads, self.used)

    def look(self, key: bytes) -> bytes:
        self.reads.keys.add((self.here, key))
        return self.effects.writes.get(key, self.view.get(self.here, key)) or b""

    def touch(self, step: list[Any]) -> None:
        writes = self.effects.writes
        match step:
            case ["read", key]:
                self.look(key.encode())
            case ["scan", low, high]:
                self.reads.ranges.append((self.here, low.encode(), high.encode()))
                self.view.scan(self.here, low.encode(), high.encode(), 100)
            case ["write", key, value]:
                writes[key.encode()] = value.encode()
            case ["append", key, value]:
                writes[key.encode()] = self.look(key.encode()) + value.encode()
            case ["keep", key]:
                writes[key.encode()] = self.heard
            case ["balance", address]:
                self.reads.balances.add(address.as_bytes)
                self.held = f" {self.view.balance(address.as_bytes)}"

    def emit(self, step: list[Any]) -> None:
        effects = self.effects
        match step:
            case ["pay", to, wei]:
                effects.emitted.append(Transfer(to.as_bytes, wei))
            case ["send", to, wei, steps, on]:
                effects.emitted.append(Emission(to.as_bytes, calldata.encode(steps), wei, On(on)))
            case ["emit", topic, text]:
                effects.events.append(Event((sha256(topic.encode()).digest(),), calldata.encode({"text": text})))

    def question(self, step: list[Any]) -> Execution | None:
        match step:
            case ["moody", *_]:
                return self.ask(ToyBlock(f"mood {self.number}"), always=True)
            case ["ask", prompt]:
                return self.ask(ToyBlock(prompt + self.held))
            case ["ask", prompt, key]:
                return self.ask(ToyBlock(prompt + self.held + self.look(key.encode()).decode()))
        return None

    def ask(self, block: ToyBlock, always: bool = False) -> Execution | None:
        answers, used = self.answers, self.used
        if always or used == len(answers) or answers[used].fingerprint != block.fingerprint:
            return Asking(used, block, self.reads, differs=used < len(answers))
        self.used += 1
        outcome = answers[used].outcome
        if not outcome.ok:
            return Finished(outcome, Effects(), self.reads, self.used)
        self.heard = outcome.value if isinstance(outcome.value, bytes) else outcome.value.encode()
        return None

    def end(self, step: list[Any]) -> Execution | None:
        match step:
            case ["crash", text]:
                return Finished(Outcome.vm_error("exit_code 1"), Effects(), self.reads, self.used, text)
            case ["revert", text]:
                return Finished(Outcome.user_error(text), Effects(), self.reads, self.used)
            case ["bug"]:
                raise ZeroDivisionError
        return None
