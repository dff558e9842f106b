// Opens an order of an odd amount with genlayer-js and reads it back, alone and on a page. Arguments: URL and Foreman's
// address. Prints it as JSON, so a map that the client leaves as a Map would come out empty.
import { createAccount, createClient } from "genlayer-js";
import { localnet } from "genlayer-js/chains";

const [url, address] = process.argv.slice(2);
const account = createAccount();
const chain = createClient({ chain: localnet, endpoint: url, account });
await chain.fundAccount({ address: account.address, amount: 2e26 });
const args = ["Zwölf Äpfel 🍏", "A JSON file", "- is valid JSON", 7];
const hash = await chain.writeContract({ address, functionName: "create_order", args, value: 123456789123456789012345678n });
const receipt = await chain.waitForTransactionReceipt({ hash, status: "ACCEPTED", interval: 50, retries: 1000 });
const id = JSON.parse(receipt.consensus_data.leader_receipt[0].result.payload.readable);
const read = (functionName, ...args) => chain.readContract({ address, functionName, args });
console.log(JSON.stringify({ order: await read("get_order", id), page: await read("get_orders_page", 0, 50, "") }));
