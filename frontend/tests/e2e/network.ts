/** A real `foreman up` in a process of its own, as a test sees it. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const PYTHON = process.env.FOREMAN_PYTHON ?? path.join(ROOT, ".venv/bin/python");
const COMMAND = "from foreman.cli.main import run; run()";

export type TestNetwork = { url: string; stop: () => Promise<void> };

/** Start one on a port (0: any free one) and wait until it says where it is. */
export async function startNetwork(port = 0, ...options: string[]): Promise<TestNetwork> {
  const child = spawn(PYTHON, ["-c", COMMAND, "up", "--temporary", "--port", String(port), ...options], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, PYTHONPATH: path.join(ROOT, "src"), FOREMAN_JUDGES: "", COLUMNS: "200" },
  });
  const url = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stdout.on("data", (piece: Buffer) => {
      said += piece.toString();
      const found = /(http:\/\/127\.0\.0\.1:\d+)\/api/.exec(said);
      if (found && said.includes("Listening")) resolve(found[1]!);
    });
    child.once("exit", (code) => reject(new Error(`the network ended with ${code} before it was ready`)));
  });
  return { url, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill("SIGTERM");
  const impatient = setTimeout(() => child.kill("SIGKILL"), 5000); // a judge that hangs may hold the process up
  await once(child, "exit");
  clearTimeout(impatient);
}

/** Ask the node something a page would not. */
export async function rpc(url: string, method: string, params: unknown[]): Promise<unknown> {
  const answer = await fetch(`${url}/api`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const reply = (await answer.json()) as { result?: unknown; error?: { message: string } };
  if (reply.error) throw new Error(`${method}: ${reply.error.message}`);
  return reply.result;
}
