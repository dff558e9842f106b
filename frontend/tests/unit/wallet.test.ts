/** Accounts and wallets: found, switched, remembered per tab; every refusal told in words. */
import { describe, expect, it } from "vitest";
import { accountStore, burnerStore, choose, chooseBurner, makeBurner, restoreAccounts } from "@/lib/wallet/account";
import { bringToNetwork, connectWallet, discoverWallets, findWallet, walletStore, type Provider, type Wallet } from "@/lib/wallet/injected";
import { CLIENT, network } from "./make";

/** A wallet that answers from a script and keeps what it was asked. */
function scripted(script: Record<string, (params: unknown[]) => unknown>) {
  const asked: string[] = [];
  const provider: Provider = {
    request: async ({ method, params }) => {
      asked.push(method);
      const answer = script[method]?.((params ?? []) as unknown[]);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const wallet: Wallet = { rdns: "example.wallet", name: "Test", icon: "", provider };
  return { wallet, asked };
}

const coded = (code: number) => Object.assign(new Error("no"), { code });

describe("the network of a wallet", () => {
  it("is left alone when it is right", async () => {
    const { wallet, asked } = scripted({ eth_chainId: () => "0xeec7" });
    await bringToNetwork(wallet, network);
    expect(asked).toEqual(["eth_chainId"]);
  });

  it("is added when unknown (4902), then switched", async () => {
    let chain = "0x1";
    let known = false;
    const { wallet, asked } = scripted({
      eth_chainId: () => chain,
      wallet_switchEthereumChain: () => (known ? ((chain = "0xeec7"), null) : coded(4902)),
      wallet_addEthereumChain: () => ((known = true), null),
    });
    await bringToNetwork(wallet, network);
    expect(asked).toEqual(["eth_chainId", "wallet_switchEthereumChain", "wallet_addEthereumChain", "wallet_switchEthereumChain", "eth_chainId"]);
  });

  it("that stays wrong is said to be wrong", async () => {
    const { wallet } = scripted({ eth_chainId: () => "0x1", wallet_switchEthereumChain: () => null });
    await expect(bringToNetwork(wallet, network)).rejects.toMatchObject({ kind: "wrong_chain" });
  });

  it("is not added when the person declines", async () => {
    const { wallet, asked } = scripted({ eth_chainId: () => "0x1", wallet_switchEthereumChain: () => coded(4001) });
    await expect(bringToNetwork(wallet, network)).rejects.toMatchObject({ kind: "rejected" });
    expect(asked).not.toContain("wallet_addEthereumChain");
  });
});

describe("connecting", () => {
  it("gives the first account, and words when there is none", async () => {
    expect(await connectWallet(scripted({ eth_requestAccounts: () => [CLIENT] }).wallet)).toBe(CLIENT);
    await expect(connectWallet(scripted({ eth_requestAccounts: () => [] }).wallet)).rejects.toMatchObject({ kind: "no_wallet" });
    await expect(connectWallet(scripted({ eth_requestAccounts: () => coded(4001) }).wallet)).rejects.toMatchObject({ kind: "rejected" });
  });

  it("finds wallets that announce themselves, once each, and no remote icon", () => {
    walletStore.set([]);
    const stop = discoverWallets();
    const announce = (icon: string) =>
      window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: { info: { uuid: "1", name: "W", icon, rdns: "a.b" }, provider: scripted({}).wallet.provider } }));
    announce("https://evil.example/icon.png");
    announce("data:image/png;base64,AA==");
    window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: null }));
    expect(walletStore.get().map((wallet) => wallet.icon)).toEqual(["data:image/png;base64,AA=="]);
    stop();
    walletStore.set([]);
    expect(() => findWallet("a.b")).toThrow(/not here any more/);
  });
});

describe("burners", () => {
  it("are kept by the browser, named to be told apart, and chosen per tab", async () => {
    burnerStore.set([]);
    const one = await makeBurner();
    const two = await makeBurner();
    expect([one.label, two.label]).toEqual(["Ada", "Brunel"]);
    expect(one.address).toMatch(/^0x[0-9a-fA-F]{40}$/);
    chooseBurner(two.address);
    accountStore.set(null);
    burnerStore.set([]);
    restoreAccounts();
    expect(accountStore.get()).toMatchObject({ kind: "burner", address: two.address });
    choose(null);
    restoreAccounts();
    expect(accountStore.get()).toBeNull();
  });

  it("that were tampered with in storage are not taken", () => {
    localStorage.setItem("foreman.burners", '[{"address":"0x1","key":"nonsense","label":"x"},5,null]');
    restoreAccounts();
    expect(burnerStore.get()).toEqual([]);
    localStorage.setItem("foreman.burners", "{");
    expect(() => restoreAccounts()).not.toThrow();
  });
});
