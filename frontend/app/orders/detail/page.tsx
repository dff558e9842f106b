/** One order: `?id=7`. */
import type { Metadata } from "next";
import { Suspense } from "react";
import { OrderDetail } from "@/components/order/OrderDetail";
import { Loading } from "@/components/ui/States";

export const metadata: Metadata = { title: "Order" };

export default function OrderPage() {
  return (
    <Suspense fallback={<div className="measure py-12"><Loading lines={8} /></div>}>
      <OrderDetail />
    </Suspense>
  );
}
