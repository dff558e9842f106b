/** An agreement from draft to settlement, with an appeal, played by three people in one browser. */
import { becomeNewcomer, expect, openPanel, secondTab, test } from "./support";
import type { Page } from "@playwright/test";

async function milestoneAct(page: Page, title: string): Promise<void> {
  await openPanel(page, title);
  await page.getByRole("button", { name: title, exact: true }).last().click();
}

const tag = (page: Page) => page.locator("#milestone-0");

test("draft, fund, deliver, rule, appeal with a bond, rule again, accept", async ({ page, context }) => {
  await page.goto("/");
  await becomeNewcomer(page); // Ada pays
  const provider = await secondTab(context); // Brunel delivers
  const arbiter = await secondTab(context); // Curie would decide a deadlock
  await arbiter.close();

  await page.bringToFront();
  await page.goto("/agreements/new/");
  await page.getByLabel("Title").fill("Release notes, in one milestone");
  await page.getByRole("button", { name: /Brunel.*as provider/ }).click();
  await page.getByRole("button", { name: /Curie.*as arbiter/ }).click();
  await page.getByLabel("Places for evidence").fill("github.io");
  await expect(page.getByText(/Anyone can open a page under github.io/)).toBeVisible();
  await page.getByLabel("Places for evidence").fill("work.example");
  await page.getByRole("button", { name: "Make the draft" }).click();
  await page.waitForURL(/\/agreements\/detail\/\?id=\d+/);

  await page.getByLabel("Milestone title").fill("The notes");
  await page.getByLabel("Milestone criteria").fill('- The page contains "Added"\n- The page contains "Upgrade guide"');
  await page.getByLabel("Amount").fill("10");
  await page.getByRole("button", { name: "Add the milestone" }).click();
  await expect(tag(page)).toContainText("Draft");
  await page.getByRole("button", { name: "Fund and activate" }).click();
  await expect(tag(page)).toContainText("Awaiting evidence");

  await provider.goto(page.url());
  await openPanel(provider, "Submit evidence");
  await provider.getByLabel("Claim").fill("The release notes of version 2.4 are published.");
  await provider.getByLabel("Evidence URLs").fill("https://example.com/elsewhere");
  await expect(provider.getByText(/is not on this agreement/)).toBeVisible();
  await provider.getByLabel("Evidence URLs").fill("https://work.example/notes.html");
  await milestoneAct(provider, "Submit evidence");
  await expect(tag(provider)).toContainText("Under review");
  await milestoneAct(provider, "Ask the network to rule");
  await expect(tag(provider)).toContainText("Ruled");
  await expect(tag(provider)).toContainText("Reject");

  await openPanel(provider, "Appeal");
  await expect(provider.getByText(/A bond of 1 GEN/)).toBeVisible();
  await provider.getByLabel("Grounds").fill("The guide stands in the section on fixes, please look again.");
  await milestoneAct(provider, "Appeal");
  await expect(tag(provider)).toContainText("Under review");
  await milestoneAct(provider, "Ask the network to rule");
  await expect(tag(provider)).toContainText("round 2");
  await milestoneAct(provider, "Accept the ruling");
  await expect(tag(provider)).toContainText("Refunded");
  const money = provider.getByRole("complementary", { name: "Money and actions of milestone 0" });
  await expect(money.getByText("Credited to the payer").locator("..")).toContainText("11 GEN1 GEN of it bonds".replaceAll(" GEN", "\u00a0GEN"));

  await page.bringToFront();
  await page.goto("/dashboard/");
  await expect(page.getByText(/of yours is ready to be taken out/)).toBeVisible();
  await expect(page.locator('data[value="11"]').first()).toBeVisible();
  await page.getByRole("button", { name: "Withdraw" }).click();
  await expect(page.getByText(/of yours is ready to be taken out/)).toBeHidden();
});
