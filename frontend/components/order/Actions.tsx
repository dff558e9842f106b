/** What the account of this tab may do with the order now; and, folded away, what it may not and why. */
"use client";
import { useState } from "react";
import { Party } from "@/components/ui/Party";
import { useNow } from "@/lib/hooks/network";
import { orderActions, type Action } from "@/lib/lifecycle/order-actions";
import { useStore } from "@/lib/store";
import { accountStore } from "@/lib/wallet/account";
import type { Order } from "@/lib/chain/orders";
import { ActionForm } from "./ActionForm";

export function Actions({ order, busy }: { order: Order; busy: boolean }) {
  const account = useStore(accountStore, null);
  const now = useNow(5000);
  const [open, setOpen] = useState<string | null>(null);
  if (now === null) return null;
  const actions = orderActions(order, account?.address ?? null, now);
  const able = actions.filter((action) => action.blocked === null);
  const others = actions.filter((action) => action.blocked !== null);
  return (
    <div>
      <h2 className="font-[560]">What you can do now</h2>
      <p className="mt-1 mb-4 text-small text-ink-2">
        {account ? <>As <Party address={account.address} link={false} /></> : "No account is connected in this tab."}
      </p>
      {busy && <p role="status" className="mb-3 text-small text-busy">A transaction about this order is under way. Wait for its end before you decide.</p>}
      {able.length === 0 && <p className="text-ink-2">Nothing, with this account, at this moment.</p>}
      <ul className="flex flex-col gap-2">
        {able.map((action) => (
          <li key={action.method}>
            <Able action={action} order={order} open={open === action.method || able.length === 1} onToggle={() => setOpen(open === action.method ? null : action.method)} />
          </li>
        ))}
      </ul>
      {others.length > 0 && <NotNow actions={others} />}
    </div>
  );
}

function Able({ action, order, open, onToggle }: { action: Action; order: Order; open: boolean; onToggle: () => void }) {
  return (
    <div className="rounded-box border border-rule-2">
      <h3>
        <button type="button" aria-expanded={open} onClick={onToggle} className="flex w-full items-center justify-between px-4 py-2.5 text-left font-[560] hover:bg-well">
          {action.title}
          <span aria-hidden="true" className="figure text-ink-3">{open ? "−" : "+"}</span>
        </button>
      </h3>
      {open && (
        <div className="border-t px-4 py-4">
          <ActionForm action={action} order={order} />
        </div>
      )}
    </div>
  );
}

function NotNow({ actions }: { actions: Action[] }) {
  return (
    <details className="mt-4">
      <summary className="text-small text-ink-2 hover:text-ink">Not possible now, and why</summary>
      <dl className="mt-3 flex flex-col gap-2.5 text-small">
        {actions.map((action) => (
          <div key={action.method}>
            <dt className="font-[560]">{action.title}</dt>
            <dd className="text-ink-2">{action.blocked}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
