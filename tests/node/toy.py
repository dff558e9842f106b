"""A runtime of a few words, so that the network is tested without contracts: a call is a list of steps.

["read", key]  ["write", key, value]  ["scan", low, high]  ["ask", prompt]  ["copy", from, to]
["pay", to, wei]  ["send", to, wei, steps, on]  ["emit", topic, text]  ["revert", text]  ["crash", text]
["balance", address]  what the address holds becomes part of the next question; it is a premise as keys are
"""

import time
from collections.abc import Sequence
from hashlib import sha256

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
        reads, effects, used = Reads(), Effects(), 0
        if self.seconds:
            time.sleep(self.seconds)
        if call.code is not None:
            effects.code = call.code
            return Finished(self.deployment, effects, reads, 0)
        if call.errored:
            effects.writes[b"errored"] = str(call.value).encode()
            return Finished(Outcome.returned(None), effects, reads, 0)
        here = call.contract
        heard, held = b"", ""

        def look(key: bytes) -> bytes:
            reads.keys.add((here, key))
            return effects.writes.get(key, view.get(here, key)) or b""

        decoded = calldata.decode(call.calldata)
        for step in decoded if isinstance(decoded, list) else []:
            match step:
                case ["read", key]:
                    look(key.encode())
                case ["scan", low, high]:
                    reads.ranges.append((here, low.encode(), high.encode()))
                    view.scan(here, low.encode(), high.encode(), 100)
                case ["write", key, value]:
                    effects.writes[key.encode()] = value.encode()
                case ["append", key, value]:
                    effects.writes[key.encode()] = look(key.encode()) + value.encode()
                case ["keep", key]:
                    effects.writes[key.encode()] = heard
                case ["balance", address]:
                    reads.balances.add(address.as_bytes)
                    held = f" {view.balance(address.as_bytes)}"
                case ["ask", prompt] | ["ask", prompt, _]:
                    prompt += held
                    if len(step) == 3:
                        prompt += look(step[2].encode()).decode()
                    block = ToyBlock(prompt)
                    if used == len(answers) or answers[used].fingerprint != block.fingerprint:
                        return Asking(used, block, reads, differs=used < len(answers))
                    outcome = answers[used].outcome
                    used += 1
                    if not outcome.ok:
                        return Finished(outcome, Effects(), reads, used)
                    value = outcome.value
                    heard = value if isinstance(value, bytes) else value.encode()
                case ["pay", to, wei]:
                    effects.emitted.append(Transfer(to.as_bytes, wei))
                case ["send", to, wei, steps, on]:
                    effects.emitted.append(Emission(to.as_bytes, calldata.encode(steps), wei, On(on)))
                case ["emit", topic, text]:
                    effects.events.append(Event((sha256(topic.encode()).digest(),), calldata.encode({"text": text})))
                case ["crash", text]:
                    return Finished(Outcome.vm_error("exit_code 1"), Effects(), reads, used, text)
                case ["revert", text]:
                    return Finished(Outcome.user_error(text), Effects(), reads, used)
                case ["moody", *_]:
                    return Asking(used, ToyBlock(f"mood {self.runs}"), reads, differs=used < len(answers))
                case ["bug"]:
                    raise ZeroDivisionError
        return Finished(Outcome.returned(heard), effects, reads, used)
