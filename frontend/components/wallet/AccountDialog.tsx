/** Choose who you are in this tab: a wallet extension, or on a development network a burner account with free GEN. */
"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/ui/Button";
import { Dialog } from "@/components/ui/Dialog";
import { Notice } from "@/components/ui/Notice";
import { explain } from "@/lib/chain/errors";
import { useNetwork } from "@/lib/hooks/network";
import { useStore } from "@/lib/store";
import { accountStore, choose } from "@/lib/wallet/account";
import { Burners } from "./Burners";
import { Wallets } from "./Wallets";

export function AccountDialog({ onClose }: { onClose: () => void }) {
  const account = useStore(accountStore, null);
  const network = useNetwork();
  const client = useQueryClient();
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState("");

  /** Run one thing at a time, and say in words what went wrong. */
  const act = async (name: string, work: () => Promise<void>) => {
    setBusy(name);
    setError(null);
    try {
      await work();
      await client.invalidateQueries({ queryKey: ["chain"] });
    } catch (failure) {
      setError(failure);
    }
    setBusy("");
  };

  return (
    <Dialog title="Your account in this tab" onClose={onClose}>
      {error !== null && (
        <div role="alert" className="mb-4">
          <Notice tone="bad"><strong className="font-[560]">{explain(error).title}.</strong> {explain(error).sentence} {explain(error).hint}</Notice>
        </div>
      )}
      {network.data?.dev && <Burners network={network.data} busy={busy} act={act} onChosen={onClose} />}
      <Wallets network={network.data ?? null} busy={busy} act={act} onChosen={onClose} />
      {account && (
        <div className="mt-6 border-t pt-4">
          <Button size="small" weight="quiet" onClick={() => choose(null)}>Leave {account.label}</Button>
        </div>
      )}
    </Dialog>
  );
}

export type Act = (name: string, work: () => Promise<void>) => Promise<void>;
