/** The account of this tab, at the top of every page, and the way to another one. */
"use client";
import { useState } from "react";
import { Amount } from "@/components/ui/Amount";
import { shortHex } from "@/lib/format/address";
import { useBalance } from "@/lib/hooks/node";
import { useStore } from "@/lib/store";
import { accountStore } from "@/lib/wallet/account";
import { AccountDialog } from "./AccountDialog";

export function AccountButton() {
  const account = useStore(accountStore, null);
  const balance = useBalance(account?.address ?? null);
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className={`flex min-h-10 items-center gap-2.5 rounded-box border px-3 text-small font-[560] whitespace-nowrap ${
          account ? "border-edge bg-sheet hover:border-ink" : "border-action bg-action text-on-action hover:bg-action-hover"
        }`}
      >
        {account ? (
          <>
            <span>{account.label}</span>
            <span className="figure hidden font-normal text-ink-2 md:inline">{shortHex(account.address)}</span>
            {balance.data !== undefined && <span className="hidden text-ink-2 sm:inline"><Amount wei={balance.data} short /></span>}
          </>
        ) : (
          "Connect"
        )}
      </button>
      {open && <AccountDialog onClose={() => setOpen(false)} />}
    </>
  );
}
