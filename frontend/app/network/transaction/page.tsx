/** One transaction: `?hash=0x…`. */
import type { Metadata } from "next";
import { Suspense } from "react";
import { TransactionView } from "@/components/network/TransactionView";
import { Loading } from "@/components/ui/States";

export const metadata: Metadata = { title: "Transaction" };

export default function TransactionPage() {
  return (
    <Suspense fallback={<div className="measure py-12"><Loading /></div>}>
      <TransactionView />
    </Suspense>
  );
}
