/** The node goes and comes back; links are opened deep; nothing is ever told that is not so. */
import { becomeNewcomer, expect, listen, openSample, test, url } from "./support";
import { startNetwork } from "./network";

const PAGES = ["/orders/", "/orders/detail/?id=0", "/agreements/", "/agreements/detail/?id=1", "/leaderboard/", "/network/", `/network/transaction/?hash=0x${"a1".repeat(32)}`, `/providers/detail/?address=0x${"0".repeat(38)}a1`, "/dashboard/"];

test("while the node is down the list says so, never that it is empty, and recovers by itself", async ({ browser }) => {
  const network = await startNetwork();
  const port = Number(new URL(network.url).port);
  const context = await browser.newContext({ baseURL: network.url, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto("/orders/");
  await expect(page.getByText("No order has been opened yet.")).toBeVisible();
  await network.stop();
  await expect(page.getByText("The network cannot be reached. This page keeps trying")).toBeVisible();
  await page.getByRole("link", { name: /^Completed/ }).click();
  await expect(page.getByRole("alert").filter({ hasText: "The network cannot be reached" })).toBeVisible();
  await expect(page.getByText(/No order (is|has)/)).toBeHidden();

  const again = await startNetwork(port);
  await expect(page.getByText("No order is completed just now.")).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText("The network cannot be reached. This page keeps trying")).toBeHidden();
  await context.close();
  await again.stop();
});

test("the outage stays in sight, and what another chain took is told as gone, not as under way", async ({ browser }) => {
  const network = await startNetwork();
  const port = Number(new URL(network.url).port);
  const context = await browser.newContext({ baseURL: network.url, reducedMotion: "reduce", viewport: { width: 390, height: 700 } });
  const page = await context.newPage();
  await page.goto("/");
  await becomeNewcomer(page);
  await openSample(page, "Glossary");
  const tray = page.getByRole("complementary", { name: "Your transactions" });
  await expect(tray.getByText("Final. It was accepted and carried out.")).toBeVisible();

  await page.goto("/how-it-works/");
  await page.evaluate(() => window.scrollTo(0, 1200));
  await network.stop();
  await expect(page.getByText("The network cannot be reached. This page keeps trying")).toBeInViewport();

  const again = await startNetwork(port);
  await expect(tray.getByText(/not known to this network any more/)).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText("The network cannot be reached. This page keeps trying")).toBeHidden();
  await page.reload();
  await expect(tray.getByText(/not known to this network any more/)).toBeVisible();
  await tray.getByRole("button", { name: /Dismiss/ }).click();
  await expect(tray).toBeHidden();
  await context.close();
  await again.stop();
});

test("with the node's answers cut off, each page shows the failure and a way to try again", async ({ page, quiet }) => {
  await page.route("**/api", (route) => route.abort());
  for (const place of PAGES) {
    await page.goto(place);
    if (place === "/dashboard/") await expect(page.getByText("Choose an account to see its desk.")).toBeVisible();
    else await expect(page.getByRole("alert").filter({ hasText: "The network cannot be reached" }).first()).toBeVisible();
    await expect(page.getByText(/No (order|agreement|provider) has/)).toHaveCount(0);
  }
  await page.goto("/");
  await expect(page.getByRole("alert").filter({ hasText: "The network cannot be reached" })).toBeVisible();
  quiet.length = 0; // the browser itself reports requests that were cut off
});

test("without any network configured, the app leads to the set-up page", async ({ page, quiet }) => {
  await page.route("**/config.json", (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto("/orders/");
  await page.getByRole("link", { name: "Set it up" }).click();
  await expect(page.getByRole("heading", { name: "Connect this app to a network" })).toBeVisible();
  quiet.length = 0; // the browser reports the 404
});

test("deep links and refresh work with and without the final slash", async ({ page, request }) => {
  for (const place of ["/orders/detail?id=424242", "/orders/detail/?id=424242"]) {
    await page.goto(place);
    await expect(page.getByText("There is no order 424242.")).toBeVisible();
    await page.reload();
    await expect(page.getByText("There is no order 424242.")).toBeVisible();
  }
  expect((await request.get(`${url()}/orders/`)).status()).toBe(200);
  expect((await request.get(`${url()}/no-such-page/`)).status()).toBe(404);
});

test("a network with a finality window is told as settling until the money has moved", async ({ browser }) => {
  const network = await startNetwork(0, "--finality-window", "6");
  const context = await browser.newContext({ baseURL: network.url, reducedMotion: "reduce" });
  const said: string[] = [];
  listen(context, said);
  const page = await context.newPage();
  await page.goto("/");
  await page.getByRole("banner").getByRole("button", { name: "Connect" }).click();
  await page.getByRole("button", { name: "New burner account with 100 GEN" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.goto("/orders/new/");
  await page.getByRole("button", { name: "Glossary", exact: true }).click();
  for (const next of ["Next: the criteria", "Next: the terms", "Next: review and lock"]) await page.getByRole("button", { name: next }).click();
  await page.getByRole("button", { name: /^Lock/ }).click();
  const tray = page.getByRole("complementary", { name: "Your transactions" });
  await expect(tray.getByText("Settling", { exact: true })).toBeVisible();
  await expect(tray.getByText(/Money is settling until this is final/)).toBeVisible();
  await expect(tray.getByText("Final. It was accepted and carried out.")).toBeVisible({ timeout: 15_000 });
  expect(said).toEqual([]);
  await context.close();
  await network.stop();
});
