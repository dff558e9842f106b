/** Writes package-lock.json again without any address: what a package is, is its name, version and hash. Usage: npm run lock */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const HERE = path.resolve(import.meta.dirname, "..");
const FILE = path.join(HERE, "package-lock.json");

execFileSync("npm", ["install", "--package-lock-only", "--ignore-scripts"], { cwd: HERE, stdio: "inherit" });
const lock = JSON.parse(readFileSync(FILE, "utf8"));
for (const row of Object.values(lock.packages)) {
  delete row.resolved;
  delete row.funding;
}
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
