/** Fills a development network with orders and agreements in every state, through genlayer-js. Usage: node scripts/seed.mjs http://127.0.0.1:4000 */
import { chains, createAccount, createClient } from "genlayer-js";
import { generatePrivateKey } from "viem/accounts";

const GEN = 10n ** 18n;

async function rpc(url, method, params) {
  const answer = await fetch(`${url}/api`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const reply = await answer.json();
  if (reply.error) throw new Error(`${method}: ${reply.error.message}`);
  return reply.result;
}

/** A hand that signs, and waits until each transaction is over. Throws when one did not do what it should. */
async function person(url, config, wei = 1000n * GEN) {
  const key = generatePrivateKey();
  const account = createAccount(key);
  await rpc(url, "sim_fundAccount", [account.address, `0x${wei.toString(16)}`]);
  const chain = { ...chains.localnet, id: config.chain_id, rpcUrls: { default: { http: [`${url}/api`] } } };
  const client = createClient({ chain, account });
  const call = async (contract, functionName, args, value = 0n) => {
    const hash = await client.writeContract({ address: contract, functionName, args, value });
    for (;;) {
      const found = await rpc(url, "eth_getTransactionByHash", [hash]);
      if (found.consensus_data) {
        const [receipt] = found.consensus_data.leader_receipt;
        if (receipt.execution_result !== "SUCCESS") throw new Error(`${functionName}: ${atob(receipt.result).slice(1)}`);
        return { hash, returned: await returned(receipt.result) };
      }
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
  };
  return { address: account.address, key, call };
}

async function returned(base64) {
  const { abi } = await import("genlayer-js");
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)).subarray(1);
  return bytes.length ? abi.calldata.decode(bytes) : null;
}

const list = (...criteria) => criteria.map((line) => `- ${line}`).join("\n");

const GAUGE = ["River gauge readings", "A week of water levels at Old Mill Bridge, one reading a day, as JSON.", list("The page is valid JSON", 'It has the keys "station", "unit", "licence" and "readings"', 'The list "readings" has exactly 7 entries', '"unit" equals "cm"', 'The page contains "CC BY 4.0"')];
const NOTES = ["Release notes for Tide 2.4", "Release notes with what was added and fixed, an upgrade guide and known issues.", list("The page contains a date", 'The page contains "Added"', 'The page contains "Fixed"', 'The page contains "Upgrade guide"', 'The page contains "Known issues"')];
const GLOSSARY = ["Glossary of escrow", "A reviewed glossary of at least six terms with its sources, as JSON.", list('"language" equals "en"', 'The list "terms" has at least 6 entries', 'The list "sources" has at least 2 entries', '"reviewed" is a date')];
const DIGEST = ["Weekly market digest", "A digest of last week's grain prices.", list("The page has at least 200 words")];
const PAGE = "http://work.example/";

