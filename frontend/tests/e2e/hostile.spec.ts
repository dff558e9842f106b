/** Text and addresses that parties and models wrote are shown as text: no script, no link, no image, nothing hidden. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Page, Route } from "@playwright/test";
import { encode, toHex, type Argument } from "../../lib/chain/calldata";
import { expect, test } from "./support";

type Case = { id: string; technique: string; text?: string; checks: string[] };

const file = path.resolve(import.meta.dirname, "../../../tests/cases/injections.json");
const { cases } = JSON.parse(readFileSync(file, "utf8")) as { cases: Case[] };
const escaped = cases.filter((row) => row.checks.includes("ui_escaped") && row.text);

const ORDER: { [key: string]: Argument } & { client: string } = {
  id: 7, client: `0x${"a1".repeat(20)}`, provider: `0x${"b2".repeat(20)}`, title: "An order", spec: "A spec", acceptance_criteria: "A criterion",
  deliverable_url: "https://example.com/report", deliverable_note: "", escrow_wei: 10n ** 18n, deadline: 1_900_000_000, status: "completed",
  payout_percent: 60, verdict_reasoning: "Because.", red_flags: [], created_at: 1_700_000_000, delivered_at: 1_700_000_000, resolved_at: 1_700_000_000,
};

/** Let the node answer every get_order with this order, as another client or an old contract could have stored it. */
async function serveOrder(page: Page, order: { [key: string]: Argument }): Promise<void> {
  await page.route("**/api", async (route: Route) => {
    const call = JSON.parse(route.request().postData() ?? "{}") as { method: string; params: [{ data?: string }] };
    const method = Buffer.from(call.params?.[0]?.data?.slice(2) ?? "", "hex").toString("latin1");
    if (call.method === "gen_call" && method.includes("get_order")) {
      const answer = method.includes("get_orders") ? encode([order]) : encode(order);
      await route.fulfill({ json: { jsonrpc: "2.0", id: 1, result: toHex(answer) } });
    } else await route.continue();
  });
}

/** Nothing of the untrusted text became markup, and nothing outside was asked for. */
async function expectInert(page: Page, text: string): Promise<void> {
  const outside: string[] = [];
  page.on("request", (request) => new URL(request.url()).hostname !== "127.0.0.1" && outside.push(request.url()));
  await expect(page.getByText("Because.").or(page.locator("[data-untrusted]").filter({ hasText: text.slice(0, 20).trim() })).first()).toBeVisible();
  expect(await page.locator("[data-untrusted] *:not(span):not(br)").count()).toBe(0);
  expect(await page.locator('a[href^="javascript:" i], a[href^="data:" i], iframe, object, embed').count()).toBe(0);
  expect(await page.evaluate(() => (window as unknown as { pwned?: boolean }).pwned)).toBeUndefined();
  expect(outside).toEqual([]);
}

test("there are cases to try", () => expect(escaped.length).toBeGreaterThanOrEqual(2));

for (const row of escaped) {
  test(`${row.id} ${row.technique}: shown as text in reasoning, title, note, flags and timeline`, async ({ page }) => {
    page.on("dialog", () => {
      throw new Error("a script ran");
    });
    const text = row.text!;
    const moment = { t: 1_700_000_000, event: text.slice(0, 40), actor: ORDER.client, detail: text };
    await serveOrder(page, {
      ...ORDER, title: text.slice(0, 120), spec: text, deliverable_note: text, verdict_reasoning: text, red_flags: [text],
      criteria_results: [{ criterion: text, met: true }], timeline: [moment],
    });
    await page.goto("/orders/detail/?id=7");
    await expectInert(page, text);
    const reasoning = await page.locator("[data-untrusted]").filter({ hasText: text.slice(-30).trim() }).count();
    expect(reasoning).toBeGreaterThanOrEqual(4);
  });
}

for (const address of ["javascript:alert(1)", "java\tscript:alert(1)", "data:text/html,<script>alert(1)</script>", "JaVaScRiPt:alert(1)", "http://127.0.0.1/", "//example.com", "vbscript:x"]) {
  test(`a stored address ${JSON.stringify(address)} is never a link`, async ({ page }) => {
    await serveOrder(page, { ...ORDER, deliverable_url: address });
    await page.goto("/orders/detail/?id=7");
    await expect(page.getByText("Compare with the page now")).toBeVisible();
    const main = page.getByRole("main");
    expect(await main.locator("a[target=_blank]").count()).toBe(0);
    await expectInert(page, address);
  });
}

test("a good address is a link that tells nobody where it was clicked", async ({ page }) => {
  await serveOrder(page, ORDER);
  await page.goto("/orders/detail/?id=7");
  const link = page.getByRole("link", { name: /example\.com\/report/ });
  await expect(link).toHaveAttribute("rel", /noopener noreferrer/);
});

test("an old order without timeline, checklist and fingerprint renders", async ({ page }) => {
  const { red_flags: _, ...old } = ORDER;
  await serveOrder(page, old);
  await page.goto("/orders/detail/?id=7");
  await expect(page.getByRole("heading", { name: "An order", level: 1 })).toBeVisible();
  await expect(page.getByText("This contract keeps no timeline.")).toBeVisible();
  await expect(page.getByText("not recorded by this contract")).toBeVisible();
  await page.goto("/orders/");
  await expect(page.getByRole("link", { name: /An order/ })).toBeVisible();
});

test("invisible characters become visible", async ({ page }) => {
  await serveOrder(page, { ...ORDER, verdict_reasoning: "Because. paid\u202e001 and\u200b hidden \u{e0041}" });
  await page.goto("/orders/detail/?id=7");
  for (const code of ["U+202E", "U+200B", "U+E0041"]) await expect(page.getByText(code)).toBeVisible();
});
