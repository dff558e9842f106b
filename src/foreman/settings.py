"""Every knob of a network, its default and its reason."""

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Limits:
    """Numbers that keep one caller from hurting another."""

    pending_per_sender: int = 64
    """Undecided transactions one account may have, so that nobody fills the line alone."""
    undecided_bytes: int = 256 * 1024 * 1024
    """Calldata and code of everything undecided, all accounts together; beyond it the door answers -32005."""
    judging_at_once: int = 128
    """Blocks in front of the jury at once, all accounts together; the rest wait their turn."""
    computing_at_once: int = 4
    """Seats that read pages and answers at once; each more makes every other transaction wait longer for its turn."""
    judge_calls_per_hour: int = 0
    """Questions to judges per hour, all seats together; 0 is no limit. Beyond it the door answers -32005."""
    transaction_bytes: int = 512 * 1024
    """The largest raw transaction; a contract of 600 lines is about 30 KiB."""
    body_bytes: int = 2 * 1024 * 1024
    """The largest HTTP body; fits the largest transaction as hex, and a batch of ordinary ones."""
    batch: int = 100
    """Requests in one JSON-RPC batch, as Studio has it (docs/genlayer.md 8.8)."""
    asked_anew: int = 3
    """How often one block is asked again because what it stood on has changed."""
    message_depth: int = 32
    """How long a chain of contract messages may get."""
    deterministic_seconds: float = 10.0
    """A deterministic run is ended after this."""
    block_seconds: float = 150.0
    """One seat's time for one block, computing and all: a judge's deadline and a fetch's, with room for both."""
    evidence_reads_at_once: int = 4
    """Evidence pages that are read again for people at once (`foreman_readEvidence`); 0 offers none."""
    connections: int = 512
    """Connections at once, below the 1,024 open files many systems grant; the one that idles longest makes room."""
    unfinished_bytes: int = 64 * 1024 * 1024
    """Bytes of long request bodies that are not whole or not answered yet, all clients together; beyond it 503."""
    reply_bytes: int = 8 * 1024 * 1024
    """The largest reply. What finds no room in a batch's is answered -32005, to be asked in another batch."""
    unsent_bytes: int = 32 * 1024 * 1024
    """Bytes of replies that nobody has taken yet, all clients together; beyond it large ones are refused."""
    reads_waiting: int = 256
    """Reads that may wait for a thread; beyond it the door answers -32005."""
    subscribers: int = 256
    """Who may follow `/events` at once; beyond it 503."""
    replays_at_once: int = 2
    """Subscribers that are given a piece of the journal's past at once; the others wait their turn."""
    snapshots: int = 64
    """Snapshots a development network keeps."""


@dataclass(frozen=True, slots=True)
class Settings:
    """A network. Times are seconds unless they say otherwise."""

    state_dir: Path | None = None
    """Where the database lives; None is a temporary folder that goes with the process."""
    host: str = "127.0.0.1"
    """The address the door binds; anything beyond loopback needs `dev` off."""
    port: int = 4000
    """The port of the door, where the official clients look for a localnet; 0 takes any free one."""
    chain_id: int = 61127
    """The id of genlayer-js's localnet (docs/genlayer.md 8.1); 61999, genlayer-py's, is accepted besides."""
    seats: int = 5
    """How many judge every block; clients ask for five (docs/genlayer.md 7.1). Not the caller's choice."""
    rotations: int = 3
    """How many more seats may propose after the first (docs/genlayer.md 7.1)."""
    judges: tuple[str, ...] = ("offline",)
    """Judge names dealt to the seats in turn."""
    finality_window: float = 0.0
    """Seconds between ACCEPTED and FINALIZED; 0 finalizes in the same commit."""
    dev: bool = True
    """A development network: faucet, time travel, snapshots, known accounts; loopback only."""
    genesis: tuple[str, ...] = ()
    """`ADDRESS:GEN` entries: what accounts hold when the chain begins; the only money of one without a faucet."""
    test_doubles: bool = False
    """Take `leader_only` and mocks of `sim_config`."""
    allow_contracts: bool = False
    """Run any contract, not only the shipped ones; for contract developers, on loopback."""
    allow_hosts: tuple[str, ...] = ()
    """Further values of the Host header the door answers to."""
    allow_origins: tuple[str, ...] = ()
    """Further web origins the door answers to."""
    host_map: tuple[str, ...] = ()
    """`host:port:address:port` entries: names served from another address (docs/judges.md)."""
    metrics: bool = True
    """Answer `GET /metrics`; whoever may ask `/health` may ask it (docs/operations.md)."""
    log_format: str = "text"
    """`text` is a line for people, `json` a JSON document a line; on stderr."""
    log_level: str = ""
    """`debug`, `info`, `warning` or `error`; empty is `warning` for text and `info` for json."""
    limits: Limits = field(default_factory=Limits)
    """The numbers above."""
