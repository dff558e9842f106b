"""What goes wrong, seen through genlayer-py: a revert, a view that refuses, a contract that is not there, seats that
do not agree, a simulation, a wrong schema. Prints what the client shows. URL and address are arguments.
"""

import json
import sys
from collections.abc import Callable
from typing import Any

from eth_account import Account
from genlayer_py import create_client  # type: ignore[import-untyped]  # the package ships no types
from genlayer_py.chains import localnet  # type: ignore[import-untyped]  # the package ships no types
from genlayer_py.exceptions import GenLayerError  # type: ignore[import-untyped]  # the package ships no types

url, escrow = sys.argv[1:]
localnet.rpc_urls["default"]["http"][0] = url
client, provider = Account.create(), Account.create()
chain = create_client(chain=localnet, account=client)
for account in (client, provider):
    chain.fund_account(account.address, 10**19)
BROKEN = '# { "Depends": "py-genlayer:test" }\ndef broken(:'
NOWHERE = "0x000000000000000000000000000000000000dEaD"


def write(account: Any, method: str, args: list[Any], value: int = 0) -> Any:
    hash = chain.write_contract(address=escrow, function_name=method, account=account, args=args, value=value)
    return chain.wait_for_transaction_receipt(transaction_hash=hash, interval=50, retries=1000)


def refused(ask: Callable[[], Any]) -> str:
    try:
        return f"not refused: {ask()}"
    except GenLayerError as error:
        return str(error)


opened = write(client, "create_order", ["A matter of taste", "A JSON file", "is valid JSON", 7], 10**18)
order = int(opened["consensus_data"]["leader_receipt"][0]["result"]["payload"]["readable"])
own = write(client, "claim_order", [order])
write(provider, "claim_order", [order])
shown = {
    "own_claim": own,
    "undetermined": write(provider, "submit_deliverable", [order, "http://work.example/gauge.json", ""]),
    "unknown_method": write(client, "pay_everybody", []),
    "arguments": write(client, "claim_order", [order, "twice"]),
    "status": chain.read_contract(address=escrow, function_name="get_order", args=[order])["status"],
    "view": refused(lambda: chain.read_contract(address=escrow, function_name="get_order", args=[99999])),
    "nowhere": refused(lambda: chain.read_contract(address=NOWHERE, function_name="get_order", args=[0])),
    "broken_source": refused(lambda: chain.get_contract_schema_for_code(contract_code=BROKEN)),
    "appeal": refused(lambda: chain.appeal_transaction(transaction_id=opened["hash"], account=client)),
    "simulated": chain.simulate_write_contract(address=escrow, function_name="claim_order", args=[order]),
    "schema": chain.get_contract_schema(escrow),
    "nonce": chain.get_current_nonce(client.address),
    "balance": chain.get_balance(client.address),
}
print(json.dumps(shown))
