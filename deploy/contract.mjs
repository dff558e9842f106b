// Deploys one contract of this repository, waits for the network's decision, and prints where it stands.

import { readFileSync } from "node:fs";

const INTERVAL = 1000; // milliseconds between two looks
const RETRIES = 300; // two judge deadlines and a margin, as the Python client has it

/** `client` is the genlayer-js client that the genlayer CLI hands to every script; the address of the new contract. */
export async function deploy(client, file) {
  const code = readFileSync(new URL(`../contracts/${file}`, import.meta.url), "utf8");
  // Older clients learn where to send only when asked to; newer ones know, and call the question deprecated.
  if (!client.chain?.consensusMainContract) await client.initializeConsensusSmartContract?.();
  const hash = await client.deployContract({ code, args: [] });
  const receipt = await client.waitForTransactionReceipt({ hash, status: "ACCEPTED", interval: INTERVAL, retries: RETRIES });
  const receipts = [receipt.consensus_data?.leader_receipt ?? receipt.consensusData?.leaderReceipt ?? []].flat();
  // Testnets tell the ending beside the transaction, Studio and the embedded network in the leader's receipt.
  const ended = receipts[0]?.execution_result ?? (receipt.txExecutionResultName === "FINISHED_WITH_RETURN" ? "SUCCESS" : "unknown");
  if (ended !== "SUCCESS") throw new Error(`${file} was not deployed: ${ended} in transaction ${hash}`);
  const address = receipt.data?.contract_address ?? receipt.txDataDecoded?.contractAddress ?? receipt.recipient;
  console.log(`\n${file} is at ${address} (transaction ${hash})`);
  return address;
}
