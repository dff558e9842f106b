"""The chain as Ethereum clients and wallets see it: receipts, logs, blocks (docs/genlayer.md 8.4, 8.5).

One transaction is one commit is one block, so a transaction is always the first in its block. Nothing costs gas.
"""

from typing import Any

from foreman.address import checksum, keccak256
from foreman.execution import Event
from foreman.receipt import Record, Status
from foreman.rpc.wire import hexed
from foreman.transaction import CONSENSUS_MAIN, Kind

NEW_TRANSACTION = bytes.fromhex("dab9102861c7483a187584d6371d88316f005af507982ccf95c110879f3ed5a5")
"""Topic of NewTransaction(txId, recipient, activator): how clients find the transaction id (docs/genlayer.md 8.2)."""

ZERO_HASH = "0x" + "00" * 32
EMPTY_BLOOM = "0x" + "00" * 256
GAS = hex(500_000)
"""Studio's estimate (docs/genlayer.md 8.4), and the price is zero."""


def evm_fields(record: Record) -> dict[str, Any]:
    """What wallets look at. A transaction without a block is pending to them."""
    transaction = record.transaction
    to = transaction.target if transaction.kind is Kind.TRANSFER or transaction.parent else CONSENSUS_MAIN
    return {
        "from": checksum(transaction.sender),
        "to": checksum(to),
        "gas": GAS,
        "gasPrice": "0x0",
        "input": "0x",
        "blockNumber": None if record.block is None else hex(record.block),
        "blockHash": None if record.block is None else block_hash(record.block),
        "transactionIndex": None if record.block is None else "0x0",
    }


def evm_receipt(record: Record, height: int) -> dict[str, Any]:
    """The receipt of the Ethereum transaction, which did all it had to do when it was recorded: it is there at once,
    and says nothing of what the contract answered. Its log carries the transaction id; events follow once they are
    committed.
    """
    transaction = record.transaction
    block = height if record.block is None else record.block
    to = transaction.target if transaction.kind is Kind.TRANSFER or transaction.parent else CONSENSUS_MAIN
    return {
        "transactionHash": hexed(transaction.hash),
        "transactionIndex": "0x0",
        "blockHash": block_hash(block),
        "blockNumber": hex(block),
        "from": checksum(transaction.sender),
        "to": checksum(to),
        "cumulativeGasUsed": GAS,
        "gasUsed": GAS,
        "effectiveGasPrice": "0x0",
        "contractAddress": None,
        "logsBloom": EMPTY_BLOOM,
        "type": "0x0",
        "status": "0x0" if record.status is Status.CANCELED else "0x1",
        "logs": [_new_transaction_log(record, block), *event_logs(record)],
    }


def _new_transaction_log(record: Record, block: int) -> dict[str, Any]:
    transaction = record.transaction
    topics = (NEW_TRANSACTION, transaction.hash, bytes(12) + transaction.target, bytes(12) + transaction.sender)
    return _log(record, CONSENSUS_MAIN, block, 0, Event(topics, b""))


def event_logs(record: Record) -> list[dict[str, Any]]:
    """The events of a committed run, numbered behind the NewTransaction log."""
    if record.receipt is None or record.block is None:
        return []
    return [
        _log(record, record.transaction.target, record.block, index, event)
        for index, event in enumerate(record.receipt.events, 1)
    ]


def _log(record: Record, address: bytes, block: int, index: int, event: Event) -> dict[str, Any]:
    return {
        "address": checksum(address),
        "topics": [hexed(topic) for topic in event.topics],
        "data": hexed(event.blob),
        "blockNumber": hex(block),
        "blockHash": block_hash(block),
        "transactionHash": hexed(record.transaction.hash),
        "transactionIndex": "0x0",
        "logIndex": hex(index),
        "removed": False,
    }


_BLOCK_MARK = keccak256(b"foreman block")[:24]


def block_hash(number: int) -> str:
    """A block's name. It commits to nothing (this chain has no headers); it is its number behind a fixed mark."""
    return hexed(_BLOCK_MARK + number.to_bytes(8, "big"))


def block_number(block: bytes) -> int | None:
    """The number in a block hash; None for a hash that names no block of ours."""
    return int.from_bytes(block[24:], "big") if block[:24] == _BLOCK_MARK else None


def block_object(number: int, at: int, transactions: list[Any]) -> dict[str, Any]:
    """A block as Ethereum clients expect it, `at` in microseconds; what only mining gives is zero."""
    return {
        "number": hex(number),
        "hash": block_hash(number),
        "parentHash": block_hash(number - 1) if number else ZERO_HASH,
        "timestamp": hex(at // 1_000_000),
        "transactions": transactions,
        "baseFeePerGas": "0x0",
        "gasLimit": hex(30_000_000),
        "gasUsed": "0x0",
        "size": "0x0",
        "extraData": "0x",
        "difficulty": "0x0",
        "totalDifficulty": "0x0",
        "nonce": "0x" + "00" * 8,
        "mixHash": ZERO_HASH,
        "sha3Uncles": ZERO_HASH,
        "stateRoot": ZERO_HASH,
        "receiptsRoot": ZERO_HASH,
        "transactionsRoot": ZERO_HASH,
        "miner": "0x" + "00" * 20,
        "logsBloom": EMPTY_BLOOM,
        "uncles": [],
    }
