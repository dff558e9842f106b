"""`eth_`, `net_` and `web3_`: what wallets and the official clients need from an Ethereum node."""

from typing import Any

from foreman import __version__
from foreman.address import checksum
from foreman.errors import BadInput, NotFound, Refused
from foreman.receipt import Record
from foreman.rpc import evm
from foreman.rpc.arguments import Block, Logs
from foreman.rpc.door import Door
from foreman.rpc.doubles import read_doubles
from foreman.rpc.transactions import transaction_object
from foreman.rpc.wire import hexed
from foreman.transaction import CONSENSUS_MAIN

RECENT_BLOCKS = 1_000
"""How far back a block number may lie when the state is asked for: wallets are a few blocks behind, and get the
latest.
"""

MAX_LOG_BLOCKS = 10_000
"""Blocks in one `eth_getLogs`; genlayer-py asks for as many."""

MAX_LOGS = 1_000
MAX_FEE_HISTORY = 1_024


def chain_id(door: Door) -> str:
    """The chain id, as hex."""
    return hex(door.settings.chain_id)


def net_version(door: Door) -> str:
    """The chain id, as a decimal string."""
    return str(door.settings.chain_id)


def client_version(door: Door) -> str:
    """The name and version of this node."""
    return f"foreman/{__version__}"


def syncing(door: Door) -> bool:
    """Always false: there is nobody to catch up with."""
    return False


def block_number(door: Door) -> str:
    """The number of commits so far."""
    return hex(door.node.height())


def block_by_number(door: Door, block: Block, full: bool) -> dict[str, Any] | None:
    """A block with the one transaction it commits; null when there is none of that number yet."""
    height = door.node.height()
    number = 0 if block == "earliest" else block if isinstance(block, int) else height
    return _block(door, number, full) if number <= height else None


def block_by_hash(door: Door, block_hash: bytes, full: bool) -> dict[str, Any] | None:
    """The same by the block's hash."""
    number = evm.block_number(block_hash)
    return _block(door, number, full) if number is not None and number <= door.node.height() else None


def _block(door: Door, number: int, full: bool) -> dict[str, Any]:
    record = door.node.block_record(number)
    at = door.node.block_time(number) or 0
    if record is None:
        return evm.block_object(number, at, [])
    return evm.block_object(number, at, [transaction_object(record) if full else hexed(record.transaction.hash)])


def transaction_count(door: Door, address: bytes, block: Block) -> str:
    """The account's next nonce, transactions that wait counted."""
    _check_recent(door, block)
    return hex(door.node.nonce(address))


def balance(door: Door, address: bytes, block: Block) -> str:
    """The account's wei, less what its undecided transactions have set aside."""
    _check_recent(door, block)
    return hex(door.node.balance(address))


def code(door: Door, address: bytes, block: Block) -> str:
    """The source of an Intelligent Contract as hex; one invalid opcode for the consensus contract, which runs
    elsewhere.
    """
    _check_recent(door, block)
    if address == CONSENSUS_MAIN:
        return "0xfe"
    return hexed(door.node.code(address) or b"")


def _check_recent(door: Door, block: Block) -> None:
    """One state is kept, the latest. A number is taken when it is recent, and refused when it is not."""
    height = door.node.height()
    number = 0 if block == "earliest" else block
    if isinstance(number, int) and not height - RECENT_BLOCKS <= number <= height:
        raise Refused(
            "no_history", f"the state of block {number} is not kept; the chain is at {height}", "ask for latest"
        )


def estimate_gas(door: Door, call: Any, block: Block) -> str:
    """Always the same: gas costs nothing, and an estimate must not fail for genlayer-py."""
    return evm.GAS


def gas_price(door: Door) -> str:
    """Always zero."""
    return "0x0"


def fee_history(door: Door, blocks: int, newest: Block, percentiles: Any) -> dict[str, Any]:
    """Zero fees for as many blocks as were asked for and exist."""
    height = door.node.height()
    last = min(newest, height) if isinstance(newest, int) else 0 if newest == "earliest" else height
    count = min(blocks, MAX_FEE_HISTORY, last + 1)
    wanted = percentiles if isinstance(percentiles, list) else []
    if len(wanted) > 100:
        raise BadInput("bad_percentiles", "at most 100 percentiles", "send fewer")
    found: dict[str, Any] = {
        "oldestBlock": hex(last + 1 - count),
        "baseFeePerGas": ["0x0"] * (count + 1),
        "gasUsedRatio": [0] * count,
    }
    if wanted:
        found["reward"] = [["0x0"] * len(wanted)] * count
    return found


def call(door: Door, call: Any, block: Block) -> str:
    """Refused: there is no EVM here, and contracts are read with gen_call."""
    raise Refused("no_evm", "this network runs no EVM code", "read an Intelligent Contract with gen_call")


async def send_raw_transaction(door: Door, raw: bytes, sim_config: Any) -> str:
    """Record a signed transaction; its hash, once it is on disk. A network of tests takes `sim_config`: mock validators
    that judge it, and the date its contract sees.
    """
    return hexed(await door.wait(door.node.submit(raw, read_doubles(sim_config, door.settings))))


def transaction_receipt(door: Door, hash: bytes) -> dict[str, Any] | None:
    """The receipt of the Ethereum transaction, at once; null for an unknown hash."""
    record = door.node.record(hash)
    return None if record is None else evm.evm_receipt(record, door.node.height())


def transaction_by_hash(door: Door, hash: bytes) -> dict[str, Any] | None:
    """The GenLayer transaction with every vote; null for an unknown hash."""
    record = door.node.record(hash)
    return None if record is None else transaction_object(record)


def get_logs(door: Door, filter: Logs) -> list[dict[str, Any]]:
    """Events of contracts in a range of blocks, oldest first."""
    height = door.node.height()
    first = min(_bound(filter.first, height), height + 1)
    last = min(_bound(filter.last, height), height)
    if last - first >= MAX_LOG_BLOCKS:
        raise Refused("range_too_large", f"at most {MAX_LOG_BLOCKS} blocks at once", "ask for a smaller range")
    found: list[dict[str, Any]] = []
    for contract in filter.addresses or (None,):
        records = door.node.event_records(contract, first, last, MAX_LOGS + 1)
        found += [log for record in records for log in _matching(record, filter)]
        if len(records) > MAX_LOGS or len(found) > MAX_LOGS:
            raise Refused("range_too_large", f"more than {MAX_LOGS} logs match", "ask for a smaller range")
    if len(filter.addresses) > 1:
        found.sort(key=lambda log: (int(log["blockNumber"], 16), int(log["logIndex"], 16)))
    return found


def _bound(block: Block, height: int) -> int:
    return block if isinstance(block, int) else 0 if block == "earliest" else height


def _matching(record: Record, wanted: Logs) -> list[dict[str, Any]]:
    """The logs of one transaction whose topics have, in every place that is asked for, one of the accepted values."""
    logs = evm.event_logs(record)
    events = record.receipt.events if record.receipt else ()
    return [
        log
        for log, event in zip(logs, events, strict=True)
        if len(event.topics) >= len(wanted.topics)
        and all(
            accepted is None or topic in accepted for topic, accepted in zip(event.topics, wanted.topics, strict=False)
        )
    ]


def not_a_contract(address: bytes) -> NotFound:
    """There is no contract at this address."""
    return NotFound(
        "contract_not_found", f"contract not found: {checksum(address)}", "check the address and the network"
    )
