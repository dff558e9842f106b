/** A delivered page, read again: same, changed or gone, through the node's own guarded reader. And what a network serves to play with. */
import type { Page } from "@playwright/test";
import { seed } from "../../scripts/seed.mjs";
import { expect, test, url } from "./support";

let order = 0;

test.beforeAll(async () => {
  order = (await seed(url())).orders.partial;
});

/** Let the node answer one method as told, and everything else as it does. */
async function answer(page: Page, method: string, reply: object): Promise<void> {
  await page.route("**/api", async (route) => {
    const call = JSON.parse(route.request().postData() ?? "{}") as { id: number; method: string };
    if (call.method === method) await route.fulfill({ json: { jsonrpc: "2.0", id: call.id, ...reply } });
    else await route.continue();
  });
}

async function compare(page: Page): Promise<void> {
  await page.goto(`/orders/detail/?id=${order}`);
  await page.getByRole("button", { name: "Compare with the page now" }).click();
}

test("a page that still says the same is told as the same, and its text is shown as the jury would read it", async ({ page }) => {
  await compare(page);
  await expect(page.getByText("Same. The page shows exactly what the leader read.")).toBeVisible();
  await page.getByText("The text as the jury would read it now").click();
  await expect(page.getByRole("region", { name: "The text of the page" })).toContainText("Added");
});

test("a page that says something else is told as changed, never as the same", async ({ page }) => {
  await answer(page, "foreman_readEvidence", { result: { fingerprint: "0123456789abcdef", chars: 1234, truncated: false, text: "<b>Other</b>" } });
  await compare(page);
  await expect(page.getByText("Changed. The page now reads as 0123456789abcdef, with 1,234 characters.")).toBeVisible();
  await page.getByText("The text as the jury would read it now").click();
  await expect(page.getByRole("region", { name: "The text of the page" })).toContainText("<b>Other</b>");
});

test("a page that cannot be had is told as gone, with the reason", async ({ page }) => {
  await answer(page, "foreman_readEvidence", { result: { reason: "it answered with status 404" } });
  await compare(page);
  await expect(page.getByText("Gone. It answered with status 404")).toBeVisible();
});

test("a node that is busy says so, and a node that reads for nobody leads to the command line", async ({ page, quiet }) => {
  await answer(page, "foreman_readEvidence", { error: { code: -32005, message: "too many pages are being read (try again in a moment)", data: { code: "busy", hint: "try again in a moment" } } });
  await compare(page);
  await expect(page.getByRole("alert").filter({ hasText: "too many pages are being read" })).toBeVisible();
  await page.unroute("**/api");
  await answer(page, "foreman_readEvidence", { error: { code: -32000, message: "this network reads no evidence for others", data: { code: "not_offered" } } });
  await page.route("http://work.example/**", (route) => route.abort());
  await page.getByRole("button", { name: "Compare with the page now" }).click();
  await expect(page.getByText(`foreman order verify ${order}`)).toBeVisible();
  quiet.length = 0; // the browser itself reports the page it could not read
});

test("the sample pages of the form are those the network says it serves, and none where it serves none", async ({ page }) => {
  const told = (await (await page.request.get("/config.json")).json()) as { samples: { title: string }[] };
  expect(told.samples.length).toBeGreaterThan(0);
  await page.goto("/orders/new/");
  await expect(page.getByText("this network serves pages that answer it")).toBeVisible();
  await page.route("**/config.json", async (route) => route.fulfill({ json: { ...told, samples: [] } }));
  await page.reload();
  await expect(page.getByRole("button", { name: "Release notes", exact: true })).toBeVisible();
  await expect(page.getByText("this network serves pages that answer it")).toBeHidden();
});

test("an address that is no page answers 404 and leads home", async ({ page, quiet }) => {
  const answered = await page.goto("/no/such/page/");
  expect(answered?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "There is no such page", level: 1 })).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Home" }).click();
  await expect(page.getByRole("heading", { name: /Work between agents/ })).toBeVisible();
  quiet.length = 0; // the browser reports the 404 that was asked for
});
