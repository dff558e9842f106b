/** Wallet extensions, found as EIP-6963 says, and asked as EIP-1193 says. */
import type { Network } from "@/lib/chain/config";
import { ChainError, fromWallet, messageOf } from "@/lib/chain/errors";
import { makeStore } from "@/lib/store";

export type Provider = {
  request: (ask: { method: string; params?: unknown }) => Promise<unknown>;
  on?: (event: string, listener: (value: never) => void) => void;
  removeListener?: (event: string, listener: (value: never) => void) => void;
};

export type Wallet = { rdns: string; name: string; icon: string; provider: Provider };

type Announcement = CustomEvent<{ info: { uuid: string; name: string; icon: string; rdns: string }; provider: Provider }>;

export const walletStore = makeStore<Wallet[]>([]);

/** Listen for wallets and ask them to announce themselves. Returns how to stop. */
export function discoverWallets(): () => void {
  const listen = (event: Event) => {
    const { info, provider } = (event as Announcement).detail ?? {};
    if (!info || typeof info.rdns !== "string" || typeof provider?.request !== "function") return;
    const icon = typeof info.icon === "string" && info.icon.startsWith("data:image/") ? info.icon : "";
    const found = { rdns: info.rdns, name: String(info.name).slice(0, 40), icon, provider };
    walletStore.set((now) => [...now.filter((wallet) => wallet.rdns !== found.rdns), found]);
  };
  window.addEventListener("eip6963:announceProvider", listen);
  window.dispatchEvent(new Event("eip6963:requestProvider"));
  return () => window.removeEventListener("eip6963:announceProvider", listen);
}

export function findWallet(rdns: string): Wallet {
  const wallet = walletStore.get().find((row) => row.rdns === rdns);
  if (!wallet) throw new ChainError("no_wallet", "The wallet you used before is not here any more.", "Connect another account.");
  return wallet;
}

async function ask(provider: Provider, method: string, params: unknown[] = []): Promise<unknown> {
  try {
    return await provider.request({ method, params });
  } catch (error) {
    throw fromWallet(error) ?? new ChainError("refused", messageOf(error));
  }
}

export async function connectWallet(wallet: Wallet): Promise<string> {
  const accounts = await ask(wallet.provider, "eth_requestAccounts");
  const first = Array.isArray(accounts) ? accounts[0] : null;
  if (typeof first !== "string") throw new ChainError("no_wallet", "The wallet offered no account.", "Unlock it and try again.");
  return first;
}

export async function walletChain(wallet: Wallet): Promise<number> {
  return Number(await ask(wallet.provider, "eth_chainId"));
}

/** Make sure the wallet is on the app's network: switch, and when it does not know the network, add it and switch. */
export async function bringToNetwork(wallet: Wallet, network: Network): Promise<void> {
  if ((await walletChain(wallet)) === network.chainId) return;
  const chainId = `0x${network.chainId.toString(16)}`;
  try {
    await ask(wallet.provider, "wallet_switchEthereumChain", [{ chainId }]);
  } catch (error) {
    if (!(error instanceof ChainError) || error.code !== 4902) throw error;
    await ask(wallet.provider, "wallet_addEthereumChain", [
      {
        chainId,
        chainName: `GenLayer ${network.name}`,
        rpcUrls: [new URL(network.rpcUrl, location.href).href],
        nativeCurrency: { name: "GEN", symbol: "GEN", decimals: 18 },
      },
    ]);
    await ask(wallet.provider, "wallet_switchEthereumChain", [{ chainId }]);
  }
  if ((await walletChain(wallet)) !== network.chainId)
    throw new ChainError("wrong_chain", `Your wallet is still not on ${network.name} (chain ${network.chainId}).`, "Switch it there, then try again.");
}
