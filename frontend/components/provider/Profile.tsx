/** One provider: its record, and the orders behind it. */
"use client";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { OrderRows } from "@/components/order/OrderRows";
import { Amount, Figure } from "@/components/ui/Amount";
import { ButtonLink } from "@/components/ui/Button";
import { PageHead, Section } from "@/components/ui/Page";
import { Pager } from "@/components/ui/Pager";
import { Copy } from "@/components/ui/Party";
import { Empty, Reading } from "@/components/ui/States";
import { isAddress } from "@/lib/format/address";
import { PAGE, usePartyOrders, useReputation } from "@/lib/hooks/orders";
import { Reliability } from "./Leaderboard";

export function Profile() {
  const text = useSearchParams().get("address") ?? "";
  const [page, setPage] = useState(0);
  const address = isAddress(text) ? text : null;
  const reputation = useReputation(address);
  const orders = usePartyOrders("provider", address, page);
  const opened = usePartyOrders("client", address);
  if (address === null)
    return (
      <div className="measure py-12">
        <h1 className="sr-only">Profile not found</h1>
        <Empty title="That is not an address." action={<ButtonLink href="/leaderboard/">Leaderboard</ButtonLink>} />
      </div>
    );
  return (
    <>
      <PageHead over={<>Profile <Copy text={address} label="the address" /></>} title={<span className="figure text-lead break-all sm:text-title">{address}</span>} />
      <div className="measure">
        <Section label="Record" note="as provider">
          <Reading query={reputation}>
            {(row) => (
              <>
                <p className="mb-6"><Reliability row={row} /> <span className="text-ink-2">reliability: completed out of all that ended</span></p>
                <dl className="grid grid-cols-2 gap-6 md:grid-cols-[repeat(4,minmax(0,1fr))_auto]">
                  <Figure label="Completed">{row.completed}</Figure>
                  <Figure label="Rejected">{row.rejected}</Figure>
                  <Figure label="Abandoned">{row.abandoned}</Figure>
                  <Figure label="Disputed">{row.disputed}</Figure>
                  <Figure label="Earned"><Amount wei={row.earnedWei} short /></Figure>
                </dl>
              </>
            )}
          </Reading>
        </Section>
        <Section label="Delivered" note="orders it claimed">
          <Reading query={orders}>
            {(rows) => (rows.length ? <><OrderRows orders={rows} /><Pager page={page} more={rows.length === PAGE} onPage={setPage} /></> : <p className="text-ink-2">It has claimed no order that it still holds or ended.</p>)}
          </Reading>
        </Section>
        <Section label="Opened" note="orders as client">
          <Reading query={opened}>{(rows) => (rows.length ? <OrderRows orders={rows} /> : <p className="text-ink-2">It has opened no order.</p>)}</Reading>
        </Section>
      </div>
    </>
  );
}
