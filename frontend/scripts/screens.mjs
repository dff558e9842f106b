/**
 * Takes every page at 390 and 1440 px, light and dark, into screens/. Usage: node scripts/screens.mjs [url] [page ...]
 * Without a url it starts a network of its own and fills it.
 */
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { chromium } from "@playwright/test";
import { seed } from "./seed.mjs";

const HERE = path.resolve(import.meta.dirname, "..");
const PYTHON = process.env.FOREMAN_PYTHON ?? path.join(HERE, "../.venv/bin/python");
const OUT = path.join(HERE, "screens");

async function startNetwork(port) {
  const child = spawn(PYTHON, [path.join(HERE, "tests/e2e/network.py"), String(port)], { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve, reject) => {
    child.stdout.once("data", resolve);
    child.once("exit", () => reject(new Error("the network did not start")));
  });
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}

function pages({ orders, agreement }) {
  return {
    home: "/",
    orders: "/orders/",
    "orders-empty": "/orders/?status=open&page=9",
    "order-accepted": `/orders/detail/?id=${orders.accepted}`,
    "order-partial": `/orders/detail/?id=${orders.partial}`,
    "order-appealed": `/orders/detail/?id=${orders.appealed}`,
    "order-open": `/orders/detail/?id=${orders.open}`,
    "order-unknown": "/orders/detail/?id=999",
    "order-new": "/orders/new/",
    agreements: "/agreements/",
    agreement: `/agreements/detail/?id=${agreement}`,
    "agreement-draft": `/agreements/detail/?id=${agreement + 1}`,
    "agreement-new": "/agreements/new/",
    dashboard: "/dashboard/",
    leaderboard: "/leaderboard/",
    lifecycle: "/lifecycle/",
    "how-it-works": "/how-it-works/",
    docs: "/docs/",
    doc: "/docs/quickstart/",
    network: "/network/",
    setup: "/setup/",
    "not-found": "/404.html",
  };
}

const given = process.argv[2]?.startsWith("http") ? process.argv[2] : null;
const only = process.argv.slice(given ? 3 : 2);
const network = given ? { url: given, stop: () => {} } : await startNetwork(4717);
const made = given ? { orders: { accepted: 0, partial: 1, appealed: 2, claimed: 6, open: 7 }, agreement: 1 } : await seed(network.url);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
mkdirSync(OUT, { recursive: true });
try {
  for (const [width, height] of [[390, 844], [1440, 900]]) {
    for (const colorScheme of ["light", "dark"]) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: "reduce" });
      const page = await context.newPage();
      for (const [name, place] of Object.entries(pages(made))) {
        if (only.length && !only.includes(name)) continue;
        await page.goto(network.url + place);
        await page.waitForTimeout(name === "home" ? 4500 : 900);
        await page.screenshot({ path: path.join(OUT, `${name}-${width}-${colorScheme}.png`), fullPage: true });
      }
      await context.close();
    }
  }
} finally {
  await browser.close();
  network.stop();
}
