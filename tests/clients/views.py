"""Sends two orders in a row with genlayer-py without waiting for the first, then reads everything there is to read.
Arguments: URL and Foreman's address. Prints it as JSON, so every answer must be plain text, numbers, lists and objects.
"""

import json
import sys
from typing import Any

from eth_account import Account
from genlayer_py import create_client  # type: ignore[import-untyped]  # the package ships no types
from genlayer_py.chains import localnet  # type: ignore[import-untyped]  # the package ships no types

url, escrow = sys.argv[1:]
localnet.rpc_urls["default"]["http"][0] = url
client, provider = Account.create(), Account.create()
chain = create_client(chain=localnet, account=client)
chain.fund_account(client.address, 3 * 10**26)


def send(account: Any, method: str, args: list[Any], value: int = 0) -> str:
    hash: str = chain.write_contract(address=escrow, function_name=method, account=account, args=args, value=value)
    return hash


def returned(hash: str) -> Any:
    receipt = chain.wait_for_transaction_receipt(transaction_hash=hash, interval=50, retries=1000)
    return json.loads(receipt["consensus_data"]["leader_receipt"][0]["result"]["payload"]["readable"])


nonces = [chain.get_current_nonce(client.address)]
hashes = []
for value in (123456789123456789012345678, 10**18):
    hashes.append(send(client, "create_order", ["Zwölf Äpfel 🍏", "A JSON file", "- is valid JSON", 7], value))
    nonces.append(chain.get_current_nonce(client.address))
orders = [returned(hash) for hash in hashes]
returned(send(provider, "claim_order", [orders[0]]))
returned(send(provider, "submit_deliverable", [orders[0], "https://work.example/gauge.json", "done"]))

known = {"order_id": orders[0], "address": client.address, "offset": 0, "limit": 50, "status": ""}
views = {}
for name, method in chain.get_contract_schema(escrow)["methods"].items():
    if method["readonly"]:
        args = [known[parameter] for parameter, _ in method["params"]]
        views[name] = chain.read_contract(address=escrow, function_name=name, args=args)
print(json.dumps({"nonces": nonces, "orders": orders, "views": views}))
