"""Every command that writes, when its answer is lost: a clear error with an id, and a retry that sends nothing.

The real thing, with a node that is killed, is in test_killed.py; here the answer of a living one is thrown away.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from foreman.cli import main as command
from foreman.cli.exits import Exit
from foreman.cli.stage.evidence import HOST, Evidence
from foreman.localnet.accounts import DEV_ACCOUNTS
from foreman.localnet.localnet import build
from foreman.localnet.serve import Running
from foreman.sdk.client import Client
from foreman.sdk.failures import Unreachable
from foreman.settings import Settings
from tests.cli.conftest import Cli
from tests.cli.states import everything, typed

Words = Callable[[Mapping[str, int]], tuple[object, ...]]

CREATE = ("--title", "Levels", "--spec", "A week.", "--criteria", "- It is valid JSON", "--escrow", "1")
DRAFT = ("--provider", "dev1", "--arbiter", "dev2", "--title", "Tide", "--domain", HOST)
WRITES: dict[str, Words] = {
    "order create": lambda at: ("order", "create", *CREATE, "--account", "dev0", "--json"),
    "order claim": lambda at: typed("order", "claim", at["open"]),
    "order deliver": lambda at: typed("order", "deliver", at["claimed"]),
    "order appeal": lambda at: typed("order", "appeal", at["rejected"]),
    "order cancel": lambda at: typed("order", "cancel", at["claimed"]),
    "order abandon": lambda at: typed("order", "abandon", at["open"]),
    "order extend": lambda at: typed("order", "extend", at["claimed"]),
    "order expire": lambda at: typed("order", "expire", at["claimed"]),
    "agreement create": lambda at: ("agreement", "create", *DRAFT, "--account", "dev0", "--json"),
    "agreement add-milestone": lambda at: typed("agreement", "add-milestone", at["closed"]),
    "agreement fund": lambda at: typed("agreement", "fund", at["a draft"]),
    "agreement abandon": lambda at: typed("agreement", "abandon", at["closed"]),
    "agreement submit": lambda at: typed("agreement", "submit", at["awaiting evidence"], 0),
    "agreement adjudicate": lambda at: typed("agreement", "adjudicate", at["under review"], 0),
    "agreement appeal": lambda at: typed("agreement", "appeal", at["ruled"], 0),
    "agreement escalate": lambda at: typed("agreement", "escalate", at["contested twice"], 0),
    "agreement accept": lambda at: typed("agreement", "accept", at["released"], 0),
    "agreement finalize": lambda at: typed("agreement", "finalize", at["released"], 0),
    "agreement rule": lambda at: typed("agreement", "rule", at["deadlocked"], 0),
    "agreement withdraw": lambda at: ("agreement", "withdraw", "--account", "dev1", "--json"),
    "agreement cancel-overdue": lambda at: typed("agreement", "cancel-overdue", at["released"], 0),
    "agreement resolve-stalled": lambda at: typed("agreement", "resolve-stalled", at["released"], 0),
    "agreement resolve-absent": lambda at: typed("agreement", "resolve-absent", at["released"], 0),
    "account fund": lambda at: ("account", "fund", "dev5", "--from", "dev6", "--json"),
    "deploy": lambda at: ("deploy", "foreman", "--account", "dev7", "--json"),
}
"""Payable verbs in a state where they pass their simulation; whether others are refused makes no difference here."""


@pytest.fixture(scope="module")
def running(evidence: Evidence) -> Iterator[Running]:
    """A network of its own: its clock is turned."""
    with Running(build(Settings(port=0, host_map=evidence.mappings))) as network:
        yield network


@pytest.fixture(scope="module")
def there(running: Running) -> Mapping[str, int]:
    return everything(running.url)


@pytest.fixture
def lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """The network takes the next write, and its answer never arrives."""
    call, left = Client.call, [True]

    def losing(self: Client, method: str, *params: Any) -> Any:
        answer = call(self, method, *params)
        if method == "eth_sendRawTransaction" and left:
            left.pop()
            raise Unreachable(self.network.url, "connection reset")
        return answer

    monkeypatch.setattr(Client, "call", losing)


def test_every_command_that_takes_an_id_is_tried_here() -> None:
    found = set()
    top = command.build()
    for noun in command.COMMANDS:
        group = top.get_command(None, noun)
        for verb, one in getattr(group, "commands", {"": group}).items():
            if any("--id" in option.opts for option in one.params):
                found.add(f"{noun} {verb}".strip())
    assert found == set(WRITES)


@pytest.mark.usefixtures("lost")
@pytest.mark.parametrize("name", WRITES)
def test_a_write_whose_answer_was_lost_is_tried_again_and_sent_once(
    name: str, there: Mapping[str, int], cli: Cli, running: Running
) -> None:
    words = WRITES[name](there)
    account = str(words[words.index("--from" if "--from" in words else "--account") + 1])
    signer = bytes.fromhex(DEV_ACCOUNTS[int(account[-1])].address[2:])
    before = running.node.nonce(signer)
    first = cli(*words)
    assert (first.code, first.json["error"]["code"]) == (Exit.UNREACHABLE, "unreachable"), first.err
    told = re.search(r"try again with the id (\w+): the same id never sends twice", first.json["error"]["hint"])
    assert told is not None, first.json
    assert running.node.nonce(signer) == before + 1
    ended = [cli(*words, "--id", told[1]) for _ in range(2)]
    assert {one.code for one in ended} <= {Exit.OK, Exit.REVERTED}, ended[0].err
    assert ended[0].out == ended[1].out
    assert running.node.nonce(signer) == before + 1
