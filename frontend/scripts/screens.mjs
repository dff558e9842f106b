/**
 * Takes every page at 390 and 1440 px, light and dark, into screens/. Usage: node scripts/screens.mjs [url] [page ...]
 * Without a url it starts a network of its own and fills it.
 */
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { chromium } from "@playwright/test";
import { findBrowser } from "./browser.mjs";
import { seed } from "./seed.mjs";

const HERE = path.resolve(import.meta.dirname, "..");
const PYTHON = process.env.FOREMAN_PYTHON ?? path.join(HERE, "../.venv/bin/python");
const OUT = path.join(HERE, "screens");

/** A `foreman up` of its own. */
async function startNetwork() {
  const command = ["-c", "from foreman.cli.main import run; run()", "up", "--temporary", "--port", "0"];
  const env = { ...process.env, PYTHONPATH: path.join(HERE, "../src"), FOREMAN_JUDGES: "", COLUMNS: "200" };
  const child = spawn(PYTHON, command, { stdio: ["ignore", "pipe", "inherit"], env });
  const url = await new Promise((resolve, reject) => {
    let said = "";
    child.stdout.on("data", (piece) => {
      said += piece;
      const found = /(http:\/\/127\.0\.0\.1:\d+)\/api/.exec(said);
      if (found && said.includes("Listening")) resolve(found[1]);
    });
    child.once("exit", () => reject(new Error("the network did not start")));
  });
  return { url, stop: () => child.kill() };
}

/** What is seen by somebody with an account: the page, and whose account. */
function personal({ orders, agreement }) {
  return {
    "dashboard-client": ["/dashboard/", "ann"],
    "dashboard-provider": ["/dashboard/", "ben"],
    "order-deliver": [`/orders/detail/?id=${orders.claimed}`, "cid"],
    "order-appeal": [`/orders/detail/?id=${orders.partial}`, "ann"],
    "agreement-loser": [`/agreements/detail/?id=${agreement}`, "ben"],
    "agreement-desk": [`/agreements/detail/?id=${agreement + 1}`, "ann"],
  };
}

const press = (page, name) => page.getByRole("button", { name, exact: true }).first().click();

/** Walk the form of a new order as far as a step. */
async function walk(page, steps) {
  await press(page, "Release notes");
  for (const step of steps) await press(page, `Next: ${step}`);
}

/** What one sees only after a click: the page, whose account, and the clicks. */
function states({ orders }) {
  return {
    account: ["/", null, (page) => page.getByRole("banner").getByRole("button", { name: "Connect" }).click()],
    menu: ["/", null, (page) => page.getByRole("button", { name: "Menu" }).click({ timeout: 500 }).catch(() => undefined)],
    "order-new-criteria": ["/orders/new/", "ann", (page) => walk(page, ["the criteria"])],
    "order-new-terms": ["/orders/new/", "ann", (page) => walk(page, ["the criteria", "the terms"])],
    "order-new-review": ["/orders/new/", "ann", (page) => walk(page, ["the criteria", "the terms", "review and lock"])],
    "order-evidence": [`/orders/detail/?id=${orders.partial}`, null, (page) => press(page, "Compare with the page now")],
    "order-appeal-form": [`/orders/detail/?id=${orders.partial}`, "ann", (page) => press(page, "Appeal")],
    "order-why-not": [`/orders/detail/?id=${orders.open}`, "ann", (page) => page.getByText("Not possible now, and why").click()],
    "lifecycle-end": ["/lifecycle/", null, async (page) => {
      await press(page, "An appeal that adds");
      for (let step = 1; step < 4; step++) await press(page, "Next");
    }],
  };
}

function pages({ orders, agreement, people, transaction }) {
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
    provider: `/providers/detail/?address=${people.ben.address}`,
    "provider-new": "/providers/detail/?address=0x00000000000000000000000000000000000000a1",
    transaction: `/network/transaction/?hash=${transaction}`,
    "not-found": "/no-such-page/",
  };
}

const given = process.argv[2]?.startsWith("http") ? process.argv[2] : null;
const only = process.argv.slice(given ? 3 : 2);
const network = given ? { url: given, stop: () => {} } : await startNetwork();
const made = await seed(network.url);

/** A context in which this person's key is a burner of the browser, chosen. */
async function contextOf(options, name) {
  const context = await browser.newContext(options);
  if (name) {
    const { address, key } = made.people[name];
    const label = name[0].toUpperCase() + name.slice(1);
    await context.addInitScript(
      ([burner, account]) => {
        localStorage.setItem("foreman.burners", burner);
        sessionStorage.setItem("foreman.account", account);
      },
      [JSON.stringify([{ address, key, label }]), JSON.stringify({ kind: "burner", address, label })],
    );
  }
  return context;
}

async function take(context, name, place, suffix, act) {
  const page = await context.newPage();
  if (name === "home") await page.addInitScript(pretendCard);
  await page.goto(network.url + place);
  if (name === "home") await page.locator("[data-scene=drawn]").waitFor({ timeout: 60_000, state: "attached" });
  await page.waitForTimeout(900);
  if (act) {
    await act(page);
    await page.waitForTimeout(500);
    await page.evaluate(() => scrollTo(0, 0)); // else the header stands in the middle of the picture
  }
  await page.screenshot({ path: path.join(OUT, `${name}-${suffix}.png`), fullPage: true });
  await page.close();
}

/** Let the page draw its 3D level as where there is a graphics card. */
function pretendCard() {
  const getParameter = WebGL2RenderingContext.prototype.getParameter;
  WebGL2RenderingContext.prototype.getParameter = function (name) {
    const told = getParameter.call(this, name);
    return typeof told === "string" && /swiftshader/i.test(told) ? "A card" : told;
  };
}

const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });
mkdirSync(OUT, { recursive: true });
try {
  for (const [width, height] of [[390, 844], [1440, 900]]) {
    for (const colorScheme of ["light", "dark"]) {
      const options = { viewport: { width, height }, colorScheme, reducedMotion: "reduce" };
      const suffix = `${width}-${colorScheme}`;
      const wanted = (name) => only.length === 0 || only.includes(name);
      for (const [name, [place, who]] of Object.entries(personal(made)).filter(([name]) => wanted(name))) {
        const theirs = await contextOf(options, who);
        await take(theirs, name, place, suffix);
        await theirs.close();
      }
      for (const [name, [place, who, act]] of Object.entries(states(made)).filter(([name]) => wanted(name))) {
        const theirs = await contextOf(options, who);
        await take(theirs, name, place, suffix, act);
        await theirs.close();
      }
      const context = await contextOf(options);
      for (const [name, place] of Object.entries(pages(made)).filter(([name]) => wanted(name))) await take(context, name, place, suffix);
      await context.close();
    }
  }
} finally {
  await browser.close();
  network.stop();
}
