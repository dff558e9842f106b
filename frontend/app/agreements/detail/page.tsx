/** One agreement: `?id=1`. */
import type { Metadata } from "next";
import { Suspense } from "react";
import { AgreementDetail } from "@/components/agreement/AgreementDetail";
import { Loading } from "@/components/ui/States";

export const metadata: Metadata = { title: "Agreement" };

export default function AgreementPage() {
  return (
    <Suspense fallback={<div className="measure py-12"><Loading lines={8} /></div>}>
      <AgreementDetail />
    </Suspense>
  );
}
