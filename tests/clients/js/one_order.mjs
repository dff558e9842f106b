// Opens one order with genlayer-js, once, however often it is run: a network may fail between taking a transaction and
// saying so. Arguments: URL, Foreman's address, the nonce the order is to have. KEY in the environment pays.
import { createAccount, createClient } from "genlayer-js";
import { localnet } from "genlayer-js/chains";

const [url, address, nonce] = process.argv.slice(2);
const account = createAccount(process.env.KEY);
const chain = createClient({ chain: localnet, endpoint: url, account });
const order = { address, functionName: "create_order", args: ["A gauge", "A JSON file", "is valid JSON", 7], value: 10n ** 18n };

if (Number(await chain.getCurrentNonce({ address: account.address })) > Number(nonce)) {
  console.log(JSON.stringify({ sent: "before" })); // the network has taken a transaction of this nonce, and will of no other
} else {
  console.error = () => {}; // the client prints errors before it throws them
  const told = await chain.writeContract(order).then((hash) => ({ sent: hash }), (error) => ({ shown: error.message }));
  console.log(JSON.stringify(told));
}
