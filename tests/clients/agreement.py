"""One agreement with an appeal, with genlayer-py: made, funded, delivered, rejected, appealed, approved, paid out.
Arguments: URL and VerdictEscrow's address. Prints what everybody has earned, in wei, and both rulings.
"""

import json
import sys
import time
from typing import Any

from eth_account import Account
from genlayer_py import create_client  # type: ignore[import-untyped]  # the package ships no types
from genlayer_py.chains import localnet  # type: ignore[import-untyped]  # the package ships no types

url, escrow = sys.argv[1:]
localnet.rpc_urls["default"]["http"][0] = url
payer, provider, arbiter = Account.create(), Account.create(), Account.create()
chain = create_client(chain=localnet, account=payer)
START, AMOUNT = 10 * 10**18, 2 * 10**18 + 7
for account in (payer, provider):
    chain.fund_account(account.address, START)


def write(account: Any, method: str, args: list[Any], value: int = 0) -> Any:
    """Send, wait for the decision, stop when the contract refused; what the method returned."""
    hash = chain.write_contract(address=escrow, function_name=method, account=account, args=args, value=value)
    receipt = chain.wait_for_transaction_receipt(transaction_hash=hash, interval=50, retries=1000)
    leader = receipt["consensus_data"]["leader_receipt"][0]
    assert leader["execution_result"] == "SUCCESS", receipt
    return json.loads(leader["result"]["payload"]["readable"])


def read(method: str, *args: Any) -> Any:
    return chain.read_contract(address=escrow, function_name=method, args=list(args))


def earned() -> dict[str, int]:
    """Wei gained or lost so far; gas costs nothing."""
    return {who: chain.get_balance(whose.address) - START for who, whose in (("payer", payer), ("provider", provider))}


deal = write(payer, "create_agreement", [provider.address, arbiter.address, "Tide levels", ["work.example"]])
due = int(time.time()) // 3600 + 48
criteria = ["The page is valid JSON", '"unit" equals "m"']
milestone = write(payer, "add_milestone", [deal, "One week", criteria, AMOUNT, due])
write(payer, "fund_and_activate", [deal], AMOUNT)
claim = "The levels of a week, in full."
write(provider, "submit_evidence", [deal, milestone, claim, ["https://work.example/gauge.json"]])
write(arbiter, "adjudicate", [deal, milestone])  # anyone may call for the ruling

bond = int(read("get_milestone", deal, milestone)["appeal_bond"])
write(provider, "appeal", [deal, milestone, "The unit stands in the agreement's own annex."], bond)
during = {**earned(), "escrowed": int(read("get_agreement", deal)["escrowed"])}
write(arbiter, "adjudicate", [deal, milestone])
write(payer, "accept_ruling", [deal, milestone])
credit = int(read("credit_of", provider.address))
write(provider, "withdraw", [])
told = {
    "verdicts": [(ruling["round_no"], ruling["verdict"], ruling["unmet"]) for ruling in read("get_rulings", deal, 0)],
    "bond": bond,
    "during": during,
    "credit": credit,
    "earned": earned(),
    "escrowed": int(read("get_agreement", deal)["escrowed"]),
}
print(json.dumps(told))
