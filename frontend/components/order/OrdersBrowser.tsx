/** The list of orders: filtered by status, a page at a time, or straight to one by its number. */
"use client";
import { useRouter, useSearchParams } from "next/navigation";
import { useState } from "react";
import { Button, ButtonLink } from "@/components/ui/Button";
import { INPUT } from "@/components/ui/Field";
import { Pager } from "@/components/ui/Pager";
import { goWithin, WithinLink } from "@/components/ui/WithinLink";
import { Empty, Reading } from "@/components/ui/States";
import { stateLabel } from "@/lib/lifecycle/labels";
import { STATUSES, type OrderStatus } from "@/lib/chain/orders";
import { PAGE, useOrdersPage, useStats } from "@/lib/hooks/orders";
import { OrderRows } from "./OrderRows";

export function OrdersBrowser() {
  const params = useSearchParams();
  const asked = params.get("status") ?? "";
  const status = STATUSES.includes(asked as OrderStatus) ? (asked as OrderStatus) : "";
  const page = Math.max(0, Math.trunc(Number(params.get("page")) || 0));
  const query = useOrdersPage(page, status);
  return (
    <>
      <div className="flex flex-col gap-4 pb-6 md:flex-row md:items-center md:justify-between">
        <Filters status={status} />
        <FindById />
      </div>
      <Reading query={query} lines={6}>
        {(orders) =>
          orders.length === 0 ? (
            <Nothing status={status} page={page} />
          ) : (
            <>
              <OrderRows orders={orders} />
              <Pager page={page} more={orders.length === PAGE} onPage={(next) => goWithin(place(status, next))} />
            </>
          )
        }
      </Reading>
    </>
  );
}

function place(status: string, page = 0): string {
  const params = new URLSearchParams();
  if (status) params.set("status", status);
  if (page) params.set("page", String(page));
  const text = params.toString();
  return text ? `/orders/?${text}` : "/orders/";
}

function Filters({ status }: { status: string }) {
  const stats = useStats().data;
  const rows = [{ value: "", label: "All", count: stats?.orders }, ...STATUSES.map((value) => ({ value, label: stateLabel(value), count: stats?.byStatus[value] }))];
  return (
    <nav aria-label="Filter by status" className="flex flex-wrap gap-1">
      {rows.map(({ value, label, count }) => (
        <WithinLink
          key={value}
          href={place(value)}
          aria-current={status === value ? "true" : undefined}
          className="rounded-vial border border-transparent px-3 py-1 text-small text-ink-2 hover:bg-well hover:text-ink aria-[current]:border-ink aria-[current]:text-ink"
        >
          {label}
          <span className="figure ml-1.5 inline-block min-w-[2ch] text-ink-3">{count ?? ""}</span>
        </WithinLink>
      ))}
    </nav>
  );
}

function FindById() {
  const router = useRouter();
  const [text, setText] = useState("");
  const id = /^[0-9]{1,15}$/.test(text.trim()) ? Number(text.trim()) : null;
  return (
    <form
      role="search"
      className="flex gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (id !== null) router.push(`/orders/detail/?id=${id}`);
      }}
    >
      <label htmlFor="find" className="sr-only">Order number</label>
      <input id="find" inputMode="numeric" autoComplete="off" placeholder="Order number" value={text} onChange={(event) => setText(event.target.value)} className={`${INPUT} figure !w-36`} />
      <Button type="submit" disabled={id === null}>Open</Button>
    </form>
  );
}

function Nothing({ status, page }: { status: string; page: number }) {
  if (page > 0) return <Empty title={`There is no page ${page + 1} of ${status ? `${stateLabel(status).toLowerCase()} ` : ""}orders.`} action={<ButtonLink href={place(status)}>To the newest</ButtonLink>} />;
  if (status) return <Empty title={`No order is ${stateLabel(status).toLowerCase()} just now.`} action={<ButtonLink href="/orders/">All orders</ButtonLink>} />;
  return (
    <Empty title="No order has been opened yet." action={<ButtonLink href="/orders/new/" weight="primary">Open the first order</ButtonLink>}>
      An order locks GEN against a spec and criteria. Anyone but you can claim it.
    </Empty>
  );
}
