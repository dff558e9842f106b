/** The files of docs/ in reading order. Runs at build time only. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { slugOf } from "./render";

const DOCS = path.join(process.cwd(), "../docs");

/** What comes first, by slug; what is not named follows by name, decisions last. */
const ORDER = [
  "overview", "quickstart", "lifecycle", "adjudication", "how-adjudication-works", "contract-api", "order-object", "limits",
  "security", "security-model", "honest-limits", "agreements", "judges", "networks", "rpc", "genlayer", "cli", "sdk", "frontend", "testing", "e2e",
  "reliability", "migrating", "faq",
];

export type DocFile = { slug: string; file: string; name: string; group: "docs" | "decisions" };

export function docFiles(): DocFile[] {
  const read = (folder: string, group: DocFile["group"], prefix: string): DocFile[] =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => name.endsWith(".md"))
          .map((name) => ({ slug: slugOf(prefix + name), file: path.join(folder, name), name: titleOf(path.join(folder, name)), group }))
      : [];
  const place = (doc: DocFile) => (ORDER.includes(doc.slug) ? ORDER.indexOf(doc.slug) : ORDER.length);
  const docs = read(DOCS, "docs", "").sort((one, other) => place(one) - place(other) || one.name.localeCompare(other.name));
  const decisions = read(path.join(DOCS, "decisions"), "decisions", "decisions/").sort((one, other) => one.slug.localeCompare(other.slug));
  return [...docs, ...decisions];
}

export function readDoc(slug: string): string {
  const doc = docFiles().find((row) => row.slug === slug);
  if (!doc) throw new Error(`docs has no ${slug}`);
  return readFileSync(doc.file, "utf8");
}

function titleOf(file: string): string {
  return /^# (.+)$/m.exec(readFileSync(file, "utf8"))?.[1]?.replace(/[`*_]/g, "") ?? path.basename(file, ".md");
}
