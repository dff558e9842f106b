/** Wallet extensions that announced themselves, each with the way onto this network. */
"use client";
import { Button } from "@/components/ui/Button";
import type { Network } from "@/lib/chain/config";
import { useStore } from "@/lib/store";
import { choose } from "@/lib/wallet/account";
import { bringToNetwork, connectWallet, walletStore, type Wallet } from "@/lib/wallet/injected";
import type { Act } from "./AccountDialog";

const NONE: Wallet[] = [];

export function Wallets({ network, busy, act, onChosen }: { network: Network | null; busy: string; act: Act; onChosen: () => void }) {
  const wallets = useStore(walletStore, NONE);
  const connect = (wallet: Wallet) =>
    act(wallet.rdns, async () => {
      const address = await connectWallet(wallet);
      if (network) await bringToNetwork(wallet, network);
      choose({ kind: "injected", address, label: wallet.name, rdns: wallet.rdns });
      onChosen();
    });
  return (
    <section aria-labelledby="wallets" className="mt-6">
      <h3 id="wallets" className="font-[560]">Wallets in this browser</h3>
      {wallets.length === 0 ? (
        <p className="mt-1 text-small text-ink-2">No wallet extension has announced itself to this page.</p>
      ) : (
        <ul className="mt-3 flex flex-col gap-2">
          {wallets.map((wallet) => (
            <li key={wallet.rdns}>
              <Button className="w-full !justify-start" disabled={busy !== ""} onClick={() => void connect(wallet)}>
                {/* eslint-disable-next-line @next/next/no-img-element -- a data: image of the extension */}
                {wallet.icon && <img src={wallet.icon} alt="" width={20} height={20} />}
                {busy === wallet.rdns ? `Waiting for ${wallet.name}…` : `Connect ${wallet.name}`}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {network && wallets.length > 0 && <p className="mt-2 text-small text-ink-2">It will be asked to add and use {network.name}, chain {network.chainId}.</p>}
    </section>
  );
}
