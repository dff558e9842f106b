/** Dissent, disagreement and slowness of a jury, as the app tells them. */
import type { Browser, Page } from "@playwright/test";
import { act, becomeNewcomer, deliver, expect, openSample, secondTab, state, test } from "./support";
import { startNetwork } from "./network";

const judges = (...numbers: (number | string)[]) => numbers.flatMap((number) => ["--judge", `scripted:${number}`]);

/** A claimed order on a network with these judges, in front of its provider. */
async function claimed(browser: Browser, options: string[], play: (provider: Page, client: Page) => Promise<void>): Promise<void> {
  const network = await startNetwork(0, ...options);
  const context = await browser.newContext({ baseURL: network.url, reducedMotion: "reduce" });
  try {
    const client = await context.newPage();
    await client.goto("/");
    await becomeNewcomer(client);
    const id = await openSample(client, "Release notes");
    const provider = await secondTab(context);
    await provider.goto(`/orders/detail/?id=${id}`);
    await act(provider, "Claim this order");
    await play(provider, client);
  } finally {
    await context.close();
    await network.stop();
  }
}

test("when the validators do not agree, that is an end and no success, and the provider may try again", async ({ browser }) => {
  await claimed(browser, judges(95, 75, 50, 25, 5), async (provider) => {
    await deliver(provider, "Partial release notes");
    const tray = provider.getByRole("complementary", { name: "Your transactions" });
    await expect(tray.getByText("No agreement", { exact: true })).toBeVisible();
    await expect(tray.getByText(/The validators did not agree, so nothing was decided/)).toBeVisible();
    await expect(tray.getByRole("list", { name: "Stages" })).toBeHidden();
    await expect(state(provider)).toContainText("Claimed");
    await expect(provider.getByText("A delivery that decided nothing")).toBeVisible();
    await expect(provider.getByRole("button", { name: "Deliver", exact: true }).first()).toBeVisible();
  });
});

test("dissent is shown in the dissenter's own words, and the money follows the majority", async ({ browser }) => {
  await claimed(browser, judges(70, 72, 68, 75, 10), async (provider) => {
    await deliver(provider, "Partial release notes");
    await expect(state(provider)).toContainText("Completed");
    const seats = provider.getByRole("listitem").filter({ hasText: /^Seat \d/ });
    await expect(seats).toHaveCount(5);
    await expect(seats.filter({ hasText: /10%/ })).toHaveCount(1);
    await expect(seats.filter({ hasText: /disagrees|came too late/ })).toHaveCount(1);
  });
});

test("while a jury thinks, its seats and the real stage are shown", async ({ browser }) => {
  await claimed(browser, judges("hang", "hang", "hang", 70, 70), async (provider, client) => {
    await deliver(provider, "Partial release notes");
    const tray = provider.getByRole("complementary", { name: "Your transactions" });
    await expect(tray.getByText("Being judged", { exact: true })).toBeVisible();
    await expect(tray.getByRole("list", { name: "Seats of the jury" }).getByRole("listitem")).toHaveCount(5);
    await expect(tray.getByText(/Seat 3: (has an answer|agree)/)).toBeVisible();
    await expect(tray.getByText(/Seat 0: reading/)).toBeVisible();
    await expect(client.getByText("A delivery is in front of the jury")).toBeVisible();
  });
});
