/** Orders, from opening to their end, played by two people in two tabs. */
import { act, becomeNewcomer, deliver, expect, openPanel, openSample, secondTab, state, test, url } from "./support";
import { rpc } from "./network";

test("from the first visit to a settled order in under a minute, by visible labels only", async ({ page, context }) => {
  const begun = Date.now();
  await page.goto("/");
  await page.getByRole("link", { name: "Open an order" }).first().click();
  await page.getByRole("banner").getByRole("button", { name: "Connect" }).click();
  await page.getByRole("button", { name: "New burner account with 100 GEN" }).click();
  await page.getByRole("button", { name: "River gauge readings" }).click();
  await page.getByRole("button", { name: "Next: the criteria" }).click();
  await page.getByRole("button", { name: "Next: the terms" }).click();
  await page.getByRole("button", { name: "Next: review and lock" }).click();
  await page.getByRole("button", { name: "Lock 2 GEN and open the order" }).click();
  await expect(page.getByRole("heading", { name: "River gauge readings", level: 1 })).toBeVisible();

  const other = await secondTab(context);
  await other.getByRole("link", { name: "Find work" }).click();
  await other.getByRole("link", { name: /River gauge readings/ }).first().click();
  await act(other, "Claim this order");
  await other.getByRole("button", { name: "A good gauge file" }).click();
  await act(other, "Deliver");
  await expect(other.getByText("100%").first()).toBeVisible();
  await expect(state(other)).toContainText("Completed");
  await expect(other.getByText("Paid to the provider")).toBeVisible();
  expect(Date.now() - begun).toBeLessThan(60_000);
});

test("partial work is paid in part, every seat is told, and the client sees it without reloading", async ({ page, context }) => {
  await page.goto("/");
  await becomeNewcomer(page);
  const id = await openSample(page, "Release notes", "10");
  const other = await secondTab(context);
  await other.goto(`/orders/detail/?id=${id}`);
  await act(other, "Claim this order");
  await expect(state(page)).toContainText("Claimed");
  await deliver(other, "Partial release notes");
  for (const tab of [page, other]) {
    await expect(tab.getByText("60%").first()).toBeVisible();
    await expect(tab.getByText("Not met")).toHaveCount(2);
    await expect(tab.getByRole("listitem").filter({ hasText: /^Seat \d.*agrees/ })).toHaveCount(5);
  }
  const money = page.getByRole("complementary", { name: "Money and actions" });
  await expect(money.locator('data[value="6"]')).toBeVisible();
  await expect(money.locator('data[value="4"]')).toBeVisible();
});

test("the client appeals once, sees best and worst case before, and the deposit returns", async ({ page, context }) => {
  await page.goto("/");
  await becomeNewcomer(page);
  const id = await openSample(page, "Glossary", "2");
  const other = await secondTab(context);
  await other.goto(`/orders/detail/?id=${id}`);
  await act(other, "Claim this order");
  await deliver(other, "A poor glossary");
  await expect(state(page)).toContainText("Rejected");
  await openPanel(page, "Appeal");
  await expect(page.getByText(/Best case for your money/)).toBeVisible();
  await expect(page.getByText(/Worst case/)).toBeVisible();
  await page.getByLabel("Context for the jury").fill("Please read the list of terms again.");
  await act(page, "Appeal");
  await expect(page.getByText("used, this verdict is final")).toBeVisible();
  await page.getByText("Not possible now, and why").click();
  await expect(page.getByText("The one appeal was used; the second verdict is final.")).toBeVisible();
});

test("the client cancels an unclaimed order and has the escrow back", async ({ page }) => {
  await page.goto("/");
  await becomeNewcomer(page);
  await openSample(page, "Release notes", "3");
  await act(page, "Cancel");
  await expect(state(page)).toContainText("Cancelled");
  await expect(page.getByRole("banner").locator('data[value="100"]')).toBeVisible();
});

test("a provider lets go, and the order is open again", async ({ page, context }) => {
  await page.goto("/");
  await becomeNewcomer(page);
  const id = await openSample(page, "Release notes");
  const other = await secondTab(context);
  await other.goto(`/orders/detail/?id=${id}`);
  await act(other, "Claim this order");
  await expect(state(other)).toContainText("Claimed");
  await act(other, "Let go of the claim");
  await expect(state(other)).toContainText("Open");
});

test("after the deadline anyone closes the order, and the countdown follows the network's clock", async ({ page }) => {
  await page.goto("/");
  await becomeNewcomer(page);
  const id = await openSample(page, "Release notes");
  await rpc(url(), "sim_increaseTime", [31 * 86_400]);
  await page.goto(`/orders/detail/?id=${id}`);
  await expect(page.getByText("passed: it can be closed as expired")).toBeVisible();
  await act(page, "Close as expired");
  await expect(state(page)).toContainText("Expired");
});

test("a hostile address is refused while it is typed, and a weak one is warned about", async ({ page, context }) => {
  await page.goto("/");
  await becomeNewcomer(page);
  const id = await openSample(page, "Release notes");
  const other = await secondTab(context);
  await other.goto(`/orders/detail/?id=${id}`);
  await act(other, "Claim this order");
  await openPanel(other, "Deliver");
  const field = other.getByLabel("Evidence URL");
  for (const hostile of ["http://169.254.169.254/latest/", "http://localhost:4000/api", "http://0x7f.1/", "https://a:b@example.com/", "javascript:alert(1)"]) {
    await field.fill(hostile);
    await expect(other.getByText(/^Not possible:/)).toBeVisible();
    await expect(other.getByRole("button", { name: "Deliver", exact: true }).last()).toBeDisabled();
  }
  await field.fill("https://abc.ngrok-free.app/report");
  await expect(other.getByText(/This is a tunnel/)).toBeVisible();
  await field.fill("https://raw.githubusercontent.com/org/repo/0123456789abcdef0123456789abcdef01234567/out.json");
  await expect(other.getByText(/This address is pinned/)).toBeVisible();
});

test("a delivery that cannot be read ends as a refusal, never as a success, and can be tried again", async ({ page, context }) => {
  await page.goto("/");
  await becomeNewcomer(page);
  const id = await openSample(page, "River gauge readings");
  const other = await secondTab(context);
  await other.goto(`/orders/detail/?id=${id}`);
  await act(other, "Claim this order");
  await openPanel(other, "Deliver");
  await other.getByLabel("Evidence URL").fill("http://work.example/nothing-here.json");
  await act(other, "Deliver");
  const tray = other.getByRole("complementary", { name: "Your transactions" });
  await expect(tray.getByText(/Accepted, but the contract refused: evidence_status 404/)).toBeVisible();
  await expect(tray.getByText("Failed", { exact: true })).toBeVisible();
  await expect(state(other)).toContainText("Claimed");
});
