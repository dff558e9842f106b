"""Every method of the door, in one table: its name, what answers it, its parameters, and where it is allowed."""

from foreman.rpc import arguments as read
from foreman.rpc.dispatch import Method, Param
from foreman.rpc.methods import eth, gen, network, sim

_ADDRESS = Param("address", read.address)
_HASH = Param("hash", read.digest)
_BLOCK = Param("block", read.block, optional=True, default="latest")
_FULL = Param("full", read.flag, optional=True, default=False)
_CALL = Param("call", gen.call_object)
_ANY_CALL = Param("call", read.anything, optional=True)

METHODS: tuple[Method, ...] = (
    # who and where
    Method("eth_chainId", eth.chain_id),
    Method("net_version", eth.net_version),
    Method("web3_clientVersion", eth.client_version),
    Method("eth_syncing", eth.syncing),
    # blocks
    Method("eth_blockNumber", eth.block_number),
    Method("eth_getBlockByNumber", eth.block_by_number, (Param("block", read.block), _FULL)),
    Method("eth_getBlockByHash", eth.block_by_hash, (Param("block_hash", read.digest), _FULL)),
    # accounts
    Method("eth_getTransactionCount", eth.transaction_count, (_ADDRESS, _BLOCK)),
    Method("eth_getBalance", eth.balance, (_ADDRESS, _BLOCK)),
    Method("eth_getCode", eth.code, (_ADDRESS, _BLOCK)),
    # fees, which are zero
    Method("eth_estimateGas", eth.estimate_gas, (_ANY_CALL, _BLOCK)),
    Method("eth_gasPrice", eth.gas_price),
    Method("eth_maxPriorityFeePerGas", eth.gas_price),
    Method(
        "eth_feeHistory",
        eth.fee_history,
        (
            Param("blocks", read.count),
            Param("newest", read.block, optional=True, default="latest"),
            Param("percentiles", read.anything, optional=True),
        ),
    ),
    # transactions
    Method(
        "eth_sendRawTransaction",
        eth.send_raw_transaction,
        (Param("raw", read.data), Param("sim_config", read.fields, optional=True)),
    ),
    Method("eth_getTransactionReceipt", eth.transaction_receipt, (_HASH,)),
    Method("eth_getTransactionByHash", eth.transaction_by_hash, (_HASH,)),
    Method("eth_getLogs", eth.get_logs, (Param("filter", read.logs),), threaded=True),
    Method("eth_call", eth.call, (_ANY_CALL, _BLOCK)),
    # contracts
    Method("gen_call", gen.gen_call, (_CALL,), threaded=True, at_hand=gen.known_call),
    Method("gen_getContractSchema", gen.contract_schema, (_ADDRESS,), threaded=True),
    Method("gen_getContractSchemaForCode", gen.contract_schema_for_code, (Param("code", read.data),), threaded=True),
    Method("gen_getContractCode", gen.contract_code, (_ADDRESS,)),
    Method("gen_getContractNonce", gen.contract_nonce, (_ADDRESS,)),
    Method("gen_getTransactionStatus", gen.transaction_status, (_HASH,)),
    # the simulator
    Method("sim_call", gen.sim_call, (_CALL,), threaded=True),
    Method(
        "sim_getTransactionsForAddress",
        sim.transactions_for_address,
        (_ADDRESS, Param("filter", read.text, optional=True, default="all")),
        threaded=True,
    ),
    Method("sim_cancelTransaction", sim.cancel_transaction, (_HASH, Param("signature", read.data))),
    Method("sim_fundAccount", sim.fund_account, (_ADDRESS, Param("amount", read.amount)), dev=True),
    Method("sim_getTime", sim.get_time, dev=True),
    Method("sim_increaseTime", sim.increase_time, (Param("seconds", read.count),), dev=True),
    Method("sim_setTime", sim.set_time, (Param("time", read.moment),), dev=True),
    Method("sim_createSnapshot", sim.create_snapshot, dev=True),
    Method("sim_restoreSnapshot", sim.restore_snapshot, (Param("snapshot", read.count),), dev=True),
    # this network
    Method(
        "foreman_getJournal",
        network.journal,
        (
            Param("after", read.count, optional=True, default=0),
            Param("limit", read.count, optional=True, default=100),
        ),
        threaded=True,
    ),
    Method("foreman_getBooks", network.books, threaded=True),
    Method("foreman_getSeats", network.seats),
    Method("foreman_readEvidence", network.read_evidence, (Param("url", read.text),)),
)

NOT_OFFERED: dict[str, str] = {
    "eth_sendTransaction": "this node holds no keys: sign it yourself and send it with eth_sendRawTransaction",
    "eth_accounts": "this node holds no keys; a development network prints its known accounts when it starts",
    "eth_sign": "this node holds no keys: sign with your own account",
    "eth_subscribe": "news comes as server-sent events: GET /events",
    "eth_newFilter": "ask eth_getLogs for a range of blocks, or follow GET /events",
    "sim_getConsensusContract": "the clients' built-in addresses are right here",
    "gen_dbg_traceTransaction": "eth_getTransactionByHash has every vote and every answer",
    "evm_increaseTime": "it is sim_increaseTime here",
    "evm_snapshot": "it is sim_createSnapshot here",
    "evm_revert": "it is sim_restoreSnapshot here",
}
"""What people ask for and do not find, with what to do instead. Answered with -32601 like any unknown method."""
