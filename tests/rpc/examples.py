"""One example of every method: a short story on a network whose every byte repeats, told through the door."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import rlp  # type: ignore[import-untyped]  # the package ships no types

from foreman import calldata
from foreman.address import checksum
from foreman.fetch.replay import Scripted as Pages
from foreman.fetch.replay import page
from foreman.judges.scripted import Scripted
from foreman.localnet.look import evidence_reader
from foreman.money import GEN
from foreman.node.clock import TurnableClock
from foreman.node.jury import Jury
from foreman.node.node import Node
from foreman.node.seats import seat_table
from foreman.receipt import Record
from foreman.rpc.front import Front
from foreman.runtime.runtime import ContractRuntime
from foreman.sdk.account import Account
from foreman.sdk.envelope import add_transaction, call_payload, deploy_payload
from foreman.settings import Settings
from foreman.state.store import SqliteStore
from foreman.transaction import CONSENSUS_MAIN, deployed_address
from tests.node.network import ALICE, StillClock
from tests.rpc.caller import Caller

SOURCE = b'''# v0.2.16
# { "Depends": "py-genlayer:1jb45aa8ynh2a9c9xn3b7qqh8sm5q93hwfp7jqmwsfhh8jpz09h6" }
"""A small contract for the examples of docs/rpc.md: it keeps a line, tells of it, and lets a jury grade it."""

from genlayer import *


class Noted(gl.Event):
    """A line was kept."""

    def __init__(self, author: Address, /, **blob: str): ...


class Notebook(gl.Contract):
    """One line at a time."""

    line: str

    def __init__(self, line: str):
        self.line = line

    @gl.public.view
    def read(self) -> str:
        if not self.line:
            raise gl.vm.UserError("the notebook is empty")
        return self.line

    @gl.public.write.payable
    def keep(self, line: str) -> None:
        self.line = line
        Noted(gl.message.sender_address, line=line).emit()

    @gl.public.write
    def grade(self) -> int:
        line = self.line

        def judge() -> str:
            return gl.nondet.exec_prompt(f"Grade from 0 to 10, answer with the number alone: {line}")

        return int(gl.eq_principle.strict_eq(judge))
'''

NOTEBOOK = deployed_address(ALICE.address, 0)
PAGE = "https://levels.example/may.html"
HTML = page("<h1>May</h1><p>Old Mill Bridge: 212 cm</p><script>not read</script>", content_type="text/html")
FRESH = checksum(b"\x5a" * 20)


@contextmanager
def quiet_node(folder: Path) -> Iterator[Node]:
    """A network of two seats, which must both agree, so that no vote is late; nothing is deployed, the clock stands."""
    settings = Settings(state_dir=folder, seats=2, allow_contracts=True)
    judges = [Scripted("8", name="scripted:one"), Scripted("8", name="scripted:two")]
    node = Node(
        settings,
        SqliteStore(folder),
        ContractRuntime(lambda digest: True),
        Jury(seat_table(2, judges, [Pages({})]), settings.rotations, 8),
        TurnableClock(StillClock()),
        {},
        {ALICE.address: 100 * GEN},
    )
    node.start()
    try:
        yield node
    finally:
        node.stop()


class Story:
    """Asks, and remembers the first request of each method with its reply."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.caller = Caller(node, front=Front(read_evidence=evidence_reader(Pages({PAGE: HTML}))))
        self.told: dict[str, dict[str, Any]] = {}

    def ask(self, method: str, *params: Any) -> Any:
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params)}
        reply = self.caller.send(request)
        self.told.setdefault(method, {"request": request, "reply": reply})
        return reply.get("result")

    def send(self, account: Account, payload: bytes, to: bytes, value: int = 0) -> str:
        """Send a transaction to a contract and wait until it is decided; its hash."""
        data = add_transaction(account.address, to, payload)
        nonce = self.node.nonce(account.address)
        raw = account.sign_transaction(61127, nonce, CONSENSUS_MAIN, value, data)
        digest: str = self.ask("eth_sendRawTransaction", "0x" + raw.hex())
        self.decided(bytes.fromhex(digest[2:]))
        return digest

    def decided(self, digest: bytes) -> Record:
        """Wait on the node's own news until a transaction is decided."""
        news: SimpleQueue[object] = SimpleQueue()
        stop = self.node.subscribe(news.put)
        try:
            while not ((record := self.node.record(digest)) and record.status.decided):
                news.get(timeout=20)
            return record
        finally:
            stop()


