/** The head of an order: its number and title, its state, its parties, and the clock that matters now. */
"use client";
import { PageHead } from "@/components/ui/Page";
import { Party } from "@/components/ui/Party";
import { StateTag } from "@/components/ui/Tag";
import { Countdown, When } from "@/components/ui/Time";
import { UntrustedLine } from "@/components/ui/Untrusted";
import type { Order } from "@/lib/chain/orders";

export function OrderHead({ order }: { order: Order }) {
  const live = order.status === "open" || order.status === "claimed";
  const judged = order.status === "completed" || order.status === "rejected";
  return (
    <PageHead
      over={
        <>
          <span className="text-ink">Order {order.id}</span>
          <StateTag state={order.status} />
        </>
      }
      title={<UntrustedLine text={order.title} empty={`Order ${order.id}`} />}
      lead={
        <span className="flex flex-wrap gap-x-6 gap-y-1 text-base">
          <Fact label="Client"><Party address={order.client} /></Fact>
          <Fact label="Provider"><Party address={order.provider} /></Fact>
          <Fact label="Opened"><When at={order.createdAt} /></Fact>
          {live && <Fact label="Deadline"><Countdown to={order.deadline} past="passed: it can be closed as expired" /></Fact>}
          {judged && !order.appealUsed && <Fact label="Appeal"><Countdown to={order.appealDeadline} past="window closed" /></Fact>}
          {judged && order.appealUsed && <Fact label="Appeal">used, this verdict is final</Fact>}
        </span>
      }
    />
  );
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <span className="inline-flex items-baseline gap-2">
      <span className="text-small text-ink-3">{label}</span>
      <span>{children}</span>
    </span>
  );
}
