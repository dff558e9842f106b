/** The files of docs/ in reading order. Runs at build time only. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { slugOf } from "./render";

const DOCS = path.join(process.cwd(), "../docs");

/** What comes first, and in a sentence what one finds there. A document that is not named here follows under "More". */
const GROUPS: { name: string; docs: Record<string, string> }[] = [
  {
    name: "Start here",
    docs: {
      overview: "What Foreman is, who does what in it, and its parts.",
      quickstart: "From a clone to a settled order: the demo, a network of your own, Python and the official clients.",
      lifecycle: "The six states of an order, who may move it, and where the money is in each.",
      "how-adjudication-works": "What happens between a delivery and its payout, seat by seat.",
      faq: "Short answers to what people ask first.",
    },
  },
  {
    name: "The contracts",
    docs: {
      "contract-api": "Every method of Foreman: arguments, refusals, events.",
      "order-object": "What get_order and the lists give, field by field.",
      limits: "Each limit, its number and the reason for it.",
      agreements: "Milestones, rulings in rounds, bonds, the arbiter, and every exit.",
      "lifting-the-consensus-core": "The rule by which validators agree, ready to be taken into a contract of yours.",
      migrating: "What a version 1 client has to change, and what keeps working.",
    },
  },
  {
    name: "Trust",
    docs: {
      security: "Each defence with the test that holds it.",
      "honest-limits": "What Foreman does not promise.",
      reliability: "What a node keeps when it is killed, filled or damaged, and how that is tested.",
      benchmarks: "Every speed claim, how it was measured and on what machine.",
    },
  },
  {
    name: "The network",
    docs: {
      rpc: "The door of a node: JSON-RPC methods, the event stream, errors and limits.",
      judges: "Who sits on the jury: offline, scripted, or a model of yours.",
      operations: "A node that serves others: services, metrics, backup and restore.",
      networks: "The same contracts on this machine, Studionet and the public testnets.",
      genlayer: "The formats that GenLayer fixes, exactly as the code needs them.",
      settings: "Every knob, its default and its reason.",
      errors: "Every error code, what it means and what to do.",
    },
  },
  {
    name: "Tools",
    docs: {
      cli: "The foreman command, with an example for each part.",
      sdk: "Orders and agreements from Python, sync and async.",
      frontend: "How this app is built and what it promises.",
      testing: "What the tests are, and how to run them.",
      e2e: "Whole lives of orders and agreements on a running network, every wei accounted for.",
    },
  },
];

export const MORE = "More";
export const DECISIONS = "Decisions";

export type DocFile = { slug: string; file: string; name: string; group: string; about: string };

export function docFiles(): DocFile[] {
  const docs = read(DOCS, "");
  const named = GROUPS.flatMap(({ name, docs: rows }) =>
    Object.entries(rows).flatMap(([slug, about]) => docs.filter((doc) => doc.slug === slug).map((doc) => ({ ...doc, group: name, about }))),
  );
  const rest = docs.filter((doc) => !named.some((row) => row.slug === doc.slug)).sort((one, other) => one.name.localeCompare(other.name));
  const decisions = read(path.join(DOCS, "decisions"), "decisions/").sort((one, other) => one.slug.localeCompare(other.slug));
  return [...named, ...rest, ...decisions.map((doc) => ({ ...doc, group: DECISIONS }))];
}

/** The groups that have documents, in order. */
export function docGroups(docs: DocFile[]): { name: string; docs: DocFile[] }[] {
  const names = [...new Set(docs.map((doc) => doc.group))];
  return names.map((name) => ({ name, docs: docs.filter((doc) => doc.group === name) }));
}

export function readDoc(slug: string): string {
  const doc = docFiles().find((row) => row.slug === slug);
  if (!doc) throw new Error(`docs has no ${slug}`);
  return readFileSync(doc.file, "utf8");
}

function read(folder: string, prefix: string): DocFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => ({ slug: slugOf(prefix + name), file: path.join(folder, name), name: titleOf(path.join(folder, name)), group: MORE, about: "" }));
}

function titleOf(file: string): string {
  return /^# (.+)$/m.exec(readFileSync(file, "utf8"))?.[1]?.replace(/[`*_]/g, "") ?? path.basename(file, ".md");
}
