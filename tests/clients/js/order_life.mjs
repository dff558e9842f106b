// One order from deployment to verdict with genlayer-js, then what is refused. Arguments: URL, source, the order's title.
import { readFileSync } from "node:fs";
import { createAccount, createClient } from "genlayer-js";
import { localnet } from "genlayer-js/chains";

const [url, source, title] = process.argv.slice(2);
const GEN = 10n ** 18n;
const client = createAccount();
const provider = createAccount();
const connect = (account) => createClient({ chain: localnet, endpoint: url, account });
const [asClient, asProvider] = [connect(client), connect(provider)];
const patience = { status: "ACCEPTED", interval: 50, retries: 1000 };

for (const account of [client, provider]) await asClient.fundAccount({ address: account.address, amount: 1e19 });

const deployed = await asClient.deployContract({ code: readFileSync(source, "utf8"), args: [] });
const standing = await asClient.waitForTransactionReceipt({ hash: deployed, ...patience, fullTransaction: true });
const address = standing.data.contract_address;

async function write(chain, functionName, args, value = 0n) {
  const hash = await chain.writeContract({ address, functionName, args, value });
  return chain.waitForTransactionReceipt({ hash, ...patience, fullTransaction: true });
}

async function refused(promise) {
  const log = console.error; // the client prints errors before it throws them
  console.error = () => {};
  try {
    return `not refused: ${JSON.stringify(await promise())}`;
  } catch (error) {
    return [error.message, error.details].filter(Boolean).join(" ");
  } finally {
    console.error = log;
  }
}

const receipts = {
  created: await write(asClient, "create_order", [title, "A JSON file", "is valid JSON", 7], GEN),
  own_claim: await write(asClient, "claim_order", [0]),
  claimed: await write(asProvider, "claim_order", [0]),
  verdict: await write(asProvider, "submit_deliverable", [0, "http://work.example/gauge.json", "done"]),
};
const read = (functionName, args) => asClient.readContract({ address, functionName, args });
const order = await read("get_order", [0]);
const nowhere = "0x000000000000000000000000000000000000dEaD";
console.log(
  JSON.stringify({
    receipts,
    order,
    earned: String((await asClient.getBalance({ address: provider.address })) - 10n * GEN),
    nonce: await asClient.getCurrentNonce({ address: client.address }),
    unknown_method: await refused(() => read("everybody", [])),
    arguments: await refused(() => read("get_order", [0, 1])),
    view: await refused(() => read("get_order", [999])),
    nowhere: await refused(() => asClient.readContract({ address: nowhere, functionName: "get_order", args: [0] })),
    appeal: await refused(() => asClient.appealTransaction({ txId: receipts.verdict.hash })),
    simulated: await refused(() => asClient.simulateWriteContract({ address, functionName: "claim_order", args: [0] })),
    code: (await asClient.getContractCode(address)) === readFileSync(source, "utf8"),
    schema: await asClient.getContractSchema(address),
  }, (_, value) => (typeof value === "bigint" ? value.toString() : value)),
);
