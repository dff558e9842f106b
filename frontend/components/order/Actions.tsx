/** What the account of this tab may do with the order now. */
"use client";
import { ActionList } from "@/components/ui/ActionList";
import { Party } from "@/components/ui/Party";
import type { Order } from "@/lib/chain/orders";
import { useNow } from "@/lib/hooks/network";
import { orderActions } from "@/lib/lifecycle/order-actions";
import { useStore } from "@/lib/store";
import { accountStore } from "@/lib/wallet/account";
import { ActionForm } from "./ActionForm";

export function Actions({ order, busy }: { order: Order; busy: boolean }) {
  const account = useStore(accountStore, null);
  const now = useNow(5);
  return (
    <div>
      <h2 className="font-[560]">What you can do now</h2>
      <p className="mt-1 mb-4 text-small text-ink-2">{account ? <>As <Party address={account.address} link={false} /></> : "No account is connected in this tab."}</p>
      {busy && <p role="status" className="mb-3 text-small text-busy">A transaction about this order is under way. Wait for its end before you decide.</p>}
      {now !== null && <ActionList actions={orderActions(order, account?.address ?? null, now)} form={(action) => <ActionForm key={action.method} action={action} order={order} />} />}
    </div>
  );
}
