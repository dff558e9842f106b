/** All orders. */
import type { Metadata } from "next";
import { Suspense } from "react";
import { OrdersBrowser } from "@/components/order/OrdersBrowser";
import { ButtonLink } from "@/components/ui/Button";
import { PageHead } from "@/components/ui/Page";
import { Loading } from "@/components/ui/States";

export const metadata: Metadata = { title: "Orders" };

export default function OrdersPage() {
  return (
    <>
      <PageHead title="Orders" lead="Work that somebody has put money behind. Newest first." actions={<ButtonLink href="/orders/new/" weight="primary">New order</ButtonLink>} />
      <div className="measure min-h-dvh">
        <Suspense fallback={<Loading lines={6} />}>
          <OrdersBrowser />
        </Suspense>
      </div>
    </>
  );
}
