"""The simulator that exists, glsim of genlayer-test, doing the same three calls per order, where it can run.

It is not among our requirements (it brings a browser driver and more). To have it measured:

    python -m venv .build/glsim && .build/glsim/bin/pip install "genlayer-test[sim]==0.29.2"
    FOREMAN_GLSIM=.build/glsim/bin/glsim make bench
"""

import http.client
import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

from bench.load import CHAIN, CRITERIA, ESCROW, SPEC, TITLE, URL
from bench.server import PAGE, PERCENT
from bench.wire import free_port
from foreman import calldata
from foreman.address import keccak256
from foreman.judges.scripted import payout
from foreman.localnet.shipped import shipped
from foreman.money import GEN
from foreman.sdk.account import Account
from foreman.sdk.envelope import NO_CONTRACT, add_transaction, call_payload, deploy_payload
from foreman.transaction import CONSENSUS_MAIN

ORDERS = 30


def peer() -> tuple[float | None, str]:
    """Lifecycles per second and a note; None with the reason where it cannot run."""
    command = os.environ.get("FOREMAN_GLSIM", "")
    if not Path(command).is_file():
        return None, "not installed here: FOREMAN_GLSIM names its command (see bench/peer.py)"
    port = free_port()
    quiet = subprocess.DEVNULL
    with subprocess.Popen([command, "--port", str(port), "--no-browser"], stdout=quiet, stderr=quiet) as process:
        try:
            return Glsim(port).rate(), f"{ORDERS} orders, in memory, validators one after the other"
        except (OSError, RuntimeError, http.client.HTTPException) as error:
            return None, f"it is installed but does not run contracts here: {error}"
        finally:
            process.terminate()


def _reason(found: dict[str, Any]) -> str:
    receipts = (found.get("consensus_data") or {}).get("leader_receipt") or [{}]
    told = str((receipts[0].get("genvm_result") or {}).get("stderr") or found.get("status"))
    return told.strip().splitlines()[-1][:80]


class Glsim:
    """It decides a transaction before it answers, so there is nothing to wait for."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._client, self._provider = (Account(keccak256(name)) for name in (b"client", b"provider"))
        self._nonces = {self._client: 0, self._provider: 0}
        self._wait()

    def rate(self) -> float:
        self.ask("sim_fundAccount", str(self._client), 100 * GEN)
        answer = json.loads(payout(PERCENT))
        page = {"method": "GET", "response": {"status": 200, "headers": {}, "body": PAGE}}
        self.ask("sim_installMocks", {"llm_mocks": {".*": json.dumps(answer)}, "web_mocks": {".*": page}})
        found = self.send(self._client, NO_CONTRACT, deploy_payload(shipped()["foreman"], []))
        if found.get("status") not in ("FINALIZED", "ACCEPTED") or not self._deployed(found):
            raise RuntimeError(f"the deployment failed ({_reason(found)}); it downloads its contract SDK from GitHub")
        contract = bytes.fromhex(self._deployed(found)[2:])
        began = time.perf_counter()
        for number in range(ORDERS):
            made = call_payload("create_order", [f"{TITLE}, part {number}", SPEC, CRITERIA, 30])
            self.send(self._client, contract, made, ESCROW)
            self.send(self._provider, contract, call_payload("claim_order", [number]))
            self.send(self._provider, contract, call_payload("submit_deliverable", [number, URL, "As agreed."]))
        seconds = time.perf_counter() - began
        if self._view(contract, "get_stats")["completed"] != ORDERS:
            raise RuntimeError("its orders are not completed")
        return ORDERS / seconds

    @staticmethod
    def _deployed(found: dict[str, Any]) -> str:
        address = str(found.get("to_address") or (found.get("data") or {}).get("contract_address") or "")
        return address if address.strip("0x") else ""

    def send(self, sender: Account, to: bytes, payload: bytes, value: int = 0) -> dict[str, Any]:
        data = add_transaction(sender.address, to, payload)
        raw = sender.sign_transaction(CHAIN, self._nonces[sender], CONSENSUS_MAIN, value, data)
        self._nonces[sender] += 1
        self.ask("eth_sendRawTransaction", "0x" + raw.hex())
        digest = self.ask("eth_getTransactionReceipt", "0x" + keccak256(raw).hex())["logs"][0]["topics"][1]
        found: dict[str, Any] = self.ask("eth_getTransactionByHash", digest)
        return found

    def _view(self, contract: bytes, method: str) -> Any:
        data = "0x" + call_payload(method, []).hex()
        call = {"type": "read", "to": "0x" + contract.hex(), "from": str(self._client), "data": data}
        return calldata.decode(bytes.fromhex(self.ask("gen_call", call)))

    def ask(self, method: str, *params: Any) -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        connection.request("POST", "/api", body, {"Content-Type": "application/json"})
        answer = json.loads(connection.getresponse().read())
        connection.close()
        if "error" in answer:
            raise RuntimeError(f"{method}: {str(answer['error'].get('message'))[:120]}")
        return answer.get("result")

    def _wait(self) -> None:
        for _ in range(200):
            try:
                self.ask("eth_chainId")
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("it does not answer")
