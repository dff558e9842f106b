/** What browser tests share: pages whose console must stay silent, people who need nothing, and the steps of an order. */
import { test as base, expect, type BrowserContext, type Page } from "@playwright/test";
import { startNetwork, type TestNetwork } from "./network";

export { expect };

let here: TestNetwork | null = null;

/** Where this worker's network is. */
export function url(): string {
  if (!here) throw new Error("this worker has no network yet");
  return here.url;
}

type Fixtures = { quiet: string[] };
type WorkerFixtures = { network: TestNetwork };

/** Every test fails on console errors and page errors, unless it empties `quiet` because it caused them. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  network: [
    async ({}, use) => {
      here = await startNetwork();
      await use(here);
      await here.stop();
    },
    { auto: true, scope: "worker" }, // its own, so that a test may turn its clock without the others noticing
  ],
  quiet: [
    async ({ context }, use) => {
      const said: string[] = [];
      listen(context, said);
      await use(said);
      expect(said, "the console must stay silent").toEqual([]);
    },
    { auto: true },
  ],
  baseURL: async ({ network }, use) => use(network.url),
});

export function listen(context: BrowserContext, said: string[]): void {
  context.on("console", (message) => {
    if (/was preloaded using link preload|GL Driver Message/.test(message.text())) return; // a tab in the background paints late; software WebGL is slow
    if (message.type() === "error" || message.type() === "warning") said.push(`${message.type()}: ${message.text()} at ${message.location().url}`);
  });
  context.on("weberror", (error) => said.push(`page error: ${error.error().message}`));
}

/** Become a newcomer with 100 GEN, by visible labels only. */
export async function becomeNewcomer(page: Page): Promise<void> {
  await page.getByRole("banner").getByRole("button", { name: "Connect" }).click();
  await page.getByRole("button", { name: "New burner account with 100 GEN" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
}

/** Open a sample order and wait for its page. Returns its number. */
export async function openSample(page: Page, sample: string, gen?: string): Promise<number> {
  await page.bringToFront(); // as a person would; and a tab in the background paints once a second
  await page.goto("/orders/new/");
  await page.getByRole("button", { name: sample, exact: true }).click();
  await page.getByRole("button", { name: "Next: the criteria" }).click();
  await page.getByRole("button", { name: "Next: the terms" }).click();
  if (gen) await page.getByLabel("Escrow").fill(gen);
  await page.getByRole("button", { name: "Next: review and lock" }).click();
  await page.getByRole("button", { name: /^Lock .* GEN and open the order$/ }).click();
  await page.waitForURL(/\/orders\/detail\/\?id=\d+/);
  return Number(new URL(page.url()).searchParams.get("id"));
}

/** Press the button of an action, opening its panel if it is folded. */
export async function act(page: Page, title: string): Promise<void> {
  await page.bringToFront();
  const aside = page.getByRole("complementary", { name: "Money and actions" });
  const buttons = aside.getByRole("button", { name: title, exact: true });
  await expect(buttons.first()).toBeVisible();
  if ((await buttons.first().getAttribute("aria-expanded")) === "false") await buttons.first().click();
  await buttons.last().click();
}

export async function deliver(page: Page, sample: string): Promise<void> {
  await openPanel(page, "Deliver");
  await page.getByRole("button", { name: sample }).click();
  await act(page, "Deliver");
}

export async function openPanel(page: Page, title: string): Promise<void> {
  await page.bringToFront();
  const button = page.getByRole("button", { name: title, exact: true }).first();
  await expect(button).toBeVisible();
  if ((await button.getAttribute("aria-expanded")) === "false") await button.click();
}

/** The state an order shows in its head. */
export function state(page: Page) {
  return page.locator("main header").first();
}

/** A second person in the same browser: another tab with its own account. */
export async function secondTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto("/");
  await page.getByRole("banner").locator("[aria-haspopup=dialog]").click();
  await page.getByRole("button", { name: "New burner account with 100 GEN" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  return page;
}
