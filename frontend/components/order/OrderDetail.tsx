/** One order, told so that at a glance one sees what was asked, what was delivered, who decided, why, and where the money is. */
"use client";
import { useSearchParams } from "next/navigation";
import { ButtonLink } from "@/components/ui/Button";
import { Section, Sheet } from "@/components/ui/Page";
import { Empty, Failure, Loading } from "@/components/ui/States";
import { MoneyBar } from "@/components/money/MoneyBar";
import { Timeline } from "@/components/ui/Timeline";
import { Untrusted } from "@/components/ui/Untrusted";
import { ChainError } from "@/lib/chain/errors";
import type { Order } from "@/lib/chain/orders";
import { useOrder } from "@/lib/hooks/orders";
import { useOrderTransactions } from "@/lib/hooks/subject";
import { whereTheMoneyIs } from "@/lib/lifecycle/money";
import { Actions } from "./Actions";
import { Asked } from "./Asked";
import { Decided } from "./Decided";
import { Delivered } from "./Delivered";
import { OrderHead } from "./OrderHead";
import { UnderWay } from "./UnderWay";

export function OrderDetail() {
  const text = useSearchParams().get("id") ?? "";
  const id = /^[0-9]{1,10}$/.test(text) ? Number(text) : null;
  const query = useOrder(id);
  if (id === null) return <Unknown text={text} />;
  if (query.error instanceof ChainError && (query.error.kind === "not_found" || query.error.kind === "reverted")) return <Unknown text={text} />;
  if (query.data) return <Story order={query.data} />;
  if (query.error) return <div className="measure py-12"><Failure error={query.error} onRetry={() => void query.refetch()} /></div>;
  return <div className="measure py-12"><Loading lines={8} label="Reading the order" /></div>;
}

function Unknown({ text }: { text: string }) {
  return (
    <div className="measure py-12">
      <h1 className="sr-only">Order not found</h1>
      <Empty title={text ? `There is no order ${text.slice(0, 20)}.` : "No order was named."} action={<ButtonLink href="/orders/">All orders</ButtonLink>}>
        Orders are numbered from 0 in the order in which they were opened.
      </Empty>
    </div>
  );
}

function Story({ order }: { order: Order }) {
  const related = useOrderTransactions(order);
  const judged = order.status === "completed" || order.status === "rejected";
  return (
    <>
      <OrderHead order={order} />
      <div className="measure grid gap-x-8 lg:grid-cols-[minmax(0,1fr)_21rem] lg:grid-rows-[auto_1fr]">
        <div className="min-w-0">
          <UnderWay related={related} />
          <Decided order={order} related={related} />
          {!judged && <Asked order={order} />}
        </div>
        <aside aria-label="Money and actions" className="flex flex-col gap-4 pb-8 lg:sticky lg:top-24 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:self-start">
          <Sheet className="p-5">
            <h2 className="mb-3 font-[560]">Where the money is</h2>
            <MoneyBar parts={whereTheMoneyIs(order, related.settling)} />
          </Sheet>
          <Sheet className="p-5">
            <Actions order={order} busy={related.busy} />
          </Sheet>
        </aside>
        <div className="min-w-0">
          {judged && <Asked order={order} />}
          <Delivered order={order} related={related} />
          {order.redFlags.length > 0 && (
            <Section label="Red flags" note="reported by the judges">
              <ul className="flex flex-col gap-2">
                {order.redFlags.map((flag, at) => (
                  <li key={at} className="rounded-box border border-warn/40 bg-warn-wash px-4 py-2.5"><Untrusted text={flag} /></li>
                ))}
              </ul>
            </Section>
          )}
          <Section label="Timeline" note={order.timelineFolded > 0 ? `${order.timelineFolded} older entries folded away` : undefined}>
            <Timeline moments={order.timeline} />
          </Section>
        </div>
      </div>
    </>
  );
}