def tell(folder: Path) -> dict[str, dict[str, Any]]:
    """The examples, by method."""
    with quiet_node(folder) as node:
        story = Story(node)
        with story.caller:
            _deploy_and_keep(story)
            _look_around(story)
            _use_the_simulator(story)
            return story.told


def _deploy_and_keep(story: Story) -> None:
    story.ask("eth_chainId")
    story.ask("eth_getTransactionCount", checksum(ALICE.address), "latest")
    story.ask("eth_gasPrice")
    story.decided(story.node.submit(deployment()).result(20))
    kept = story.send(ALICE, call_payload("keep", ["Measure twice, cut once."]), NOTEBOOK, GEN)
    graded = story.send(ALICE, call_payload("grade", []), NOTEBOOK)
    story.ask("eth_getTransactionReceipt", kept)
    story.ask("eth_getTransactionByHash", graded)
    story.ask("gen_getTransactionStatus", graded)
    story.ask("eth_getLogs", {"address": checksum(NOTEBOOK), "fromBlock": "0x0", "toBlock": "latest"})


def deployment() -> bytes:
    data = add_transaction(ALICE.address, bytes(20), deploy_payload(SOURCE, ["Hello."]))
    return ALICE.sign_transaction(61127, 0, CONSENSUS_MAIN, 0, data)


def _look_around(story: Story) -> None:
    address = checksum(ALICE.address)
    for method in ("net_version", "web3_clientVersion", "eth_syncing", "eth_blockNumber", "eth_maxPriorityFeePerGas"):
        story.ask(method)
    block = story.ask("eth_getBlockByNumber", "latest", False)
    story.ask("eth_getBlockByHash", block["hash"], False)
    story.ask("eth_getBalance", address, "latest")
    story.ask("eth_getCode", address, "latest")
    story.ask("eth_estimateGas", {"from": address, "to": checksum(CONSENSUS_MAIN), "data": "0x", "value": "0x0"})
    story.ask("eth_feeHistory", "0x2", "latest", [50])
    story.ask("eth_call", {"to": checksum(NOTEBOOK), "data": "0x"}, "latest")
    read = {"type": "read", "to": checksum(NOTEBOOK), "from": address, "data": _envelope("read")}
    story.ask("gen_call", read)
    story.ask("sim_call", {**read, "type": "write", "data": _envelope("grade")})
    story.ask("gen_getContractSchema", checksum(NOTEBOOK))
    story.ask("gen_getContractSchemaForCode", "0x" + SOURCE.hex())
    story.ask("gen_getContractCode", checksum(NOTEBOOK))
    story.ask("gen_getContractNonce", address)


def _envelope(method: str) -> str:
    encoded: bytes = rlp.encode([calldata.encode_call(method), b"\0"])
    return "0x" + encoded.hex()


def _use_the_simulator(story: Story) -> None:
    snapshot = story.ask("sim_createSnapshot")
    funded = story.ask("sim_fundAccount", FRESH, "1000000000000000000")
    story.decided(bytes.fromhex(funded[2:]))
    story.ask("sim_getTransactionsForAddress", FRESH, "to")
    story.ask("sim_getTime")
    story.ask("sim_increaseTime", 3600)
    story.ask("sim_setTime", "2027-02-01T00:00:00Z")
    story.ask("sim_restoreSnapshot", snapshot)
    story.ask("sim_cancelTransaction", funded, "0x" + "11" * 64 + "1b")
    story.ask("foreman_getJournal", 0, 3)
    story.ask("foreman_getBooks")
    story.ask("foreman_getSeats")
    story.ask("foreman_readEvidence", PAGE)
