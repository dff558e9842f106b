"""Clients that ask for much and read nothing: what they are owed is bounded, and others are served meanwhile."""

import http.client
import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from foreman.money import GEN
from foreman.sdk.envelope import call_payload
from tests.faults.callers import CRITERIA, Caller
from tests.hostile.node import MEBIBYTE, Victim, attacked, told

CLIENTS = 120
MOST_SECONDS = 5.0
"""For a request beside them on a busy machine, while twelve thousand pages are asked for; without bounds, minutes."""

MOST_MEMORY = 300 * MEBIBYTE


@pytest.fixture(scope="module")
def victim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Victim]:
    """A node with a page of fifty orders that is as large as a page can be: half a megabyte as hex."""
    with attacked(tmp_path_factory.mktemp("victim")) as node:
        wire, client = node.wire(), Caller("wordy", 0, 1)
        wire.ask("sim_fundAccount", str(client.account), 100 * GEN)
        for number in range(50):
            spec = f"{number} " + "s" * 3_900
            client.send(wire, "create_order", -1, ["a report", spec, CRITERIA, 30], GEN // 100)
        while wire.view("get_order_count") < 50:
            pass
        wire.close()
        yield node


def batch(victim: Victim) -> bytes:
    """A hundred requests for the whole page: fifty megabytes of answers."""
    data = "0x" + call_payload("get_orders_page", [0, 50, ""]).hex()
    call = {"type": "read", "to": victim.contract, "from": "0x" + "00" * 20, "data": data}
    return json.dumps(
        [{"jsonrpc": "2.0", "id": number, "method": "gen_call", "params": [call]} for number in range(100)]
    ).encode()


def test_answers_that_nobody_reads_are_bounded(victim: Victim) -> None:
    before, most, slowest = victim.memory, 0, 0.0
    body = batch(victim)
    head = victim.head("POST /api HTTP/1.1", "Content-Type: application/json", f"Content-Length: {len(body)}")
    with ExitStack() as stack:
        for _ in range(CLIENTS):
            stack.enter_context(victim.connect(head + body))
        until = time.monotonic() + 5
        while time.monotonic() < until:
            slowest = max(slowest, victim.served())
            most = max(most, victim.memory - before)
    print(f"{most >> 20} MiB more, slowest answer {slowest:.3f} s")
    assert most < MOST_MEMORY
    assert slowest < MOST_SECONDS


def test_who_reads_gets_what_fits_and_a_sentence_for_the_rest(victim: Victim) -> None:
    line = http.client.HTTPConnection("127.0.0.1", victim.port, timeout=60)
    line.request("POST", "/api", batch(victim), {"Content-Type": "application/json"})
    reply = line.getresponse()
    answers = json.loads(reply.read())
    assert reply.status == 200
    assert [answer["id"] for answer in answers] == list(range(100))
    kinds = Counter("result" if "result" in answer else answer["error"]["data"]["code"] for answer in answers)
    assert set(kinds) == {"result", "reply_too_large"}
    assert kinds["result"] > 5
    told(answers[-1])
    line.close()
