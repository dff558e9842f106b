/** One account's desk: what waits for it, what it has locked and earned, its orders on both sides. */
"use client";
import Link from "next/link";
import { useState } from "react";
import { AccountDialog } from "@/components/wallet/AccountDialog";
import { OrderRows } from "@/components/order/OrderRows";
import { Amount, Figure } from "@/components/ui/Amount";
import { Button, ButtonLink } from "@/components/ui/Button";
import { Section } from "@/components/ui/Page";
import { Empty, Loading, Reading } from "@/components/ui/States";
import { UntrustedLine } from "@/components/ui/Untrusted";
import { useCredit } from "@/lib/hooks/agreements";
import { useNow } from "@/lib/hooks/network";
import { useBalance } from "@/lib/hooks/node";
import { PAGE, usePartyOrders, useReputation } from "@/lib/hooks/orders";
import { lockedBy, whatWaits } from "@/lib/lifecycle/waiting";
import { useStore } from "@/lib/store";
import { accountStore } from "@/lib/wallet/account";
import { MyAgreements } from "./MyAgreements";
import { Pager } from "@/components/ui/Pager";

export function Dashboard() {
  const account = useStore(accountStore, null);
  return account ? <Desk who={account.address} /> : <Stranger />;
}

function Stranger() {
  const [open, setOpen] = useState(false);
  return (
    <Empty title="Choose an account to see its desk." action={<Button weight="primary" onClick={() => setOpen(true)}>Choose an account</Button>}>
      A wallet extension, or on a development network a burner account that costs nothing.
      {open && <AccountDialog onClose={() => setOpen(false)} />}
    </Empty>
  );
}

function Desk({ who }: { who: string }) {
  const [clientPage, setClientPage] = useState(0);
  const [providerPage, setProviderPage] = useState(0);
  const asClient = usePartyOrders("client", who, clientPage);
  const asProvider = usePartyOrders("provider", who, providerPage);
  return (
    <>
      <Sums who={who} />
      <Section label="Waits for you">
        <Waits who={who} />
      </Section>
      <Section label="As client" note="orders you opened">
        <Reading query={asClient}>
          {(orders) =>
            orders.length === 0 && clientPage === 0 ? (
              <Empty title="You have opened no order." action={<ButtonLink href="/orders/new/" weight="primary">New order</ButtonLink>} />
            ) : (
              <><OrderRows orders={orders} /><Pager page={clientPage} more={orders.length === PAGE} onPage={setClientPage} /></>
            )
          }
        </Reading>
      </Section>
      <Section label="As provider" note="orders you claimed">
        <Reading query={asProvider}>
          {(orders) =>
            orders.length === 0 && providerPage === 0 ? (
              <Empty title="You have claimed no order." action={<ButtonLink href="/orders/?status=open">Open orders</ButtonLink>} />
            ) : (
              <><OrderRows orders={orders} /><Pager page={providerPage} more={orders.length === PAGE} onPage={setProviderPage} /></>
            )
          }
        </Reading>
      </Section>
      <Section label="Agreements" note="as payer, provider or arbiter">
        <MyAgreements who={who} />
      </Section>
    </>
  );
}

/** The newest page of each side is enough to say what is urgent; older orders are settled or expired. */
function useDeskOrders(who: string) {
  const asClient = usePartyOrders("client", who);
  const asProvider = usePartyOrders("provider", who);
  return { orders: [...(asClient.data ?? []), ...(asProvider.data ?? [])], ready: asClient.data !== undefined && asProvider.data !== undefined };
}

function Sums({ who }: { who: string }) {
  const { orders, ready } = useDeskOrders(who);
  const balance = useBalance(who).data;
  const reputation = useReputation(who).data;
  const credit = useCredit(who).data;
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-6 border-t py-8 md:grid-cols-4">
      <Figure label="Balance">{balance === undefined ? "…" : <Amount wei={balance} short />}</Figure>
      <Figure label="Locked in your live orders">{ready ? <Amount wei={lockedBy(orders, who)} short /> : "…"}</Figure>
      <Figure label="Earned as provider">{reputation ? <Amount wei={reputation.earnedWei} short /> : "…"}</Figure>
      <Figure label="Credit to withdraw">{credit === undefined ? "…" : <Amount wei={credit} short />}</Figure>
    </dl>
  );
}

function Waits({ who }: { who: string }) {
  const { orders, ready } = useDeskOrders(who);
  const now = useNow(30);
  if (!ready || now === null) return <Loading lines={2} />;
  const rows = whatWaits(orders, who, now);
  if (rows.length === 0) return <p className="text-ink-2">Nothing waits for you.</p>;
  return (
    <ul className="divide-y border-y">
      {rows.map(({ order, sentence, urgent }) => (
        <li key={order.id} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 py-3">
          <Link href={`/orders/detail/?id=${order.id}`} className="link min-w-0 font-[560]"><UntrustedLine text={order.title} /></Link>
          <span className={urgent ? "text-warn" : "text-ink-2"}>{sentence}</span>
        </li>
      ))}
    </ul>
  );
}
