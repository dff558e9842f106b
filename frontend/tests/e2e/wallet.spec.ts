/** Wallet extensions: the wrong chain, an unknown chain, a declined signature, too little money. */
import type { Page } from "@playwright/test";
import { becomeNewcomer, expect, openSample, test, url } from "./support";
import { rpc } from "./network";

type Behaviour = { chain: number; knows: boolean; declines: boolean };

const ADDRESS = "0x00000000000000000000000000000000000000a1";

/** A wallet that announces itself as EIP-6963 says and behaves as told; what it was asked is kept in window.asked. */
async function installWallet(page: Page, behaviour: Behaviour): Promise<void> {
  await page.addInitScript(
    ({ behaviour, address }) => {
      const asked: { method: string; params: unknown }[] = [];
      let chain = behaviour.chain;
      let knows = behaviour.knows;
      Object.assign(window, { asked });
      const fail = (code: number, message: string) => Promise.reject(Object.assign(new Error(message), { code }));
      const provider = {
        request: ({ method, params }: { method: string; params?: unknown[] }) => {
          asked.push({ method, params });
          const first = (params?.[0] ?? {}) as { chainId?: string };
          if (method === "eth_requestAccounts") return Promise.resolve([address]);
          if (method === "eth_chainId") return Promise.resolve(`0x${chain.toString(16)}`);
          if (method === "wallet_switchEthereumChain") {
            if (!knows) return fail(4902, "Unrecognized chain ID");
            chain = Number(first.chainId);
            return Promise.resolve(null);
          }
          if (method === "wallet_addEthereumChain") {
            knows = true;
            return Promise.resolve(null);
          }
          if (method === "eth_sendTransaction" && behaviour.declines) return fail(4001, "User rejected the request.");
          return fail(-32601, `no ${method}`);
        },
      };
      const announce = () =>
        window.dispatchEvent(
          new CustomEvent("eip6963:announceProvider", {
            detail: { info: { uuid: "1", name: "Test Wallet", icon: "data:image/svg+xml,<svg/>", rdns: "example.wallet" }, provider },
          }),
        );
      window.addEventListener("eip6963:requestProvider", announce);
      announce();
    },
    { behaviour, address: ADDRESS },
  );
}

const methods = (page: Page) => page.evaluate(() => (window as unknown as { asked: { method: string }[] }).asked.map((row) => row.method));

async function connect(page: Page): Promise<void> {
  await page.goto("/");
  await page.getByRole("banner").getByRole("button", { name: "Connect" }).click();
  await page.getByRole("button", { name: "Connect Test Wallet" }).click();
}

test("a wallet that does not know the network is offered it, then switched", async ({ page }) => {
  await installWallet(page, { chain: 1, knows: false, declines: false });
  await connect(page);
  await expect(page.getByRole("banner").getByRole("button", { name: /Test Wallet/ })).toBeVisible();
  expect(await methods(page)).toEqual([
    "eth_requestAccounts", "eth_chainId", "wallet_switchEthereumChain", "wallet_addEthereumChain", "wallet_switchEthereumChain", "eth_chainId",
  ]);
  const added = await page.evaluate(() => (window as unknown as { asked: { method: string; params: unknown[] }[] }).asked.find((row) => row.method === "wallet_addEthereumChain")!.params[0]);
  expect(added).toMatchObject({ chainId: "0xeec7", rpcUrls: [`${url()}/api`], nativeCurrency: { symbol: "GEN", decimals: 18 } });
});

test("a declined signature keeps the form, frees the button, and leaves no ghost", async ({ page, quiet }) => {
  await rpc(url(), "sim_fundAccount", [ADDRESS, "0x8ac7230489e80000"]);
  await installWallet(page, { chain: 61127, knows: true, declines: true });
  await connect(page);
  await page.goto("/orders/new/");
  await page.getByRole("button", { name: "Release notes", exact: true }).click();
  await page.getByRole("button", { name: "Next: the criteria" }).click();
  await page.getByRole("button", { name: "Next: the terms" }).click();
  await page.getByRole("button", { name: "Next: review and lock" }).click();
  const lock = page.getByRole("button", { name: "Lock 1 GEN and open the order" });
  await lock.click();
  await expect(page.getByText("You declined in your wallet.")).toBeVisible();
  await expect(lock).toBeEnabled();
  await expect(page.getByText("Release notes for Tide 2.4").first()).toBeVisible();
  await expect(page.getByRole("complementary", { name: "Your transactions" })).toBeHidden();
  quiet.length = 0; // the client library warns about the declined request
});

test("too little money is said before anything is signed", async ({ page }) => {
  await page.goto("/");
  await becomeNewcomer(page);
  await page.goto("/orders/new/");
  await page.getByRole("button", { name: "Glossary", exact: true }).click();
  await page.getByRole("button", { name: "Next: the criteria" }).click();
  await page.getByRole("button", { name: "Next: the terms" }).click();
  await page.getByLabel("Escrow").fill("100.000000000000000001");
  await page.getByRole("button", { name: "Next: review and lock" }).click();
  await page.getByRole("button", { name: /^Lock/ }).click();
  await expect(page.getByText(/Not enough GEN/)).toBeVisible();
});

test("an amount is read exactly or refused with a reason", async ({ page }) => {
  await page.goto("/orders/new/");
  await page.getByRole("button", { name: "Glossary", exact: true }).click();
  await page.getByRole("button", { name: "Next: the criteria" }).click();
  await page.getByRole("button", { name: "Next: the terms" }).click();
  const next = page.getByRole("button", { name: "Next: review and lock" });
  for (const wrong of ["0,5", "1e-3", "0.0000000000000000001", ".5", "1.", "１", "-1", "1_000", "0x10", "0.000999999999999999"]) {
    await page.getByLabel("Escrow").fill(wrong);
    await expect(next).toBeDisabled();
  }
  await page.getByLabel("Escrow").fill("1234.5");
  await expect(next).toBeEnabled();
  await expect(page.locator('data[value="1234.5"]')).toBeVisible();
});

test("a tab keeps its account over a reload, and another tab its own", async ({ page, context }) => {
  await page.goto("/");
  await becomeNewcomer(page);
  const other = await context.newPage();
  await other.goto("/");
  await other.getByRole("banner").getByRole("button", { name: /Ada/ }).click();
  await other.getByRole("button", { name: "New burner account with 100 GEN" }).click();
  await expect(other.getByRole("banner").getByRole("button", { name: /Brunel/ })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("banner").getByRole("button", { name: /Ada/ })).toBeVisible();
  expect(await openSample(page, "Glossary")).toBeGreaterThanOrEqual(0);
});
