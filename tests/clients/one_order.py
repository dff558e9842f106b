"""Opens one order with genlayer-py, once, however often it is run: a network may fail between taking a transaction and
saying so. Arguments: URL, Foreman's address, the nonce the order is to have. KEY in the environment pays.
"""

import json
import os
import sys

from eth_account import Account
from genlayer_py import create_client  # type: ignore[import-untyped]  # the package ships no types
from genlayer_py.chains import localnet  # type: ignore[import-untyped]  # the package ships no types

url, escrow, nonce = sys.argv[1:]
localnet.rpc_urls["default"]["http"][0] = url
client = Account.from_key(os.environ["KEY"])
chain = create_client(chain=localnet, account=client)
terms = ["A gauge", "A JSON file", "is valid JSON", 7]

if chain.get_current_nonce(client.address) > int(nonce):
    print(json.dumps({"sent": "before"}))  # the network has taken a transaction of this nonce, and will of no other
else:
    try:
        hash = chain.write_contract(
            address=escrow, function_name="create_order", account=client, args=terms, value=10**18
        )
        print(json.dumps({"sent": hash}))
    except Exception as error:  # noqa: BLE001  # whatever the client shows is what this is about
        print(json.dumps({"shown": f"{type(error).__name__}: {error}"}))
