/** Orders as rows: what, whose, how far, how much. */
"use client";
import Link from "next/link";
import { Amount } from "@/components/ui/Amount";
import { Party } from "@/components/ui/Party";
import { StateTag } from "@/components/ui/Tag";
import { Countdown, When } from "@/components/ui/Time";
import { UntrustedLine } from "@/components/ui/Untrusted";
import { SmallLevel } from "@/components/verdict/Level";
import type { Order } from "@/lib/chain/orders";

export function OrderRows({ orders }: { orders: Order[] }) {
  return (
    <ol className="border-t">
      {orders.map((order) => (
        <li key={order.id} className="relative grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 gap-y-2 border-b py-4 hover:bg-well/60 md:grid-cols-[3.5rem_minmax(0,1fr)_7.5rem_9rem_9.5rem] md:items-center md:px-2">
          <span className="figure hidden text-ink-3 md:block" aria-hidden="true">{order.id}</span>
          <div className="min-w-0 max-md:contents">
            <Link href={`/orders/detail/?id=${order.id}`} className="line-clamp-2 font-[560] after:absolute after:inset-0 md:line-clamp-1">
              <span className="sr-only">Order {order.id}: </span>
              <UntrustedLine text={order.title} />
            </Link>
            <div className="flex flex-wrap gap-x-3 text-small text-ink-2 max-md:col-span-2 max-md:row-start-2 md:mt-0.5">
              <span className="md:hidden">Order {order.id}</span>
              <span>for <Party address={order.client} link={false} /></span>
              {order.status !== "open" && <span>by <Party address={order.provider} nobody="nobody" link={false} /></span>}
            </div>
          </div>
          <div className="justify-self-end max-md:col-start-2 max-md:row-start-1 md:justify-self-start"><StateTag state={order.status} /></div>
          <div className="md:text-right"><Amount wei={order.escrowWei} short /></div>
          <div className="justify-self-end text-small text-ink-2"><Progress order={order} /></div>
        </li>
      ))}
    </ol>
  );
}

function Progress({ order }: { order: Order }) {
  if (order.status === "completed" || order.status === "rejected") return <SmallLevel percent={order.percent} />;
  if (order.status === "open" || order.status === "claimed") return <Countdown to={order.deadline} past="deadline passed" />;
  return <When at={order.resolvedAt} />;
}