export async function seed(url) {
  const config = await (await fetch(`${url}/config.json`)).json();
  const foreman = config.contracts.foreman;
  const [ann, ben, cid, dee] = await Promise.all(Array.from({ length: 4 }, () => person(url, config)));

  const open = async (who, [title, spec, criteria], gen, days = 30) => (await who.call(foreman, "create_order", [title, spec, criteria, days], gen)).returned;
  const deliver = async (id, who, page, note = "") => {
    await who.call(foreman, "claim_order", [id]);
    return (await who.call(foreman, "submit_deliverable", [id, PAGE + page, note])).hash;
  };
  await deliver(await open(ann, GAUGE, 2n * GEN), ben, "gauge.json", "All seven days are in the list.");
  const transaction = await deliver(await open(ann, NOTES, GEN), cid, "notes.html");
  const rejected = await open(dee, GLOSSARY, (3n * GEN) / 2n);
  await deliver(rejected, ben, "glossary-draft.json");
  await dee.call(foreman, "appeal_delivery", [rejected, "Please read the list of terms again."], (3n * GEN) / 2n);
  await ann.call(foreman, "cancel_order", [await open(ann, ["Logo for a ferry line", "A logo as SVG, two colours.", list("The page contains an SVG image")], 3n * GEN)]);
  const late = await open(dee, DIGEST, (12n * GEN) / 10n, 1);
  await cid.call(foreman, "claim_order", [late]);
  await rpc(url, "sim_increaseTime", [86_400]);
  await ann.call(foreman, "expire_order", [late]);
  await deliver(await open(dee, NOTES, GEN), ben, "notes-injected.html");
  const taken = await open(ann, ["Safety notice, translated", "The pump safety notice in plain English, with a contact address and the day of translation.", list('The page contains "Safety notice"', "The page contains a date")], (8n * GEN) / 10n);
  await cid.call(foreman, "claim_order", [taken]);
  await open(dee, ["Sensor calibration log", "A calibration log of sensor T-117 with at least four points, as JSON.", list("The page is valid JSON", 'The list "points" has at least 4 entries', '"passed" equals true')], (5n * GEN) / 2n, 5);
  const orders = { accepted: 0, partial: 1, appealed: Number(rejected), claimed: Number(taken), open: Number(taken) + 1 };
  const agreement = await agreements(config.contracts.verdict_escrow, ann, ben, cid);
  const people = { ann, ben, cid }; // a client, a provider, another provider who is also the arbiter
  return { orders, agreement, transaction, people: Object.fromEntries(Object.entries(people).map(([name, { address, key }]) => [name, { address, key }])) };
}

/** Opens and settles an order, leaves another one open and funds an agreement, each for this amount: what a page must have room for. */
export async function seedAmount(url, wei) {
  const config = await (await fetch(`${url}/config.json`)).json();
  const { foreman, verdict_escrow: escrow } = config.contracts;
  const payer = await person(url, config, 4n * wei);
  const provider = await person(url, config);
  const open = async () => Number((await payer.call(foreman, "create_order", [...GAUGE, 30], wei)).returned);
  const settled = await open();
  await provider.call(foreman, "claim_order", [settled]);
  await provider.call(foreman, "submit_deliverable", [settled, `${PAGE}gauge.json`, ""]);
  const due = Math.floor(Date.now() / 3_600_000) + 24 * 40;
  const { returned: id } = await payer.call(escrow, "create_agreement", [provider.address, config.contracts.foreman, "Gauge data for ever", ["work.example"]]);
  await payer.call(escrow, "add_milestone", [id, "All weeks", ["The page is valid JSON"], wei, due]);
  await payer.call(escrow, "fund_and_activate", [id], wei);
  return { settled, open: await open(), agreement: Number(id), payer: { address: payer.address, key: payer.key }, provider: provider.address };
}

async function agreements(contract, payer, provider, arbiter) {
  const due = Math.floor(Date.now() / 3_600_000) + 24 * 40;
  const { returned: id } = await payer.call(contract, "create_agreement", [provider.address, arbiter.address, "Gauge data for a year", ["work.example"]]);
  await payer.call(contract, "add_milestone", [id, "First week", ["The page is valid JSON", 'The list "readings" has exactly 7 entries'], 5n * GEN, due]);
  await payer.call(contract, "add_milestone", [id, "Release notes", ['The page contains "Upgrade guide"', 'The page contains "Added"'], 3n * GEN, due]);
  await payer.call(contract, "fund_and_activate", [id], 8n * GEN);
  await provider.call(contract, "submit_evidence", [id, 0, "The first week of readings is published.", ["https://work.example/gauge.json"]]);
  await provider.call(contract, "adjudicate", [id, 0]);
  await payer.call(contract, "accept_ruling", [id, 0]);
  await provider.call(contract, "submit_evidence", [id, 1, "The release notes of version 2.4 are published.", ["https://work.example/notes.html"]]);
  await provider.call(contract, "adjudicate", [id, 1]);
  await payer.call(contract, "create_agreement", [provider.address, arbiter.address, "Translation of the manual", ["work.example", "docs.example.org"]]);
  return Number(id);
}

if (process.argv[1] === import.meta.filename) {
  const made = await seed(process.argv[2] ?? "http://127.0.0.1:4000");
  process.stdout.write(`${JSON.stringify(made)}\n`);
}
