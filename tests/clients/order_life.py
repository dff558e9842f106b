"""One order from deployment to verdict with genlayer-py: what a newcomer would write. Arguments: URL and source."""

import json
import sys
from pathlib import Path
from typing import Any

from eth_account import Account
from genlayer_py import create_client  # type: ignore[import-untyped]  # the package ships no types
from genlayer_py.chains import localnet  # type: ignore[import-untyped]  # the package ships no types

url, source = sys.argv[1:]
localnet.rpc_urls["default"]["http"][0] = url
client, provider = Account.create(), Account.create()
chain = create_client(chain=localnet, account=client)
for account in (client, provider):
    chain.fund_account(account.address, 10**19)


def done(hash: str) -> Any:
    """Wait for the decision, and stop when the contract refused."""
    receipt = chain.wait_for_transaction_receipt(transaction_hash=hash, interval=50, retries=1000)
    assert receipt["consensus_data"]["leader_receipt"][0]["execution_result"] == "SUCCESS", receipt
    return receipt


escrow = done(chain.deploy_contract(code=Path(source).read_text(), account=client))["data"]["contract_address"]


def write(account: Any, method: str, args: list[Any], value: int = 0) -> Any:
    return done(chain.write_contract(address=escrow, function_name=method, account=account, args=args, value=value))


write(client, "create_order", ["A gauge", "A JSON file", "is valid JSON", 7], 10**18)
write(provider, "claim_order", [0])
verdict = write(provider, "submit_deliverable", [0, "http://work.example/gauge.json", "done"])
order = chain.read_contract(address=escrow, function_name="get_order", args=[0], account=client)
print(json.dumps({"order": order, "verdict": verdict, "earned": chain.get_balance(provider.address) - 10**19}))
