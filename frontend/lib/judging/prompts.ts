/** The tasks that judges are given, taken from the contracts themselves when the app is built. Runs at build time only. */
import { readFileSync } from "node:fs";
import path from "node:path";

/** The task of an order's judge, word for word. Throws when the contract does not have it where it is looked for. */
export function orderTask(): string {
  const source = readFileSync(path.join(process.cwd(), "../contracts/foreman.py"), "utf8");
  const task = /^TASK = f?"""(.*?)"""$/ms.exec(source)?.[1];
  if (task === undefined) throw new Error("contracts/foreman.py has no TASK to show");
  return task.replace(/\{([A-Z_]+)\}/g, (_, name: string) => {
    const value = new RegExp(`^${name} = ([0-9_]+)`, "m").exec(source)?.[1];
    if (value === undefined) throw new Error(`contracts/foreman.py does not say what ${name} is`);
    return value.replaceAll("_", "");
  });
}
