/** Prints the JavaScript a page loads at once, gzipped, from the exported site. Usage: node scripts/size.mjs [page] */
import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

const out = path.resolve(import.meta.dirname, "../out");
const page = process.argv[2] ?? "index.html";
const html = readFileSync(path.join(out, page), "utf8");
const files = [...new Set([...html.matchAll(/<script[^>]+src="([^"]+\.js)"[^>]*>/g)].filter((m) => !/nomodule/i.test(m[0])).map((m) => m[1]))];
let total = 0;
for (const file of files) {
  const size = gzipSync(readFileSync(path.join(out, file))).length;
  total += size;
  process.stdout.write(`${String(size).padStart(8)}  ${file}\n`);
}
process.stdout.write(`${String(total).padStart(8)}  gzipped, ${files.length} files, ${page}\n`);
