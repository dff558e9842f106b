/** What a newcomer does: `make up`, the address it prints, and two accounts. Only what can be seen or heard is used to find the way. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { listen } from "./support";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const MOST_MS = 60_000;

type Up = { url: string; stop: () => Promise<void> };

/** Type `make up` and read the address of the web app off the terminal. */
async function makeUp(): Promise<Up> {
  const { MAKEFLAGS: _flags, MAKELEVEL: _level, MFLAGS: _old, ...environment } = process.env; // those of a make around this test
  const child = spawn("make", ["up", "ARGS=--temporary --port 0"], {
    cwd: ROOT,
    detached: true, // a group of its own, so that make and the network end together
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...environment, FOREMAN_JUDGES: "", COLUMNS: "200" },
  });
  const ended = once(child, "exit");
  const url = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stdout.on("data", (piece: Buffer) => {
      said += piece.toString();
      const found = /Web app +(http:\/\/\S+)/i.exec(said);
      if (found && said.includes("Listening")) resolve(found[1]!);
    });
    child.once("exit", () => reject(new Error(`make up ended:\n${said}`)));
  });
  return { url, stop: async () => void (process.kill(-child.pid!, "SIGTERM"), await ended) };
}

test("from make up to a settled order in under a minute, by visible labels only, with two accounts", async ({ page, context }) => {
  const begun = Date.now();
  const said: string[] = [];
  listen(context, said);
  const up = await makeUp();
  try {
    await page.goto(up.url);
    await page.getByRole("link", { name: "Open an order" }).first().click();
    await page.getByRole("banner").getByRole("button", { name: "Connect" }).click();
    await page.getByRole("button", { name: "New burner account with 100 GEN" }).click();
    await page.getByRole("button", { name: "River gauge readings" }).click();
    await page.getByRole("button", { name: "Next: the criteria" }).click();
    await page.getByRole("button", { name: "Next: the terms" }).click();
    await page.getByLabel("Escrow").fill("4");
    await page.getByRole("button", { name: "Next: review and lock" }).click();
    await page.getByRole("button", { name: "Lock 4 GEN and open the order" }).click();
    await expect(page.getByRole("heading", { name: "River gauge readings", level: 1 })).toBeVisible();

    const other = await context.newPage();
    await other.goto(up.url);
    await other.getByRole("banner").getByRole("button", { name: /Ada/ }).click();
    await other.getByRole("button", { name: "New burner account with 100 GEN" }).click();
    await expect(other.getByRole("banner").getByRole("button", { name: /Brunel/ })).toBeVisible();
    await other.getByRole("link", { name: "Find work" }).click();
    await other.getByRole("link", { name: /River gauge readings/ }).click();
    await other.getByRole("button", { name: "Claim this order", exact: true }).last().click();
    await other.getByRole("button", { name: "A good gauge file" }).click();
    await other.getByRole("button", { name: "Deliver", exact: true }).last().click();

    for (const [tab, left] of [[page, "96"], [other, "104"]] as const) {
      await expect(tab.getByText("Completed", { exact: true }).first()).toBeVisible();
      await expect(tab.getByText("100%").first()).toBeVisible();
      await expect(tab.getByText("Paid to the provider")).toBeVisible();
      await expect(tab.getByRole("banner").getByText(left, { exact: true })).toBeVisible();
    }
    const took = Date.now() - begun;
    process.stdout.write(`      from make up to a settled order: ${(took / 1000).toFixed(1)} s\n`);
    expect(took).toBeLessThan(MOST_MS);
    expect(said, "the console must stay silent").toEqual([]);
  } finally {
    await up.stop();
  }
});
