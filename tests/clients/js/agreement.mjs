// One agreement with an appeal, with genlayer-js: made, funded, delivered, rejected, appealed, approved, paid out.
// Arguments: URL and VerdictEscrow's address. Prints what everybody has earned, in wei, and both rulings.
import { createAccount, createClient } from "genlayer-js";
import { localnet } from "genlayer-js/chains";

const [url, address] = process.argv.slice(2);
const [START, AMOUNT] = [10n * 10n ** 18n, 2n * 10n ** 18n + 7n];
const [payer, provider, arbiter] = [createAccount(), createAccount(), createAccount()];
const connect = (account) => createClient({ chain: localnet, endpoint: url, account });
const [asPayer, asProvider, asArbiter] = [payer, provider, arbiter].map(connect);
for (const account of [payer, provider]) await asPayer.fundAccount({ address: account.address, amount: Number(START) });

// Send, wait for the decision, stop when the contract refused; what the method returned.
async function write(chain, functionName, args, value = 0n) {
  const hash = await chain.writeContract({ address, functionName, args, value });
  const receipt = await chain.waitForTransactionReceipt({ hash, status: "ACCEPTED", interval: 50, retries: 1000 });
  const [leader] = receipt.consensus_data.leader_receipt;
  if (leader.execution_result !== "SUCCESS") throw new Error(JSON.stringify(leader));
  return JSON.parse(leader.result.payload.readable);
}

const read = (functionName, ...args) => asPayer.readContract({ address, functionName, args });
const earned = async () => ({
  payer: String((await asPayer.getBalance({ address: payer.address })) - START),
  provider: String((await asPayer.getBalance({ address: provider.address })) - START),
});

const deal = await write(asPayer, "create_agreement", [provider.address, arbiter.address, "Tide levels", ["work.example"]]);
const due = Math.floor(Date.now() / 3_600_000) + 48;
const criteria = ["The page is valid JSON", '"unit" equals "m"'];
const milestone = await write(asPayer, "add_milestone", [deal, "One week", criteria, AMOUNT, due]);
await write(asPayer, "fund_and_activate", [deal], AMOUNT);
const claim = "The levels of a week, in full.";
await write(asProvider, "submit_evidence", [deal, milestone, claim, ["https://work.example/gauge.json"]]);
await write(asArbiter, "adjudicate", [deal, milestone]); // anyone may call for the ruling

const bond = BigInt((await read("get_milestone", deal, milestone)).appeal_bond);
await write(asProvider, "appeal", [deal, milestone, "The unit stands in the agreement's own annex."], bond);
const during = { ...(await earned()), escrowed: (await read("get_agreement", deal)).escrowed };
await write(asArbiter, "adjudicate", [deal, milestone]);
await write(asPayer, "accept_ruling", [deal, milestone]);
const credit = await read("credit_of", provider.address);
await write(asProvider, "withdraw", []);
const rulings = await read("get_rulings", deal, milestone);
console.log(
  JSON.stringify({
    verdicts: rulings.map(({ round_no, verdict, unmet }) => [round_no, verdict, unmet]),
    bond: String(bond),
    during,
    credit,
    earned: await earned(),
    escrowed: (await read("get_agreement", deal)).escrowed,
  }),
);
