"""The networks that have a name, and what a name stands for: read NETWORKS. Any other is named by its URL."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from foreman.address import parse_address
from foreman.errors import BadInput
from foreman.transaction import CONSENSUS_MAIN


@dataclass(frozen=True, slots=True)
class Network:
    """Where a network is and how it behaves."""

    name: str
    url: str
    sentence: str
    chain_id: int | None = None
    """What it answers to `eth_chainId`; None where any is right."""
    consensus_main: bytes = CONSENSUS_MAIN
    live: bool = False
    """Other people use it: known development keys are refused."""
    rollup: bool = False
    """Its `eth_` methods are those of an EVM chain below it, so a transaction is not told by `eth_getTransactionByHash`
    (docs/genlayer.md 8.1: the public testnets)."""

    @property
    def place(self) -> str:
        """Scheme, host and port: what a key, an id or a contract that is remembered here belongs to."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}"


NETWORKS = (
    Network("local", "http://127.0.0.1:4000/api", "`foreman up` on this machine"),
    Network("localnet", "http://127.0.0.1:4000/api", "a GenLayer Studio on this machine", 61999),
    Network("studionet", "https://studio.genlayer.com/api", "GenLayer's hosted Studio", 61999, live=True),
    Network(
        "testnet-asimov",
        "https://rpc-asimov.genlayer.com",
        "public testnet Asimov",
        4221,
        parse_address("0x6CAFF6769d70824745AD895663409DC70aB5B28E"),
        live=True,
        rollup=True,
    ),
    Network(
        "testnet-bradbury",
        "https://rpc-bradbury.genlayer.com",
        "public testnet Bradbury",
        4221,
        parse_address("0x0112Bf6e83497965A5fdD6Dad1E447a6E004271D"),
        live=True,
        rollup=True,
    ),
)
"""Addresses and chain ids as genlayer-py 0.18 has them (docs/genlayer.md 8.1); a test compares the two."""

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def find_network(text: str) -> Network:
    """A network by its name, or by the URL of its JSON-RPC. Raises `BadInput` for a name that is not known."""
    for network in NETWORKS:
        if text.strip().lower().replace("_", "-") == network.name:
            return network
    parts = urlsplit(text)
    if parts.scheme in ("http", "https") and parts.hostname:
        for network in NETWORKS:
            if network.live and urlsplit(network.url).hostname == parts.hostname:
                return network
        return Network(text, text, "a network by its URL", live=parts.hostname not in LOOPBACK)
    names = ", ".join(network.name for network in NETWORKS)
    raise BadInput("unknown_network", f"there is no network {text[:80]!r}", f"one of {names}, or http://HOST:PORT/api")
