/** Every page: readable by everyone, silent, still, and whole on the smallest screens. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import { seed, seedAmount } from "../../scripts/seed.mjs";
import { becomeNewcomer, expect, test, url } from "./support";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

test.describe.configure({ mode: "parallel" }); // most of the time of all browser tests is spent here

let places: string[] = [];

test.beforeAll(async () => {
  const made = await seed(url());
  const { orders, agreement } = made;
  places = [
    "/", "/orders/", "/orders/?status=open&page=9", `/orders/detail/?id=${orders.partial}`, `/orders/detail/?id=${orders.open}`, "/orders/detail/?id=99999",
    "/orders/new/", "/agreements/", `/agreements/detail/?id=${agreement}`, `/agreements/detail/?id=${agreement + 1}`, "/agreements/new/", "/dashboard/",
    "/leaderboard/", "/providers/detail/?address=0x00000000000000000000000000000000000000a1", "/lifecycle/", "/how-it-works/", "/docs/", "/docs/quickstart/",
    "/network/", "/setup/", "/404.html",
  ];
});

async function settle(page: Page, place: string): Promise<void> {
  await page.goto(place);
  await page.waitForLoadState("networkidle").catch(() => undefined); // the stream stays open
  await expect(page.getByText(/Reading (from the network|the)/)).toHaveCount(0);
}

type Violation = { id: string; help: string; nodes: { html: string; failureSummary: string }[] };

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run: (root: Document, options: object) => Promise<{ violations: unknown[] }> } };
    return (await axe.run(document, { resultTypes: ["violations"] })).violations;
  });
  return (found as Violation[]).flatMap((row) => row.nodes.map((node) => `${row.id}: ${node.html.slice(0, 160)} ${node.failureSummary.slice(0, 200)}`));
}

test("axe sees a fault when there is one", async ({ page }) => {
  await settle(page, "/setup/");
  await page.evaluate(() => document.querySelector("main")!.insertAdjacentHTML("beforeend", "<img src='data:,'><p style='color:#ccc'>pale</p>"));
  expect((await violations(page)).length).toBeGreaterThan(1);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing on any page, ${colorScheme}`, async ({ page }) => {
    test.setTimeout(180_000);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const place of places) {
      await settle(page, place);
      expect(await violations(page), place).toEqual([]);
    }
    await page.goto("/");
    await page.getByRole("banner").getByRole("button", { name: "Connect" }).click();
    expect(await violations(page), "the account dialog").toEqual([]);
  });
}

/** The page fits into the smallest screens. */
async function fits(page: Page, place: string): Promise<void> {
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 640 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${place} at ${width} px`).toBeLessThanOrEqual(width);
  }
}

test("no page is wider than the smallest screens", async ({ page }) => {
  test.setTimeout(180_000);
  for (const place of places) {
    await settle(page, place);
    await fits(page, place);
  }
});

test("no document is wider than the smallest screens, and its tables scroll in their own box", async ({ page }) => {
  test.setTimeout(180_000);
  await page.goto("/docs/");
  const links = await page.locator('main a[href^="/docs/"]').evaluateAll((found) => found.map((link) => new URL((link as HTMLAnchorElement).href).pathname));
  expect(new Set(links).size).toBeGreaterThan(15);
  for (const place of new Set(links)) {
    await page.goto(place, { waitUntil: "domcontentloaded" });
    await fits(page, place);
  }
  await page.goto("/docs/agreements/");
  expect(await page.getByRole("region", { name: "Table" }).evaluateAll((boxes) => boxes.some((box) => box.scrollWidth > box.clientWidth))).toBe(true);
});

test("an amount of nine digits and eighteen decimals fits, and every digit is there", async ({ page }) => {
  test.setTimeout(180_000);
  const made = await seedAmount(url(), 123_456_789_123_456_789_012_345_678n);
  await page.goto("/setup/");
  await page.evaluate(({ address, key }) => {
    localStorage.setItem("foreman.burners", JSON.stringify([{ address, key, label: "Ada" }]));
    localStorage.setItem("foreman.account", JSON.stringify({ kind: "burner", address, label: "Ada" }));
  }, made.payer);
  const details = [`/orders/detail/?id=${made.settled}`, `/orders/detail/?id=${made.open}`, `/agreements/detail/?id=${made.agreement}`];
  for (const place of ["/", "/orders/", "/agreements/", "/dashboard/", "/leaderboard/", `/providers/detail/?address=${made.provider}`, "/network/", ...details]) {
    await settle(page, place);
    await fits(page, place);
    if (details.includes(place)) await expect(page.locator("main data").filter({ hasText: "123\u2009456\u2009789.123456789012345678" }).first()).toBeVisible();
  }
  await page.goto("/orders/new/");
  await page.getByRole("button", { name: "Glossary", exact: true }).click();
  for (const next of ["Next: the criteria", "Next: the terms"]) await page.getByRole("button", { name: next }).click();
  await page.getByLabel("Escrow").fill("123456789.123456789012345678");
  await expect(page.getByText(/This account holds/)).toBeHidden();
  await page.getByLabel("Escrow").fill("999456789.123456789012345678");
  await expect(page.getByText(/This account holds.*less than this amount/)).toBeVisible();
  await fits(page, "the terms of a new order");
  await page.getByRole("button", { name: "Next: review and lock" }).click();
  await fits(page, "the review of a new order");
});

test("two seconds after loading nothing moves, motion welcome or not", async ({ page }) => {
  for (const reducedMotion of ["no-preference", "reduce"] as const) {
    await page.emulateMedia({ reducedMotion });
    for (const place of ["/", "/orders/", "/lifecycle/", "/network/"]) {
      await page.goto(place);
      await page.waitForTimeout(2000);
      expect(await page.evaluate(() => document.getAnimations().length), place).toBe(0);
    }
  }
});

test("each page says where one is: one title, one main heading, one main part", async ({ page }) => {
  for (const place of places) {
    await settle(page, place);
    await expect(page.locator("h1"), place).toHaveCount(1);
    await expect(page.locator("main"), place).toHaveCount(1);
    expect(await page.title(), place).toMatch(/Foreman/);
  }
});

test.describe("elsewhere in the world", () => {
  for (const [locale, timezoneId] of [["de-DE", "Pacific/Kiritimati"], ["ar-EG", "Africa/Cairo"]] as const) {
    test(`hydration is silent and times are UTC in ${locale}, ${timezoneId}, dark, with an account kept`, async ({ browser }) => {
      const context = await browser.newContext({ locale, timezoneId, colorScheme: "dark", baseURL: url() });
      const said: string[] = [];
      const page = await context.newPage();
      page.on("console", (message) => message.type() === "error" && said.push(message.text()));
      page.on("pageerror", (error) => said.push(error.message));
      await page.goto("/");
      await becomeNewcomer(page);
      for (const place of places.slice(0, 4)) await settle(page, place);
      await expect(page.locator("time").first()).toHaveAttribute("title", / UTC$/);
      expect(said).toEqual([]);
      await context.close();
    });
  }
});

test("the whole way to a new order can be walked by keyboard, focus always seen", async ({ page }) => {
  await page.goto("/orders/new/");
  const tabTo = async (name: RegExp) => {
    for (let presses = 0; presses < 80; presses++) {
      await page.keyboard.press("Tab");
      const here = await page.evaluate(() => {
        const focused = document.activeElement as HTMLElement;
        const style = getComputedStyle(focused);
        return { name: focused.innerText || focused.getAttribute("aria-label") || (focused as HTMLInputElement).labels?.[0]?.innerText || "", outline: style.outlineStyle, width: parseFloat(style.outlineWidth) };
      });
      expect(here.outline !== "none" && here.width > 0, `focus is seen on ${here.name}`).toBe(true);
      if (name.test(here.name)) return;
    }
    throw new Error(`no way to ${name}`);
  };
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter"); // skip to the content
  await expect(page.locator("#content")).toBeFocused();
  await tabTo(/^Glossary$/);
  await page.keyboard.press("Enter");
  await tabTo(/^Next: the criteria/);
  await page.keyboard.press("Enter");
  await tabTo(/^Next: the terms/);
  await page.keyboard.press("Enter");
  await tabTo(/^Escrow/);
  await page.keyboard.press("Control+A");
  await page.keyboard.type("2");
  await tabTo(/^Next: review/);
  await page.keyboard.press("Enter");
  await tabTo(/^Lock 2 GEN/);
});
