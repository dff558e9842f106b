// Takes a transaction back with genlayer-js while the one before it is judged. Arguments: URL and Foreman's address.
import { createAccount, createClient } from "genlayer-js";
import { localnet } from "genlayer-js/chains";

const [url, address] = process.argv.slice(2);
const [client, provider, stranger] = [createAccount(), createAccount(), createAccount()];
const connect = (account) => createClient({ chain: localnet, endpoint: url, account });
const [asClient, asProvider, asStranger] = [client, provider, stranger].map(connect);
const patience = { status: "ACCEPTED", interval: 50, retries: 1000 };
const send = (chain, functionName, args, value = 0n) => chain.writeContract({ address, functionName, args, value });

await asClient.fundAccount({ address: client.address, amount: 1e19 });
const created = await send(asClient, "create_order", ["A gauge", "A JSON file", "is valid JSON", 7], 10n ** 18n);
await asClient.waitForTransactionReceipt({ hash: created, ...patience });
const claimed = await send(asProvider, "claim_order", [0]);
await asProvider.waitForTransactionReceipt({ hash: claimed, ...patience });
const judged = await send(asProvider, "submit_deliverable", [0, "http://work.example/gauge.json", ""]);
const waiting = await send(asProvider, "abandon_claim", [0]);

console.error = () => {}; // the client prints errors before it throws them
const refused = await asStranger.cancelTransaction({ hash: waiting }).catch((error) => error.message);
const cancelled = await asProvider.cancelTransaction({ hash: waiting });
const receipt = await asProvider.waitForTransactionReceipt({ hash: waiting, status: "CANCELED", interval: 50, retries: 100, fullTransaction: true });
const { statusName } = await asProvider.getTransaction({ hash: judged });
console.log(JSON.stringify({ refused, cancelled, after: receipt.statusName, judged: statusName }));
